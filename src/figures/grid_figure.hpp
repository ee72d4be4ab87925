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

// Of a penalty whose graph is a grid of at least two rows and two columns.
std::optional<GridShape> grid_shape(const Problem& problem);

// The response and the fit as pictures beside each other, with one scale of grey; without a fit the response
// alone.
std::string render_grid_svg(const GridShape& shape, const Vector& response, const Vector& fit,
                            const std::string& name);

}  // namespace alo::report
