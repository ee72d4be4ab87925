// SPDX-License-Identifier: MIT
// Models with a kernel: an expansion in rows in place of coefficients.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "alo/error.hpp"
#include "alo/report.hpp"
#include "unit/report/scratch_folder.hpp"

namespace alo {
namespace {

using example::read_text;
using example::ScratchFolder;
using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

constexpr Index rows = 14;

Dataset plain_data() {
  std::mt19937 generator(3);
  std::normal_distribution<double> normal;
  Matrix x = Matrix::NullaryExpr(rows, 3, [&] { return 3.0 + 2.0 * normal(generator); });
  x.col(1).setConstant(1.5);
  const Vector y = Vector::NullaryExpr(rows, [](Index i) { return i % 3 == 0 ? 1.0 : -1.0; });
  return make_dataset(Design(x), y);
}

// Of no optimal fit, but with coefficients and subgradient that belong together.
Fit fit_of(const Problem& problem, double lambda, Index support) {
  Fit fit;
  fit.lambda = lambda;
  fit.intercept = Vector::Constant(1, 0.25);
  fit.subgradient = Vector::Zero(rows);
  for (Index i = 0; i < support; ++i)
    fit.subgradient[2 * i] = (i % 2 == 0 ? 1.0 : -0.7) / (1.0 + static_cast<double>(i));
  fit.coefficients = -problem.data().design.transpose_multiply(fit.subgradient) / lambda;
  fit.linear_predictor = problem.linear_predictor(fit.intercept, fit.coefficients);
  fit.certificate.gap = 1e-12;
  fit.status = FitStatus::converged;
  return fit;
}

TuneResult result_of(const Problem& problem) {
  TuneResult result;
  RiskCurve curve;
  curve.metric = Metric::hinge;
  for (const auto& [lambda, support] : {std::pair{2.0, Index{3}}, std::pair{0.5, Index{5}}}) {
    PathPoint point;
    point.fit = fit_of(problem, lambda, support);
    point.nonzero = problem.columns();
    result.path.push_back(point);
    Estimate estimate;
    estimate.mean = lambda;
    estimate.se = 2.0;
    curve.alo.push_back(estimate);
  }
  result.risk = {curve};
  result.one_se = Selected{{2.0, 0, curve.alo[0]}, EstimateKind::alo, {}, result.path[0], {}, {}};
  result.minimum = Selected{{0.5, 1, curve.alo[1]}, EstimateKind::alo, {}, result.path[1], {}, {}};
  return result;
}

std::vector<Kernel> kernels() {
  return {{KernelKind::linear, std::nullopt, 3, 0.0},
          {KernelKind::rbf, 0.2, 3, 0.0},
          {KernelKind::polynomial, 0.1, 2, 1.0}};
}

Problem problem_of(const Kernel& kernel, bool standardize) {
  return {with_kernel(plain_data(), kernel, standardize),
          make_loss("hinge"),
          make_penalty("ridge"),
          {.intercept = true, .standardize = false}};
}

SavedModel saved(const Problem& problem) {
  const ScratchFolder folder;
  write_file(folder.path() / "model.json", render_model_json(problem, result_of(problem), {}));
  return read_model(folder.path() / "model.json");
}

Vector predictions(const SavedModel& model, Rule rule) {
  std::istringstream text(render_predictions_csv(
      model, rule, {plain_data().design, Vector::Constant(rows, 0.125)}, PredictionType::link));
  std::string heading;
  std::getline(text, heading);
  Vector values(rows);
  for (double& value : values) text >> value;
  return values;
}

TEST(ReportKernel, TheSavedExpansionPredictsWhatTheFeaturesDo) {
  for (const Kernel& kernel : kernels()) {
    for (const bool standardize : {false, true}) {
      const Problem problem = problem_of(kernel, standardize);
      const TuneResult result = result_of(problem);
      const SavedModel model = saved(problem);
      for (const Rule rule : {Rule::minimum, Rule::one_se}) {
        const Fit& fit = rule == Rule::minimum ? result.minimum->point.fit : result.one_se->point.fit;
        const Vector expected = fit.linear_predictor.array() + 0.125;
        EXPECT_LT((predictions(model, rule) - expected).lpNorm<Eigen::Infinity>(),
                  1e-12 * expected.lpNorm<Eigen::Infinity>())
            << describe(kernel) << (standardize ? ", standardised" : "");
      }
    }
  }
}

TEST(ReportKernel, KeepsTheSupportVectorsOnly) {
  const SavedModel model = saved(problem_of(kernels()[1], false));
  ASSERT_TRUE(model.expansion);
  EXPECT_EQ(model.expansion->rows.rows(), 5);
  EXPECT_EQ(model.expansion->rows.row(1), plain_data().design.dense_values().row(2));
  EXPECT_EQ(model.minimum.coefficients.size(), 5);
  EXPECT_EQ(model.one_se.coefficients[4], 0.0);
  EXPECT_THAT(model.column_names, testing::ElementsAre("x1", "x2", "x3"));
}

TEST(ReportKernel, ResultHasNoCoefficients) {
  const Problem problem = problem_of(kernels()[1], true);
  const json document = json::parse(render_json(problem, result_of(problem), {}));
  EXPECT_EQ(document["data"]["columns"], (json{"x1", "x2", "x3"}));
  EXPECT_EQ(document["data"]["constant_columns"], json{"x2"});
  EXPECT_EQ(document["problem"]["standardize"], true);
  for (const json& point : {document["path"][1], document["selection"]["min"]}) {
    EXPECT_TRUE(point["coefficients"].is_null());
    EXPECT_FALSE(point.contains("nonzero"));
    EXPECT_EQ(point["support"], 5);
  }
}

TEST(ReportKernel, PagesSpeakOfSupportVectors) {
  const Problem problem = problem_of(kernels()[1], false);
  const TuneResult result = result_of(problem);
  const std::string table = render_table(problem, result, false);
  EXPECT_THAT(table, HasSubstr("14 rows x 3 columns; ridge with hinge loss and rbf kernel (gamma 0.2)"));
  EXPECT_THAT(table, HasSubstr("5 of 14 rows are\n  support vectors"));
  EXPECT_THAT(table, HasSubstr("support"));
  EXPECT_THAT(table, Not(HasSubstr("nonzero")));
  const std::string page = render_html(problem, result, {});
  EXPECT_THAT(page, Not(HasSubstr("Coefficient")));
  EXPECT_THAT(page, HasSubstr("support vectors"));
  EXPECT_THAT(render_risk_csv(problem, result), HasSubstr("df,support,max_leverage"));
}

TEST(ReportKernel, FilesOfCoefficientsAreNotLeftFromAnEarlierRun) {
  const ScratchFolder folder;
  write_file(folder.path() / "coefficients.csv", "old");
  write_file(folder.path() / "paths.svg", "old");
  const Problem problem = problem_of(kernels()[2], false);
  write_report(folder.path(), problem, result_of(problem), {});
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "coefficients.csv"));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "paths.svg"));
  EXPECT_EQ(folder.entries(), 6U);
}

TEST(ReportKernel, BrokenModelsAreRefused) {
  const Problem problem = problem_of(kernels()[1], true);
  const json whole = json::parse(render_model_json(problem, result_of(problem), {}));
  const auto refused = [&](const std::function<void(json&)>& breaks, const std::string& message) {
    json document = whole;
    breaks(document);
    const ScratchFolder folder;
    write_file(folder.path() / "model.json", document.dump());
    EXPECT_THAT([&] { read_model(folder.path() / "model.json"); },
                testing::ThrowsMessage<InvalidData>(HasSubstr(message)));
  };
  refused([](json& d) { d["kernel"]["name"] = "gaussian"; }, "'kernel.name' is 'gaussian'");
  refused([](json& d) { d["kernel"].erase("gamma"); }, "'kernel.gamma' is missing");
  refused([](json& d) { d["kernel"]["rows"][2].erase(0); }, "support row 3");
  refused([](json& d) { d["kernel"]["rows"][0][1] = nullptr; }, "not a number");
  refused([](json& d) { d["kernel"]["scale"][0] = "one"; }, "'kernel.scale'");
  refused([](json& d) { d["min"]["coefficients"].erase(0); }, "4 coefficients for 5 support rows");
}

}  // namespace
}  // namespace alo
