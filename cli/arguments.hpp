// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace alo::command {

// Throws InvalidArgument for a command or an option that does not exist and suggests the nearest one; also
// for an option of another command and for one given twice. It must be called before the parse, whose own
// message would name only the word.
void check_words(const CLI::App& app, const std::vector<std::string>& arguments);

}  // namespace alo::command
