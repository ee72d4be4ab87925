// SPDX-License-Identifier: MIT
#pragma once

#include "alo/design.hpp"

namespace alo {

// Weighted column means; a plain pass, since centring is only for good rounding.
Vector column_means(const Design& design, const Vector& weights);

// Weighted standard deviations of the columns about those means, divisor sum of w.
Vector column_deviations(const Design& design, const Vector& means, const Vector& weights);

}  // namespace alo
