// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "alo/dataset.hpp"
#include "alo/registry.hpp"
#include "options.hpp"

namespace alo::command {

// Adds the options of penalties that relate coefficients to each other. The values go to `options`, which
// must outlive the parse.
void add_structure_options(CLI::App& app, RunOptions& options);

// Throws for parameters of other penalties than the chosen one, and for a penalty without its required
// ones.
void check_structure(const RunOptions& options);

// The parameters with those of the penalty, read from their files and checked against the columns.
// Sentences on what was made of them go to the notes.
ModelParameters with_structure(const RunOptions& options, ModelParameters parameters, const Dataset& data,
                               std::vector<std::string>& notes);

// The name of a shape, as --slope-shape takes it.
std::string to_string(SlopeShape shape);

// The paths of the files that these options name.
std::vector<std::string> structure_files(const RunOptions& options);

}  // namespace alo::command
