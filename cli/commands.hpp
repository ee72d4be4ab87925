// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>

namespace alo::command {

// Each function adds one subcommand. When the user chooses it, the parse runs it and stores its exit code
// in `code`.
void add_tune(CLI::App& app, int& code);
void add_fit(CLI::App& app, int& code);
void add_predict(CLI::App& app, int& code);
void add_check(CLI::App& app, int& code);

}  // namespace alo::command
