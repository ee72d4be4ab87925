// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "alo/types.hpp"

namespace alo {

// The symmetric principal-pivot ("sweep") tableau of a Gram matrix G. With A the indices
// pivoted in, N the rest and V = G_AA^-1,
//
//     T_AA = -V,   T_AN = V G_AN,   T_NN = G_NN - G_NA V G_AN.
//
// A pivot at k, with u = T[:,k], d = u_k, and sigma = +1 when k enters A, -1 when it leaves,
// is T <- T - v v'/d - 2 sigma e_k e_k', v = u but v_k = d - sigma. Pivots are kept in a
// list and applied late, many at a time, as matrix products.
//
// Columns are stored in panels, each with the rows above and beside it: the upper triangle,
// which grows by new panels and never moves.
class PivotTableau {
 public:
  Index size() const { return size_; }

  // T[:,k] as it is now.
  Vector column(Index k) const;
  Vector diagonal() const;
  // T x.
  Vector multiply(const VectorView& x) const;
  // Pivots at k; `u` is column(k).
  void pivot(Index k, const VectorView& u, bool enters);
  // New indices E outside A: `cross` is G between the present indices and E, `own` is G_EE;
  // is_active tells which present indices are in A. Returns the columns of T between the
  // present indices and E.
  Matrix extend(Matrix cross, const MatrixView& own, std::span<const char> is_active);

 private:
  static constexpr Index panel_width = 128;
  static constexpr Index pivots_at_once = 64;
  struct Panel {
    Index begin = 0;  // first column
    Index width = 0;
    Matrix values;  // begin + panel_width rows, panel_width columns, of which `width` are used

    Index end() const { return begin + width; }
    auto used() const { return values.topLeftCorner(end(), width); }
    auto used() { return values.topLeftCorner(end(), width); }
    auto above() const { return values.topLeftCorner(begin, width); }
  };

  void subtract_stored_times(const MatrixView& x, Matrix& y) const;
  void append(const MatrixView& columns, const MatrixView& corner);
  void apply_pivots();

  std::vector<Panel> panels_;
  Index size_ = 0;
  Matrix waiting_;  // v / sqrt(|d|) of the pivots that wait
  Vector sigma_;    // their sigmas
  Index waiting_count_ = 0;
};

}  // namespace alo
