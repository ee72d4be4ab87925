// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <string_view>

namespace alo {

// A metric averages a score of the held-out predictions u over the rows. m(u) is the prediction on the
// scale of the response (u itself, or exp(u) with a log link), p are the probabilities of the classes, and
// l is the loss:
//
//   mse       mean of (y - m(u))^2, without a factor 1/2
//   mae       mean of |y - m(u)|
//   r2        1 - sum w (y - m(u))^2 / sum w (y - weighted mean of y)^2, over all rows at once
//   deviance  mean of 2 (l(u; y) - min_v l(v; y)) for a likelihood l: twice the logloss for classes,
//             2 (y log(y / m) - y + m) for counts, 2 (log(m / y) - 1 + y / m) for gamma
//   logloss   mean of -log p of the row's class
//   misclassification  share of rows whose likeliest class is not their own; a tie counts in part: with
//             two classes, u = 0 is half an error
//   brier     mean of (p - 1[y = +1])^2; with several classes, of the sum of these squares over classes
//   auc       share of the pairs of a row of +1 and a row of -1 in which the former has the larger u; a
//             tie counts half. Each u comes from another fit, whose intercept is biased away from the
//             row's own class. The auc is therefore too low, and more so under a stronger penalty
//             (docs/method.md)
//   auc-recentred  auc after the change of the intercept by leaving the row out is taken off each u
//   hinge     mean of max(0, 1 - y u)
//   huber     mean of the loss itself, huber or pseudo-huber, at its delta
//   pinball   mean of the quantile loss at its quantile: max(tau (y - u), (tau - 1) (y - u))
//   epsilon-insensitive  mean of that loss at its epsilon: max(0, |y - u| - epsilon)
enum class Metric {
  mse,
  mae,
  r2,
  deviance,
  logloss,
  misclassification,
  brier,
  auc,
  auc_recentred,
  hinge,
  huber,
  pinball,
  epsilon_insensitive
};

inline constexpr std::array all_metrics = {Metric::mse,
                                           Metric::mae,
                                           Metric::r2,
                                           Metric::deviance,
                                           Metric::logloss,
                                           Metric::misclassification,
                                           Metric::brier,
                                           Metric::auc,
                                           Metric::auc_recentred,
                                           Metric::hinge,
                                           Metric::huber,
                                           Metric::pinball,
                                           Metric::epsilon_insensitive};

std::string_view to_string(Metric metric);
bool larger_is_better(Metric metric);

}  // namespace alo
