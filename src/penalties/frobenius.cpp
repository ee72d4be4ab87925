// SPDX-License-Identifier: MIT
#include "alo/penalties/frobenius.hpp"

#include "penalties/spectral.hpp"

namespace alo {

void Frobenius::check_columns(Index columns) const {
  spectral::check_columns(shape_, columns);
}

}  // namespace alo
