// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "alo/tune.hpp"

namespace alo::report {

// At most about `count` points of the path, ascending: the first, the last, the chosen ones, and others
// evenly spread around the chosen ones.
std::vector<std::size_t> interesting_points(const TuneResult& result, std::size_t count);

// At most `count` of the numbers 0 ... size - 1, evenly spread, with both ends.
std::vector<std::size_t> evenly_spread(std::size_t size, std::size_t count);

// Chooses at most `limit` of the points (x, y), in pixels: one for each cell of a square grid that is as
// fine as the limit allows, earlier points first. So isolated (extreme) points always remain. The result is
// ascending and deterministic.
std::vector<std::size_t> thin_points(const std::vector<double>& x, const std::vector<double>& y,
                                     std::size_t limit);

}  // namespace alo::report
