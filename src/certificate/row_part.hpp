// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include "alo/fit.hpp"

namespace alo {

// What the rows add to the certificate of a fit.
struct Certifier::RowPart {
  Vector gradient_sums;   // of the loss gradient over the rows, one for each output
  double residual = 0.0;  // row_residual() of a loss with kinks
  // sum_i w_i [l(eta_i) + l*(g_i) - g_i eta_i], the part of the rows in the duality gap, where -w_i g_i are a
  // multiple of the dual point.
  std::function<double(double scale)> gap;
};

}  // namespace alo
