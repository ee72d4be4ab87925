// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "alo/types.hpp"

namespace alo {

// The n x p matrix of predictors X, dense or sparse, seen through an optional view
//
//     x~_ij = (x_ij - center_j) / scale_j
//
// that is applied inside every product and never stored, so that a standardised sparse matrix stays sparse.
// Copies share the storage. X~ is the matrix as the view shows it.
class Design {
 public:
  Design() : Design(Matrix()) {}
  explicit Design(Matrix values);
  explicit Design(SparseMatrix values);
  // These see values that `owner` keeps in memory and that must not change; nothing is copied. The rows
  // within each column of the sparse matrix must ascend.
  Design(const DenseMap& values, std::shared_ptr<const void> owner);
  Design(const SparseMap& values, std::shared_ptr<const void> owner);

  Index rows() const { return rows_; }
  Index columns() const { return columns_; }
  bool is_sparse() const;
  // The number of stored entries: n p for a dense matrix, else the explicit entries of the sparse one.
  Index stored_entries() const;

  // The stored values, without the view. Ask is_sparse() first: the other of the two throws InvalidArgument.
  const DenseMap& dense_values() const;
  const SparseMap& sparse_values() const;

  // The same storage seen through another centre and scale > 0, each of length p or empty.
  Design with_view(Vector center, Vector scale) const;
  // Each is empty when the view does not centre, or does not scale.
  const Vector& center() const { return center_; }
  const Vector& scale() const { return scale_; }

  // X~ b and X~'v.
  Vector multiply(const VectorView& coefficients) const;
  Vector transpose_multiply(const VectorView& values) const;
  // X~ B and X~'V, for several vectors at once.
  Matrix multiply_columns(const MatrixView& coefficients) const;
  Matrix transpose_multiply_columns(const MatrixView& values) const;
  // X~_S b_S, X~_S B_S and X~_S'V for a set S of columns. Their cost is proportional to |S| and not to p.
  Vector multiply(std::span<const Index> columns, const VectorView& coefficients) const;
  Matrix multiply_columns(std::span<const Index> columns, const MatrixView& coefficients) const;
  Matrix transpose_multiply_columns(std::span<const Index> columns, const MatrixView& values) const;

  // A dense n x |S| copy of the columns S of X~.
  Matrix gather(std::span<const Index> columns) const;
  // Row i of X~.
  Vector row(Index i) const;

  // sum_i w_i x~_ij^2 for every column.
  Vector weighted_square_norms(const VectorView& weights) const;
  // The columns whose stored values do not vary over the rows with positive weight.
  std::vector<Index> constant_columns(const VectorView& weights) const;

 private:
  template <class Visit>
  void for_each_panel(std::span<const Index> columns, const Visit& visit) const;

  struct Storage;
  std::shared_ptr<const Storage> storage_;
  Index rows_ = 0;
  Index columns_ = 0;
  Vector center_;
  Vector scale_;
};

}  // namespace alo
