// SPDX-License-Identifier: MIT
#pragma once

// Tolerances that several sources share. Each is relative, and epsilon stands for the machine's precision,
// 2.2e-16. A tolerance that only one source needs stands there.
namespace alo::tolerances {

// The numerical rank of a matrix of given columns: the least |R_kk| / |R_00| of a QR factorisation with
// column pivoting, or of a singular value over the largest one. Rounding leaves about sqrt(n) epsilon of a
// column that depends on the others, 2e-13 at a million rows. At a tenth such a column could pass for a
// direction of its own; at ten times columns that differ from the others in their eleventh digit are lost.
inline constexpr double column_rank = 1e-12;

// The same for columns that were computed (a tangent design times the roots of curvatures, a null space):
// their own rounding is some times larger, hence one digit more. Either tenth does what it does above.
inline constexpr double tangent_rank = 1e-11;

// A column depends on those before it when its pivot in a Cholesky factorisation of the Gram matrix falls
// below this share of its diagonal entry. The share is a squared relative distance from the span, here
// (3e-6)^2, and has an absolute error of about n epsilon. At a tenth that error passes for a distance from
// n = 4000 on; at ten times columns at a distance of 1e-5 are refused, which only an exchange of columns can
// then bring in.
inline constexpr double dependent_pivot = 1e-11;

// The same for the pivots of a tableau, which carries the rounding of all pivots before (PivotTableau): one
// digit more.
inline constexpr double tableau_pivot = 1e-10;

// H_ii = |L^-1 a_i|^2 from a Cholesky factor has an error of about epsilon divided by the smallest pivot
// share: 2e-10 here, below leverage_tolerance = 1e-8. At a tenth the error comes within a factor of five of
// that bound. Larger values are safe and send more fits to the orthogonal forms, which take a few times as
// long.
inline constexpr double leverage_pivot = 1e-6;

// A row with leverage 1 - h_i below this in the unpenalised columns alone determines a direction that no
// penalty holds, so no fit exists without it. The rounding of h_i from an orthonormal basis is a few epsilon;
// any value between 1e-13 and leverage_tolerance serves.
inline constexpr double alone = 1e-10;

// A slope x_j'r equals its threshold lambda a_j up to the first share of the threshold plus the second share
// of the size of the slope's terms (|x_j| |r|, or the largest slope of the null fit). The second is the
// rounding of a sum, sqrt(n) epsilon at n = 2000; the first leaves two digits more for the rounding of a
// solution. At a tenth columns may enter and leave in turn; at ten times a column that should enter by 1e-11
// of lambda stays out, which is still far below FitOptions::tolerance.
inline constexpr double threshold_slack = 1e-12;
inline constexpr double slope_rounding = 1e-14;

// A point is in the domain of a conjugate when its norm (or gauge) exceeds the bound by at most this share of
// it. dual_scale shrinks a point that is outside to the bound less the same share, so that rounding of the
// norm, sqrt(n) epsilon for sums of n terms, does not take it out again. At a tenth such a point may lie
// outside from n = 20 on, and the fit would have no gap; at ten times a point outside by 1e-13 would count as
// a bound, which adds no more than that share to a gap.
inline constexpr double domain_rounding = 1e-14;

// The factor, at most one, that brings a point of this size into a ball with this bound.
inline double scale_into(double size, double bound) {
  return size > bound ? (1.0 - domain_rounding) * bound / size : 1.0;
}

// Objectives that differ by less than this share of the sum of their terms' sizes are equal: about
// sqrt(n) epsilon at n = 2000. At a tenth good steps near a minimum are refused and halved in vain; at ten
// times a search may accept steps that lead up by as much.
inline constexpr double objective_rounding = 1e-14;

// The share of the decrease promised by the slope that a step must bring (Armijo 1966; Nocedal and Wright,
// section 3.1, use the same value). Any value well below 1/2 serves; from 1/2 on whole Newton steps are
// refused near the minimum, where they bring half of the promise.
inline constexpr double sufficient_decrease = 1e-4;

// The distance to a bound divided by a rate, without branches: gaps and rates are raised to these least
// values. A coordinate at a bound that moves towards it arrives at once, and one at rest is away by
// least_gap / least_rate = 1e50 or more, which is beyond out_of_reach. Only the order of the three numbers
// matters, and that no true distance comes near them.
inline constexpr double least_gap = 1e-250;
inline constexpr double least_rate = 1e-300;
inline constexpr double out_of_reach = 1e45;

}  // namespace alo::tolerances
