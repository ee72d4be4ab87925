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

double checked_quantile(double tau) {
  if (!(tau > 0.0 && tau < 1.0)) {
    throw InvalidArgument(
        fmt::format("the quantile is {}; it must be between 0 and 1: the share of responses that lie below "
                    "the prediction",
                    tau));
  }
  return tau;
}

double checked_epsilon(double epsilon) {
  if (!(epsilon >= 0.0) || !std::isfinite(epsilon)) {
    throw InvalidArgument(fmt::format(
        "epsilon is {}; it must be a number of at least 0, in the units of the response: residuals within it "
        "do not count",
        epsilon));
  }
  return epsilon;
}

bool outside_interval(double g, double bound) {
  return std::abs(g) > bound * (1.0 + 8.0 * std::numeric_limits<double>::epsilon());
}

}  // namespace alo
