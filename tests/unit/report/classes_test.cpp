// SPDX-License-Identifier: MIT
// What is written about models of classes and counts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "alo/error.hpp"
#include "alo/report.hpp"
#include "summary/confusion.hpp"
#include "summary/influence.hpp"
#include "unit/report/example_classes.hpp"
#include "unit/report/example_result.hpp"
#include "unit/report/scratch_folder.hpp"

namespace alo {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

const std::vector<std::string> two = {"no", "yes"};
const std::vector<std::string> three = {"high", "low", "mid, or so"};

json rendered(const Problem& problem, const TuneResult& result) {
  ReportContext context;
  context.predictions = true;
  return json::parse(render_json(problem, result, context));
}

SavedModel saved(const Problem& problem, const TuneResult& result) {
  const example::ScratchFolder folder;
  write_file(folder.path() / "model.json", render_model_json(problem, result, {}));
  return read_model(folder.path() / "model.json");
}

std::vector<std::string> lines(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> result;
  for (std::string line; std::getline(stream, line);) result.push_back(line);
  return result;
}

TEST(ReportClasses, JsonOfTwoClassesHasOneNumberEach) {
  const Problem problem = example::class_problem(two);
  const json document = rendered(problem, example::deviance_result(problem));
  EXPECT_EQ(document["data"]["classes"], json(two));
  EXPECT_EQ(document["problem"]["metric"], "deviance");
  EXPECT_TRUE(document["path"][20]["intercept"].is_number());
  EXPECT_TRUE(document["path"][20]["coefficients"][0].is_number());
  EXPECT_TRUE(document["path"][20]["predictions"]["alo"][0].is_number());
}

TEST(ReportClasses, JsonOfSeveralClassesHasOneRowPerColumnAndRow) {
  const Problem problem = example::class_problem(three);
  const TuneResult result = example::deviance_result(problem);
  const json document = rendered(problem, result);
  const json& point = document["path"][20];
  const Fit& fit = result.path[20].fit;
  ASSERT_EQ(point["intercept"].size(), 3U);
  EXPECT_EQ(point["intercept"][2].get<double>(), fit.intercept[2]);
  ASSERT_EQ(point["coefficients"].size(), 6U);
  // Class after class in memory, column after column in the file.
  EXPECT_EQ(point["coefficients"][1][0].get<double>(), fit.coefficients[1]);
  EXPECT_EQ(point["coefficients"][1][2].get<double>(), fit.coefficients[1 + 2 * 6]);
  const json& values = point["predictions"];
  for (const char* key : {"fitted", "alo", "leverage", "certified", "flags"}) {
    ASSERT_EQ(values[key].size(), 120U) << key;
  }
  EXPECT_EQ(values["alo"][7][1].get<double>(), result.path[20].rows->alo[7 + 120]);
  EXPECT_TRUE(values["leverage"][7].is_number());
}

TEST(ReportClasses, ConfusionCountsHeldOutRows) {
  for (const auto& labels : {two, three}) {
    const Problem problem = example::class_problem(labels);
    const TuneResult result = example::deviance_result(problem);
    const json confusion = rendered(problem, result)["selection"]["confusion"];
    ASSERT_EQ(confusion["counts"].size(), labels.size());
    Index sum = 0;
    for (const json& row : confusion["counts"]) {
      for (const json& count : row) sum += count.get<Index>();
    }
    EXPECT_EQ(sum, 120);
    EXPECT_EQ(confusion["method"], "alo");
    EXPECT_EQ(confusion["undefined"], 0);
  }
}

TEST(ReportClasses, ConfusionByHand) {
  Dataset data = make_dataset(Design(Matrix(Vector::LinSpaced(5, 0, 1))), Vector::Zero(5));
  data.response << -1, 1, 1, -1, 1;
  data.weights << 1, 2, 1, 3, 0;
  data.weight_kind = WeightKind::frequency;
  const Problem pattern = example::class_problem(two);
  const Problem problem(std::move(data), pattern.loss(), pattern.penalty());
  Selected selected;
  selected.point.rows.emplace();
  selected.point.rows->alo = (Vector(5) << -0.5, 0.1, -2, 3, 1).finished();
  const auto confusion = report::find_confusion(problem, selected);
  ASSERT_TRUE(confusion);
  EXPECT_EQ(confusion->counts, (decltype(confusion->counts)(2, 2) << 1, 3, 1, 2).finished());
  EXPECT_EQ(confusion->correct(), 3);
  selected.point.rows->exact = (Vector(5) << 1, 1, 1, 1, 1).finished();
  EXPECT_EQ(report::find_confusion(problem, selected)->counts(0, 1), 4);
  EXPECT_TRUE(report::find_confusion(problem, selected)->exact);
}

TEST(ReportClasses, ARowWithoutPredictionIsCountedApart) {
  const Problem problem = example::class_problem(three);
  const TuneResult result = example::deviance_result(problem, true);
  const json document = rendered(problem, result);
  EXPECT_EQ(document["selection"]["confusion"]["undefined"], 1);
  EXPECT_TRUE(document["path"][3]["predictions"]["alo"][2][0].is_null());
  EXPECT_THAT(render_html(problem, result, {}), HasSubstr("1 row has no held-out prediction"));
}

TEST(ReportClasses, NumbersHaveNoConfusion) {
  const Problem problem = example::example_problem();
  const TuneResult result = example::example_result(problem);
  EXPECT_FALSE(json::parse(render_json(problem, result, {}))["selection"].contains("confusion"));
  EXPECT_THAT(render_html(problem, result, {}), Not(HasSubstr("Classes when held out")));
}

TEST(ReportClasses, CoefficientsCsvNamesTheClass) {
  const Problem problem = example::class_problem(three);
  const TuneResult result = example::deviance_result(problem);
  const auto csv = lines(render_coefficients_csv(problem, result));
  ASSERT_EQ(csv.size(), 1U + 3 * 7);
  EXPECT_THAT(csv[0], testing::StartsWith("term,class,min,1se,"));
  EXPECT_THAT(csv[1], testing::StartsWith("(intercept),high,"));
  EXPECT_THAT(csv[6], testing::StartsWith("x1,\"mid, or so\","));
  const Problem binary = example::class_problem(two);
  EXPECT_THAT(render_coefficients_csv(binary, example::deviance_result(binary)),
              testing::StartsWith("term,min,1se,"));
}

TEST(ReportClasses, PathsAreNamedByColumnAndClass) {
  const Problem problem = example::class_problem(three);
  const std::string figure = render_paths_svg(problem, example::deviance_result(problem));
  EXPECT_THAT(figure, HasSubstr("x1 (high)"));
  EXPECT_THAT(figure, HasSubstr("x3 (mid, or so)"));
}

TEST(ReportClasses, WordsSuitTheLoss) {
  const Problem classes = example::class_problem(two);
  const std::string page = render_html(classes, example::deviance_result(classes), {});
  EXPECT_THAT(page, HasSubstr("Classes when held out"));
  EXPECT_THAT(page, HasSubstr("above zero for yes and below for no"));
  EXPECT_THAT(page, HasSubstr("lasso with logistic loss"));
  EXPECT_THAT(page, Not(HasSubstr("squared")));
  EXPECT_THAT(render_leverage_svg(classes, example::deviance_result(classes)),
              HasSubstr("Held-out deviance residual"));
  const Problem counts = example::count_problem();
  const std::string counted = render_html(counts, example::deviance_result(counts), {});
  EXPECT_THAT(counted, Not(HasSubstr("Classes when held out")));
  EXPECT_THAT(counted, HasSubstr("above zero where the model predicts too little"));
  EXPECT_THAT(render_table(counts, example::deviance_result(counts), false), HasSubstr("deviance"));
}

TEST(ReportClasses, InfluenceOfARowIsItsDevianceAndItsShift) {
  const Problem problem = example::class_problem(three);
  const TuneResult result = example::deviance_result(problem);
  const auto rows = report::row_influences(problem, result);
  ASSERT_EQ(rows.size(), 120U);
  const RowValues& values = *result.minimum->point.rows;
  double logits = 0;
  double shift = 0;
  for (Index k = 0; k < 3; ++k) {
    logits += std::exp(values.alo[5 + 120 * k]);
    shift += std::pow(values.fitted[5 + 120 * k] - values.alo[5 + 120 * k], 2);
  }
  const Index own = static_cast<Index>(problem.data().response[5]);
  // Both are a few roundings of a sum of three terms.
  EXPECT_NEAR(rows[5].residual, std::sqrt(2 * (std::log(logits) - values.alo[5 + 120 * own])), 1e-12);
  EXPECT_NEAR(rows[5].shift, std::sqrt(shift), 1e-12);
}

TEST(ReportClasses, CountsHaveTheSignOfTheirError) {
  const Problem problem = example::count_problem();
  const TuneResult result = example::deviance_result(problem);
  const Vector mean = problem.loss().mean(result.minimum->point.rows->alo);
  for (const report::RowInfluence& row : report::row_influences(problem, result)) {
    const double error = problem.data().response[row.row] - mean[row.row];
    EXPECT_GE(row.residual * error, 0.0);
  }
}

NewData two_rows() {
  Matrix values = Matrix::Zero(2, 6);
  values.row(1).setOnes();
  return {Design(values), (Vector(2) << 0, 0.5).finished()};
}

TEST(ReportPredictions, OfTwoClasses) {
  const Problem problem = example::class_problem(two);
  const TuneResult result = example::deviance_result(problem);
  const SavedModel model = saved(problem, result);
  EXPECT_EQ(model.classes, two);
  const Fit& fit = result.minimum->point.fit;
  const double second = fit.intercept[0] + fit.coefficients.sum() + 0.5;
  const auto link = lines(render_predictions_csv(model, Rule::minimum, two_rows(), PredictionType::link));
  ASSERT_EQ(link.size(), 3U);
  EXPECT_EQ(link[0], "prediction");
  EXPECT_NEAR(std::stod(link[2]), second, 1e-14);
  const auto response =
      lines(render_predictions_csv(model, Rule::minimum, two_rows(), PredictionType::response));
  EXPECT_NEAR(std::stod(response[2]), 1 / (1 + std::exp(-second)), 1e-15);
  const auto labels = lines(render_predictions_csv(model, Rule::minimum, two_rows(), PredictionType::label));
  EXPECT_THAT(labels, testing::ElementsAre("prediction", "yes", second > 0 ? "yes" : "no"));
}

TEST(ReportPredictions, OfSeveralClasses) {
  const Problem problem = example::class_problem(three);
  const TuneResult result = example::deviance_result(problem);
  const SavedModel model = saved(problem, result);
  const Fit& fit = result.one_se->point.fit;
  EXPECT_EQ(model.one_se.coefficients, fit.coefficients);
  EXPECT_EQ(model.one_se.intercept, fit.intercept);
  const auto link = lines(render_predictions_csv(model, Rule::one_se, two_rows(), PredictionType::link));
  EXPECT_EQ(link[0], "link:high,link:low,\"link:mid, or so\"");
  EXPECT_EQ(std::stod(link[1]), fit.intercept[0]);
  const auto response =
      lines(render_predictions_csv(model, Rule::one_se, two_rows(), PredictionType::response));
  EXPECT_EQ(response[0], "probability:high,probability:low,\"probability:mid, or so\"");
  std::istringstream cells(response[2]);
  double sum = 0;
  for (std::string cell; std::getline(cells, cell, ',');) sum += std::stod(cell);
  EXPECT_NEAR(sum, 1, 1e-14);
  const auto labels = lines(render_predictions_csv(model, Rule::one_se, two_rows(), PredictionType::label));
  // The intercepts rise from class to class and the first row is zero.
  EXPECT_EQ(labels[1], "\"mid, or so\"");
}

TEST(ReportPredictions, NumbersHaveNoLabels) {
  const Problem problem = example::example_problem();
  const SavedModel model = saved(problem, example::example_result(problem));
  NewData data{Design(Matrix(Matrix::Ones(1, 24))), Vector::Zero(1)};
  try {
    render_predictions_csv(model, Rule::minimum, data, PredictionType::label);
    FAIL() << "accepted";
  } catch (const InvalidArgument& error) {
    EXPECT_THAT(error.what(), HasSubstr("squared loss"));
    EXPECT_EQ(error.hints(), std::vector<Hint>({{Setting::type, "response"}}));
  }
}

TEST(ReportPredictions, OfALossThatIsNotInTheRegistry) {
  const Problem problem = example::example_problem();
  SavedModel model = saved(problem, example::example_result(problem));
  model.loss = "own";
  const NewData data{Design(Matrix(Matrix::Ones(1, 24))), Vector::Zero(1)};
  EXPECT_THROW(render_predictions_csv(model, Rule::minimum, data, PredictionType::response), InvalidArgument);
  const auto link =
      lines(render_predictions_csv(model, make_loss("poisson"), Rule::minimum, data, PredictionType::link));
  const auto response = lines(
      render_predictions_csv(model, make_loss("poisson"), Rule::minimum, data, PredictionType::response));
  EXPECT_DOUBLE_EQ(std::stod(response[1]), std::exp(std::stod(link[1])));
}

}  // namespace
}  // namespace alo
