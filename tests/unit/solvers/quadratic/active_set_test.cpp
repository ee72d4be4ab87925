// SPDX-License-Identifier: MIT
#include "solvers/quadratic/active_set.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "alo/fit.hpp"
#include "alo/losses/squared.hpp"
#include "alo/path.hpp"
#include "alo/penalties/lasso.hpp"
#include "random_matrix.hpp"
#include "random_problem.hpp"

namespace alo {
namespace {

using testing_support::normal_matrix;

Problem lasso_problem(Matrix x, Vector y) {
  return {make_dataset(Design(std::move(x)), std::move(y)),
          SquaredLoss{},
          Lasso{},
          {.intercept = false, .standardize = false}};
}

// Orthonormal columns: the lasso is soft-thresholding, known in closed form.
TEST(ActiveSet, SoftThresholdsWithOrthonormalColumns) {
  const Problem problem = lasso_problem(Matrix::Identity(4, 4), Vector{{3.0, -2.0, 0.5, 1.0}});
  const Fit fit = fit_path(problem, {1.0}).fits[0];
  EXPECT_EQ(fit.coefficients, (Vector{{2.0, -1.0, 0.0, 0.0}}));
}

// x_3 = x_1 + x_2 replaces the two when that lowers the penalty: a column that depends on
// the active ones must take the place of one of them, not be skipped.
TEST(ActiveSet, ExchangesADependentColumn) {
  Matrix x = normal_matrix(30, 3, 5);
  x.col(2) = x.col(0) + x.col(1);
  const Vector y = 2.0 * x.col(2) + 0.3 * x.col(0);
  const Problem problem = lasso_problem(x, y);
  for (const double lambda : {20.0, 5.0, 1.0, 0.1}) {
    ActiveSetSolver solver(problem, problem.data().weights);
    solver.start_from(Vector{{1.0, 1.0, 0.0}});  // the worst start: both parts active
    solver.solve(lambda);
    const Certificate certificate =
        Certifier(problem).certify(Vector::Zero(1), solver.coefficients(), lambda);
    EXPECT_LT(certificate.gap.value(), 1e-13) << lambda;
    EXPECT_GT(solver.coefficients()[2], 1.5);
  }
}

TEST(ActiveSet, KeepsOneOfTwoEqualColumns) {
  Matrix x = normal_matrix(20, 4, 7);
  x.col(3) = x.col(1);
  const Problem problem = lasso_problem(x, x.col(1) * 3.0 + x.col(0));
  for (const Fit& fit : fit_path(problem, lambda_grid(problem)).fits) {
    EXPECT_EQ(fit.status, FitStatus::converged);
    EXPECT_TRUE(fit.coefficients[1] == 0.0 || fit.coefficients[3] == 0.0);
  }
}

TEST(ActiveSet, ReachesSaturationWhenColumnsOutnumberRows) {
  const Matrix x = normal_matrix(15, 60, 11);
  const Problem problem = lasso_problem(x, normal_matrix(15, 1, 12).col(0));
  const Path path = fit_path(problem, lambda_grid(problem, {.count = 40, .ratio = 1e-6}));
  for (const Fit& fit : path.fits) {
    EXPECT_EQ(fit.status, FitStatus::converged) << fit.lambda << " gap " << fit.certificate.gap.value_or(-1);
    EXPECT_LE((fit.coefficients.array() != 0.0).count(), 15);
  }
}

// The start does not matter: a cold fit at a small lambda equals the end of a path.
RC_GTEST_PROP(ActiveSet, ColdEqualsWarm, ()) {
  const auto p = *testing_support::any_problem({"lasso", "elastic-net"});
  const Problem problem = p.problem();
  const double lambda = p.lambda_share * lambda_start(problem);
  const Fit cold = fit_path(problem, {lambda}).fits[0];
  const Path path = fit_path(problem, {20.0 * lambda, 9.0 * lambda, 4.0 * lambda, 2.0 * lambda, lambda});
  RC_ASSERT(cold.certificate.gap.value() <= 1e-10);
  RC_ASSERT(testing_support::max_difference(cold.linear_predictor, path.fits.back().linear_predictor) <=
            1e-8 * (1.0 + problem.data().response.norm()));
}

}  // namespace
}  // namespace alo
