// SPDX-License-Identifier: MIT
#pragma once

#include "signals/active_knots.hpp"
#include "signals/discrete_splines.hpp"

namespace alo {

// The multipliers u of spline.hpp for a spline that is the least squares on its knots, and one more behind
// the last, which is zero. They are the weighted residuals summed k times over, in long double; the spline
// itself is evaluated in the precision of Real. Rounding adds up over the rows, so what the sums are off by
// at the knots, where u is +-lambda, is taken off again, along straight lines from knot to knot.
template <class Real>
Vector spline_dual(const DiscreteSplines& splines, const VectorView& coefficients, const VectorView& signal,
                   const VectorView& weights, const ActiveKnots& knots, double lambda);

}  // namespace alo
