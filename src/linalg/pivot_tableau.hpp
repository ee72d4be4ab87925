// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "alo/types.hpp"

namespace alo {

// The symmetric principal-pivot tableau of a Gram matrix G, the result of the sweep operator (Goodnight
// 1979). With A the indices pivoted in, N the rest and V = G_AA^-1,
//
//     T_AA = -V,   T_AN = V G_AN,   T_NN = G_NN - G_NA V G_AN.
//
// A pivot at k is the rank-one update T <- T - v v'/d - 2 sigma e_k e_k', where u = T[:,k], d = u_k, v = u
// but v_k = d - sigma, and sigma = +1 when k enters A, -1 when it leaves. Pivots wait in a list and are
// applied together as one matrix product.
//
// Only the upper triangle is stored, in panels of columns with the rows above them. The tableau grows by new
// panels, so what is stored is never moved.
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
  // is_active marks the present indices that are in A. Returns the columns of T between the
  // present indices and E.
  Matrix extend(Matrix cross, const MatrixView& own, std::span<const char> is_active);

 private:
  // Columns per panel and pivots per product: enough for matrix products at full speed. A column of T takes a
  // multiplication for each waiting pivot and row, so more waiting pivots make columns dearer. Only the speed
  // depends on these.
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
