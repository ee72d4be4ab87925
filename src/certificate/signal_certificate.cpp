// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "alo/fit.hpp"
#include "certificate/claims.hpp"
#include "linalg/multiversion.hpp"
#include "signals/multiplier.hpp"

namespace alo {

namespace {

// Sets the predictors o + b and the slopes w (y - o - b), and returns the sum of the slopes.
ALO_MULTIVERSION double set_slopes(Index rows, const double* offset, const double* b, const double* response,
                                   const double* weights, double* predictor, double* slopes) {
  double total = 0.0;
#pragma omp simd reduction(+ : total)
  for (Index k = 0; k < rows; ++k) {
    predictor[k] = offset[k] + b[k];
    slopes[k] = weights[k] * (response[k] - predictor[k]);
    total += slopes[k];
  }
  return total;
}

// Whether the multipliers that a fit claims are those that follow from the slopes, up to rounding relative to
// `size`, and are lambda in absolute value exactly where the signal jumps: leave-one-out takes the blocks
// from these marks, and the gap is not made from them.
bool keeps_chain_multipliers(const Fit& fit, const Vector& slopes, double size) {
  const Vector& b = fit.coefficients;
  const Vector& multipliers = fit.multipliers;
  if (multipliers.size() == 0) return true;
  if (multipliers.size() != b.size() - 1) return false;
  double found = 0.0;
  double worst = 0.0;
  for (Index k = 0; k < multipliers.size(); ++k) {
    found -= slopes[k];
    worst = std::max(worst, std::abs(multipliers[k] - found));
    const double jump = b[k + 1] - b[k];
    const bool marks = jump != 0.0 ? multipliers[k] == std::copysign(fit.lambda, jump)
                                   : std::abs(multipliers[k]) < fit.lambda || fit.lambda == 0.0;
    if (!marks) return false;
  }
  return worst <= claim_share * size;
}

}  // namespace

// With slopes z_i = w_i (y_i - o_i - b_i) the multipliers of the differences are u_k = -(z_1 + ... + z_k).
// The dual point must sum to zero, so it is z less w_i times the sum of z over the sum of w.
void Certifier::certify_signal(Fit& fit) const {
  const Dataset& data = problem_->data();
  const Index rows = data.rows();
  const Vector& b = fit.coefficients;
  fit.linear_predictor.resize(rows);
  Vector slopes(rows);
  const double total = set_slopes(rows, data.offset.data(), b.data(), data.response.data(), weights_.data(),
                                  fit.linear_predictor.data(), slopes.data());
  const double level = total / weights_.sum();
  double sum = 0.0;
  double largest = 0.0;
  for (Index k = 0; k + 1 < rows; ++k) {
    sum += slopes[k] - weights_[k] * level;
    largest = std::max(largest, std::abs(sum));
  }
  const double scale = largest > fit.lambda ? rounding_margin * fit.lambda / largest : 1.0;

  double loss_gap = 0.0;
  double term_gap = 0.0;
  double residual = 0.0;
  double excess = 0.0;
  double claimed = 0.0;  // z_1 + ... + z_k
  double before = 0.0;   // the subgradient nearest to it at the difference before
  sum = 0.0;
  for (Index k = 0; k < rows; ++k) {
    const double weight = weights_[k];
    const double dual = slopes[k] - weight * level;
    sum += dual;
    claimed += slopes[k];
    const double jump = k + 1 < rows ? b[k + 1] - b[k] : 0.0;
    // Fenchel gaps of the loss and of the difference.
    if (weight > 0.0) {
      const double share = 0.5 / weight;
      const double miss = slopes[k] - scale * dual;
      loss_gap += share * miss * miss;
      excess += share * slopes[k] * slopes[k];
    }
    term_gap += fit.lambda * std::abs(jump) + scale * sum * jump;
    const double bounded = std::clamp(-claimed, -fit.lambda, fit.lambda);
    const double nearest = k + 1 == rows ? 0.0 : jump != 0.0 ? std::copysign(fit.lambda, jump) : bounded;
    residual = std::max(residual, std::abs(slopes[k] - (before - nearest)));
    before = nearest;
  }
  const double gap = loss_gap + term_gap;
  fit.unexplained = null_excess_ > 0.0 ? excess / null_excess_ : 1.0;
  const double size = std::max(fit.lambda, null_gradient_);
  fit.certificate.gap.reset();
  if (has_null_fit_ && keeps_chain_multipliers(fit, slopes, size)) {
    fit.certificate.gap = null_excess_ > 0.0 ? gap / null_excess_ : gap;
  }
  fit.certificate.kkt = size > 0.0 ? residual / size : residual;
}

}  // namespace alo
