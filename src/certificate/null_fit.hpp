// SPDX-License-Identifier: MIT
#pragma once

#include <limits>

#include "alo/problem.hpp"

namespace alo {

// The null fit is the limit of large lambda.
inline constexpr double null_lambda = std::numeric_limits<double>::max();

// The columns that are free at lambda, through the problem's view: ones for the intercept, then
// the unpenalised columns (those without variation left out).
Matrix unpenalized_columns(const Problem& problem, double lambda);

// Slopes of the loss, output after output, with zeros at columns without variation, which have no
// optimality condition.
Vector without_constant_columns(const Problem& problem, Vector slopes);

// The part of a model that is not penalised at a lambda.
class UnpenalizedPart {
 public:
  // `weights` stand in for the problem's own.
  UnpenalizedPart(const Problem& problem, Vector weights, double lambda);

  const Problem& problem() const { return problem_; }
  const Vector& weights() const { return weights_; }
  const Matrix& columns() const { return columns_; }
  const Matrix& basis() const { return basis_; }  // orthonormal, of the columns
  bool empty() const { return basis_.cols() == 0; }

  // Moves a linear predictor along the unpenalised columns to where a smooth loss is least, by Newton's
  // method: there the gradient of the loss is orthogonal to them. False where no finite point is best
  // (classes that those columns separate, counts that are all zero), or none was found.
  bool settle(Vector& predictor) const;
  // Whether a (sub)gradient of the loss at a linear predictor, weights included, is orthogonal to every
  // unpenalised column, up to rounding. Minus such a gradient is dual feasible.
  bool is_orthogonal(const Vector& gradient, const Vector& predictor) const;

 private:
  Vector losses(const Vector& predictor) const;  // of the rows, weighted
  // Newton's step of the linear predictor, to be subtracted, from the gradient in the coordinates of the
  // basis. Where the loss has a slope along directions without curvature, it goes along these alone, and the
  // length is open: rows that come to where the loss is curved end it.
  struct Direction {
    Vector move;
    bool flat;
  };
  Direction direction(const Vector& predictor, const Matrix& gradient) const;
  Matrix basis_system(const Vector& flat_curvature) const;
  // Whether a gradient is no more than the rounding of the slopes that it is a sum of.
  bool is_rounding(const Matrix& gradient, const Vector& slopes) const;
  double best_length(const Vector& predictor, const Vector& move) const;
  // Whether the loss rises somewhere far along a move.
  bool is_bounded_along(const Vector& predictor, const Vector& move) const;
  // What rounding of the linear predictor can change a gradient by, as a norm.
  double gradient_noise(const Vector& predictor) const;

  const Problem& problem_;
  Vector weights_;
  Matrix columns_;
  Matrix basis_;
};

// The fit without penalised coefficients.
struct NullFit {
  Vector linear_predictor;
  // Of the loss, weights included; of a loss with kinks a subgradient that is orthogonal to the unpenalised
  // columns.
  Vector gradient;
  bool attained = true;  // false where no finite one is best
};
NullFit null_fit(const Problem& problem, const Vector& weights);
// From the part that is unpenalised at null_lambda.
NullFit null_fit(const UnpenalizedPart& free);

// Whether a fit minimises the loss over the unpenalised coefficients, up to rounding. It asks for a linear
// predictor in the span of offset and columns, for a gradient that is a subgradient there (their Fenchel gap
// vanishes), and for its products with the columns to vanish: together these are sufficient.
bool is_null_fit(const UnpenalizedPart& free, const NullFit& fit);

}  // namespace alo
