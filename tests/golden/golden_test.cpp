// SPDX-License-Identifier: MIT
// Fits, approximate and exact leave-one-out against an independent implementation.
#include <numeric>

#include <gtest/gtest.h>

#include "alo/leave_one_out.hpp"
#include "alo/path.hpp"
#include "golden/fixture.hpp"

namespace alo {
namespace {

// The fixtures were solved to KKT residuals below 1e-15; what is left is conditioning.
constexpr double tolerance = 1e-9;

double distance(const Vector& a, const Vector& b) {
  return (a - b).lpNorm<Eigen::Infinity>();
}

// The logits of a multinomial with unpenalised intercepts have no common level.
Vector leveled(const Problem& problem, const Vector& predictor) {
  if (problem.outputs() == 1 || !problem.intercept()) return predictor;
  Matrix logits = by_output(predictor, problem.outputs());
  logits.colwise() -= logits.rowwise().mean();
  return logits.reshaped();
}

class Golden : public testing::TestWithParam<const char*> {
 protected:
  const golden::Fixture fixture = golden::load(GetParam());
  const Problem problem = fixture.problem();
  const Fit fit = fit_path(problem, {fixture.lambda}).fits.at(0);
};

TEST_P(Golden, Fit) {
  EXPECT_EQ(fit.status, FitStatus::converged);
  EXPECT_LT(fit.certificate.gap.value(), problem.loss().is_quadratic() ? 1e-13 : 1e-11);
  EXPECT_LT(fit.certificate.kkt, problem.loss().is_quadratic() ? 1e-12 : 1e-10);
  if (fixture.beta.size() > 0) {
    EXPECT_LT(distance(fit.coefficients, fixture.beta), tolerance);
  }
  if (problem.intercept()) {
    EXPECT_LT(distance(fit.intercept, fixture.intercept), tolerance);
  }
  EXPECT_LT(distance(fit.linear_predictor, fixture.fitted), tolerance);
}

TEST_P(Golden, ApproximateLeaveOneOut) {
  const LeaveOneOut primal = approximate_leave_one_out(problem, fit, Framework::primal);
  EXPECT_LT(distance(leveled(problem, primal.linear_predictor), fixture.alo), tolerance);
  const Fit with_hat = fit_path(problem, {fixture.lambda}, {.carry_hat = true}).fits.at(0);
  const LeaveOneOut carried = approximate_leave_one_out(problem, with_hat);
  EXPECT_LT(distance(leveled(problem, carried.linear_predictor), fixture.alo), tolerance);
  const LeaveOneOut dual = approximate_leave_one_out(problem, fit, Framework::dual);
  if (problem.outputs() > 1) {
    EXPECT_LT(distance(problem.loss().mean(dual.linear_predictor), problem.loss().mean(fixture.alo)),
              tolerance);
    return;
  }
  if (!problem.loss().has_kinks()) {
    EXPECT_LT(distance(primal.leverage, fixture.leverage), tolerance);
  }
  EXPECT_LT(distance(dual.linear_predictor, fixture.alo), tolerance);
}

TEST_P(Golden, ExactLeaveOneOut) {
  std::vector<Index> rows(static_cast<std::size_t>(problem.rows()));
  std::iota(rows.begin(), rows.end(), Index{0});
  const ExactLeaveOneOut exact =
      exact_leave_one_out(problem, std::span(&fit, 1), rows, {.fit = {}, .threads = 2});
  EXPECT_EQ(exact.missed(), 0);
  EXPECT_LT(distance(leveled(problem, exact.values.at(0).linear_predictor), fixture.loo), tolerance);
}

TEST_P(Golden, CertifiedRows) {
  const auto certified = certify_rows(problem, fit);
  for (Index i = 0; i < problem.rows(); ++i) {
    const auto& row = certified[static_cast<std::size_t>(i)];
    if (!problem.loss().is_quadratic() && !problem.loss().has_kinks()) {
      EXPECT_FALSE(row.has_value()) << "curved loss, row " << i;
    } else if (row == true) {
      EXPECT_NEAR(fixture.alo[i], fixture.loo[i], tolerance) << "certified row " << i;
    } else {
      EXPECT_GT(std::abs(fixture.alo[i] - fixture.loo[i]), 1e-12) << "row " << i << " should be certified";
    }
  }
}

std::string readable_name(const testing::TestParamInfo<const char*>& parameter) {
  std::string name = parameter.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(SquaredLoss, Golden,
                         testing::Values("ridge-a", "ridge-intercept-a", "lasso-a", "lasso-intercept-a",
                                         "lasso-weighted-a", "lasso-standardised-a", "enet-a"),
                         readable_name);
INSTANTIATE_TEST_SUITE_P(SmoothLosses, Golden,
                         testing::Values("logistic-l1-a", "logistic-l1-intercept-a", "logistic-l1-weighted-a",
                                         "logistic-l2-a", "logistic-enet-a", "poisson-l1-a",
                                         "poisson-l1-intercept-a", "poisson-l2-a", "huber-l1-a", "huber-l2-a",
                                         "multinomial-l1-a", "multinomial-l2-a",
                                         "multinomial-l2-intercept-a"),
                         readable_name);
INSTANTIATE_TEST_SUITE_P(KinkedLosses, Golden,
                         testing::Values("svm-a", "svm-intercept-a", "lad-ridge-a", "quantile-ridge-a",
                                         "quantile-ridge-intercept-a", "svr-ridge-a", "svr-ridge-intercept-a",
                                         "kernel-svm-a"),
                         readable_name);

INSTANTIATE_TEST_SUITE_P(GeneralizedLasso, Golden,
                         testing::Values("fused-a", "fused-intercept-a", "trend2-a", "logistic-fused-a",
                                         "sparse-fused-a"),
                         readable_name);

INSTANTIATE_TEST_SUITE_P(Groups, Golden,
                         testing::Values("group-lasso-a", "group-lasso-intercept-a", "sparse-group-lasso-a",
                                         "logistic-group-lasso-a", "slope-a", "slope-intercept-a",
                                         "logistic-slope-a"),
                         readable_name);

INSTANTIATE_TEST_SUITE_P(Matrices, Golden,
                         testing::Values("nuclear-a", "nuclear-wide-a", "nuclear-intercept-a",
                                         "logistic-nuclear-a", "poisson-nuclear-a", "unitary-sqrt-a",
                                         "unitary-square-a"),
                         readable_name);

// Signals: without its row a coefficient is left to the penalty, which may leave an interval for it.
class SignalGolden : public testing::TestWithParam<std::tuple<const char*, bool>> {
 protected:
  const golden::Fixture fixture = golden::load(std::get<0>(GetParam()));
  Problem problem() const {
    const Problem given = fixture.problem();
    if (!std::get<1>(GetParam())) return given;
    Dataset data = given.data();
    data.design = Design(SparseMatrix(data.design.dense_values().sparseView()));
    return {std::move(data), given.loss(), given.penalty(), {given.intercept(), false}};
  }
};

TEST_P(SignalGolden, FitAndLeaveOneOut) {
  const Problem given = problem();
  const Fit fit = fit_path(given, {fixture.lambda}).fits.at(0);
  EXPECT_EQ(fit.status, FitStatus::converged);
  EXPECT_LT(distance(fit.coefficients, fixture.beta), tolerance);
  for (const Framework framework : {Framework::primal, Framework::dual, Framework::automatic}) {
    const LeaveOneOut held_out = approximate_leave_one_out(given, fit, framework);
    EXPECT_LT(distance(held_out.leverage, fixture.leverage), tolerance);
    EXPECT_LT(distance(held_out.linear_predictor, fixture.alo), 1e-8);
  }
  std::vector<Index> rows(static_cast<std::size_t>(given.rows()));
  std::iota(rows.begin(), rows.end(), Index{0});
  const LeaveOneOut exact = exact_leave_one_out(given, std::span(&fit, 1), rows).values.at(0);
  // The fixture has optimal values that probes have found, from one end of the interval on and not always to
  // the other, and up to 5e-7 beyond.
  const double probe = 1e-6;
  const auto& extra = fixture.json.at("extra");
  const Vector low = golden::to_vector(extra.at("loo_low"));
  const Vector high = golden::to_vector(extra.at("loo_high"));
  ASSERT_EQ(exact.low.size(), given.rows());
  for (Index i = 0; i < given.rows(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    EXPECT_EQ(exact.flags[at] != RowFlag::not_unique, extra.at("loo_unique").at(at).get<bool>())
        << "row " << i;
    EXPECT_LE(exact.low[i], low[i] + probe) << "row " << i;
    EXPECT_GE(exact.high[i], high[i] - probe) << "row " << i;
    const double end = std::min(std::abs(exact.low[i] - low[i]), std::abs(exact.high[i] - high[i]));
    EXPECT_LE(end, probe) << "row " << i;
    EXPECT_NEAR(exact.linear_predictor[i], 0.5 * (exact.low[i] + exact.high[i]), 1e-12) << "row " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(All, SignalGolden,
                         testing::Combine(testing::Values("fused-identity-a", "trend2-identity-a",
                                                          "poisson-trend2-identity-a"),
                                          testing::Bool()),
                         [](const auto& parameter) {
                           std::string name = std::get<0>(parameter.param);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name + (std::get<1>(parameter.param) ? "_sparse" : "_dense");
                         });

// Rows that are pinned to a kink, with their subgradients.
class KinkedGolden : public Golden {};

TEST_P(KinkedGolden, SubgradientAndPinnedRows) {
  const Vector expected = golden::to_vector(fixture.json.at("subgradient"));
  EXPECT_LT(distance(fit.subgradient, expected), tolerance);
  const LocalModel model = local_model(problem, fit);
  EXPECT_EQ(model.pinned, fixture.json.at("V").get<std::vector<Index>>());
}

INSTANTIATE_TEST_SUITE_P(KinkedLosses, KinkedGolden,
                         testing::Values("svm-a", "svm-intercept-a", "lad-ridge-a", "quantile-ridge-a",
                                         "quantile-ridge-intercept-a", "svr-ridge-a", "svr-ridge-intercept-a",
                                         "kernel-svm-a"),
                         readable_name);

}  // namespace
}  // namespace alo
