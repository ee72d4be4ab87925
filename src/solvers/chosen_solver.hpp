// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <variant>

#include "alo/fit.hpp"
#include "alo/monitor.hpp"
#include "solvers/generalized_lasso/lasso_coordinates.hpp"
#include "solvers/generalized_lasso/proximal_signal.hpp"
#include "solvers/generalized_lasso/signal_solver.hpp"
#include "solvers/generalized_lasso/terms_solver.hpp"
#include "solvers/kinked/augmented_lagrangian.hpp"
#include "solvers/kinked/kernel_solver.hpp"
#include "solvers/kinked/tall_solver.hpp"
#include "solvers/proximal/completion_path.hpp"
#include "solvers/proximal/matrix_solver.hpp"
#include "solvers/proximal/pattern_solver.hpp"
#include "solvers/quadratic/active_set.hpp"
#include "solvers/quadratic/lasso_knots.hpp"
#include "solvers/quadratic/spectral_ridge.hpp"
#include "solvers/smooth/newton_solver.hpp"
#include "solvers/smooth/row_space.hpp"

namespace alo {

// Fits a problem with its own weights or others, by the solver that suits its loss and penalty, and
// certifies every fit.
class ChosenSolver {
 public:
  enum class Use {
    path,   // many lambdas, falling
    refit,  // few, near the pattern given to start_from
  };
  ChosenSolver(const Problem& problem, const Vector& weights, FitOptions options, Use use);

  // Begins at the pattern of a fit of the same problem, where the solver can.
  void start_from(const Fit& fit);
  // Solves at falling lambdas, at fewer when the monitor says stop; certificates and linear
  // predictors are left to certify().
  std::vector<Fit> solve(std::span<const double> lambdas, const Monitor& monitor = {});
  // Certifies fits; one that misses its tolerance is solved again by the most careful solver.
  void certify(std::span<Fit> fits) const;
  Fit fit(double lambda);
  // Where the problem is a ridge of a quadratic loss; else null.
  SpectralRidge* ridge() { return std::get_if<SpectralRidge>(&solver_); }

 private:
  // A fit that failed its certificate by another way; none where there is none.
  std::optional<Fit> second_try(const Fit& fit) const;
  const Problem& problem_;
  Vector weights_;
  FitOptions options_;
  Certifier certifier_;
  using Solver =
      std::variant<ActiveSetSolver, LassoKnots, SpectralRidge, NewtonSolver, RowSpaceSolver, KernelSolver,
                   TallSolver, AugmentedLagrangian, SignalSolver, ProximalSignal, LassoCoordinatesSolver,
                   CompletionPath, MatrixSolver, TermsSolver, PatternSolver>;
  static Solver choose(const Problem& problem, const Vector& weights, const FitOptions& options, Use use);

  Solver solver_;
};

// A fit, on the original scale, of coefficients on the scale of the fit and the design's own centring.
Fit make_fit(const Problem& problem, double lambda, const Vector& coefficients, const Vector& intercept);

// Starts a solver from a fit.
void start_newton(const Problem& problem, const Fit& fit, NewtonSolver& solver);

// True when every penalised coefficient has an absolute value in its penalty, and there are such.
bool has_absolute_values(const SeparableTerms& terms);

// True when the penalty has no absolute values: one decomposition serves every lambda.
bool is_ridge(const Problem& problem);

}  // namespace alo
