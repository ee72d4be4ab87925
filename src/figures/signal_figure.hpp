// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "alo/problem.hpp"
#include "alo/tune.hpp"

namespace alo::report {

// A response of numbers with an identity design: every row has a coefficient of its own, which is its fit, so
// that paths and tables of single coefficients would say nothing. A matrix is drawn as one.
bool is_signal(const Problem& problem);

// The response in the order of its rows and the fit at the chosen lambda, on a grid as two pictures, as a
// complete SVG document.
std::string render_signal_svg(const Problem& problem, const TuneResult& result);

}  // namespace alo::report
