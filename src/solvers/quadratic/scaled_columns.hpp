// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "alo/problem.hpp"
#include "data/row_products.hpp"
#include "solvers/quadratic/free_columns.hpp"

namespace alo {

// A quadratic loss with an l1 penalty in the form that the homotopies work on. The penalised columns
// ("candidates") are divided by their penalty weights f, rows are multiplied by the square roots of their
// weights, and the unpenalised columns are projected out:
//
//     Z = (I - P) sqrt(W) X diag(1/f),   minimise |t - Z c|^2 / 2 + lambda |c|_1 + c'D c / 2,
//
// so that b = c / f. Z is not stored. Gram matrices and gradients are divided by tau = mean |Z_j|^2: a pivot
// of a tableau adds and subtracts one (PivotTableau), beside which entries of another size would lose digits.
class ScaledColumns {
 public:
  ScaledColumns(const Problem& problem, const VectorView& weights);

  Index rows() const { return root_weights_.size(); }
  Index count() const { return factors_.size(); }
  Index stored_entries() const { return problem_.design().stored_entries(); }
  // Whether copies of all columns are small enough (16 MB) to stay in a cache. Only the speed depends on it.
  bool is_small() const { return rows() * count() < 2'000'000; }
  double unit() const { return unit_; }
  const Vector& root_weights() const { return root_weights_; }
  const Vector& target() const { return target_; }  // t
  // The diagonal D / tau at lambda.
  Vector ridge(double lambda) const;
  // Norms |Z_j|^2 / tau, free columns not yet projected out.
  const Vector& square_norms() const { return square_norms_; }
  // Whether the candidate depends on the active columns: its pivot in a tableau with this diagonal D / tau is
  // rounding beside its diagonal entry (tableau_pivot).
  bool depends(Index candidate, double pivot, const Vector& ridge) const;
  // Dimension of the free columns, and the leverages of the fit with them alone.
  Index free_rank() const { return free_.rank(); }
  Vector free_leverages() const { return free_.leverages(); }

  // Z_S, and the same without a copy where the design holds just these columns side by side; else in
  // `storage`.
  Matrix gather(std::span<const Index> candidates) const;
  MatrixView view(std::span<const Index> candidates, Matrix& storage) const;
  // Z_RS for a block R of the rows of a dense design.
  Matrix gather(const RowBlock& rows, std::span<const Index> candidates) const;
  // Z_S'Z_S of a dense design, without a copy of the columns.
  Matrix gram(std::span<const Index> candidates) const;
  bool is_sparse() const { return problem_.design().is_sparse(); }
  // Z_RS C_S for a block R of rows, S as above.
  Matrix multiply(const RowBlock& rows, std::span<const Index> candidates,
                  const MatrixView& coefficients) const;
  // Z at single rows of a dense design, one row each.
  Matrix entries(std::span<const Index> rows, std::span<const Index> candidates) const;
  // A bound on |z_ij moved_i| over the rows i of a column of a sparse design, before the free columns are
  // projected out; `farthest` is the largest of the nonnegative `moved`.
  double largest_product(Index candidate, const Vector& moved, double farthest) const;
  Index rows_of_block() const { return alo::rows_of_block(problem_.design()); }
  // Z_S' V for the columns S or all, V orthogonal to the free columns.
  Matrix transpose_multiply(std::span<const Index> candidates, const MatrixView& values) const;
  Matrix transpose_multiply(const MatrixView& values) const;
  // Z_S C_S; `fitted` the same before the free columns are projected out.
  Matrix multiply(std::span<const Index> candidates, const MatrixView& coefficients) const;
  Matrix fitted(std::span<const Index> candidates, const MatrixView& coefficients) const;
  void project_out_free(Matrix& columns) const { free_.project_out(columns); }

  // Back to the scale of the fit: coefficients of all columns and the intercept.
  struct Solution {
    Vector coefficients;
    double intercept = 0.0;
  };
  Solution solution(std::span<const Index> candidates, const VectorView& coefficients) const;
  // c of the candidates from coefficients on the scale of the fit.
  Vector coefficients(const VectorView& scaled) const;

 private:
  std::vector<Index> positions(std::span<const Index> candidates) const;

  const Problem& problem_;
  FreeColumns free_;
  Vector root_weights_;
  Vector target_;         // t
  Vector free_target_;    // products of sqrt(w) (y - offset) with the basis of the free columns
  Matrix free_products_;  // and of every candidate, before the free columns are projected out
  Vector factors_;
  bool unit_weights_ = true;
  double largest_root_weight_ = 1.0;
  bool unit_factors_ = true;
  Vector square_, fixed_square_;
  Vector square_norms_;
  double unit_ = 1.0;
};

}  // namespace alo
