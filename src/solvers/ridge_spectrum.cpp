// SPDX-License-Identifier: MIT
#include "solvers/ridge_spectrum.hpp"

#include <algorithm>
#include <cmath>

#include "certificate/null_fit.hpp"
#include "linalg/blas.hpp"
#include "linalg/tolerances.hpp"
#include "solvers/row_kernel.hpp"

namespace alo {

namespace {

// Squared singular values below this share of the largest count as zero. Those of a smooth kernel fall
// without end, and rounding of A A' is n epsilon, 2e-12 at ten thousand rows. At ten times the value
// directions that hold five digits of a fit are given up; at a hundredth rounding passes for directions, and
// a grid would go down to where they are fitted.
constexpr double counted_share = 1e-10;
// Columns of the design that are copied at a time; only speed and memory depend on it.
constexpr Index panel_columns = 256;

// A'A for A = sqrt(C) X diag(f)^-1/2, without the projection. A sparse design is multiplied as it is.
Matrix column_gram(const Problem& problem, const RidgeColumns& columns, const Vector& curvature) {
  const auto count = static_cast<Index>(columns.penalized.size());
  Matrix gram(count, count);
  for (Index first = 0; first < count; first += panel_columns) {
    const Index width = std::min(panel_columns, count - first);
    const std::span panel = std::span(columns.penalized)
                                .subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(width));
    const Matrix weighted = curvature.asDiagonal() * problem.design().gather(panel);
    gram.middleCols(first, width) = problem.design().transpose_multiply_columns(columns.penalized, weighted);
  }
  const Vector scale = columns.factors.cwiseSqrt().cwiseInverse();
  return scale.asDiagonal() * gram * scale.asDiagonal();
}

// The same without what the unpenalised directions explain: basis'A is taken out.
Matrix projected_column_gram(const Problem& problem, const RidgeColumns& columns, const Vector& curvature,
                             const Matrix& basis) {
  Matrix gram = column_gram(problem, columns, curvature);
  if (basis.cols() == 0) return gram;
  const Matrix rows = curvature.cwiseSqrt().asDiagonal() * basis;
  Matrix along = problem.design().transpose_multiply_columns(columns.penalized, rows);
  along.array().colwise() /= columns.factors.array().sqrt();
  blas::subtract_gram(gram, along.transpose());
  return gram;
}

// (I - U U') A A' (I - U U').
Matrix projected_row_gram(const Problem& problem, const RidgeColumns& columns, const Vector& curvature,
                          const Matrix& basis) {
  const Vector roots = curvature.cwiseSqrt();
  Matrix gram = weighted_kernel(problem.design(), columns.penalized, columns.factors);
  gram.array().colwise() *= roots.array();
  gram.array().rowwise() *= roots.transpose().array();
  if (basis.cols() == 0) return gram;
  gram -= basis * blas::transpose_multiply(basis, gram);
  gram -= blas::multiply(gram, basis) * basis.transpose();
  return gram;
}

}  // namespace

double RidgeSpectrum::degrees_of_freedom(double lambda) const {
  return static_cast<double>(free) + (squares.array() / (squares.array() + lambda)).sum();
}

// Bisection in log lambda between bounds at which every term is nearly one, or nearly zero.
std::optional<double> RidgeSpectrum::lambda_at(double share) const {
  if (squares.size() == 0) return std::nullopt;
  const double wanted = share * static_cast<double>(free + squares.size());
  const auto terms = static_cast<double>(free + squares.size());
  double low = std::log(squares[squares.size() - 1] * (1.0 - share) / terms);
  double high = std::log(squares[0] * terms / (1.0 - share));
  if (degrees_of_freedom(std::exp(high)) >= wanted) return std::exp(high);
  for (int step = 0; step < 60; ++step) {
    const double middle = 0.5 * (low + high);
    (degrees_of_freedom(std::exp(middle)) < wanted ? high : low) = middle;
  }
  return std::exp(low);
}

RidgeSpectrum counted_spectrum(const Vector& squares, Index free) {
  if (squares.size() == 0 || !(squares[0] > 0.0)) return {Vector(), free};
  const Index counted = (squares.array() > counted_share * squares[0]).count();
  return {squares.head(counted), free};
}

RidgeSpectrum ridge_spectrum(const Problem& problem, const Vector& curvature) {
  const RidgeColumns columns = ridge_columns(problem);
  const Matrix free = curvature.cwiseSqrt().asDiagonal() * unpenalized_columns(problem, null_lambda);
  const Matrix basis = free.cols() == 0 ? free : blas::orthonormal_basis(free, tolerances::column_rank);
  if (columns.penalized.empty()) return {Vector(), basis.cols()};
  const bool by_rows = static_cast<Index>(columns.penalized.size()) > problem.rows();
  Matrix gram = by_rows ? projected_row_gram(problem, columns, curvature, basis)
                        : projected_column_gram(problem, columns, curvature, basis);
  return counted_spectrum(blas::symmetric_eigen(std::move(gram)).values, basis.cols());
}

}  // namespace alo
