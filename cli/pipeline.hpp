// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>

#include "alo/problem.hpp"
#include "alo/tune.hpp"
#include "options.hpp"

namespace alo::command {

// Makes the text for stdout, unless the JSON goes there.
using View = std::function<std::string(const Problem& problem, const TuneResult& result, bool color)>;

// The table of the path, the choice and the verdict.
std::string view_table(const Problem& problem, const TuneResult& result, bool color);

// The job of tune, fit and check: read, fit, hold out, choose, write. Returns the exit code.
int run_pipeline(const RunOptions& given, const View& view);

}  // namespace alo::command
