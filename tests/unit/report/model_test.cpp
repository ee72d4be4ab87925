// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <nlohmann/json.hpp>

#include "alo/error.hpp"
#include "alo/report.hpp"
#include "unit/report/example_result.hpp"
#include "unit/report/scratch_folder.hpp"

namespace alo {
namespace {

using example::ScratchFolder;
using nlohmann::json;

std::string example_model() {
  const Problem problem = example::example_problem();
  return render_model_json(problem, example::example_result(problem), {});
}

SavedModel read_text_as_model(const std::string& text) {
  const ScratchFolder folder;
  write_file(folder.path() / "model.json", text);
  return read_model(folder.path() / "model.json");
}

bool same_bits(const Vector& a, const Vector& b) {
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), sizeof(double) * static_cast<std::size_t>(a.size())) == 0;
}

TEST(ReportModel, PredictsTheNumbersThatItsTextShows) {
  const SavedModel model = parse_model(example_model(), "the example");
  const Index columns = static_cast<Index>(model.column_names.size());
  const NewData data{Design(Matrix::Ones(2, columns)), Vector::LinSpaced(2, 0.0, 1.0)};
  const Matrix numbers = predict(model, Rule::minimum, data, PredictionType::link);
  ASSERT_EQ(numbers.size(), 2);
  EXPECT_NEAR(numbers(0), model.minimum.intercept[0] + model.minimum.coefficients.sum(), 1e-9);
  EXPECT_NEAR(numbers(1), numbers(0) + 1.0, 1e-9);
  EXPECT_THAT(render_predictions_csv(model, Rule::minimum, data, PredictionType::link),
              testing::StartsWith("prediction\n"));
  EXPECT_THROW(predict(model, Rule::minimum, data, PredictionType::label), InvalidArgument);
  try {
    parse_model("{}", "the example");
    FAIL();
  } catch (const InvalidData& error) {
    EXPECT_THAT(error.what(), testing::StartsWith("the example: "));
  }
}

TEST(ReportModel, ComesBackBitForBit) {
  const Problem problem = example::example_problem();
  TuneResult result = example::example_result(problem);
  result.rule = Rule::one_se;
  result.minimum->point.fit.coefficients[0] = 0.1 + 0.2;
  result.minimum->point.fit.coefficients[1] = -0.0;
  result.minimum->point.fit.coefficients[2] = 5e-324;
  result.minimum->point.fit.coefficients[3] = 1.7976931348623157e308;
  ReportContext context;
  context.offset = "exposure";
  context.parameters = R"({"ridge":2.5})";
  const std::string text = render_model_json(problem, result, context);
  EXPECT_EQ(json::parse(text)["parameters"]["ridge"], 2.5);
  const SavedModel model = read_text_as_model(text);
  EXPECT_EQ(model.loss, "squared");
  EXPECT_EQ(model.penalty, "lasso");
  EXPECT_EQ(model.response_name, "progression");
  EXPECT_EQ(model.column_names, problem.data().column_names);
  EXPECT_EQ(model.sources.size(), 24U);
  EXPECT_EQ(model.offset, "exposure");
  EXPECT_EQ(model.rule, Rule::one_se);
  EXPECT_EQ(model.minimum.lambda, result.minimum->choice.lambda);
  EXPECT_TRUE(same_bits(model.minimum.intercept, result.minimum->point.fit.intercept));
  EXPECT_TRUE(model.classes.empty());
  EXPECT_TRUE(same_bits(model.minimum.coefficients, result.minimum->point.fit.coefficients));
  EXPECT_TRUE(same_bits(model.one_se.coefficients, result.one_se->point.fit.coefficients));
}

TEST(ReportModel, KeepsLevelsAndFills) {
  const Problem plain = example::example_problem();
  Dataset data = plain.data();
  data.sources = {{"colour", {"blue", "green", "red"}, 0.0, false},
                  {"sex", {"f", "m"}, 0.0, false},
                  {"age", {}, 41.25, true}};
  for (std::size_t j = 5; j < 24; ++j) data.sources.push_back({data.column_names[j], {}, 0.0, false});
  const Problem problem(std::move(data), plain.loss(), plain.penalty());
  const SavedModel model =
      read_text_as_model(render_model_json(problem, example::example_result(problem), {}));
  EXPECT_THAT(model.sources[0].levels, testing::ElementsAre("blue", "green", "red"));
  EXPECT_THAT(model.sources[1].levels, testing::ElementsAre("f", "m"));
  EXPECT_TRUE(model.sources[2].filled);
  EXPECT_EQ(model.sources[2].fill, 41.25);
  EXPECT_FALSE(model.sources[3].filled);
  EXPECT_EQ(model.offset, "");
}

