// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "alo/penalties/generalized_lasso.hpp"
#include "solvers/method.hpp"

namespace alo {

class CertifiedSolver;

// A problem with a penalty lambda |D b|_1, rows of D independent, in the variables [c; z] of b = N c + Z z:
// a lasso in z = D b with unpenalised c. Predictions, objective and everything left out are the same, so that
// all that is known of a lasso serves here as well.
class LassoCoordinates {
 public:
  explicit LassoCoordinates(const Problem& problem);

  const Problem& reduced() const { return *reduced_; }
  // A fit of the problem with some weights from one of the reduced problem whose linear predictor is known,
  // and back.
  Fit expand(const Fit& reduced, const Vector& weights) const;
  std::vector<Fit> expand(std::span<const Fit> reduced, const Vector& weights) const;
  // Sets the linear predictors of fits of the reduced problem.
  void predict(std::span<Fit> reduced) const;
  Fit reduce(const Fit& fit) const;
  std::vector<Fit> reduce(std::span<const Fit> fits) const;

 private:
  // The gradient of the loss by rows.
  Vector gradient_of(const Fit& reduced, const Vector& weights) const;
  // `multipliers` are those of the terms, which are to be marked.
  Fit with_multipliers(const Fit& reduced, Matrix multipliers) const;

  const Problem* problem_;
  const GeneralizedLasso* penalty_;
  Vector sizes_;  // of the columns X [N Z], which the reduced problem has with unit length
  std::unique_ptr<const Problem> reduced_;
};

// Fits of the reduced problem by the method that owns it, turned into fits of the problem.
class LassoCoordinatesSolver final : public Solver {
 public:
  LassoCoordinatesSolver(const Problem& problem, const Vector& weights, const FitOptions& options, Use use);
  ~LassoCoordinatesSolver() override;

  void start_from(const Fit& fit) override;
  std::vector<Fit> solve(std::span<const double> lambdas, const Monitor& monitor) override;
  // First in the ways of the reduced problem's method; then, where its columns are too much alike, by
  // proximal steps in the problem's own coefficients.
  std::optional<Fit> retry(const Fit& missed, int attempt) override;

 private:
  const Problem& problem_;
  std::unique_ptr<const LassoCoordinates> coordinates_;
  Vector weights_;
  FitOptions options_;
  std::unique_ptr<CertifiedSolver> solver_;
};

}  // namespace alo
