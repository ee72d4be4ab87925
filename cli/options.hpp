// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "alo/model.hpp"
#include "alo/read.hpp"
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

// The files that hold settings of the model too large for a command line; empty: none.
struct ModelFiles {
  std::string penalty_weights;
  std::string penalty_matrix;
  std::string graph;
  std::string groups;
};

// All settings of tune, fit and check.
struct RunOptions {
  std::string file;
  ReadOptions read;
  bool design_given = false;
  bool weight_kind_given = false;
  ModelSettings model;  // what its files hold is read after the data (with_model_files)
  ModelFiles model_files;
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

// The settings with those that follow from others: the design from the format, and the model's from it.
RunOptions with_derived_settings(RunOptions options);

// Throws for settings that contradict each other or would have no effect.
void check_conflicts(const RunOptions& options);

}  // namespace alo::command
