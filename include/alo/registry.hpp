// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alo/dataset.hpp"
#include "alo/loss.hpp"
#include "alo/metric.hpp"
#include "alo/penalty.hpp"
#include "alo/structure.hpp"

namespace alo {

// The sequence of slope where none is given (penalties/slope.hpp).
enum class SlopeShape { benjamini_hochberg, oscar, linear };

// Parameters of losses and penalties by name, as every front end passes them.
struct ModelParameters {
  double mix = 0.5;             // share of the absolute value in elastic-net and sparse-group-lasso
  std::optional<double> ridge;  // in place of the mix: factor of the squares, which lambda then leaves alone
  Vector penalty_weights;       // one per coefficient; empty: ones. Of slope its sequence
  std::optional<double> delta;  // of huber and pseudo-huber, which need it
  std::optional<double> quantile;  // of quantile; 1/2 unless given
  std::optional<double> epsilon;   // of epsilon-insensitive; 0.1 unless given
  Index classes = 0;               // of multinomial, which needs them
  Index columns = 0;               // coefficients: of penalties on neighbours, which need their number
  int order = 2;                   // of the differences in trend-filter
  std::optional<Edges> edges;      // of fused-lasso: what is joined; none: neighbours in a row
  double sparse = 0.0;             // of fused-lasso: factor of the absolute values beside the differences
  std::vector<Index> groups;  // of group-lasso and sparse-group-lasso: the group of every coefficient, from 0
  SlopeShape slope_shape = SlopeShape::benjamini_hochberg;
  std::optional<double> slope_q;     // of the shape; default_slope_q unless given
  SparseMatrix penalty_matrix;       // D of generalized-lasso, which needs it
  std::optional<MatrixShape> shape;  // of nuclear, schatten and frobenius, which need it
  std::optional<double> smoothing;   // of schatten, which needs it
};

struct ModelEntry {
  std::string name;
  std::string help;  // one sentence
  bool standardize;  // the default with this penalty
};

const std::vector<ModelEntry>& losses();
const std::vector<ModelEntry>& penalties();

// The parameter of the shape where none is given: the level 0.1 of Benjamini and Hochberg, a growth of 1/p in
// OSCAR, a last number of 1/2 in the linear sequence.
double default_slope_q(SlopeShape shape, Index columns);

// The penalty of that name; throws InvalidArgument with the nearest known name for an unknown one.
const ModelEntry& penalty_entry(std::string_view name);

// What the loss takes for a response: to code classes before the loss is made.
ResponseKind response_kind(std::string_view loss);
// The parameters with those that the loss takes where none were given: delta by default_delta
// (losses/huber.hpp), classes as many as the response has, quantile and epsilon as above. Those that it
// does not take stay as they are.
ModelParameters with_defaults(std::string_view loss, ModelParameters parameters, const Dataset& data);

// Throw InvalidArgument with the nearest known name for an unknown one, and where a parameter that
// the loss needs is missing.
Loss make_loss(std::string_view name, const ModelParameters& parameters = {});
Penalty make_penalty(std::string_view name, const ModelParameters& parameters = {});
Metric make_metric(std::string_view name);
Metric default_metric(std::string_view loss);

// The metrics that say something about a loss, the default first; of a loss that is not in the table
// those that its kind of response allows.
std::vector<Metric> metrics_of(const Loss& loss);
// Throws InvalidArgument, with the metrics that do, where this one does not fit the loss.
void check_metric(Metric metric, const Loss& loss);

// The nearest of `known` to a mistyped word, if any is near.
std::optional<std::string> nearest_name(std::string_view word, const std::vector<std::string>& known);

}  // namespace alo
