// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "alo/geometry.hpp"
#include "alo/problem.hpp"

namespace alo {

// The loss of one output as a function of the coefficients alone, on the scale of the fit: the intercept is
// at its best for them,
//
//     f(b) = min_b0 sum_i w_i l(o_i + b0 + x_i'b; y_i).
//
// It works on copies of the columns that were asked for, or on the design itself. Columns without variation
// count as zero.
class WorkingLoss {
 public:
  enum class Columns {
    asked,  // copies of those that are required
    all,    // the design, never copied
  };
  WorkingLoss(const Problem& problem, Vector weights, Columns columns = Columns::asked);

  struct Point {
    Vector coefficients;  // p
    double intercept = 0.0;
    Vector predictor;
    Vector residual;  // -w_i l'_i
    double loss = 0.0;
  };
  // All coefficients that are not zero must be those of columns at work. The intercept is a first guess.
  Point at(Vector coefficients, double intercept) const;

  // Whether X'W X of all columns is kept, what the intercept takes of it taken off: of a quadratic loss of
  // the design itself, with no more columns than rows, and not too many.
  bool keeps_products() const { return products_.size() > 0; }
  // The same point moved, by X'W X alone: without predictor and residual, the intercept as it was. `slopes`
  // are those of the first point, then of the second.
  Point moved(const Point& from, Vector coefficients, Vector& slopes) const;

  struct Inverse {
    Matrix products;  // C = (X'W X)^-1
    Matrix rows;      // X C, one row per row, without the intercept's part
    Vector hat;       // x_i'C x_i, with it
  };
  // Made when it has been asked for some times, since it takes as long as some steps; until then, and where
  // X'W X is not kept or columns are nearly dependent, none.
  std::shared_ptr<const Inverse> inverse();

  Index rows() const { return problem_.rows(); }
  // These columns are at work from now on.
  void require(std::span<const Index> columns);
  bool holds(Index column) const { return all_ || places_[static_cast<std::size_t>(column)] >= 0; }

  // Minus the gradient: of the columns at work, zeros elsewhere, and of all columns.
  Vector slopes(const Point& point) const;
  Vector all_slopes(const Point& point) const;

  // B'(second derivative of f)B at a point, for the directions of a geometry whose columns are at work.
  Matrix curvature(const Geometry& geometry, const Point& point);
  // The columns whose products with each other are that matrix, one per direction.
  Matrix weighted_tangent(const Geometry& geometry, const Point& point) const;
  // H_ii = a_i'M^-1 a_i of [1 X B] from the factor L L' of that matrix M with the penalty's curvature added.
  Vector hat(const Geometry& geometry, const Point& point, const Matrix& factor) const;
  // The same from 1 - w_i l''_i H_ii without the intercept's part; empty where a row has no curvature.
  Vector hat(const Point& point, const Vector& free_shares) const;
  // A b and A'v, A'A being the second derivative of f where the rows' curvatures are `bend`.
  Vector weighted_product(const Vector& coefficients, const Vector& bend) const;
  Vector weighted_slopes(const Vector& rows, const Vector& bend) const;
  // w_i l''_i
  Vector row_curvature(const Point& point) const;
  // Mean of sum_i w_i l''_i x_ij^2 over the columns, at a point.
  double mean_curvature(const Point& point) const;

 private:
  auto columns_at_work() const { return block_.leftCols(static_cast<Index>(columns_.size())); }
  std::vector<Index> places(std::span<const Index> columns) const;
  void settle_intercept(Point& point) const;
  // One column per direction, what the intercept takes of it at some curvatures of the rows taken off.
  Matrix tangent(const Geometry& geometry, const Vector& bend) const;
  // X'W X of some places in the block, which are added to the kept one.
  void extend_gram(const std::vector<Index>& places);
  void fill_products();
  Matrix centred_columns() const;

  Vector product(const Vector& coefficients) const;
  // X'r of the columns at work, zeros elsewhere.
  Vector slopes_of(const Vector& residual) const;

  const Problem& problem_;
  Vector weights_;
  bool all_;
  Matrix block_;                // copies of columns, with spare ones at the end
  std::vector<Index> columns_;  // of the design, by place
  std::vector<Index> places_;   // in the block, by column of the design; -1: not here
  Matrix products_;             // X'W X of all columns, or none
  std::shared_ptr<const Inverse> inverse_;
  int asked_ = 0;  // for the inverse; negative: there is none
  // Of a quadratic loss, X'W X and X'w of the places in the block that a geometry had, with spare room.
  Matrix gram_;
  Vector sums_;
  std::vector<Index> gram_places_;
  std::vector<Index> gram_positions_;  // by place in the block; -1: not here
};

// B'A B of a symmetric A
Matrix along_both(const Matrix& matrix, const Geometry& geometry);

}  // namespace alo
