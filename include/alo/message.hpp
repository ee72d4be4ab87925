// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace alo {

// The settings that messages speak of. Every front end has them and spells them in its own way, as an
// option or as an argument, so messages say in plain words what to change and carry the settings beside
// their text.
enum class Setting {
  // of reading a file
  target,
  response,
  drop,
  weights,
  weights_are,
  offset,
  design,
  left,
  right,
  format,
  skip,
  missing,
  shape,
  // of the model
  loss,
  positive,
  delta,
  quantile,
  epsilon,
  penalty,
  mix,
  ridge,
  penalty_weights,
  order,
  penalty_matrix,
  graph,
  grid,
  sparse,
  groups,
  slope_shape,
  slope_q,
  smoothing,
  kernel,
  gamma,
  degree,
  coef0,
  // of the path and of leave-one-out
  lambda,
  lambdas,
  lambda_ratio,
  full_path,
  metric,
  exact,
  folds,
  repair,
  effort,
  choose,
  sample,
  outer,
  // of what is written
  out,
  type,
};

// Their names, in words joined by hyphens.
inline constexpr std::array<std::pair<Setting, std::string_view>, 49> setting_names = {{
    {Setting::target, "target"},
    {Setting::response, "response"},
    {Setting::drop, "drop"},
    {Setting::weights, "weights"},
    {Setting::weights_are, "weights-are"},
    {Setting::offset, "offset"},
    {Setting::design, "design"},
    {Setting::left, "left"},
    {Setting::right, "right"},
    {Setting::format, "format"},
    {Setting::skip, "skip"},
    {Setting::missing, "missing"},
    {Setting::shape, "shape"},
    {Setting::loss, "loss"},
    {Setting::positive, "positive"},
    {Setting::delta, "delta"},
    {Setting::quantile, "quantile"},
    {Setting::epsilon, "epsilon"},
    {Setting::penalty, "penalty"},
    {Setting::mix, "mix"},
    {Setting::ridge, "ridge"},
    {Setting::penalty_weights, "penalty-weights"},
    {Setting::order, "order"},
    {Setting::penalty_matrix, "penalty-matrix"},
    {Setting::graph, "graph"},
    {Setting::grid, "grid"},
    {Setting::sparse, "sparse"},
    {Setting::groups, "groups"},
    {Setting::slope_shape, "slope-shape"},
    {Setting::slope_q, "slope-q"},
    {Setting::smoothing, "smoothing"},
    {Setting::kernel, "kernel"},
    {Setting::gamma, "gamma"},
    {Setting::degree, "degree"},
    {Setting::coef0, "coef0"},
    {Setting::lambda, "lambda"},
    {Setting::lambdas, "lambdas"},
    {Setting::lambda_ratio, "lambda-ratio"},
    {Setting::full_path, "full-path"},
    {Setting::metric, "metric"},
    {Setting::exact, "exact"},
    {Setting::folds, "folds"},
    {Setting::repair, "repair"},
    {Setting::effort, "effort"},
    {Setting::choose, "choose"},
    {Setting::sample, "sample"},
    {Setting::outer, "outer"},
    {Setting::out, "out"},
    {Setting::type, "type"},
}};

// A setting that a message is about, and the value to give it, if there is one to name ("drop-rows").
struct Hint {
  Setting setting;
  std::string value = "";

  bool operator==(const Hint&) const = default;
};

// A sentence for the user, complete without its hints.
struct Message {
  Message(std::string words, std::vector<Hint> about = {})  // NOLINT(google-explicit-constructor)
      : text(std::move(words)), hints(std::move(about)) {}

  std::string text;
  std::vector<Hint> hints;
};

// How a front end says a message, hints included. An empty function stands for the text alone.
using Wording = std::function<std::string(const Message&)>;

}  // namespace alo
