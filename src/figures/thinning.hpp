// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "alo/tune.hpp"

namespace alo::report {

// At most about `count` points of the path, ascending: the first, the last, the chosen ones,
// and the rest evenly spread over the neighbourhood of the chosen ones.
std::vector<std::size_t> interesting_points(const TuneResult& result, std::size_t count);

// At most `count` of the numbers 0 .. size - 1, evenly spread, both ends among them.
std::vector<std::size_t> evenly_spread(std::size_t size, std::size_t count);

// Which of the points (x, y), in pixels, to draw so that at most `limit` remain: one for each
// cell of a square grid that is as fine as the limit allows, earlier points first, so that
// lone (extreme) points always stay. The result ascends and depends on nothing else.
std::vector<std::size_t> thin_points(const std::vector<double>& x, const std::vector<double>& y,
                                     std::size_t limit);

}  // namespace alo::report
