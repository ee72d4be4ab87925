// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>

namespace alo::command {

// Each adds one subcommand; when it is chosen, the parse runs it and puts its exit code
// into `code`.
void add_tune(CLI::App& app, int& code);
void add_fit(CLI::App& app, int& code);
void add_predict(CLI::App& app, int& code);
void add_check(CLI::App& app, int& code);

}  // namespace alo::command
