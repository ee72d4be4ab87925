// SPDX-License-Identifier: MIT
#pragma once

#include "alo/leave_one_out.hpp"

namespace alo {

// The local model of a fit, and the lengths of its directions as multiples of those of the geometry (ones for
// the intercepts).
struct ScaledModel {
  LocalModel model;
  Vector lengths;
};

// The tangent design of the model has entries of size one in every column, as those of the intercepts are.
// Ranks and pivots are judged relative to the largest column, and so do not depend on units of the data. The
// lengths are powers of two, which round nothing; H is the same for all lengths.
ScaledModel scaled_local_model(const Problem& problem, const Fit& fit);

}  // namespace alo
