// SPDX-License-Identifier: MIT
#include "solvers/smooth/row_space.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/blas.hpp"
#include "penalties/separable_sums.hpp"
#include "solvers/row_kernel.hpp"

namespace alo {

namespace {

// Eigenvalues of the kernel below n times this share of the largest are rounding, which is n epsilon of it.
// At a tenth they pass, and rounding is divided by their roots; at ten times directions with singular values
// below 1e-7 sqrt(n) of the largest are lost, which change a fit only at a lambda as small as their squares.
constexpr double eigenvalue_rounding = 1e-15;

}  // namespace

RowSpace::RowSpace(const Problem& problem) : problem_(&problem) {
  RidgeColumns columns = ridge_columns(problem);
  penalized_ = std::move(columns.penalized);
  free_ = std::move(columns.free);
  factors_ = std::move(columns.factors);
  const blas::SymmetricEigen eigen =
      blas::symmetric_eigen(weighted_kernel(problem.design(), penalized_, factors_));
  const double least = eigenvalue_rounding * static_cast<double>(eigen.values.size()) * eigen.values[0];
  const Index rank = (eigen.values.array() > least).count();
  const Vector roots = eigen.values.head(rank).cwiseSqrt();
  to_rows_ = eigen.vectors.leftCols(rank) * roots.cwiseInverse().asDiagonal();

  const auto width = static_cast<Index>(free_.size());
  Matrix design(problem.rows(), width + rank);
  design.leftCols(width) = problem.design().gather(free_);
  design.rightCols(rank) = eigen.vectors.leftCols(rank) * roots.asDiagonal();
  Vector weights = Vector::Ones(width + rank);
  weights.head(width).setZero();
  Dataset data = make_dataset(Design(std::move(design)), problem.data().response);
  data.weights = problem.data().weights;
  data.weight_kind = problem.data().weight_kind;
  data.offset = problem.data().offset;
  reduced_ =
      std::make_unique<const Problem>(std::move(data), problem.loss(), sum_of_squares(std::move(weights)),
                                      ProblemOptions{problem.intercept(), false});
}

Vector RowSpaceSolver::intercept() const {
  Vector result = solver_.intercept();
  const Design& design = space_->reduced().design();
  if (design.center().size() > 0) {
    const Vector coefficients = solver_.coefficients();
    result -= by_output(coefficients, result.size()).transpose() * design.center();
  }
  return result;
}

Vector RowSpace::expand(const Vector& coefficients) const {
  const Index outputs = problem_->outputs();
  const auto width = static_cast<Index>(free_.size());
  const auto given = by_output(coefficients, outputs);
  const Matrix rows = to_rows_ * given.bottomRows(to_rows_.cols());
  const Matrix slopes = problem_->design().transpose_multiply_columns(rows);
  Matrix result = Matrix::Zero(problem_->columns(), outputs);
  for (Index m = 0; m < width; ++m) result.row(free_[static_cast<std::size_t>(m)]) = given.row(m);
  for (std::size_t m = 0; m < penalized_.size(); ++m) {
    result.row(penalized_[m]) = slopes.row(penalized_[m]) / factors_[static_cast<Index>(m)];
  }
  return result.reshaped();
}

}  // namespace alo
