// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "solvers/generalized_lasso/signal_pattern.hpp"
#include "solvers/method.hpp"

namespace alo {

// H_ii of a fit of a signal, from its pattern in time that grows with the number of rows; empty where rows
// without curvature leave it open.
Vector signal_hat(const Problem& problem, const Fit& fit);

// A signal, an identity design without intercept, that is constant in blocks (the fused lasso of a chain or a
// graph) or linear in pieces (trend filtering of order two). Along a chain time and memory grow with the
// number of rows alone.
//
// A smooth loss other than the squared one is replaced by its quadratic model at b, which is a signal
// b - l'/l'' with weights w l'', until the model's minimiser is b (Newton's method with exact patterns).
// Where a step does not lower the objective as it should, curvature is added to the model (Levenberg 1944).
class SignalSolver final : public Solver {
 public:
  SignalSolver(const Problem& problem, const Vector& weights, TrendSearches search = TrendSearches::fast);

  // Begins at a fit of the same problem.
  void start_from(const Fit& fit) override;
  // H_ii comes for free.
  std::vector<Fit> solve(std::span<const double> lambdas, const Monitor& monitor) override;
  // By the careful search, where the first was another one or the loss is not quadratic.
  std::optional<Fit> retry(const Fit& missed, int attempt) override;

 private:
  // A signal whose squared loss stands for the loss, and what the curvature really is.
  struct Model {
    Vector signal;
    Vector weights;
    Vector gradient;
    Vector losses;
  };
  Model model_at(const Vector& values) const;
  void raise_damping();
  static double model_miss(const SignalPath& model, const Vector& values, const Vector& gradient);
  Fit newton(double lambda);
  Fit make_fit(double lambda, const SignalPattern& pattern, const SignalPath& path) const;
  Vector hat(const Fit& fit, const SignalPattern& pattern, const Vector& curvature) const;

  const Problem& problem_;
  const GeneralizedLasso& penalty_;
  Vector weights_;
  TrendSearches search_;
  std::optional<SignalPath> path_;  // of a quadratic loss; made when needed
  Vector values_;                   // of the last solution; empty at first
  double variation_ = 0.0;          // |D b|_1 of these
  double damping_ = 0.0;            // a share of the mean curvature that is added to that of every row
};

}  // namespace alo
