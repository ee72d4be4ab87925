// SPDX-License-Identifier: MIT
#pragma once

#include "alo/penalty.hpp"

namespace alo {

// Penalties for the problems to which a solver reduces its own, as by a change of variables. A factor of zero
// leaves a coefficient unpenalised.

// lambda sum_j f_j |b_j|
Penalty sum_of_absolute_values(Vector factors);
// lambda sum_j f_j b_j^2 / 2
Penalty sum_of_squares(Vector factors);

}  // namespace alo
