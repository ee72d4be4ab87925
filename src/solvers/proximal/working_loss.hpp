// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "alo/geometry.hpp"
#include "alo/problem.hpp"

namespace alo {

// The loss of one output as a function of the coefficients alone, on the scale of the fit, minimised over the
// intercept:
//
//     f(b) = min_b0 sum_i w_i l(o_i + b0 + x_i'b; y_i).
//
// It works on copies of the columns of a working set, or on the design itself. Constant columns count as
// zero.
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
  // The loss at some coefficients, which must be zero outside the working set. The intercept is a first
  // guess.
  Point at(Vector coefficients, double intercept) const;

  // Whether X'W X of all columns, centred where there is an intercept, is kept: for a quadratic loss on the
  // design itself with no more columns than rows, and not too many.
  bool keeps_products() const { return products_.size() > 0; }
  // A point moved to other coefficients by X'W X alone; predictor and residual are empty and the intercept is
  // unchanged. `slopes` are those of the first point on entry and of the second on return.
  Point moved(const Point& from, Vector coefficients, Vector& slopes) const;

  struct Inverse {
    Matrix products;  // C = (X'W X)^-1
    Matrix rows;      // X C, one row per row, without the intercept's part
    Vector hat;       // x_i'C x_i, with it
  };
  // The inverse is computed when it has been asked for some times, since it takes as long as some steps.
  // There is none until then, and where X'W X is not kept or columns are nearly dependent.
  std::shared_ptr<const Inverse> inverse();

  Index rows() const { return problem_.rows(); }
  // Adds these columns to the working set.
  void require(std::span<const Index> columns);
  bool holds(Index column) const { return all_ || places_[static_cast<std::size_t>(column)] >= 0; }

  // The negative gradient: of the columns of the working set, with zeros elsewhere, and of all columns.
  Vector slopes(const Point& point) const;
  Vector all_slopes(const Point& point) const;

  // B'(second derivative of f)B at a point, for the directions B of a geometry in the working set.
  Matrix curvature(const Geometry& geometry, const Point& point);
  // A matrix with one column per direction whose Gram matrix is that matrix.
  Matrix weighted_tangent(const Geometry& geometry, const Point& point) const;
  // H_ii = a_i'M^-1 a_i of [1 X B] from the factor L L' of that matrix M with the penalty's curvature added.
  Vector hat(const Geometry& geometry, const Point& point, const Matrix& factor) const;
  // The same from 1 - w_i l''_i H_ii without the intercept's part; empty where a row has no curvature.
  Vector hat(const Point& point, const Vector& free_shares) const;
  // A b and A'v, A'A being the second derivative of f where the rows' curvatures are `curvature`.
  Vector weighted_product(const Vector& coefficients, const Vector& curvature) const;
  Vector weighted_slopes(const Vector& rows, const Vector& curvature) const;
  // w_i l''_i
  Vector row_curvature(const Point& point) const;
  // Mean of sum_i w_i l''_i x_ij^2 over the columns, at a point.
  double mean_curvature(const Point& point) const;

 private:
  auto columns_at_work() const { return block_.leftCols(static_cast<Index>(columns_.size())); }
  std::vector<Index> places(std::span<const Index> columns) const;
  void minimize_over_intercept(Point& point) const;
  // One column per direction, centred with the rows' curvatures `curvature` as weights where there is an
  // intercept.
  Matrix tangent(const Geometry& geometry, const Vector& curvature) const;
  // Adds X'W X of some places in the block to the kept one.
  void extend_gram(const std::vector<Index>& places);
  void fill_products();
  Matrix centered_columns() const;

  Vector product(const Vector& coefficients) const;
  // X'r of the columns of the working set, zeros elsewhere.
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
  // For a quadratic loss: X'W X and X'w of the places in the block that a geometry used, with spare room.
  Matrix gram_;
  Vector sums_;
  std::vector<Index> gram_places_;
  std::vector<Index> gram_positions_;  // by place in the block; -1: not here
};

// B'A B of a symmetric A
Matrix along_both(const Matrix& matrix, const Geometry& geometry);

}  // namespace alo
