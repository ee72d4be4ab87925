// SPDX-License-Identifier: MIT
#include "solvers/row_kernel.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/blas.hpp"

namespace alo {

namespace {

// Columns of the design that are copied at a time, and rows of the kernel that are computed at a time, up to
// the diagonal block; only speed and memory depend on these.
constexpr Index panel_columns = 256;
constexpr Index block_rows = 128;

}  // namespace

Matrix weighted_kernel(const Design& design, const std::vector<Index>& columns, const Vector& factors) {
  Matrix kernel = Matrix::Zero(design.rows(), design.rows());
  const auto count = static_cast<Index>(columns.size());
  for (Index begin = 0; begin < count; begin += panel_columns) {
    const Index width = std::min(panel_columns, count - begin);
    Matrix panel = design.gather(
        std::span(columns).subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(width)));
    panel.array().rowwise() /= factors.segment(begin, width).transpose().array().sqrt();
    for (Index first = 0; first < kernel.rows(); first += block_rows) {
      const Index height = std::min(block_rows, kernel.rows() - first);
      blas::add_product_transposed(kernel.block(first, 0, height, first + height), 1.0,
                                   panel.middleRows(first, height), panel.topRows(first + height));
    }
  }
  for (Index i = 1; i < kernel.rows(); ++i) kernel.col(i).head(i) = kernel.row(i).head(i).transpose();
  return kernel;
}

RidgeColumns ridge_columns(const Problem& problem) {
  const Vector factors = problem.penalty().separable(problem.columns())->square;
  const std::vector<Index>& constant = problem.constant_columns();
  RidgeColumns columns;
  for (Index j = 0; j < problem.columns(); ++j) {
    if (std::binary_search(constant.begin(), constant.end(), j) || std::isinf(factors[j])) continue;
    (factors[j] > 0.0 ? columns.penalized : columns.free).push_back(j);
  }
  columns.factors = factors(columns.penalized);
  return columns;
}

ScaledRows::ScaledRows(const Problem& problem) : design_(problem.design()), columns_(ridge_columns(problem)) {
  const auto count = static_cast<Index>(columns_.penalized.size());
  center_ = design_.center().size() == 0 ? Vector(Vector::Zero(count))
                                         : Vector(design_.center()(columns_.penalized));
  scale_ = columns_.factors.cwiseSqrt();
  if (design_.scale().size() != 0) scale_.array() *= design_.scale()(columns_.penalized).array();
  if (!design_.is_sparse()) return;
  std::vector<Eigen::Triplet<double>> entries;
  for (Index k = 0; k < count; ++k) {
    const Index column = columns_.penalized[static_cast<std::size_t>(k)];
    for (SparseMap::InnerIterator entry(design_.sparse_values(), column); entry; ++entry) {
      entries.emplace_back(k, entry.row(), entry.value());
    }
  }
  transposed_ = SparseMatrix(count, design_.rows());
  transposed_.setFromTriplets(entries.begin(), entries.end());
}

Matrix ScaledRows::gather(std::span<const Index> rows) const {
  const auto count = static_cast<Index>(rows.size());
  Matrix result = Matrix::Zero(center_.size(), count);
  for (Index r = 0; design_.is_sparse() && r < count; ++r) {
    result.col(r) = transposed_.col(rows[static_cast<std::size_t>(r)]);
  }
  for (Index k = 0; !design_.is_sparse() && k < result.rows(); ++k) {
    const auto column = design_.dense_values().col(columns_.penalized[static_cast<std::size_t>(k)]);
    for (Index r = 0; r < count; ++r) result(k, r) = column[rows[static_cast<std::size_t>(r)]];
  }
  result.colwise() -= center_;
  result.array().colwise() /= scale_.array();
  return result;
}

}  // namespace alo
