// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "alo/problem.hpp"
#include "alo/tune.hpp"

namespace alo::report {

// The matrix of coefficients at the chosen lambda as a picture, one colour below zero and another above it,
// as a complete SVG document. A matrix with more rows or columns than can be seen is drawn by means of
// neighbours.
std::string render_matrix_svg(const Problem& problem, const TuneResult& result);

}  // namespace alo::report
