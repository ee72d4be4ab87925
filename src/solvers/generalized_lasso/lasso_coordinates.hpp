// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "alo/fit.hpp"
#include "alo/monitor.hpp"
#include "alo/penalties/generalized_lasso.hpp"

namespace alo {

class ChosenSolver;

// A problem with a penalty lambda |D b|_1, rows of D independent, in the variables [c; z] of b = N c + Z z:
// a lasso in z = D b with unpenalised c. Predictions, objective and everything left out are the same, so that
// all that is known of a lasso serves here as well.
class LassoCoordinates {
 public:
  static bool suits(const Problem& problem);
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

class LassoCoordinatesSolver {
 public:
  LassoCoordinatesSolver(const Problem& problem, const Vector& weights, const FitOptions& options,
                         bool for_path);
  ~LassoCoordinatesSolver();
  LassoCoordinatesSolver(LassoCoordinatesSolver&&) noexcept;
  LassoCoordinatesSolver& operator=(LassoCoordinatesSolver&&) noexcept;

  void start_from(const Fit& fit);
  std::vector<Fit> solve(std::span<const double> lambdas, const Monitor& monitor);
  // A fit that failed its certificate, solved for again with more care where there is a way.
  Fit repaired(const Fit& fit) const;

 private:
  std::unique_ptr<const LassoCoordinates> coordinates_;
  Vector weights_;
  std::unique_ptr<ChosenSolver> solver_;
};

}  // namespace alo
