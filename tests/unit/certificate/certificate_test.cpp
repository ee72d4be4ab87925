// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <type_traits>

#include "alo/fit.hpp"
#include "random_problem.hpp"

namespace alo {
namespace {

using testing_support::any_problem;
using testing_support::RandomProblem;

// A certifier points to its problem, which must not end with the statement.
static_assert(std::is_constructible_v<Certifier, const Problem&, Vector>);
static_assert(!std::is_constructible_v<Certifier, Problem>);
static_assert(!std::is_constructible_v<Certifier, Problem, Vector>);

// The gap bounds how far the objective is from its least value, for any coefficients.
RC_GTEST_PROP(Certificate, GapBoundsSuboptimality, ()) {
  const RandomProblem p = *any_problem({"lasso", "elastic-net", "ridge"});
  const Problem problem = p.problem();
  const double lambda = p.lambda_share * lambda_start(problem);
  const Fit best = fit_path(problem, {lambda}).fits[0];
  const Certifier certifier(problem);
  const double least = problem.objective(best.intercept, best.coefficients, lambda);
  const double null = problem.objective(best.intercept, Vector::Zero(p.columns), lambda);
  for (const double error : {1e-1, 1e-3, 1e-5}) {
    const Vector off = (1.0 + error) * best.coefficients;
    const Certificate certificate = certifier.certify(best.intercept, off, lambda);
    const double excess = problem.objective(best.intercept, off, lambda) - least;
    // The gap is relative to the null fit's excess, which the intercept-only objective bounds.
    RC_ASSERT(certificate.gap.has_value());
    RC_ASSERT(certificate.gap.value() * null >= excess - 1e-12 * (1.0 + std::abs(least)));
  }
}

TEST(Certificate, SeesAWrongFit) {
  RandomProblem p;
  const Problem problem = p.problem();
  const double lambda = 0.1 * lambda_start(problem);
  const Fit fit = fit_path(problem, {lambda}).fits[0];
  const Certifier certifier(problem);
  EXPECT_LT(fit.certificate.gap.value(), 1e-13);
  Vector off = fit.coefficients;
  off[0] += 1e-3;
  const Certificate wrong = certifier.certify(fit.intercept, off, lambda);
  EXPECT_GT(wrong.gap.value(), 1e-10);
  EXPECT_GT(wrong.kkt, 1e-8);
  const Certificate shifted = certifier.certify(fit.intercept.array() + 1e-3, fit.coefficients, lambda);
  EXPECT_GT(shifted.kkt, 1e-8);
}

TEST(Certificate, NullFitHasNoGapAboveLambdaMax) {
  RandomProblem p;
  const Problem problem = p.problem();
  const Fit fit = fit_path(problem, {1.001 * lambda_start(problem)}).fits[0];
  EXPECT_EQ((fit.coefficients.array() != 0.0).count(), 0);
  EXPECT_LT(fit.certificate.gap.value(), 1e-15);
}

TEST(Certificate, ConstantResponseIsCertified) {
  RandomProblem p;
  Dataset data = p.dataset();
  data.response.setConstant(3.7);
  const Problem problem = p.problem(std::move(data));
  for (const Fit& fit : fit_path(problem, {1.0, 1e-3}).fits) EXPECT_EQ(fit.status, FitStatus::converged);
}

// Without a penalty the certificate is that of least squares.
TEST(Certificate, LeastSquaresAtLambdaZero) {
  for (const char* penalty : {"lasso", "ridge"}) {
    RandomProblem p;
    p.penalty = penalty;
    p.rows = 40;
    const Fit fit = fit_path(p.problem(), {0.0}).fits[0];
    EXPECT_EQ(fit.status, FitStatus::converged) << penalty << " gap " << fit.certificate.gap.value_or(-1);
    EXPECT_EQ((fit.coefficients.array() != 0.0).count(), p.columns);
  }
}

// Without lambda an excluded column is still out: the dual point need not be orthogonal to it.
TEST(Certificate, ExcludedColumnHasNoPartInTheGapAtLambdaZero) {
  for (const char* penalty : {"lasso", "elastic-net", "ridge"}) {
    RandomProblem p;
    p.penalty = penalty;
    p.penalty_weights = true;
    p.rows = 40;
    const Fit fit = fit_path(p.problem(), {0.0}).fits[0];
    EXPECT_EQ(fit.coefficients[3], 0.0) << penalty;
    EXPECT_LT(fit.certificate.gap.value(), 1e-13) << penalty;
  }
}

}  // namespace
}  // namespace alo
