// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "alo/problem.hpp"
#include "alo/tune.hpp"

namespace alo::report {

// The matrix of coefficients at the chosen lambda as a picture in a complete SVG document: one colour below
// zero and another above. A matrix with more rows or columns than pixels is drawn by means of neighbouring
// entries.
std::string render_matrix_svg(const Problem& problem, const TuneResult& result);

}  // namespace alo::report
