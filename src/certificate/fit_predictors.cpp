// SPDX-License-Identifier: MIT
#include "certificate/fit_predictors.hpp"

#include <vector>

namespace alo {

namespace {

// X B, output after output.
Matrix products(const Design& design, std::span<const Fit> fits, Index outputs) {
  std::vector<char> is_used(static_cast<std::size_t>(design.columns()), 0);
  for (const Fit& fit : fits) {
    for (Index j = 0; j < fit.coefficients.size(); ++j) {
      if (fit.coefficients[j] != 0.0) is_used[static_cast<std::size_t>(j % design.columns())] = 1;
    }
  }
  std::vector<Index> used;
  for (Index j = 0; j < design.columns(); ++j) {
    if (is_used[static_cast<std::size_t>(j)] != 0) used.push_back(j);
  }
  Matrix coefficients(static_cast<Index>(used.size()), static_cast<Index>(fits.size()) * outputs);
  for (std::size_t k = 0; k < fits.size(); ++k) {
    coefficients.middleCols(static_cast<Index>(k) * outputs, outputs) =
        by_output(fits[k].coefficients, outputs)(used, Eigen::all);
  }
  if (static_cast<Index>(used.size()) == design.columns()) return design.multiply_columns(coefficients);
  return design.multiply_columns(used, coefficients);
}

}  // namespace

Matrix fit_predictors(const Problem& problem, std::span<const Fit> fits) {
  const Index outputs = problem.outputs();
  Matrix result = products(problem.data().design, fits, outputs);
  result.colwise() += problem.data().offset;
  for (std::size_t k = 0; k < fits.size(); ++k) {
    result.middleCols(static_cast<Index>(k) * outputs, outputs).rowwise() += fits[k].intercept.transpose();
  }
  return result;
}

}  // namespace alo
