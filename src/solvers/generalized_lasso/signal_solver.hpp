// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "alo/analysis_operator.hpp"
#include "alo/signal_patterns.hpp"
#include "solvers/method.hpp"

namespace alo {

// H_ii of a fit of a signal, from its pattern, in time proportional to the number of rows; empty where rows
// without curvature leave them undetermined.
Vector signal_hat(const Problem& problem, const Fit& fit);

// A signal, an identity design without intercept, whose patterns are searched for by the structure of D
// (SignalPatterns): it is constant in blocks (the fused lasso of a chain or a graph) or a polynomial in
// pieces (trend filtering). Along a chain time and memory grow with the number of rows alone.
//
// A smooth loss other than the squared one is replaced by its quadratic model at b, the squared loss of the
// signal b - l'/l'' with weights w l'', until the model's minimiser is b. This is a proximal Newton method
// with exact subproblems. Where a step does not lower the objective enough, curvature is added to the model
// (Levenberg 1944).
class SignalSolver final : public Solver {
 public:
  SignalSolver(const Problem& problem, const Vector& weights);

  // Begins at a fit of the same problem.
  void start_from(const Fit& fit) override;
  // The fits have their H_ii, which cost little.
  std::vector<Fit> solve(std::span<const double> lambdas, const Monitor& monitor) override;
  // Solves again from the null fit where the loss is not quadratic.
  std::optional<Fit> retry(const Fit& missed, int attempt) override;

 private:
  // The signal and weights of the quadratic model, with the gradient and values of the loss itself and the
  // rounding of their sum.
  struct Model {
    Vector signal;
    Vector weights;
    Vector gradient;
    Vector losses;
    double rounding;
  };
  Model model_at(const Vector& values) const;
  void raise_damping();
  static double model_miss(const SignalSearch& model, const Vector& values, const Vector& gradient);
  Fit newton(double lambda);
  Fit make_fit(double lambda, const SignalPattern& pattern, const SignalSearch& search) const;
  Vector hat(const Fit& fit, const SignalPattern& pattern, const Vector& curvature) const;

  const Problem& problem_;
  const AnalysisOperator& analysis_;
  Vector weights_;
  std::unique_ptr<SignalSearch> search_;  // of a quadratic loss; made when needed
  Vector values_;                         // of the last solution; empty at first
  double variation_ = 0.0;                // |D b|_1 of these
  double damping_ = 0.0;                  // a share of the mean curvature that is added to that of every row
};

}  // namespace alo
