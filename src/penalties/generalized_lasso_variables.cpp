// SPDX-License-Identifier: MIT
// The change of variables b = N c + Z z.
#include <Eigen/QR>

#include "alo/penalties/generalized_lasso.hpp"
#include "penalties/difference_structure.hpp"

namespace alo {

namespace {

// Sums from each row to the last, `times` over.
void sum_from_below(Eigen::Ref<Matrix> values, int times) {
  for (int k = 0; k < times; ++k) {
    for (Index i = values.rows() - 2; i >= 0; --i) values.row(i) += values.row(i + 1);
  }
}

}  // namespace

Matrix GeneralizedLasso::from_terms(const MatrixView& variables) const {
  const Index free = free_->cols();
  const auto terms = variables.bottomRows(variables.rows() - free);
  if (order_ == 0) return *free_ * variables.topRows(free) + *terms_ * terms;
  Matrix sums = Matrix::Zero(variables.rows(), variables.cols());
  sums.bottomRows(terms.rows()) = terms;
  for (int k = 0; k < order_; ++k) {
    for (Index i = 1; i < sums.rows(); ++i) sums.row(i) += sums.row(i - 1);
  }
  return *free_ * variables.topRows(free) + sums;
}

Vector GeneralizedLasso::to_variables(const VectorView& b, const VectorView& terms) const {
  const Index free = free_->cols();
  Vector variables = Vector::Zero(b.size());
  variables.tail(terms.size()) = terms;
  const Vector rest = b - from_terms(variables);
  variables.head(free) = free_->toDense().householderQr().solve(rest);
  return variables;
}

Matrix GeneralizedLasso::term_design(const Design& design) const {
  const Index columns = differences_.cols();
  const Index free = free_->cols();
  Matrix result(design.rows(), columns);
  result.leftCols(free) = design.multiply_columns(free_->toDense());
  if (order_ == 0) {
    result.rightCols(columns - free) = design.gather(all_coordinates(columns)) * *terms_;
    return result;
  }
  Matrix sums = design.gather(all_coordinates(columns));
  for (int k = 0; k < order_; ++k) {
    for (Index j = columns - 2; j >= 0; --j) sums.col(j) += sums.col(j + 1);
  }
  result.rightCols(columns - free) = sums.rightCols(columns - free);
  return result;
}

Matrix GeneralizedLasso::transpose_terms(const MatrixView& slopes) const {
  if (order_ == 0) return terms_->transpose() * slopes;
  Matrix sums = slopes;
  sum_from_below(sums, order_);
  return sums.bottomRows(differences_.rows());
}

}  // namespace alo
