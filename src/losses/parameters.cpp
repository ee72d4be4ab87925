// SPDX-License-Identifier: MIT
#include "losses/parameters.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "alo/error.hpp"

namespace alo {

double checked_delta(double delta) {
  if (!(delta > 0.0) || !std::isfinite(delta)) {
    throw InvalidArgument(fmt::format(
        "delta is {}; it must be a positive number, in the units of the response: residuals within it "
        "count by their square, those beyond by their size",
        delta));
  }
  return delta;
}

bool outside_interval(double g, double bound) {
  return std::abs(g) > bound * (1.0 + 8.0 * std::numeric_limits<double>::epsilon());
}

}  // namespace alo
