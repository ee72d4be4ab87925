// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "alo/problem.hpp"

namespace alo::report {

struct GridShape {
  Index rows;
  Index columns;
};

// The shape of the grid where the graph of the penalty is one with at least two rows and two columns; else
// none.
std::optional<GridShape> grid_shape(const Problem& problem);

// The response and the fit as pictures beside each other, with a common grey scale; without a fit, the
// response alone.
std::string render_grid_svg(const GridShape& shape, const Vector& response, const Vector& fit,
                            const std::string& name);

}  // namespace alo::report
