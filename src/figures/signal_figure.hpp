// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "alo/problem.hpp"
#include "alo/tune.hpp"

namespace alo::report {

// The response in the order of its rows and the fit at the chosen lambda, as a complete SVG document; on a
// grid they are two pictures.
std::string render_signal_svg(const Problem& problem, const TuneResult& result);

}  // namespace alo::report
