// SPDX-License-Identifier: MIT
#pragma once

#include "completion/completion_hat.hpp"

namespace alo {

// CompletionHatMethod::probes, numbers per observation in the order of the loss's entries.
//
// With a vector z of random signs and s_j^2 = max(W_j, a tenth of their mean), z_j (H s z)_j / s_j is an
// unbiased estimate of H_jj (Hutchinson 1990 for the trace; Bekas, Kokiopoulou and Saad 2007, Applied
// Numerical Mathematics 57, for the diagonal). H s z takes one linear system in the factors. The regression's
// predictions are finally multiplied by one common factor, such that the mean held-out loss would not change
// to first order if the unbiased estimates replaced them.
CompletionHat probed_hat(const FactoredLoss& loss, const FactoredLoss::Point& point, double lambda,
                         const CompletionHatOptions& options);

}  // namespace alo
