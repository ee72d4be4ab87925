// SPDX-License-Identifier: MIT
#pragma once

#include <limits>

#include "alo/problem.hpp"

namespace alo {

// The null fit is the limit of fits for large lambda.
inline constexpr double null_lambda = std::numeric_limits<double>::max();

// The unpenalised columns at lambda, as the problem's design has them (centred and scaled): ones for the
// intercept, then the columns of unpenalised directions. Columns without variation are left out.
Matrix unpenalized_columns(const Problem& problem, double lambda);

// Slopes of the loss, output after output, with zeros at columns without variation, whose coefficients are
// held at zero and have no optimality condition.
Vector without_constant_columns(const Problem& problem, Vector slopes);

// The part of a model that is not penalised at a lambda: its columns, and the minimisation over them.
class UnpenalizedPart {
 public:
  // `weights` replace the problem's own.
  UnpenalizedPart(const Problem& problem, Vector weights, double lambda);

  const Problem& problem() const { return problem_; }
  const Vector& weights() const { return weights_; }
  const Matrix& columns() const { return columns_; }
  const Matrix& basis() const { return basis_; }  // orthonormal, of the columns
  bool empty() const { return basis_.cols() == 0; }

  // Minimises a smooth loss along the unpenalised columns, from a linear predictor, by Newton's method. At
  // the minimum the gradient of the loss is orthogonal to them. False if there is no finite minimiser (the
  // columns separate the classes, or all counts are zero), or none was found.
  bool minimize(Vector& predictor) const;
  // Whether a (sub)gradient of the loss at a linear predictor, weights included, is orthogonal to every
  // unpenalised column, up to rounding. Minus such a gradient is dual feasible.
  bool is_orthogonal(const Vector& gradient, const Vector& predictor) const;
  // The same from the products of the gradient with the columns, a line for each column, its norm, and the
  // norm of its change where every predictor changes by itself.
  bool is_orthogonal(const Matrix& products, double norm, double change) const;

 private:
  Vector losses(const Vector& predictor) const;  // of the rows, weighted
  // Newton's step of the linear predictor, to be subtracted, from the gradient in the coordinates of the
  // basis. If the loss has a slope along directions without curvature (`flat`), the step goes along these
  // alone, and its length is found by a line search, which ends where rows have reached a curved part of
  // their loss.
  struct Direction {
    Vector move;
    bool flat;
  };
  Direction direction(const Vector& predictor, const Matrix& gradient) const;
  Matrix basis_system(const Vector& flat_curvature) const;
  // Whether a gradient, a sum of slopes, is no larger than their rounding.
  bool is_rounding(const Matrix& gradient, const Vector& slopes) const;
  double best_length(const Vector& predictor, const Vector& move) const;
  // Whether the loss rises somewhere far along a move.
  bool is_bounded_along(const Vector& predictor, const Vector& move) const;
  // The norm of the change of a gradient where every linear predictor changes by itself.
  double gradient_change(const Vector& predictor) const;

  const Problem& problem_;
  Vector weights_;
  Matrix columns_;
  Matrix basis_;
};

// The fit without penalised coefficients.
struct NullFit {
  Vector linear_predictor;
  // The gradient of the loss, weights included; for a loss with kinks a subgradient that is orthogonal to the
  // unpenalised columns.
  Vector gradient;
  bool attained = true;  // false if there is no finite minimiser
};
NullFit null_fit(const Problem& problem, const Vector& weights);
// From the part that is unpenalised at null_lambda.
NullFit null_fit(const UnpenalizedPart& free);

// Whether a fit minimises the loss over the unpenalised coefficients, up to rounding. Three conditions are
// sufficient together: the linear predictor is the offset plus a vector in the span of the columns, the
// gradient is a subgradient there (their Fenchel gap vanishes), and it is orthogonal to the columns.
bool is_null_fit(const UnpenalizedPart& free, const NullFit& fit);

}  // namespace alo
