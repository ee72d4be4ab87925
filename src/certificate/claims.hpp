// SPDX-License-Identifier: MIT
#pragma once

namespace alo {

// What a fit claims (a subgradient of the loss relative to the range of slopes of a row, the slopes of a
// matrix relative to the larger of lambda and the slopes of the null fit, likewise the multipliers of a
// chain) may differ from what the certificate finds by this share. A solver computes claims from scaled
// columns and sums in another order, and the certificate moves subgradients to be orthogonal to unpenalised
// columns; solutions end at some 1e-11, and badly conditioned ones at 1e-10. A wrong claim shifts H_ii by its
// share over the distance of the pattern from changing, so at ten times leave-one-out may be off in the
// seventh digit where that is 1e-1; at a tenth fits of kinked losses whose rows are nearly dependent lose
// their certificate.
inline constexpr double claim_share = 1e-8;

}  // namespace alo
