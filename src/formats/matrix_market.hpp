// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <variant>

#include "formats/byte_source.hpp"
#include "formats/sparse_table.hpp"
#include "formats/table.hpp"

namespace alo::data {

// Reads a Matrix Market file (https://math.nist.gov/MatrixMarket/formats.html), real,
// integer or pattern, general or symmetric: coordinates make a sparse table, an array
// makes a dense one.
std::variant<Table, SparseTable> read_matrix_market(const Bytes& bytes, const std::string& path);

}  // namespace alo::data
