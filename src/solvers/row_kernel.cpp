// SPDX-License-Identifier: MIT
#include "solvers/row_kernel.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/blas.hpp"
#include "solvers/null_fit.hpp"

namespace alo {

namespace {

constexpr Index panel_columns = 256;

}  // namespace

Matrix weighted_kernel(const Design& design, const std::vector<Index>& columns, const Vector& factors) {
  Matrix kernel = Matrix::Zero(design.rows(), design.rows());
  const auto count = static_cast<Index>(columns.size());
  for (Index begin = 0; begin < count; begin += panel_columns) {
    const Index width = std::min(panel_columns, count - begin);
    Matrix panel = design.gather(
        std::span(columns).subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(width)));
    panel.array().rowwise() /= factors.segment(begin, width).transpose().array().sqrt();
    blas::add_product_transposed(kernel, 1.0, panel, panel);
  }
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

RowKernel row_kernel(const Problem& problem) {
  const RidgeColumns columns = ridge_columns(problem);
  return {weighted_kernel(problem.design(), columns.penalized, columns.factors),
          unpenalized_columns(problem, null_lambda)};
}

}  // namespace alo
