// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "alo/design.hpp"
#include "solvers/smooth/working_block.hpp"

namespace alo {

// The columns of some coordinates of a sparse design, stored row by row. A centred column is v_a - c_a 1 with
// v_a sparse; only v_a is stored, so that the cost of a sum over the rows is the number of pairs of entries
// in the rows. The centres are accounted for afterwards. The intercept is a full column.
class SparseRows {
 public:
  SparseRows(const Design& design, std::span<const Coordinate> coordinates);

  // sum_i x_ia C_i(k, l) x_ib for all pairs of coordinates a (of output k) here and b (of output l) in
  // `right`, C_i the K x K blocks of `curvature` (n x K K).
  Matrix curvature_products(const SparseRows& right, const Matrix& curvature, Index outputs) const;
  // The blocks x_ik'V x_il, one row of the result for each row, laid out like a curvature.
  Matrix quadratic_forms(const Matrix& inverse, Index outputs) const;

 private:
  struct Entry {
    Index place;  // of the coordinate
    double value;
  };
  Index rows() const { return static_cast<Index>(begins_.size()) - 1; }
  Index size() const { return static_cast<Index>(outputs_.size()); }
  std::span<const Entry> row(Index i) const;
  Index output(Index place) const { return outputs_[static_cast<std::size_t>(place)]; }
  bool is_centered() const { return (centers_.array() != 0.0).any(); }
  // sum_i v_ia C_i(k, l), one row for each coordinate a (of output k), one column for each l.
  Matrix curvature_sums(const Matrix& curvature, Index outputs) const;
  // One column per output with the centres of its coordinates, zero for those of other outputs.
  Matrix centers_by_output(Index outputs) const;

  std::vector<Index> outputs_;       // of the coordinates
  Vector centers_;                   // c_a
  std::vector<std::size_t> begins_;  // of the rows in entries_, and the end
  std::vector<Entry> entries_;
};

}  // namespace alo
