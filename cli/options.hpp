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

// The resources that a run may use before it stops and saves the finished part.
struct Limits {
  std::optional<double> seconds;
  std::optional<double> megabytes;
};

// The destinations of results and messages.
struct OutputOptions {
  std::string json;    // a file, "-" for stdout; empty: none
  std::string folder;  // folder of the report; empty: none
  bool predictions = false;
  bool all_coefficients = false;
  bool quiet = false;
  bool no_color = false;
};

// Options of penalties that relate coefficients to each other.
struct StructureOptions {
  std::optional<int> order;  // trend-filter
  std::string matrix_file;   // generalized-lasso
  std::string graph_file;    // fused-lasso, as is the grid
  std::optional<std::pair<Index, Index>> grid;
  std::optional<double> sparse;
  std::string groups_file;  // group-lasso and sparse-group-lasso
  std::optional<SlopeShape> slope_shape;
  std::optional<double> slope_q;
  std::optional<MatrixShape> shape;  // nuclear, schatten and frobenius
  std::optional<double> smoothing;   // schatten
};

// All settings of tune, fit and check.
struct RunOptions {
  std::string file;
  ReadOptions read;
  bool design_given = false;
  bool weight_kind_given = false;
  std::optional<std::string> loss;  // by default the response decides
  std::string positive;             // the label that becomes +1; empty: the later one
  std::optional<double> delta;      // of the loss; by default from the response
  std::optional<double> quantile;   // of the loss
  std::optional<double> epsilon;    // of the loss
  std::string penalty = "lasso";
  bool penalty_given = false;
  std::optional<KernelKind> kernel;
  std::optional<double> gamma;  // of the kernel, like the two below
  std::optional<int> degree;
  std::optional<double> coef0;
  std::optional<double> mix;
  std::optional<double> ridge;  // instead of the mix
  std::string penalty_weights_file;
  StructureOptions structure;
  std::optional<bool> intercept;
  std::optional<bool> standardize;  // by default the penalty and the kernel decide
  std::vector<std::string> metrics;
  TuneOptions tune;
  bool grid_given = false;
  bool strict = false;
  std::optional<Index> sample;  // number of rows of a check
  OutputOptions output;
  Limits limits;
};

// Each function adds one group of options to a subcommand. The values go to `options`, which must outlive
// the parse.
void add_data_options(CLI::App& app, RunOptions& options);
void add_model_options(CLI::App& app, RunOptions& options);
void add_path_options(CLI::App& app, RunOptions& options);
void add_lambda_option(CLI::App& app, RunOptions& options, const std::string& description);
void add_choice_options(CLI::App& app, RunOptions& options);
void add_leave_one_out_options(CLI::App& app, RunOptions& options);
void add_choose_option(CLI::App& app, RunOptions& options);
void add_effort_option(CLI::App& app, RunOptions& options);
void add_outer_option(CLI::App& app, RunOptions& options);
void add_output_options(CLI::App& app, RunOptions& options);
void add_limit_options(CLI::App& app, RunOptions& options);

// Adds the options for the two files of a rank-one design. predict uses them too.
void add_factor_options(CLI::App& app, ReadOptions& read);

// Adds the options for reading a data file: format, lines to skip, missing values. predict uses them too.
void add_format_options(CLI::App& app, ReadOptions& read, bool can_drop_rows);

// Adds an option that takes one word and passes it to `set`.
CLI::Option* add_word(CLI::App& app, const std::string& name, const std::string& value_name,
                      const std::string& description, std::function<void(const std::string&)> set);

// The settings with those that follow from others: the design from the format, the penalty from the design.
RunOptions with_derived_settings(RunOptions options);

// Throws for settings that contradict each other or would have no effect.
void check_conflicts(const RunOptions& options);

}  // namespace alo::command
