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

// The shape of the sequence of a SLOPE penalty when the user gives none (penalties/slope.hpp).
enum class SlopeShape { benjamini_hochberg, oscar, linear };

// The parameters of all losses and penalties, by the names that every front end uses.
struct ModelParameters {
  double mix = 0.5;  // elastic-net and sparse-group-lasso: share of the absolute values
  // elastic-net, instead of `mix`: a fixed factor of the squares, which lambda does not scale
  std::optional<double> ridge;
  Vector penalty_weights;          // one per coefficient; empty: ones. For slope, its sequence
  std::optional<double> delta;     // huber and pseudo-huber: required
  std::optional<double> quantile;  // quantile: 1/2 by default
  std::optional<double> epsilon;   // epsilon-insensitive: 0.1 by default
  Index classes = 0;               // multinomial: required
  Index columns = 0;               // number of coefficients; required by penalties on neighbours
  int order = 2;                   // trend-filter: order of the differences
  std::optional<Edges> edges;      // fused-lasso: the pairs that are joined; by default a chain
  double sparse = 0.0;             // fused-lasso: factor of the absolute values beside the differences
  std::vector<Index> groups;  // group-lasso and sparse-group-lasso: the group of every coefficient, from 0
  SlopeShape slope_shape = SlopeShape::benjamini_hochberg;
  std::optional<double> slope_q;     // parameter of the shape; default_slope_q by default
  SparseMatrix penalty_matrix;       // generalized-lasso: D, required
  std::optional<MatrixShape> shape;  // nuclear, schatten and frobenius: required
  std::optional<double> smoothing;   // schatten: required
};

struct ModelEntry {
  std::string name;
  std::string help;  // one sentence
  bool standardize;  // whether this penalty standardises by default
};

const std::vector<ModelEntry>& losses();
const std::vector<ModelEntry>& penalties();

// The default parameter of a shape: level 0.1 for Benjamini and Hochberg, slope 1/p for OSCAR, last value
// 1/2 for the linear sequence.
double default_slope_q(SlopeShape shape, Index columns);

// The penalty of that name. Throws InvalidArgument for an unknown name and suggests the nearest one.
const ModelEntry& penalty_entry(std::string_view name);

// The kind of response that the loss takes. It is needed to code classes before the loss is made.
ResponseKind response_kind(std::string_view loss);
// Fills in the parameters that the loss takes and the user did not give: delta by default_delta
// (losses/huber.hpp), classes from the response, quantile and epsilon by their defaults. Other parameters
// stay as they are.
ModelParameters with_defaults(std::string_view loss, ModelParameters parameters, const Dataset& data);

// These throw InvalidArgument for an unknown name, and suggest the nearest one, and for a required
// parameter that is missing.
Loss make_loss(std::string_view name, const ModelParameters& parameters = {});
Penalty make_penalty(std::string_view name, const ModelParameters& parameters = {});
Metric make_metric(std::string_view name);
Metric default_metric(std::string_view loss);

// The metrics that suit a loss, the default first. For a loss that is not in the table: those that its kind
// of response allows.
std::vector<Metric> metrics_of(const Loss& loss);
// Throws InvalidArgument, which lists the metrics that fit, where this one does not fit the loss.
void check_metric(Metric metric, const Loss& loss);

// The name in `known` nearest to a mistyped word; none when no name is near.
std::optional<std::string> nearest_name(std::string_view word, const std::vector<std::string>& known);

}  // namespace alo
