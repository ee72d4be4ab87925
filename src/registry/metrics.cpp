// SPDX-License-Identifier: MIT
#include "alo/metric.hpp"

namespace alo {

std::string_view to_string(Metric metric) {
  switch (metric) {
    case Metric::mse:
      return "mse";
    case Metric::mae:
      return "mae";
    case Metric::r2:
      return "r2";
    case Metric::deviance:
      return "deviance";
    case Metric::logloss:
      return "logloss";
    case Metric::misclassification:
      return "misclassification";
    case Metric::brier:
      return "brier";
    case Metric::auc:
      return "auc";
    case Metric::auc_recentred:
      return "auc-recentred";
    case Metric::hinge:
      return "hinge";
    case Metric::huber:
      return "huber";
    case Metric::pinball:
      return "pinball";
    case Metric::epsilon_insensitive:
      return "epsilon-insensitive";
  }
  return "";
}

bool larger_is_better(Metric metric) {
  return metric == Metric::r2 || metric == Metric::auc || metric == Metric::auc_recentred;
}

}  // namespace alo
