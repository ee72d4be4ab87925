// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "alo/fit.hpp"
#include "penalties/multiplier.hpp"

namespace alo {

// With slopes z_i = w_i (y_i - o_i - b_i) the multipliers of the differences are u_k = -(z_1 + ... + z_k),
// and the dual point is z less what is left of its sum, shared by weight.
void Certifier::certify_signal(Fit& fit) const {
  const Dataset& data = problem_->data();
  const Index rows = data.rows();
  const Vector& b = fit.coefficients;
  fit.linear_predictor.resize(rows);
  Vector slopes(rows);
  double total = 0.0;
  double weight_total = 0.0;
  for (Index k = 0; k < rows; ++k) {
    fit.linear_predictor[k] = data.offset[k] + b[k];
    slopes[k] = weights_[k] * (data.response[k] - fit.linear_predictor[k]);
    total += slopes[k];
    weight_total += weights_[k];
  }
  const double level = total / weight_total;
  double sum = 0.0;
  double largest = 0.0;
  for (Index k = 0; k + 1 < rows; ++k) {
    sum += slopes[k] - weights_[k] * level;
    largest = std::max(largest, std::abs(sum));
  }
  const double scale = largest > fit.lambda ? rounding_margin * fit.lambda / largest : 1.0;

  double gap = 0.0;
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
      const double miss = slopes[k] - scale * dual;
      gap += miss * miss / (2.0 * weight);
      excess += slopes[k] * slopes[k] / (2.0 * weight);
    }
    gap += fit.lambda * std::abs(jump) + scale * sum * jump;
    const double bounded = std::clamp(-claimed, -fit.lambda, fit.lambda);
    const double nearest = k + 1 == rows ? 0.0 : jump != 0.0 ? std::copysign(fit.lambda, jump) : bounded;
    residual = std::max(residual, std::abs(slopes[k] - (before - nearest)));
    before = nearest;
  }
  fit.unexplained = null_excess_ > 0.0 ? excess / null_excess_ : 1.0;
  fit.certificate.gap = null_excess_ > 0.0 ? gap / null_excess_ : gap;
  const double size = std::max(fit.lambda, null_gradient_);
  fit.certificate.kkt = size > 0.0 ? residual / size : residual;
}

}  // namespace alo
