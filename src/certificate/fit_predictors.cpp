// SPDX-License-Identifier: MIT
#include "certificate/fit_predictors.hpp"

namespace alo {

UsedColumns::UsedColumns(std::span<const Fit> fits, Index count, Index outputs) {
  std::vector<char> is_used(static_cast<std::size_t>(count), 0);
  for (const Fit& fit : fits) {
    for (Index j = 0; j < fit.coefficients.size(); ++j) {
      if (fit.coefficients[j] != 0.0) is_used[static_cast<std::size_t>(j % count)] = 1;
    }
  }
  for (Index j = 0; j < count; ++j) {
    if (is_used[static_cast<std::size_t>(j)] != 0) columns.push_back(j);
  }
  coefficients.resize(static_cast<Index>(columns.size()), static_cast<Index>(fits.size()) * outputs);
  for (std::size_t k = 0; k < fits.size(); ++k) {
    coefficients.middleCols(static_cast<Index>(k) * outputs, outputs) =
        by_output(fits[k].coefficients, outputs)(columns, Eigen::all);
  }
}

Matrix fit_predictors(const Problem& problem, std::span<const Fit> fits) {
  const Index outputs = problem.outputs();
  const Design& design = problem.data().design;
  const UsedColumns used(fits, design.columns(), outputs);
  Matrix result = static_cast<Index>(used.columns.size()) == design.columns()
                      ? design.multiply_columns(used.coefficients)
                      : design.multiply_columns(used.columns, used.coefficients);
  result.colwise() += problem.data().offset;
  for (std::size_t k = 0; k < fits.size(); ++k) {
    result.middleCols(static_cast<Index>(k) * outputs, outputs).rowwise() += fits[k].intercept.transpose();
  }
  return result;
}

}  // namespace alo
