// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include "alo/types.hpp"

namespace alo {

// The method of multipliers (Hestenes 1969, Powell 1969) for a loss with kinks f_i and the constraints
// z_i = eta_i. For given multipliers m and penalty parameter sigma,
//
//     min over z_i of  f_i(z_i) + m_i (eta_i - z_i) + sigma (eta_i - z_i)^2 / 2
//
// is a shifted Moreau envelope of f_i: a smooth function of eta_i, whose derivative m_i + sigma (eta_i - z_i)
// is a subgradient of f_i at the minimiser z_i, and whose second derivative is sigma where z_i is a kink and
// zero elsewhere. A semismooth Newton method minimises the sum of envelopes and penalty (Li, Sun and Toh
// 2018), and the derivatives at the minimum are the next multipliers. This is the proximal point algorithm on
// the dual problem (Rockafellar 1976): it ends for every sigma, sooner for larger ones.
struct AugmentedTerm {
  Vector multipliers;
  double sigma = 1.0;
};

// The outcome of minimising the augmented Lagrangian for one set of multipliers.
enum class MultiplierRound {
  solved,         // the solution of the problem itself was found
  minimized,      // the multipliers may be updated
  not_minimized,  // the envelopes have too little curvature for Newton's method; sigma has to be smaller
};

// Repeats `round`, which minimises with the term and leaves the derivatives of the envelopes in `gradient`
// and eta in `predictor`, until it has solved the problem. False if the multipliers have converged up to
// rounding before, or after very many rounds.
bool method_of_multipliers(AugmentedTerm& term, const Vector& gradient, const Vector& predictor,
                           const RowKinks& kinks, const std::function<MultiplierRound()>& round);

}  // namespace alo
