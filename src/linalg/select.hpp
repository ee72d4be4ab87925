// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "alo/types.hpp"

namespace alo {

// The chosen entries, in the order given.
inline Vector select(const VectorView& values, std::span<const Index> at) {
  Vector chosen(static_cast<Index>(at.size()));
  for (std::size_t k = 0; k < at.size(); ++k) chosen[static_cast<Index>(k)] = values[at[k]];
  return chosen;
}

}  // namespace alo
