// SPDX-License-Identifier: MIT
#pragma once

#include <limits>

namespace alo {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
// A number that does not exist, such as the held-out prediction of a row that has none.
inline constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

}  // namespace alo