TEST(ReportModel, OlderFilesWithoutClassesAreRead) {
  json document = json::parse(example_model());
  document.erase("classes");
  const SavedModel model = read_text_as_model(document.dump());
  EXPECT_TRUE(model.classes.empty());
  EXPECT_EQ(model.minimum.intercept.size(), 1);
}

TEST(ReportModel, OneLambdaWithoutARiskStillMakesAModel) {
  example::ExampleOptions options;
  options.lambdas = 1;
  const Problem problem = example::example_problem(options);
  TuneResult result = example::example_result(problem, options);
  result.minimum.reset();
  result.one_se.reset();
  EXPECT_TRUE(has_model(result));
  EXPECT_EQ(read_text_as_model(render_model_json(problem, result, {})).minimum.lambda,
            result.path[0].fit.lambda);
  result.path.push_back(result.path[0]);
  EXPECT_FALSE(has_model(result));
  EXPECT_THROW(render_model_json(problem, result, {}), InvalidData);
}

struct BrokenModel {
  std::string name;
  std::function<void(json&)> breaks;
  std::string message;
};

class ReportBrokenModel : public testing::TestWithParam<BrokenModel> {};

TEST_P(ReportBrokenModel, IsRefusedWithTheReason) {
  json document = json::parse(example_model());
  GetParam().breaks(document);
  try {
    read_text_as_model(document.dump());
    FAIL() << "accepted";
  } catch (const InvalidData& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr(GetParam().message));
    EXPECT_THAT(error.what(), testing::HasSubstr("model.json"));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Faults, ReportBrokenModel,
    testing::Values(
        BrokenModel{"format", [](json& m) { m["format"] = "alo-result/1"; }, "its format is 'alo-result/1'"},
        BrokenModel{"no_format", [](json& m) { m.erase("format"); }, "'format' is missing"},
        BrokenModel{"no_columns", [](json& m) { m.erase("columns"); }, "'columns' is missing"},
        BrokenModel{"no_lambda", [](json& m) { m["min"].erase("lambda"); }, "'min.lambda' is missing"},
        BrokenModel{"null_intercept", [](json& m) { m["one_se"]["intercept"] = nullptr; },
                    "'one_se.intercept' is not a number"},
        BrokenModel{"classes_for_one_output",
                    [](json& m) {
                      m["classes"] = {"a", "b", "c"};
                    },
                    "3 classes for 1 and 1 intercepts"},
        BrokenModel{"two_intercepts",
                    [](json& m) {
                      m["min"]["intercept"] = {1.0, 2.0};
                    },
                    "coefficient 1 has 1 numbers for 2 outputs"},
        BrokenModel{"no_intercept", [](json& m) { m["min"]["intercept"] = json::array(); },
                    "'min.intercept' is an empty list"},
        BrokenModel{"few_coefficients", [](json& m) { m["min"]["coefficients"].erase(0); },
                    "23 coefficients for 24 columns"},
        BrokenModel{"null_coefficient", [](json& m) { m["min"]["coefficients"][1] = nullptr; },
                    "coefficient 2 is not a number"},
        BrokenModel{"few_sources", [](json& m) { m["sources"].erase(0); }, "'sources' make 23 columns"},
        BrokenModel{"source_name", [](json& m) { m["sources"][3].erase("name"); },
                    "'sources[3].name' is missing"},
        BrokenModel{"levels",
                    [](json& m) {
                      m["sources"][0]["levels"] = {1, 2};
                    },
                    "not text"},
        BrokenModel{"rule", [](json& m) { m["rule"] = "max"; }, "expected min or 1se"},
        BrokenModel{"columns_text", [](json& m) { m["columns"] = "x"; }, "'columns' is not a list"},
        BrokenModel{"list", [](json& m) { m = json::array(); }, "not a JSON object"}),
    [](const auto& test) { return test.param.name; });

TEST(ReportModel, FilesThatAreNoModelAreRefused) {
  EXPECT_THROW(read_text_as_model("lambda,mse\n1,2\n"), InvalidData);
  EXPECT_THROW(read_text_as_model(""), InvalidData);
  EXPECT_THROW(read_text_as_model(example_model().substr(0, 200)), InvalidData);
  EXPECT_THROW(read_model("/nonexistent/model.json"), InvalidData);
}

}  // namespace
}  // namespace alo
