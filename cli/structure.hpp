// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "alo/dataset.hpp"
#include "options.hpp"

namespace alo::command {

// Adds the options of penalties that relate coefficients to each other. The values go to `options`, which
// must outlive the parse.
void add_structure_options(CLI::App& app, RunOptions& options);

// Marks the settings that files will hold as given, so that settings can be checked before anything is read.
void expect_model_files(RunOptions& options);

// The settings of the model with what its files hold, which depends on the columns.
ModelSettings with_model_files(const RunOptions& options, const Dataset& data);

// The paths of the files that these options name.
std::vector<std::string> model_files(const RunOptions& options);

}  // namespace alo::command
