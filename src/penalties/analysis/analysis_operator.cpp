// SPDX-License-Identifier: MIT
#include "alo/analysis_operator.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/decompositions.hpp"
#include "penalties/null_space.hpp"
#include "penalties/term_pattern.hpp"

namespace alo {

namespace {

// A coefficient is good to some units of its last place. Relative to the sum of the sizes of what a term adds
// up. With ten times this, jumps of a signal that are small beside its level would count as zero.
constexpr double term_rounding = 8.0 * std::numeric_limits<double>::epsilon();
// Sums of a few weights that differ by less than this share are equal.
constexpr double weight_rounding = 1e-14;

// D(rows, :)
SparseMatrix choose_rows(const SparseMatrix& matrix, const std::vector<Index>& rows) {
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    entries.emplace_back(static_cast<int>(k), static_cast<int>(rows[k]), 1.0);
  }
  SparseMatrix selection(static_cast<Index>(rows.size()), matrix.rows());
  selection.setFromTriplets(entries.begin(), entries.end());
  return selection * matrix;
}

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

// Of |D_kj| |b_j - t_k| summed over k, t_k where term k vanishes: a weighted median of the t_k.
std::pair<double, double> AnalysisOperator::best_values(const VectorView& b, Index coefficient) const {
  const Vector terms = matrix_ * b;
  std::vector<std::pair<double, double>> places;  // with their weights
  double total = 0.0;
  for (SparseMatrix::InnerIterator entry(matrix_, coefficient); entry; ++entry) {
    if (entry.value() == 0.0) continue;
    places.emplace_back(b[coefficient] - terms[entry.row()] / entry.value(), std::abs(entry.value()));
    total += std::abs(entry.value());
  }
  if (places.empty()) return {b[coefficient], b[coefficient]};
  std::sort(places.begin(), places.end());
  double below = 0.0;
  std::size_t k = 0;
  while (below + places[k].second < 0.5 * total * (1.0 - weight_rounding)) below += places[k++].second;
  const bool flat =
      below + places[k].second <= 0.5 * total * (1.0 + weight_rounding) && k + 1 < places.size();
  return {places[k].first, places[flat ? k + 1 : k].first};
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
  return null_space(choose_rows(matrix_, inactive));
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
