// SPDX-License-Identifier: MIT
// Settings beside each other: what follows from them, and what contradicts.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "alo/error.hpp"
#include "alo/model.hpp"
#include "model/structure.hpp"

namespace alo {

namespace {

void check_ridge(const ModelSettings& settings, const std::string& penalty, const Spelling& say) {
  if (settings.mix && settings.ridge) {
    throw InvalidArgument(fmt::format(
        "{} lets lambda scale the lasso and the ridge part and {} fixes the ridge part: use one or "
        "the other",
        say(Setting::mix, ""), say(Setting::ridge, "")));
  }
  if (penalty == "elastic-net" || !settings.ridge) return;
  const std::string ridge = say(Setting::ridge, "");
  throw InvalidArgument(fmt::format(
      "{} belongs to {}; the penalty here is {}: {}", ridge, say(Setting::penalty, "elastic-net"), penalty,
      penalty == "ridge" ? fmt::format("its strength is lambda, drop {}", ridge)
                         : fmt::format("add {}, or drop {}", say(Setting::penalty, "elastic-net"), ridge)));
}

void check_kernel(const ModelSettings& settings, const Spelling& say) {
  const auto refuse = [&say](Setting setting, std::string_view owner) {
    const std::string name = say(setting, "");
    throw InvalidArgument(
        fmt::format("{} belongs to {}; add that, or drop {}", name, say(Setting::kernel, owner), name));
  };
  const bool is_polynomial = settings.kernel == KernelKind::polynomial;
  if (settings.gamma && !is_polynomial && settings.kernel != KernelKind::rbf)
    refuse(Setting::gamma, "rbf and poly");
  if (settings.degree && !is_polynomial) refuse(Setting::degree, "poly");
  if (settings.coef0 && !is_polynomial) refuse(Setting::coef0, "poly");
  if (!settings.kernel) return;
  const std::string kernel = say(Setting::kernel, "");
  if (settings.design != DesignKind::columns) {
    throw InvalidArgument(fmt::format("{} compares rows by their columns and goes with {} alone", kernel,
                                      say(Setting::design, "columns")));
  }
  if (settings.penalty && *settings.penalty != "ridge") {
    throw InvalidArgument(fmt::format(
        "{} needs {}, here it is {}: with a kernel there is one function, whose size is penalised, "
        "and no coefficients of columns",
        kernel, say(Setting::penalty, "ridge"), *settings.penalty));
  }
  if (settings.penalty_weights) {
    throw InvalidArgument(fmt::format("{} are for coefficients of columns; with {} there are none",
                                      say(Setting::penalty_weights, ""), kernel));
  }
}

// What the domain of each number is. Front ends that read text refuse the same with the text itself.
void check_numbers(const ModelSettings& settings, const Spelling& say) {
  const auto check = [&say](Setting setting, const std::optional<double>& value, auto&& is_allowed,
                            std::string_view domain) {
    if (!value || is_allowed(*value)) return;
    throw InvalidArgument(fmt::format("{}: it must be {}", say(setting, fmt::format("{}", *value)), domain));
  };
  const auto positive = [](double value) { return std::isfinite(value) && value > 0.0; };
  const auto not_negative = [](double value) { return std::isfinite(value) && value >= 0.0; };
  check(Setting::delta, settings.delta, positive, "a number above 0");
  check(Setting::ridge, settings.ridge, positive, "a number above 0");
  check(Setting::gamma, settings.gamma, positive, "a number above 0");
  check(Setting::smoothing, settings.smoothing, positive, "a number above 0");
  check(Setting::epsilon, settings.epsilon, not_negative, "a number of at least 0");
  check(Setting::sparse, settings.sparse, not_negative, "a number of at least 0");
  check(Setting::coef0, settings.coef0, not_negative, "a number of at least 0");
  check(
      Setting::quantile, settings.quantile, [](double value) { return value > 0.0 && value < 1.0; },
      "between 0 and 1");
  check(
      Setting::mix, settings.mix, [](double value) { return value >= 0.0 && value <= 1.0; },
      "between 0 and 1");
  const auto check_count = [&say](Setting setting, const std::optional<int>& value, int largest) {
    if (!value || (*value >= 1 && *value <= largest)) return;
    throw InvalidArgument(fmt::format("{}: it must be a whole number from 1 to {}",
                                      say(setting, fmt::format("{}", *value)), largest));
  };
  check_count(Setting::order, settings.order, largest_order);
  check_count(Setting::degree, settings.degree, largest_degree);
}

}  // namespace

std::string penalty_name(const ModelSettings& settings) {
  if (settings.penalty) return *settings.penalty;
  const bool is_matrix = settings.design == DesignKind::triplets || settings.design == DesignKind::rank_one;
  return is_matrix ? "nuclear" : "lasso";
}

void check_settings(const ModelSettings& settings, const Spelling& spelling) {
  if (settings.loss) response_kind(*settings.loss);  // throws for an unknown name
  if (settings.penalty) penalty_entry(*settings.penalty);
  check_numbers(settings, spelling);
  check_ridge(settings, penalty_name(settings), spelling);
  check_structure(settings, spelling);
  check_kernel(settings, spelling);
}

void check_settings(const TuneOptions& options, bool grid_given, const Spelling& say) {
  if (!options.lambdas.empty() && grid_given) {
    throw InvalidArgument(fmt::format(
        "{} gives the values and {}, {}, {} describe a grid: use one or the other", say(Setting::lambda, ""),
        say(Setting::lambdas, ""), say(Setting::lambda_ratio, ""), say(Setting::full_path, "")));
  }
  if (options.effort && options.choose != ChooseBy::automatic) {
    throw InvalidArgument(fmt::format("{} belongs to {}, which decides what to compute: drop one of them",
                                      say(Setting::effort, ""), say(Setting::choose, "auto")));
  }
  for (auto metric = options.metrics.begin(); metric != options.metrics.end(); ++metric) {
    if (std::find(options.metrics.begin(), metric, *metric) == metric) continue;
    throw InvalidArgument(fmt::format("{}: {} is named twice", say(Setting::metric, ""), to_string(*metric)));
  }
}

}  // namespace alo
