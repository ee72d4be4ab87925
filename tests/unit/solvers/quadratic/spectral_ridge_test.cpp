// SPDX-License-Identifier: MIT
// A ridge from one decomposition, of its rows where columns are more, beside a least-squares problem in which
// the penalty is a row per coefficient.
#include "solvers/quadratic/spectral_ridge.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <Eigen/QR>

#include "alo/leave_one_out.hpp"
#include "alo/path.hpp"
#include "random_problem.hpp"
#include "unit/solvers/quadratic/augmented_rows.hpp"

namespace alo {
namespace {

using testing_support::all_columns;
using testing_support::any_problem;
using testing_support::augmented_rows;
using testing_support::AugmentedRows;
using testing_support::RandomProblem;

RandomProblem wide_ridge() {
  RandomProblem p;
  p.penalty = "ridge";
  p.rows = 15;
  p.columns = 40;
  p.penalty_weights = true;
  p.weights = true;
  return p;
}

struct Reference {
  Vector fitted;
  Vector leverages;
};

// Columns: the coefficients that are in the model, and the intercept.
Reference least_squares(const Problem& problem, double lambda) {
  const Vector factors = problem.penalty().separable(problem.columns())->square;
  const std::vector<Index>& constant = problem.constant_columns();
  std::vector<Index> columns;
  for (const Index j : all_columns(problem)) {
    const bool is_constant = std::find(constant.begin(), constant.end(), j) != constant.end();
    if (std::isfinite(factors[j]) && !is_constant) columns.push_back(j);
  }
  const AugmentedRows rows = augmented_rows(problem, columns, lambda * factors(columns));
  const Index n = problem.rows();
  const Vector root = problem.data().weights.cwiseSqrt();
  Matrix system = Matrix::Zero(rows.design.rows(), rows.design.cols() + 1);
  system.leftCols(rows.design.cols()) = rows.design;
  if (problem.intercept()) system.rightCols(1).topRows(n) = root;
  const Eigen::CompleteOrthogonalDecomposition<Matrix> factor(system);
  const Vector fitted = (system * factor.solve(rows.response)).head(n);
  const Matrix basis = Matrix(factor.householderQ()).topLeftCorner(n, factor.rank());
  return {fitted.cwiseQuotient(root) + problem.data().offset, basis.rowwise().squaredNorm()};
}

// Of predictions, relative to the response, and of leverages, relative to what leave-one-out divides by.
double largest_error(const Problem& problem, const Fit& fit) {
  const Reference expected = least_squares(problem, fit.lambda);
  const double size = (problem.data().response - problem.data().offset).lpNorm<Eigen::Infinity>();
  const double error = (fit.linear_predictor - expected.fitted).lpNorm<Eigen::Infinity>() / size;
  if (fit.hat.size() == 0) return error;
  const auto leverages = problem.data().weights.array() * fit.hat.array();
  const auto errors = (leverages - expected.leverages.array()) / (1.0 - expected.leverages.array());
  return std::max(error, errors.abs().maxCoeff());
}

RC_GTEST_PROP(SpectralRidge, WithMoreColumnsThanRowsIsLeastSquares, ()) {
  RandomProblem p = *any_problem({"ridge"});
  p.columns = p.rows + *rc::gen::inRange<Index>(1, 40);
  const Problem problem = p.problem();
  const double start = lambda_start(problem);
  const Path path = fit_path(problem, {start, p.lambda_share * start, 1e-4 * start}, {.carry_hat = true});
  for (const Fit& fit : path.fits) {
    RC_ASSERT(fit.status == FitStatus::converged);
    RC_ASSERT(largest_error(problem, fit) <= 1e-9);
  }
}

// A column of 1e5 times the others' size: products of rows lose the digits that a small lambda needs.
TEST(SpectralRidge, SmallLambdaBesideALargeColumn) {
  RandomProblem p = wide_ridge();
  p.standardize = false;
  p.penalty_weights = false;
  Dataset data = p.dataset();
  Matrix values = data.design.dense_values();
  values.col(5) *= 1e5;
  data.design = Design(values);
  const Problem problem = p.problem(data);
  const double largest = values.col(5).squaredNorm();
  const Path path =
      fit_path(problem, {largest, 1e-6 * largest, 1e-10 * largest, 1e-12 * largest}, {.carry_hat = true});
  for (const Fit& fit : path.fits) {
    EXPECT_EQ(fit.status, FitStatus::converged);
    EXPECT_LE(largest_error(problem, fit), 1e-9) << fit.lambda / largest << " of the largest";
  }
}

TEST(SpectralRidge, PathSolverStartsWhereTheProblemDoes) {
  for (const Index columns : {8, 40}) {
    RandomProblem p = wide_ridge();
    p.columns = columns;
    const Problem problem = p.problem();
    PathSolver solver(problem);
    EXPECT_EQ(solver.start(), lambda_start(problem));
    EXPECT_EQ(solver.grid({.count = 7}), lambda_grid(problem, {.count = 7}));
  }
}

}  // namespace
}  // namespace alo
