// SPDX-License-Identifier: MIT
#pragma once

#include "alo/dataset.hpp"

namespace alo {

// The number of observations behind the rows: with frequency weights their sum, so that what depends on it is
// the same where rows are repeated; else the rows with a positive weight, as if the others were not there.
inline double observation_count(const Dataset& data) {
  if (data.weight_kind == WeightKind::frequency) return data.weights.sum();
  return static_cast<double>((data.weights.array() > 0.0).count());
}

}  // namespace alo
