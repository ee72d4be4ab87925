// SPDX-License-Identifier: MIT
// A certified row has a prediction, which is that of the only fit without the row.
#include <gtest/gtest.h>

#include "alo/losses/hinge.hpp"
#include "alo/losses/squared.hpp"
#include "alo/penalties/lasso.hpp"
#include "alo/penalties/ridge.hpp"
#include "held_out.hpp"
#include "random_matrix.hpp"

namespace alo {
namespace {

using testing_support::exact_predictor;
using testing_support::fit_at;
using testing_support::normal_matrix;

// Two columns that are equal except in the last row: without it either may have the coefficient.
TEST(RowCertificate, IsNotGivenWhereAnotherFitIsOptimal) {
  const Matrix x{{1, 1}, {0, 0}, {1, 1}, {0, 0}, {1, 1}, {0, 0}, {1, 1}, {1, 0}};
  const Vector y{{3.1, 0.3, 2.7, -0.2, 3.5, 0.2, 2.9, 3.2}};
  const Problem problem(make_dataset(Design(x), y), SquaredLoss{}, Lasso{}, {true, false});
  const Fit fit = fit_at(problem, 1.0);
  ASSERT_EQ(fit.status, FitStatus::converged);
  const auto certified = certify_rows(problem, fit);
  EXPECT_FALSE(certified[7].has_value());
  const Vector exact = exact_predictor(problem, fit);
  const LeaveOneOut formula = approximate_leave_one_out(problem, fit);
  for (std::size_t i = 0; i < 7; ++i) {
    ASSERT_EQ(certified[i], true) << i;
    EXPECT_NEAR(formula.linear_predictor[static_cast<Index>(i)], exact[static_cast<Index>(i)], 1e-12) << i;
  }
}

// A column that is a copy of another one, the row left out included, changes no prediction.
TEST(RowCertificate, IsGivenBesideCopiesOfColumns) {
  Matrix x(20, 4);
  x.leftCols(3) = normal_matrix(20, 3, 5);
  x.col(3) = x.col(0);
  const Vector y = 3.0 * x.col(0) - 2.0 * x.col(1) + normal_matrix(20, 1, 6).col(0);
  const Problem with(make_dataset(Design(x), y), SquaredLoss{}, Lasso{});
  const Problem without(make_dataset(Design(Matrix(x.leftCols(3))), y), SquaredLoss{}, Lasso{});
  const Fit fit = fit_at(with, 2.0);
  ASSERT_EQ(fit.coefficients[0] == 0.0, fit.coefficients[3] != 0.0);
  EXPECT_EQ(certify_rows(with, fit), certify_rows(without, fit_at(without, 2.0)));
}

// A row at its kink that exerts no pull may leave: the fit is optimal without it.
TEST(RowCertificate, BelongsToRowsWithAPrediction) {
  Matrix x = Matrix::Zero(7, 2);
  x(0, 0) = -4e5;
  x(4, 1) = 5e4;
  x(6, 1) = -2e6;
  Dataset data = make_dataset(Design(x), Vector{{1, 1, -1, 1, 1, 1, -1}});
  data.weights = Vector{{1.4, 4.2, 0.3, 1.3, 1.0, 0.1, 0.0}};
  const Problem problem(std::move(data), HingeLoss{}, Ridge{});
  for (const double lambda : {57.0, 1.0, 0.057}) {
    const Fit fit = fit_at(problem, lambda);
    const auto certified = certify_rows(problem, fit);
    const LeaveOneOut formula = approximate_leave_one_out(problem, fit);
    const Vector exact = exact_predictor(problem, fit);
    for (std::size_t i = 0; i < certified.size(); ++i) {
      if (!certified[i].value_or(false)) continue;
      const auto row = static_cast<Index>(i);
      EXPECT_NEAR(formula.linear_predictor[row], exact[row], 1e-9) << lambda << " row " << i;
    }
  }
}

}  // namespace
}  // namespace alo
