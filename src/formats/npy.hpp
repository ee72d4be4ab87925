// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "formats/byte_source.hpp"
#include "formats/table.hpp"

namespace alo::data {

// Reads a NumPy array file, format versions 1 to 3
// (https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html): booleans,
// integers, float32 and float64, either byte order, C or Fortran order. A
// one-dimensional array makes one column if `allow_vector`, and is refused otherwise.
Table read_npy(const Bytes& bytes, const std::string& path, bool allow_vector);

}  // namespace alo::data
