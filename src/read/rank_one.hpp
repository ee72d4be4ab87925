// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "alo/dataset.hpp"

namespace alo::data {

// The rows a_i and b_i of two files, and the names of their columns.
struct Factors {
  Matrix left;
  Matrix right;
  MatrixSource source;
};

// Throws InvalidData unless both files are matrices of finite numbers with `rows` rows. The message says
// that `path` has this number of rows.
Factors read_factors(const std::string& left_file, const std::string& right_file, Index rows,
                     const std::string& path);
// The same; the left file determines the number of rows.
Factors read_factors(const std::string& left_file, const std::string& right_file);

// n x p1 p2: row i has the entries of a_i b_i', row by row.
Matrix rank_one_rows(const Factors& factors);

}  // namespace alo::data
