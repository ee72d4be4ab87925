// SPDX-License-Identifier: MIT
#pragma once

#include "alo/tune.hpp"

namespace alo {

// The reasons against relying on the approximation at the chosen lambda.
Verdict judge(const TuneResult& result);

}  // namespace alo
