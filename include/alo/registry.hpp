// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alo/loss.hpp"
#include "alo/penalty.hpp"
#include "alo/risk.hpp"

namespace alo {

// Parameters of losses and penalties by name, as every front end passes them.
struct ModelParameters {
  double mix = 0.5;             // share of the absolute value in the elastic net
  std::optional<double> ridge;  // in place of the mix: factor of the squares, which lambda then leaves alone
  Vector penalty_weights;       // one per coefficient; empty: ones
};

struct ModelEntry {
  std::string name;
  std::string help;  // one sentence
  bool standardize;  // the default with this penalty
};

const std::vector<ModelEntry>& losses();
const std::vector<ModelEntry>& penalties();

// Throw InvalidArgument with the nearest known name for an unknown one.
Loss make_loss(std::string_view name, const ModelParameters& parameters = {});
Penalty make_penalty(std::string_view name, const ModelParameters& parameters = {});
Metric make_metric(std::string_view name);
Metric default_metric(std::string_view loss);

// The nearest of `known` to a mistyped word, if any is near.
std::optional<std::string> nearest_name(std::string_view word, const std::vector<std::string>& known);

}  // namespace alo
