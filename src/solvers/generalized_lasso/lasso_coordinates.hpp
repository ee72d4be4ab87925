// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "alo/analysis_operator.hpp"
#include "solvers/method.hpp"

namespace alo {

class CertifiedSolver;

// A problem with a penalty lambda |D b|_1 whose rows of D are independent, as a lasso (Tibshirani and Taylor
// 2011, section 3): with b = N c + Z z, D N = 0 and D Z = I it is a lasso in z = D b with unpenalised c.
// Predictions, objective and leave-one-out are the same, so the methods for a lasso apply.
class LassoCoordinates {
 public:
  explicit LassoCoordinates(const Problem& problem);

  const Problem& reduced() const { return *reduced_; }
  // Turns a fit of the reduced problem whose linear predictor is set into a fit of the problem with these
  // weights; reduce() is the inverse.
  Fit expand(const Fit& reduced, const Vector& weights) const;
  std::vector<Fit> expand(std::span<const Fit> reduced, const Vector& weights) const;
  // Sets the linear predictors of fits of the reduced problem.
  void predict(std::span<Fit> reduced) const;
  Fit reduce(const Fit& fit) const;
  std::vector<Fit> reduce(std::span<const Fit> fits) const;

 private:
  // The gradient of the loss by the linear predictors.
  Vector gradient_of(const Fit& reduced, const Vector& weights) const;
  // `multipliers` are those of the terms before they are marked.
  Fit with_multipliers(const Fit& reduced, Matrix multipliers) const;

  // X [N Z]
  Matrix variable_design() const;
  // N c + Z z of [c; z], one output a column, and back with z given.
  Matrix coefficients(const Matrix& variables) const;
  Vector variables(const VectorView& coefficients, const VectorView& terms) const;

  const Problem* problem_;
  const AnalysisOperator* analysis_;
  const RightInverse* inverse_;  // Z
  Vector sizes_;                 // of the columns X [N Z], which the reduced problem has with unit length
  std::unique_ptr<const Problem> reduced_;
};

// Fits of the reduced problem by the method that owns it, turned into fits of the problem.
class LassoCoordinatesSolver final : public Solver {
 public:
  LassoCoordinatesSolver(const Problem& problem, const Vector& weights, const FitOptions& options, Use use);
  ~LassoCoordinatesSolver() override;

  void start_from(const Fit& fit) override;
  std::vector<Fit> solve(std::span<const double> lambdas, const Monitor& monitor) override;
  // The second attempt makes the further attempts of the reduced problem's method. The third, where the
  // columns of the reduced problem are nearly dependent, uses proximal steps in the problem's own
  // coefficients.
  std::optional<Fit> retry(const Fit& missed, int attempt) override;

 private:
  const Problem& problem_;
  std::unique_ptr<const LassoCoordinates> coordinates_;
  Vector weights_;
  FitOptions options_;
  std::unique_ptr<CertifiedSolver> solver_;
};

}  // namespace alo
