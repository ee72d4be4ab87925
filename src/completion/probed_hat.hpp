// SPDX-License-Identifier: MIT
#pragma once

#include "completion/completion_hat.hpp"

namespace alo {

// CompletionHatMethod::probes, numbers per observation in the order of the loss's entries.
//
// A vector z of random signs and s_j^2 = max(W_j, a tenth of their mean) give z_j (H s z)_j / s_j, whose mean
// is H_jj. H s z is one system in the factors. The regression's last step is one factor for all
// predictions, so that the mean held-out loss does not change to first order if the estimates replace them.
CompletionHat probed_hat(const FactoredLoss& loss, const FactoredLoss::Point& point, double lambda,
                         const CompletionHatOptions& options);

}  // namespace alo
