// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "solvers/method.hpp"

namespace alo {

// Fits a problem, with its own weights or others, by the method that owns it, and certifies every fit. A fit
// that misses its tolerance is solved for again in the other ways that the method has. Of several optimal
// intercepts of a loss with kinks every fit has the middle one (InterceptRange), whichever the method finds.
class CertifiedSolver {
 public:
  CertifiedSolver(const Problem& problem, const Vector& weights, const FitOptions& options, Use use);

  void start_from(const Fit& fit) { solver_->start_from(fit); }
  // Fits at falling lambdas, fewer when the monitor says stop; certificates and linear predictors are left to
  // certify().
  std::vector<Fit> solve(std::span<const double> lambdas, const Monitor& monitor = {});
  void certify(std::span<Fit> fits);
  Fit fit(double lambda);

  const Method& method() const { return *method_; }
  std::optional<double> start(double share) { return solver_->start(share); }
  std::optional<double> end(double share) { return solver_->end(share); }

 private:
  void improve(Fit& fit);
  // What every fit of the method gets: its name, and the middle of the optimal intercepts.
  void finish(Fit& fit) const;

  const Problem* problem_;
  Vector weights_;
  const Method* method_;
  FitOptions options_;
  Certifier certifier_;
  std::unique_ptr<Solver> solver_;
};

}  // namespace alo
