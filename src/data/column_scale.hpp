// SPDX-License-Identifier: MIT
#pragma once

#include "alo/design.hpp"

namespace alo {

// The weighted means of the columns. One pass without compensation suffices, because centring serves
// accuracy only.
Vector column_means(const Design& design, const Vector& weights);

// The weighted standard deviations of the columns about these means, with divisor sum of w.
Vector column_deviations(const Design& design, const Vector& means, const Vector& weights);

}  // namespace alo
