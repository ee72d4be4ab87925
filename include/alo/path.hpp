// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "alo/fit.hpp"
#include "alo/monitor.hpp"

namespace alo {

// Fits for falling lambda. `complete` is false when the monitor ended it early.
struct Path {
  std::vector<Fit> fits;
  bool complete = true;
};

// Fits the problem at every lambda, from the largest down, each started from the
// one before. Throws InvalidArgument for a lambda that is negative or not finite, and
// InvalidData for lambda = 0 where the fit would not be unique.
Path fit_path(const Problem& problem, const std::vector<double>& lambdas, const FitOptions& options = {},
              const Monitor& monitor = {});

struct GridOptions {
  int count = 100;
  // Smallest over largest lambda; 0 stands for 1e-4 if n > p, else 1e-2.
  double ratio = 0.0;
};

// The same, a few fits at a time, for callers that do not want to keep them all.
class PathSolver {
 public:
  // The problem must outlive the solver.
  explicit PathSolver(const Problem& problem, FitOptions options = {});
  PathSolver(const Problem&& problem, FitOptions options = {}) = delete;
  ~PathSolver();
  PathSolver(PathSolver&&) noexcept;
  PathSolver& operator=(PathSolver&&) noexcept;

  // Starts from the fits before; fastest when lambda falls from fit to fit. Fewer fits are
  // returned when the monitor says stop.
  std::vector<Fit> fit(std::span<const double> lambdas, const Monitor& monitor = {});
  Fit fit(double lambda);
  // At every lambda, from the largest down.
  Path fit_path(const std::vector<double>& lambdas, const Monitor& monitor = {});

  // lambda_start and lambda_grid of the problem, from what the solver has of it: a ridge is decomposed once.
  double start();
  std::vector<double> grid(const GridOptions& options = {});

  // How many fits to ask for at once: enough to share matrix products, few enough to stop soon.
  static std::size_t fits_at_once(const Problem& problem);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

// Where a path begins: the smallest lambda at which every penalised coefficient is
// zero; where there is none (ridge), the lambda at which the fit explains one
// thousandth of the null deviance.
double lambda_start(const Problem& problem);

// Equally spaced in log lambda, falling from lambda_start.
std::vector<double> lambda_grid(const Problem& problem, const GridOptions& options = {});

}  // namespace alo
