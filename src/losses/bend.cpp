// SPDX-License-Identifier: MIT
#include "losses/bend.hpp"

#include <algorithm>
#include <limits>

namespace alo {

double Bend::gap(double r, double g) const {
  const double rounding = 8.0 * std::numeric_limits<double>::epsilon() * (upper - lower);
  if (g > upper + rounding || g < lower - rounding) return std::numeric_limits<double>::infinity();
  const double missing = r > 0.0 ? upper - g : g - lower;
  return std::max(missing, 0.0) * (r > 0.0 ? r : -r);
}

}  // namespace alo
