// SPDX-License-Identifier: MIT
#pragma once

#include "alo/penalty.hpp"

namespace alo {

// The penalties of the problems that a solver makes of a problem, as by a change of variables. A factor of
// zero leaves a coefficient unpenalised.

// lambda sum_j f_j |b_j|
Penalty sum_of_absolute_values(Vector factors);
// lambda sum_j f_j b_j^2 / 2
Penalty sum_of_squares(Vector factors);

}  // namespace alo
