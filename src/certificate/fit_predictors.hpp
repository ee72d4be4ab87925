// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "alo/fit.hpp"

namespace alo {

// o + b0 + X b of several fits, output after output. Only columns with a coefficient that is not zero count.
Matrix fit_predictors(const Problem& problem, std::span<const Fit> fits);

}  // namespace alo
