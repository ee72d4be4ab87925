// SPDX-License-Identifier: MIT
#include "solvers/quadratic/fit_leverages.hpp"

#include "formula/hat.hpp"
#include "linalg/blas.hpp"
#include "linalg/select.hpp"
#include "solvers/quadratic/scaled_columns.hpp"

namespace alo {

Vector fit_leverages(const Problem& problem, const Fit& fit) {
  const ScaledColumns columns(problem, problem.data().weights);
  if (columns.is_sparse() || columns.is_small()) return {};
  const Vector coefficients = columns.coefficients(problem.scale().cwiseProduct(fit.coefficients));
  std::vector<Index> active;
  for (Index c = 0; c < coefficients.size(); ++c) {
    if (coefficients[c] != 0.0) active.push_back(c);
  }
  if (static_cast<Index>(active.size()) >= columns.rows()) return {};
  Vector leverages = columns.free_leverages();
  if (active.empty()) return leverages;
  Matrix system = columns.gram(active);
  system.diagonal() += columns.unit() * select(columns.ridge(fit.lambda), active);
  const Vector diagonal = system.diagonal();
  const auto lower = blas::cholesky(std::move(system));
  if (!lower || has_small_pivot(*lower, diagonal)) return {};
  for_each_row_block(columns.rows(), columns.rows_of_block(), [&](const RowBlock& rows) {
    Matrix block = columns.gather(rows, active);
    blas::solve_right_transposed_in_place(*lower, block);
    leverages.segment(rows.first, rows.count) += block.rowwise().squaredNorm();
  });
  return leverages;
}

}  // namespace alo
