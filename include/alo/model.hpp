// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "alo/dataset.hpp"
#include "alo/message.hpp"
#include "alo/problem.hpp"
#include "alo/read.hpp"
#include "alo/registry.hpp"
#include "alo/tune.hpp"
#include "alo/words.hpp"

namespace alo {

// How a front end spells a setting and, where it is not empty, a value of it: "--mix 0.5", or "mix=0.5".
using Spelling = std::function<std::string(Setting setting, std::string_view value)>;

// A model as a user describes it: what is not given follows from the data and from the rest, by rules that
// every front end shares (make_model).
struct ModelSettings {
  std::optional<std::string> loss;  // by default the response decides
  std::string positive;             // the label that becomes +1; empty: the later one
  std::optional<double> delta;      // of the loss; by default from the response
  std::optional<double> quantile;   // of the loss
  std::optional<double> epsilon;    // of the loss
  // By default nuclear for matrices, ridge for losses with kinks, else lasso.
  std::optional<std::string> penalty;
  std::optional<double> mix;
  std::optional<double> ridge;  // instead of the mix
  std::optional<Vector> penalty_weights;
  std::optional<int> order;                     // trend-filter
  std::optional<SparseMatrix> penalty_matrix;   // generalized-lasso
  std::optional<Edges> edges;                   // fused-lasso, as is the grid
  std::optional<std::pair<Index, Index>> grid;  // rows and columns
  std::optional<double> sparse;                 // fused-lasso
  std::optional<Groups> groups;                 // group-lasso and sparse-group-lasso
  std::optional<SlopeShape> slope_shape;
  std::optional<double> slope_q;
  std::optional<MatrixShape> shape;  // nuclear, schatten and frobenius
  std::optional<double> smoothing;   // schatten
  std::optional<KernelKind> kernel;
  std::optional<double> gamma;  // of the kernel, like the two below
  std::optional<int> degree;
  std::optional<double> coef0;
  std::optional<bool> intercept;    // by default the design and the kernel decide
  std::optional<bool> standardize;  // by default the penalty and the kernel decide
  DesignKind design = DesignKind::columns;
  // Where the data, and where penalty weights or matrix came from: files named in messages; empty: none.
  std::string data_source;
  std::string penalty_source;
};

// Differences of order k have a condition number of about n^k. At order 10 that is 1e16 already for 40 rows,
// so that higher orders are dependent in double precision.
inline constexpr int largest_order = 10;
// A polynomial kernel of higher degree overflows or vanishes for almost all rows.
inline constexpr int largest_degree = 100;

// Rows of a check by default: where ALO is right they show it for nearly all models, and 200 refits are
// affordable. At ten times the value a check costs as much as exact leave-one-out for most data.
inline constexpr Index default_check_rows = 200;
// Fewer rows give no interval: two of five are those in which ALO may err most, three are random.
inline constexpr Index least_check_rows = 5;

// The name of the penalty that is not left to the loss: the given one, or the default of the design.
std::string penalty_name(const ModelSettings& settings);

// Throws InvalidArgument, in the words of the front end, for settings that contradict each other, lack
// another one, or would have no effect, as far as that can be told without data.
void check_settings(const ModelSettings& settings, const Spelling& spelling);

// The same for the settings of a run; `grid_given` is true where the user described a grid.
void check_settings(const TuneOptions& options, bool grid_given, const Spelling& spelling);

// A problem and the decisions that led to it.
struct Model {
  Problem problem;
  ModelParameters parameters;      // with defaults that depend on the data
  std::vector<Metric> metrics;     // the first one chooses
  std::vector<std::string> notes;  // sentences on what was chosen for the user
};

// Chooses the loss where none was given, codes the response for it, and checks that settings, metrics (by
// default that of the loss) and data fit each other. The settings must have passed check_settings.
Model make_model(const ModelSettings& settings, Dataset data, const std::vector<Metric>& metrics,
                 const Spelling& spelling);

// The parameters of the model as a JSON object; infinite penalty weights become null.
std::string parameters_json(const ModelSettings& settings, const Model& model);

const Words<SlopeShape>& slope_shapes();
const Words<KernelKind>& kernel_kinds();
const Words<WeightKind>& weight_kinds();

}  // namespace alo
