// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "alo/fit.hpp"

namespace alo {

// The columns with a coefficient that is not zero in any of several fits, and these coefficients, output
// after output.
struct UsedColumns {
  UsedColumns(std::span<const Fit> fits, Index columns, Index outputs);
  std::vector<Index> columns;
  Matrix coefficients;
};

// o + b0 + X b of several fits, output after output. Only columns with a coefficient that is not zero count.
Matrix fit_predictors(const Problem& problem, std::span<const Fit> fits);

}  // namespace alo
