// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace alo::command {

// Throws InvalidArgument for a command or an option that does not exist, with the nearest
// one that does; for an option of another command, one that is given twice, and one of
// the models that this version does not have. To be called before the parse, whose own message would name
// only the word.
void check_words(const CLI::App& app, const std::vector<std::string>& arguments);

}  // namespace alo::command
