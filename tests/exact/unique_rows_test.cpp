// SPDX-License-Identifier: MIT
// Rows whose leave-one-out fit is not unique: flagged, with the interval of optimal predictions and its
// middle, whatever the form of the data.
#include <gtest/gtest.h>

#include "alo/losses/squared.hpp"
#include "alo/penalties/lasso.hpp"
#include "held_out.hpp"
#include "random_matrix.hpp"

namespace alo {
namespace {

using testing_support::all_rows;
using testing_support::fit_at;
using testing_support::normal_matrix;

LeaveOneOut exact_of(const Problem& problem, double lambda) {
  const Fit fit = fit_at(problem, lambda);
  return exact_leave_one_out(problem, std::span(&fit, 1), all_rows(problem)).values.at(0);
}

// Columns that are equal but in the last row, which sees the first one. Without it the sum of the
// coefficients is determined, and the share of the first is anything from none to all.
TEST(UniqueRows, TwoColumnsThatAreOneWithoutTheRow) {
  const Matrix x{{1, 1}, {0, 0}, {1, 1}, {0, 0}, {1, 1}, {0, 0}, {1, 1}, {1, 0}};
  const Vector y{{3.1, 0.3, 2.7, -0.2, 3.5, 0.2, 2.9, 3.2}};
  const Problem dense(make_dataset(Design(x), y), SquaredLoss{}, Lasso{}, {true, false});
  const Problem sparse(make_dataset(Design(SparseMatrix(x.sparseView())), y), SquaredLoss{}, Lasso{},
                       {true, false});
  // Of the seven rows: four with the mean 3.05, three with the mean 0.1, and lambda 1 takes 1/4 + 1/3 of the
  // difference.
  const double sum = 2.95 - 7.0 / 12.0;
  const double intercept = 0.1 + 1.0 / 3.0;
  for (const Problem* problem : {&dense, &sparse}) {
    const LeaveOneOut exact = exact_of(*problem, 1.0);
    EXPECT_EQ(exact.flags[7], RowFlag::not_unique);
    ASSERT_EQ(exact.low.size(), 8);
    EXPECT_NEAR(exact.low[7], intercept, 1e-9);
    EXPECT_NEAR(exact.high[7], intercept + sum, 1e-9);
    EXPECT_NEAR(exact.linear_predictor[7], intercept + 0.5 * sum, 1e-9);
    for (std::size_t i = 0; i < 7; ++i) EXPECT_EQ(exact.flags[i], RowFlag::none) << i;
  }
}

// Copies of columns, the row included, leave every prediction as it is.
TEST(UniqueRows, CopiesOfColumnsAreNotFlagged) {
  Matrix x(20, 4);
  x.leftCols(3) = normal_matrix(20, 3, 5);
  x.col(3) = x.col(0);
  const Vector y = 3.0 * x.col(0) - 2.0 * x.col(1) + normal_matrix(20, 1, 6).col(0);
  const Problem with(make_dataset(Design(x), y), SquaredLoss{}, Lasso{});
  const Problem without(make_dataset(Design(Matrix(x.leftCols(3))), y), SquaredLoss{}, Lasso{});
  const LeaveOneOut exact = exact_of(with, 2.0);
  EXPECT_EQ(exact.flags, exact_of(without, 2.0).flags);
  EXPECT_LT((exact.linear_predictor - exact_of(without, 2.0).linear_predictor).norm(), 1e-9);
}

// Three columns that are one without the row, of which the row sees different values: the ends are at those
// of the smallest and the largest.
TEST(UniqueRows, SeveralDirections) {
  Matrix x(9, 3);
  x.topRows(8).colwise() = Vector{{1, 0, 2, 0, 1, 0, 1, 3}};
  x.row(8) = Vector{{-1.0, 0.5, 2.0}};
  Vector y = 2.0 * x.col(0);
  y += 0.1 * normal_matrix(9, 1, 4).col(0);
  y[8] = 1.3;
  const Problem problem(make_dataset(Design(x), y), SquaredLoss{}, Lasso{}, {false, false});
  const LeaveOneOut exact = exact_of(problem, 0.5);
  const Vector z = x.col(0).head(8);
  const double coefficient = (z.dot(y.head(8)) - 0.5) / z.squaredNorm();
  EXPECT_EQ(exact.flags[8], RowFlag::not_unique);
  EXPECT_NEAR(exact.low[8], -coefficient, 1e-9);
  EXPECT_NEAR(exact.high[8], 2.0 * coefficient, 1e-9);
  EXPECT_NEAR(exact.linear_predictor[8], 0.5 * coefficient, 1e-9);
}

}  // namespace
}  // namespace alo
