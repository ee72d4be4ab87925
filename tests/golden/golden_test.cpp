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

class Golden : public testing::TestWithParam<const char*> {};

TEST_P(Golden, FitAndLeaveOneOut) {
  const golden::Fixture fixture = golden::load(GetParam());
  const Problem problem = fixture.problem();
  const Path path = fit_path(problem, {fixture.lambda});
  const Fit& fit = path.fits.at(0);
  EXPECT_EQ(fit.status, FitStatus::converged);
  EXPECT_LT(fit.certificate.gap.value(), 1e-13);
  EXPECT_LT(fit.certificate.kkt, 1e-12);
  EXPECT_LT(distance(fit.coefficients, fixture.beta), tolerance);
  EXPECT_NEAR(fit.intercept[0], fixture.intercept, tolerance);
  EXPECT_LT(distance(fit.linear_predictor, fixture.fitted), tolerance);

  const LeaveOneOut primal = approximate_leave_one_out(problem, fit, Framework::primal);
  EXPECT_LT(distance(primal.linear_predictor, fixture.alo), tolerance);
  EXPECT_LT(distance(primal.leverage, fixture.leverage), tolerance);
  const LeaveOneOut dual = approximate_leave_one_out(problem, fit, Framework::dual);
  EXPECT_LT(distance(dual.linear_predictor, fixture.alo), tolerance);

  std::vector<Index> rows(static_cast<std::size_t>(problem.rows()));
  std::iota(rows.begin(), rows.end(), Index{0});
  const ExactLeaveOneOut exact =
      exact_leave_one_out(problem, std::span(&fit, 1), rows, {.fit = {}, .threads = 2});
  EXPECT_EQ(exact.missed, 0);
  EXPECT_LT(distance(exact.values.at(0).linear_predictor, fixture.loo), tolerance);

  const auto certified = certify_rows(problem, fit);
  for (Index i = 0; i < problem.rows(); ++i) {
    if (certified[static_cast<std::size_t>(i)] == true) {
      EXPECT_NEAR(fixture.alo[i], fixture.loo[i], tolerance) << "certified row " << i;
    } else {
      EXPECT_GT(std::abs(fixture.alo[i] - fixture.loo[i]), 1e-12) << "row " << i << " should be certified";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(SquaredLoss, Golden,
                         testing::Values("ridge-a", "ridge-intercept-a", "lasso-a", "lasso-intercept-a",
                                         "lasso-weighted-a", "lasso-standardised-a", "enet-a"),
                         [](const auto& parameter) {
                           std::string name = parameter.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace alo
