// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "alo/kernel.hpp"
#include "alo/read.hpp"
#include "alo/registry.hpp"
#include "alo/tune.hpp"

namespace alo::command {

// What a run may use up before it stops and saves what it has.
struct Limits {
  std::optional<double> seconds;
  std::optional<double> megabytes;
};

// Where results and messages go.
struct OutputOptions {
  std::string json;    // a file, "-" for stdout; empty: none
  std::string folder;  // of the report; empty: none
  bool predictions = false;
  bool all_coefficients = false;
  bool quiet = false;
  bool no_color = false;
};

// Of penalties that know which coefficients belong together.
struct StructureOptions {
  std::optional<int> order;  // of trend-filter
  std::string matrix_file;   // of generalized-lasso
  std::string graph_file;    // of fused-lasso, as the grid
  std::optional<std::pair<Index, Index>> grid;
  std::optional<double> sparse;
  std::string groups_file;  // of group-lasso and sparse-group-lasso
  std::optional<SlopeShape> slope_shape;
  std::optional<double> slope_q;
  std::optional<MatrixShape> shape;  // of nuclear, schatten and frobenius
  std::optional<double> smoothing;   // of schatten
};

// Everything that tune, fit and check can be told.
struct RunOptions {
  std::string file;
  ReadOptions read;
  bool design_given = false;
  bool weight_kind_given = false;
  std::optional<std::string> loss;  // none: by the response
  std::string positive;             // the label that is +1; empty: by their order
  std::optional<double> delta;      // of the loss; none: from the response
  std::optional<double> quantile;   // of the loss
  std::optional<double> epsilon;    // of the loss
  std::string penalty = "lasso";
  bool penalty_given = false;
  std::optional<KernelKind> kernel;
  std::optional<double> gamma;  // these three of the kernel
  std::optional<int> degree;
  std::optional<double> coef0;
  std::optional<double> mix;
  std::optional<double> ridge;  // in place of the mix
  std::string penalty_weights_file;
  StructureOptions structure;
  std::optional<bool> intercept;
  std::optional<bool> standardize;  // none: by the penalty and the kernel
  std::vector<std::string> metrics;
  TuneOptions tune;
  bool grid_given = false;
  bool strict = false;
  std::optional<Index> sample;  // rows of a check
  OutputOptions output;
  Limits limits;
};

// Each adds one group of options to a subcommand; the values go to `options`, which must
// outlive the parse.
void add_data_options(CLI::App& app, RunOptions& options);
void add_model_options(CLI::App& app, RunOptions& options);
void add_path_options(CLI::App& app, RunOptions& options);
void add_lambda_option(CLI::App& app, RunOptions& options, const std::string& description);
void add_choice_options(CLI::App& app, RunOptions& options);
void add_leave_one_out_options(CLI::App& app, RunOptions& options);
void add_proof_option(CLI::App& app, RunOptions& options);
void add_output_options(CLI::App& app, RunOptions& options);
void add_limit_options(CLI::App& app, RunOptions& options);

// The files of a design a b'. Also used by predict.
void add_factor_options(CLI::App& app, ReadOptions& read);

// How a data file is read: format, lines to skip, missing values. Also used by predict.
void add_format_options(CLI::App& app, ReadOptions& read, bool can_drop_rows);

// An option that takes one word, handed to `set`.
CLI::Option* add_word(CLI::App& app, const std::string& name, const std::string& value_name,
                      const std::string& description, std::function<void(const std::string&)> set);

// The settings with those that follow from others: the design from the format, the penalty from the design.
RunOptions settled(RunOptions options);

// Refuses settings that contradict each other or would have no effect.
void check_conflicts(const RunOptions& options);

}  // namespace alo::command
