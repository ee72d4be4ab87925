// SPDX-License-Identifier: MIT
#include "alo/analysis_operator.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/decompositions.hpp"
#include "linalg/special_values.hpp"
#include "penalties/null_space.hpp"
#include "penalties/term_pattern.hpp"

namespace alo {

namespace {

// A term of D b is zero below this share of the sum of the sizes of its parts: coefficients are good to a few
// units of their last place. At a tenth rounding counts as variation, lambda times over; at ten times jumps
// of a signal of 1e-14 of its level count as zero.
constexpr double term_rounding = 8.0 * std::numeric_limits<double>::epsilon();
// Half of a sum of weights is reached when a partial sum differs from it by at most this share, the rounding
// of sums of a few weights. At a tenth intervals of best values collapse to one end; at ten times weights
// that differ by 1e-13 are taken for equal.
constexpr double weight_rounding = 1e-14;

// An orthonormal basis of the columns of N and of those of Z that belong to the active terms.
SparseMatrix orthonormal_basis(const SparseMatrix& null_basis, const RightInverse& inverse, Index terms,
                               const std::vector<Index>& active) {
  const Index free = null_basis.cols();
  const auto count = static_cast<Index>(active.size());
  Matrix units = Matrix::Zero(terms, count);
  for (Index k = 0; k < count; ++k) units(active[static_cast<std::size_t>(k)], k) = 1.0;
  Matrix directions(null_basis.rows(), free + count);
  directions.leftCols(free) = null_basis.toDense();
  directions.rightCols(count) = inverse.multiply(units);
  const Matrix basis = dense::orthogonal_columns(directions, 0, directions.cols());
  return basis.sparseView(1.0, 0.0);
}

// Minimises sum_k |D_kj| |b_j - t_k| over b_j, where t_k is the value at which term k, one of `terms` = D b,
// is zero: the minimisers are the weighted medians of the t_k.
std::pair<double, double> best_values_of_terms(const SparseMatrix& matrix, const Vector& terms,
                                               const VectorView& b, Index coefficient) {
  std::vector<std::pair<double, double>> places;  // with their weights
  double total = 0.0;
  for (SparseMatrix::InnerIterator entry(matrix, coefficient); entry; ++entry) {
    if (entry.value() == 0.0) continue;
    places.emplace_back(b[coefficient] - terms[entry.row()] / entry.value(), std::abs(entry.value()));
    total += std::abs(entry.value());
  }
  if (places.empty()) return {-infinity, infinity};
  std::sort(places.begin(), places.end());
  double below = 0.0;
  std::size_t k = 0;
  while (below + places[k].second < 0.5 * total * (1.0 - weight_rounding)) below += places[k++].second;
  const bool flat =
      below + places[k].second <= 0.5 * total * (1.0 + weight_rounding) && k + 1 < places.size();
  return {places[k].first, places[flat ? k + 1 : k].first};
}

}  // namespace

Vector AnalysisOperator::terms(const VectorView& b) const {
  Vector result = Vector::Zero(matrix_.rows());
  Vector sizes = Vector::Zero(matrix_.rows());
  for (Index j = 0; j < matrix_.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator entry(matrix_, j); entry; ++entry) {
      const double part = entry.value() * b[j];
      result[entry.row()] += part;
      sizes[entry.row()] += std::abs(part);
    }
  }
  return (result.array().abs() > term_rounding * sizes.array()).select(result, 0.0);
}

std::vector<Index> AnalysisOperator::active_terms(const VectorView& b, const VectorView& multipliers,
                                                  double lambda) const {
  std::vector<Index> active;
  const Vector terms = multipliers.size() == 0 ? Vector(matrix_ * b) : Vector();
  for (Index k = 0; k < matrix_.rows(); ++k) {
    const bool is_active = multipliers.size() == 0 ? terms[k] != 0.0 : std::abs(multipliers[k]) >= lambda;
    if (is_active) active.push_back(k);
  }
  return active;
}

std::pair<double, double> AnalysisOperator::best_values(const VectorView& b, const VectorView&,
                                                        Index coefficient) const {
  return best_values_of_terms(matrix_, matrix_ * b, b, coefficient);
}

std::vector<std::pair<double, double>> AnalysisOperator::all_best_values(const VectorView& b) const {
  const Vector terms = matrix_ * b;
  std::vector<std::pair<double, double>> intervals;
  for (Index j = 0; j < b.size(); ++j) intervals.push_back(best_values_of_terms(matrix_, terms, b, j));
  return intervals;
}

Proximal AnalysisOperator::prox(const VectorView& b, double lambda) const {
  if (matrix_.rows() == 0) return {b, Vector()};
  TermSolution solution = terms_prox(matrix_, b, lambda);
  return {std::move(solution.coefficients), std::move(solution.multipliers)};
}

SparseMatrix AnalysisOperator::tangent_basis(const std::vector<Index>& active) const {
  if (const RightInverse* inverse = right_inverse()) {
    return orthonormal_basis(null_basis_, *inverse, matrix_.rows(), active);
  }
  std::vector<Index> inactive;
  for (Index k = 0; k < matrix_.rows(); ++k) {
    if (!std::binary_search(active.begin(), active.end(), k)) inactive.push_back(k);
  }
  return null_space(coordinate_basis(matrix_.rows(), inactive).transpose() * matrix_);
}

Vector AnalysisOperator::onto_pattern(const VectorView& b, const std::vector<Index>&) const {
  return b;
}

double AnalysisOperator::gauge(const VectorView& slopes) const {
  if (matrix_.rows() == 0) return 0.0;
  if (const RightInverse* inverse = right_inverse()) {
    return inverse->transpose_multiply(slopes).cwiseAbs().maxCoeff();
  }
  return terms_gauge(matrix_, null_basis_, slopes);
}

}  // namespace alo
