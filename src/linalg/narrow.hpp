// SPDX-License-Identifier: MIT
#pragma once

#include "alo/types.hpp"

namespace alo::blas {

// A size as BLAS and LAPACK take it.
inline int narrow(Index value) {
  return static_cast<int>(value);
}

}  // namespace alo::blas
