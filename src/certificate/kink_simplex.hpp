// SPDX-License-Identifier: MIT
#pragma once

#include "alo/loss.hpp"

namespace alo {

// A point that minimises a loss with kinks over few unpenalised coefficients, and a subgradient there.
struct KinkMinimum {
  Vector linear_predictor;
  // Weights included. It is a slope of the loss in every row but the pinned ones, of which there are no more
  // than columns, and orthogonal to the columns.
  Vector gradient;
};

// Minimises sum_i w_i l(o_i + f_i'c; y_i) over c, for a loss that is linear between kinks and rows f_i' of a
// matrix with orthonormal columns. This is a linear program in few variables, and the method is the simplex
// method of Barrodale and Roberts (1973, SIAM Journal on Numerical Analysis 10), which goes along an edge
// past as many kinks as the objective falls for (Koenker and d'Orey 1987, Applied Statistics 36).
//
// Some rows V are pinned to a kink, with F_V of full row rank. Where the gradient of the others has a part
// across the rows of F_V, the point moves against that part. Else F_V'g_V = -F_S'g_S determines subgradients
// of the pinned rows: the point is a minimum if they all lie between the slopes beside their kinks, and
// otherwise one of the rows that violate this leaves its kink while the others stay. Either way the line
// search sorts the kinks ahead and pins the row at whose kink the slope stops being negative.
//
// Many kinks may meet in one point (responses and columns of few different values), and a simplex method
// can cycle there. The remedy is the perturbation method of Charnes (1952): the kinks of row i are moved by
// e r_i for an infinitesimal e > 0 and random r_i, so that no more kinks meet than there are columns. The
// number e never gets a value. Every coordinate has a second part, its derivative with respect to e, which
// decides between equal first parts.
KinkMinimum minimum_between_kinks(const Kinks& kinks, const Vector& weights, const Vector& offset,
                                  const Matrix& basis);

}  // namespace alo
