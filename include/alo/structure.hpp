// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "alo/types.hpp"

namespace alo {

// Reads a matrix of numbers from a file of any format that a design can have and that has no response.
// Throws InvalidData for anything else in it.
SparseMatrix read_matrix(const std::string& path);

}  // namespace alo
