// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "alo/dataset.hpp"
#include "alo/registry.hpp"
#include "options.hpp"

namespace alo::command {

// Options of penalties that know which coefficients belong together; the values go to `options`, which must
// outlive the parse.
void add_structure_options(CLI::App& app, RunOptions& options);

// Refuses parameters of other penalties than the one chosen, and a penalty without the ones it needs.
void check_structure(const RunOptions& options);

// The parameters with those of the penalty, read from their files and checked against the columns; what was
// made of them goes to the notes, in sentences.
ModelParameters with_structure(const RunOptions& options, ModelParameters parameters, const Dataset& data,
                               std::vector<std::string>& notes);

// The name of a shape, as --slope-shape takes it.
std::string to_string(SlopeShape shape);

// The files that these options name.
std::vector<std::string> structure_files(const RunOptions& options);

}  // namespace alo::command
