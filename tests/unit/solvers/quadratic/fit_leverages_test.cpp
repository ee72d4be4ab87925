// SPDX-License-Identifier: MIT
#include "solvers/quadratic/fit_leverages.hpp"

#include <gtest/gtest.h>

#include "alo/leave_one_out.hpp"
#include "alo/path.hpp"
#include "alo/registry.hpp"
#include "random_matrix.hpp"

namespace alo {
namespace {

using testing_support::normal_matrix;

// Leverages that are carried along a path, those in two passes over the rows, and those of the primal formula
// are the same: the design is well conditioned, so that they differ by rounding.
TEST(FitLeverages, AreThoseOfThePathAndOfTheFormula) {
  constexpr Index rows = 70'000;  // with 30 columns a large design
  const Matrix values = normal_matrix(rows, 30, 1);
  const Vector noise = normal_matrix(rows, 1, 2);
  Dataset data = make_dataset(Design(values), values.leftCols(10).rowwise().sum() + noise);
  data.weights = normal_matrix(rows, 1, 3).cwiseAbs();
  ModelParameters parameters;
  parameters.penalty_weights = Vector::LinSpaced(30, 0.5, 1.5);
  parameters.penalty_weights[3] = 0.0;
  const Problem problem(std::move(data), make_loss("squared"), make_penalty("lasso", parameters));
  FitOptions options;
  options.carry_hat = true;
  const double start = lambda_start(problem);
  const Path path = fit_path(problem, {0.5 * start, 0.01 * start}, options);
  for (const Fit& fit : path.fits) {
    const LeaveOneOut formula = hold_out_primal(local_model(problem, fit));
    const Vector carried = fit.hat.cwiseProduct(problem.data().weights);
    const Vector found = fit_leverages(problem, fit);
    ASSERT_EQ(found.size(), rows);
    EXPECT_LT((carried - formula.leverage).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_LT((found - formula.leverage).cwiseAbs().maxCoeff(), 1e-12);
  }
}

TEST(FitLeverages, LeaveSmallAndSparseDesignsToOtherForms) {
  const Matrix values = normal_matrix(50, 5, 1);
  for (const Design& design : {Design(values), Design(SparseMatrix(values.sparseView()))}) {
    const Problem problem(make_dataset(design, values.col(0)), make_loss("squared"), make_penalty("lasso"));
    const Fit fit = fit_path(problem, {0.1 * lambda_start(problem)}).fits[0];
    EXPECT_EQ(fit_leverages(problem, fit).size(), 0);
  }
}

}  // namespace
}  // namespace alo
