// SPDX-License-Identifier: MIT
#pragma once

#include "alo/fit.hpp"

namespace alo {

// The leverages h_i = w_i x_i'(X_A'W X_A + D)^-1 x_i of a fit by squared loss with absolute values and a
// ridge part that does not depend on lambda, in two passes over the rows of a large dense design: the Gram
// matrix of the active columns A, and the rows times its factor. No column is copied. Empty where the design
// is small or sparse, or where A is nearly dependent, so that other forms are faster or more accurate.
Vector fit_leverages(const Problem& problem, const Fit& fit);

}  // namespace alo
