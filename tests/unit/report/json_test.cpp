// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "alo/error.hpp"
#include "alo/report.hpp"
#include "report/coefficient_limit.hpp"
#include "unit/report/example_result.hpp"

namespace alo {
namespace {

using nlohmann::json;

std::vector<std::string> keys(const json& object) {
  std::vector<std::string> names;
  for (const auto& item : object.items()) names.push_back(item.key());
  return names;
}

json rendered(const example::ExampleOptions& options, const ReportContext& context) {
  const Problem problem = example::example_problem(options);
  return json::parse(render_json(problem, example::example_result(problem, options), context));
}

TEST(ReportJson, HoldsEveryKeyOfTheFormat) {
  const json document = rendered({}, {});
  EXPECT_EQ(document["format"], "alo-result/1");
  EXPECT_THAT(keys(document), testing::IsSupersetOf({"data", "problem", "path", "selection", "verdict",
                                                     "timing", "complete", "seed", "version", "warnings"}));
  EXPECT_THAT(keys(document["data"]), testing::IsSupersetOf({"rows", "columns", "target", "classes"}));
  EXPECT_EQ(document["data"]["rows"], 90);
  EXPECT_EQ(document["data"]["columns"].size(), 24U);
  EXPECT_THAT(keys(document["problem"]), testing::IsSupersetOf({"loss", "penalty", "intercept", "standardize",
                                                                "parameters", "metric", "objective"}));
  ASSERT_EQ(document["path"].size(), 60U);
  const json& point = document["path"][5];
  EXPECT_THAT(keys(point), testing::IsSupersetOf({"lambda", "intercept", "coefficients", "df", "gap", "kkt",
                                                  "status", "method", "risk"}));
  EXPECT_THAT(keys(point["risk"]), testing::UnorderedElementsAre("mse", "mae"));
  EXPECT_THAT(keys(point["risk"]["mse"]), testing::UnorderedElementsAre("alo", "estimate", "exact", "kfold"));
  EXPECT_THAT(keys(point["risk"]["mae"]), testing::UnorderedElementsAre("alo", "estimate"));
  EXPECT_THAT(keys(point["risk"]["mse"]["estimate"]),
              testing::UnorderedElementsAre("mean", "se", "undefined", "kind", "error"));
  EXPECT_THAT(keys(point["risk"]["mse"]["alo"]), testing::UnorderedElementsAre("mean", "se", "undefined"));
  EXPECT_THAT(keys(document["selection"]), testing::UnorderedElementsAre("rule", "search", "chosen_by",
                                                                         "index", "lambda", "min", "one_se"));
  EXPECT_THAT(keys(document["selection"]["min"]),
              testing::IsSupersetOf({"index", "lambda", "risk", "se", "intercept", "coefficients", "df",
                                     "gap", "kkt", "status", "method"}));
  EXPECT_THAT(keys(document["timing"]),
              testing::UnorderedElementsAre("read_s", "fit_s", "alo_s", "exact_s", "kfold_s", "outer_s"));
  EXPECT_FALSE(document.contains("check"));
  EXPECT_FALSE(document.contains("outer"));
}

TEST(ReportJson, NumbersReadBackAsTheSameDoubles) {
  const Problem problem = example::example_problem();
  const TuneResult result = example::example_result(problem);
  const json document = json::parse(render_json(problem, result, {}));
  for (std::size_t at = 0; at < result.path.size(); ++at) {
    const json& point = document["path"][at];
    EXPECT_EQ(point["lambda"].get<double>(), result.path[at].fit.lambda);
    EXPECT_EQ(point["risk"]["mse"]["alo"]["mean"].get<double>(), *result.risk[0].alo[at].mean);
    for (Index j = 0; j < problem.columns(); ++j) {
      EXPECT_EQ(point["coefficients"][static_cast<std::size_t>(j)].get<double>(),
                result.path[at].fit.coefficients[j]);
    }
  }
}

TEST(ReportJson, PredictionsAreThereOnlyWhenAskedFor) {
  example::ExampleOptions options;
  options.keep_rows = true;
  ReportContext context;
  json document = rendered(options, context);
  EXPECT_FALSE(document["path"][0].contains("predictions"));
  EXPECT_FALSE(document["selection"]["min"].contains("predictions"));
  context.predictions = true;
  document = rendered(options, context);
  for (const json* point :
       {&document["path"][0], &document["selection"]["min"], &document["selection"]["one_se"]}) {
    const json& predictions = (*point)["predictions"];
    for (const char* key : {"fitted", "alo", "exact", "leverage", "certified", "flags"}) {
      EXPECT_EQ(predictions[key].size(), 90U) << key;
    }
  }
  options.keep_rows = false;
  document = rendered(options, context);
  EXPECT_FALSE(document["path"][0].contains("predictions"));
  EXPECT_TRUE(document["selection"]["min"].contains("predictions"));
}

TEST(ReportJson, IntervalsOfExactPredictionsHaveTheirEnds) {
  example::ExampleOptions options;
  options.keep_rows = true;
  const Problem problem = example::example_problem(options);
  TuneResult result = example::example_result(problem, options);
  RowValues& rows = *result.path[3].rows;
  LeaveOneOut exact{rows.alo, Vector(), 0.0, rows.flags};
  note_exact(rows, exact);
  ReportContext context;
  context.predictions = true;
  const auto predictions_of = [&](const TuneResult& of) {
    return json::parse(render_json(problem, of, context))["path"][3]["predictions"];
  };
  EXPECT_FALSE(predictions_of(result).contains("exact_low"));
  exact.low = exact.high = exact.linear_predictor;
  exact.low[1] -= 1.0;
  exact.high[1] += 1.0;
  exact.low[2] = -std::numeric_limits<double>::infinity();
  exact.flags[1] = exact.flags[2] = RowFlag::not_unique;
  rows.flags[2] = RowFlag::repaired;
  note_exact(rows, exact);
  const auto predictions = predictions_of(result);
  EXPECT_EQ(predictions["exact_low"][0], predictions["exact"][0]);
  EXPECT_EQ(predictions["exact_low"][1], exact.low[1]);
  EXPECT_EQ(predictions["exact_high"][1], exact.high[1]);
  EXPECT_TRUE(predictions["exact_low"][2].is_null());
  EXPECT_EQ(predictions["flags"][1], "not_unique");
  EXPECT_EQ(predictions["flags"][2], "repaired");
}

TEST(ReportJson, NotANumberBecomesNullAndFlagsAreWords) {
  example::ExampleOptions options;
  options.keep_rows = true;
  const Problem problem = example::example_problem(options);
  TuneResult result = example::example_result(problem, options);
  RowValues& rows = *result.path[3].rows;
  const std::vector<RowFlag> flags = {RowFlag::leverage_one, RowFlag::singular, RowFlag::repaired};
  std::copy(flags.begin(), flags.end(), rows.flags.begin());
  rows.alo[0] = std::numeric_limits<double>::quiet_NaN();
  rows.certified.assign(90, std::nullopt);
  rows.certified[1] = true;
  rows.certified[2] = false;
  result.risk[0].alo[3] = {std::nullopt, std::nullopt, 3};
  result.path[3].fit.certificate.gap = std::nullopt;
  result.path[3].degrees_of_freedom = std::numeric_limits<double>::infinity();
  ReportContext context;
  context.predictions = true;
  const std::string text = render_json(problem, result, context);
  EXPECT_THAT(text, testing::Not(testing::ContainsRegex("[^a-z\"]nan|[^a-z\"]inf")));
  const json point = json::parse(text)["path"][3];
  EXPECT_TRUE(point["predictions"]["alo"][0].is_null());
  EXPECT_EQ(point["predictions"]["flags"][0], "leverage_one");
  EXPECT_EQ(point["predictions"]["flags"][1], "singular");
  EXPECT_EQ(point["predictions"]["flags"][2], "repaired");
  EXPECT_EQ(point["predictions"]["flags"][3], "");
  EXPECT_EQ(point["predictions"]["certified"][1], true);
  EXPECT_EQ(point["predictions"]["certified"][2], false);
  EXPECT_TRUE(point["predictions"]["certified"][3].is_null());
  EXPECT_TRUE(point["risk"]["mse"]["alo"]["mean"].is_null());
  EXPECT_EQ(point["risk"]["mse"]["alo"]["undefined"], 3);
  EXPECT_TRUE(point["gap"].is_null());
  EXPECT_TRUE(point["df"].is_null());
}

TEST(ReportJson, SelectionFollowsTheRuleAndMayLieOffTheGrid) {
  const Problem problem = example::example_problem();
  TuneResult result = example::example_result(problem);
  json selection = json::parse(render_json(problem, result, {}))["selection"];
  EXPECT_EQ(selection["rule"], "min");
  EXPECT_EQ(selection["search"], "grid");
  EXPECT_EQ(selection["lambda"], selection["min"]["lambda"]);
  EXPECT_EQ(selection["index"], *result.minimum->choice.index);
  result.rule = Rule::one_se;
  result.search = Search::exact;
  result.one_se->choice.index = std::nullopt;
  selection = json::parse(render_json(problem, result, {}))["selection"];
  EXPECT_EQ(selection["rule"], "1se");
  EXPECT_EQ(selection["search"], "exact");
  EXPECT_TRUE(selection["index"].is_null());
  EXPECT_EQ(selection["lambda"], selection["one_se"]["lambda"]);
  result.minimum.reset();
  result.one_se.reset();
  selection = json::parse(render_json(problem, result, {}))["selection"];
  EXPECT_TRUE(selection["lambda"].is_null());
  EXPECT_TRUE(selection["min"].is_null());
}

TEST(ReportJson, ExactRiskIsGivenAtTheChoicesWhereComputed) {
  example::ExampleOptions options;
  options.exact_curve = false;
  const Problem problem = example::example_problem(options);
  const TuneResult result = example::example_result(problem, options);
  const json document = json::parse(render_json(problem, result, {}));
  const json& exact = document["selection"]["min"]["exact"];
  EXPECT_THAT(keys(exact), testing::UnorderedElementsAre("mse", "mae"));
  EXPECT_EQ(exact["mse"]["mean"].get<double>(), *result.minimum->exact[0].mean);
  EXPECT_EQ(exact["mae"]["se"].get<double>(), *result.minimum->exact[1].se);
  EXPECT_EQ(exact["mae"]["undefined"], 0);
  EXPECT_EQ(document["selection"]["one_se"]["exact"]["mse"]["mean"].get<double>(),
            *result.one_se->exact[0].mean);
  EXPECT_FALSE(document["path"][0]["risk"]["mse"].contains("exact"));
  options.exact = false;
  EXPECT_FALSE(rendered(options, {})["selection"]["min"].contains("exact"));
}

TEST(ReportJson, CheckAppearsWhereAsked) {
  const Problem problem = example::example_problem();
  TuneResult result = example::example_result(problem);
  Check check;
  check.rows = {4, 7};
  check.alo = check.exact = Vector::Constant(2, 1.5);
  check.alo_risk = check.exact_risk = {2.0, std::nullopt, 0};
  check.interval_low = 1;
  check.interval_high = 3;
  check.settled = 3;
  check.deciding_rows = 40;
  result.check = check;
  const json object = json::parse(render_json(problem, result, {}))["check"];
  EXPECT_EQ(object["sample"], 2);
  EXPECT_EQ(object["rows"], json::array({4, 7}));
  EXPECT_EQ(object["interval"], json::array({1.0, 3.0}));
  EXPECT_TRUE(object["alo_risk"]["se"].is_null());
  EXPECT_EQ(object["settled"], 3);
  EXPECT_EQ(object["verdict"], "undecided");
  EXPECT_EQ(object["deciding_rows"], 40);
}

TEST(ReportJson, OuterFoldsAppearWhereAsked) {
  const Problem problem = example::example_problem();
  TuneResult result = example::example_result(problem);
  result.outer = OuterRisk{.folds = 2,
                           .metrics = {Metric::mse, Metric::mae},
                           .risk = {{2.0, 0.5, 0}, {1.0, 0.25, 0}},
                           .lambdas = {3.0, std::nan("")}};
  const json object = json::parse(render_json(problem, result, {}))["outer"];
  EXPECT_EQ(object["folds"], 2);
  EXPECT_EQ(object["mean"], 2.0);
  EXPECT_EQ(object["se"], 0.5);
  EXPECT_EQ(object["risk"]["mae"]["se"], 0.25);
  EXPECT_EQ(object["lambda"][0], 3.0);
  EXPECT_TRUE(object["lambda"][1].is_null());
}

TEST(ReportJson, TextIsEscapedAndBrokenBytesReplaced) {
  example::ExampleOptions options;
  options.column_names = {"a \"quoted\"\n\\ name", "bytes \xFF\xFE"};
  const json document = rendered(options, {});
  EXPECT_EQ(document["data"]["columns"][0], options.column_names[0]);
  EXPECT_EQ(document["data"]["columns"][1], "bytes \uFFFD\uFFFD");
}

TEST(ReportJson, ParametersAreAnObject) {
  ReportContext context;
  context.parameters = R"({"mix":0.25})";
  EXPECT_EQ(rendered({}, context)["problem"]["parameters"]["mix"], 0.25);
  context.parameters = "mix=0.25";
  EXPECT_THROW(rendered({}, context), InvalidArgument);
}

TEST(ReportJson, AMillionCoefficientsAreWrittenInSeconds) {
  example::ExampleOptions options;
  options.lambdas = 100;
  TuneResult result = example::example_result(example::example_problem(options), options);
  for (PathPoint& point : result.path) point.fit.coefficients = Vector::LinSpaced(10000, 0.1, 0.7);
  options.columns = 10000;
  options.rows = 12;
  const Problem problem = example::example_problem(options);
  const auto begin = std::chrono::steady_clock::now();
  const std::string text = render_json(problem, result, {});
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  EXPECT_GT(text.size(), 10'000'000U);
  // About 0.2 s unloaded; sanitizers and a busy machine are slower.
  EXPECT_LT(seconds.count(), 20.0);
  RecordProperty("seconds", std::to_string(seconds.count()));
}

TEST(ReportJson, CoefficientsOfAHugeModelAreGivenAtTheChoiceOnly) {
  example::ExampleOptions options;
  options.rows = 2;
  options.columns = 1'000'001;
  options.lambdas = 1;
  options.exact = options.kfold = false;
  Dataset data = make_dataset(Design(SparseMatrix(2, options.columns)), Vector::LinSpaced(2, 0.0, 1.0));
  const Problem base = example::example_problem();
  const Problem problem(std::move(data), base.loss(), base.penalty(), {true, false});
  TuneResult result = example::example_result(base, options);
  result.path[0].fit.coefficients = Vector::Zero(options.columns);
  result.minimum->point.fit.coefficients = Vector::Zero(options.columns);
  ReportContext context;
  json document = json::parse(render_json(problem, result, context));
  EXPECT_TRUE(document["path"][0]["coefficients"].is_null());
  EXPECT_EQ(document["selection"]["min"]["coefficients"].size(), 1'000'001U);
  EXPECT_THAT(render_coefficients_csv(problem, result, context), testing::StartsWith("term,min,1se\n"));
  context.all_coefficients = true;
  document = json::parse(render_json(problem, result, context));
  EXPECT_EQ(document["path"][0]["coefficients"].size(), 1'000'001U);
}

TEST(ReportJson, TheCoefficientsOfAllFitsTogetherAreLimitedToo) {
  Dataset data = make_dataset(Design(SparseMatrix(2, 1'000'000)), Vector::LinSpaced(2, 0.0, 1.0));
  const Problem base = example::example_problem();
  const Problem problem(std::move(data), base.loss(), base.penalty(), {true, false});
  TuneResult result;
  result.path.resize(10);
  EXPECT_TRUE(report::has_path_coefficients(problem, result, {}));
  result.path.resize(11);
  EXPECT_FALSE(report::has_path_coefficients(problem, result, {}));
  ReportContext context;
  context.all_coefficients = true;
  EXPECT_TRUE(report::has_path_coefficients(problem, result, context));
}

}  // namespace
}  // namespace alo
