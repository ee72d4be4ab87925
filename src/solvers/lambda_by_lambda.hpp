// SPDX-License-Identifier: MIT
#pragma once

#include "solvers/fit_scale.hpp"
#include "solvers/method.hpp"

namespace alo {

inline Vector as_vector(double intercept) {
  return Vector::Constant(1, intercept);
}
inline Vector as_vector(Vector intercepts) {
  return intercepts;
}

// H_ii = h_i / w_i, because the curvature of a row of a quadratic loss is its weight. Rows of weight zero
// have no part in the fit.
inline Vector hat_of(Vector leverages, const Vector& weights) {
  if (leverages.size() == 0 || (weights.array() == 1.0).all()) return leverages;
  return (weights.array() > 0.0).select(leverages.array() / weights.array(), 0.0);
}

// Makes a Solver of a class that solves at one lambda at a time and has its solution on the scale of the fit.
// The class has the members
//
//     void solve(double lambda);
//     coefficients(), intercept();
//     hat();                           H_ii, or for a quadratic loss leverages()
//     subgradient(), multipliers();    if it has them (Fit)
//     start_from(const Fit&);          if it can
template <class OneLambda>
class LambdaByLambda : public Solver {
 public:
  LambdaByLambda(const Problem& problem, const Vector& weights, const FitOptions& options)
      : problem_(problem), weights_(weights), options_(options), solver_(problem, weights) {}

  void start_from(const Fit& fit) override {
    if constexpr (requires { solver_.start_from(fit); }) solver_.start_from(fit);
  }

  std::vector<Fit> solve(std::span<const double> lambdas, const Monitor& monitor) override {
    std::vector<Fit> fits;
    for (const double lambda : lambdas) {
      if (monitor.stop()) break;
      fits.push_back(solve_with(solver_, lambda));
    }
    return fits;
  }

 protected:
  template <class Another>
  Fit solve_with(Another& solver, double lambda) const {
    solver.solve(lambda);
    Fit fit = make_fit(problem_, lambda, solver.coefficients(), as_vector(solver.intercept()));
    if constexpr (requires { solver.subgradient(); }) fit.subgradient = solver.subgradient();
    if constexpr (requires { solver.multipliers(); }) fit.multipliers = solver.multipliers();
    if (!options_.carry_hat) return fit;
    if constexpr (requires { solver.leverages(); }) {
      fit.hat = hat_of(solver.leverages(), weights_);
    } else {
      fit.hat = solver.hat();
    }
    return fit;
  }

  const Problem& problem_;
  Vector weights_;
  FitOptions options_;
  OneLambda solver_;
};

}  // namespace alo
