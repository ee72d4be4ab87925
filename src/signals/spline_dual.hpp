// SPDX-License-Identifier: MIT
#pragma once

#include "signals/active_knots.hpp"
#include "signals/discrete_splines.hpp"

namespace alo {

// The multipliers u of spline.hpp for a spline that is the minimiser on its knots, followed by one more,
// which is zero. They are k-fold cumulative sums of the weighted residuals, in long double; the spline itself
// is evaluated in the precision of Real. Rounding accumulates over the rows. At the knots u is known to be
// +-lambda, so the error there is subtracted, interpolated linearly between the knots.
template <class Real>
Vector spline_dual(const DiscreteSplines& splines, const VectorView& coefficients, const VectorView& signal,
                   const VectorView& weights, const ActiveKnots& knots, double lambda);

}  // namespace alo
