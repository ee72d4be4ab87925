// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>

#include "alo/leave_one_out.hpp"
#include "alo/path.hpp"
#include "leave_one_out/parallel.hpp"
#include "leave_one_out/row_homotopy.hpp"
#include "solvers/quadratic_solver.hpp"

namespace alo {

namespace {

constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

LeaveOneOut nothing_yet(Index rows) {
  return {Vector::Constant(rows, undefined), Vector(),
          std::vector<RowFlag>(static_cast<std::size_t>(rows), RowFlag::none)};
}

// Refits without one row at every lambda and returns its held-out linear predictors.
std::vector<double> refit_without(const Problem& problem, const Fit& start, std::span<const double> lambdas,
                                  Index row, const FitOptions& options, Index& missed) {
  Vector weights = problem.data().weights;
  weights[row] *= 1.0 - problem.removed_share()[row];
  std::vector<double> predictions(lambdas.size(), undefined);
  if (weights.sum() == 0.0) return predictions;  // no data left to fit
  QuadraticSolver solver(problem, weights, options, QuadraticSolver::Use::refit);
  solver.start_from(start);
  for (std::size_t k = 0; k < lambdas.size(); ++k) {
    const Fit fit = solver.fit(lambdas[k]);
    if (fit.status != FitStatus::converged) ++missed;
    predictions[k] = fit.linear_predictor[row];
  }
  return predictions;
}

// State of one call: which rows at which lambdas are done.
class Work {
 public:
  Work(const Problem& problem, std::span<const double> lambdas, const std::vector<Index>& rows,
       const ExactOptions& options, const Monitor& monitor)
      : problem_(problem), lambdas_(lambdas), rows_(rows), options_(options), monitor_(monitor) {
    result_.values.assign(lambdas.size(), nothing_yet(problem.rows()));
  }

  void walk(const Fit& start);
  void refit(const Fit& start, std::span<const double> lambdas, std::size_t first,
             const std::vector<Index>& rows);
  ExactLeaveOneOut take() { return std::move(result_); }

 private:
  std::vector<Fit> full_fits(const Fit& start) const;
  bool report(double predictions);

  const Problem& problem_;
  std::span<const double> lambdas_;
  const std::vector<Index>& rows_;
  const ExactOptions& options_;
  const Monitor& monitor_;
  ExactLeaveOneOut result_;
  double done_ = 0.0;
};

// So many more predictions are made; false when it is time to stop.
bool Work::report(double predictions) {
  done_ += predictions;
  const double total = static_cast<double>(rows_.size()) * static_cast<double>(lambdas_.size());
  monitor_.report("exact leave-one-out", done_, total);
  result_.complete = result_.complete && (done_ >= total || !monitor_.stop());
  return result_.complete;
}

// The held-out predictions of some rows at lambdas that begin at number `first`.
void Work::refit(const Fit& start, std::span<const double> lambdas, std::size_t first,
                 const std::vector<Index>& rows) {
  parallel_for(rows.size(), options_.threads, [&](std::size_t k, std::mutex& mutex) {
    {
      const std::scoped_lock lock(mutex);
      result_.complete = result_.complete && !monitor_.stop();
      if (!result_.complete) return;
    }
    const Index row = rows[k];
    Index missed = 0;
    const std::vector<double> predictions =
        refit_without(problem_, start, lambdas, row, options_.fit, missed);
    const std::scoped_lock lock(mutex);
    for (std::size_t f = 0; f < lambdas.size(); ++f) {
      LeaveOneOut& values = result_.values[first + f];
      values.linear_predictor[row] = predictions[f];
      if (std::isnan(predictions[f])) values.flags[static_cast<std::size_t>(row)] = RowFlag::singular;
    }
    result_.missed += missed;
    report(static_cast<double>(lambdas.size()));
  });
}

std::vector<Fit> Work::full_fits(const Fit& start) const {
  if (lambdas_.size() == 1 && lambdas_[0] == start.lambda) return {start};
  return fit_path(problem_, {lambdas_.begin(), lambdas_.end()}, options_.fit, {{}, monitor_.should_stop})
      .fits;
}

void Work::walk(const Fit& start) {
  const std::vector<Fit> fits = full_fits(start);
  result_.complete = fits.size() == lambdas_.size();
  RowHomotopy homotopy(problem_, options_);
  for (std::size_t f = 0; f < fits.size() && result_.complete; ++f) {
    RowHomotopy::Result found =
        homotopy.run(fits[f], rows_, [this](Index rows) { return report(static_cast<double>(rows)); });
    result_.values[f].linear_predictor = std::move(found.linear_predictor);
    result_.missed += found.missed;
    if (!result_.complete) break;
    done_ -= static_cast<double>(found.unsure.size());
    refit(fits[f], lambdas_.subspan(f, 1), f, found.unsure);
  }
}

}  // namespace

ExactLeaveOneOut exact_leave_one_out(const Problem& problem, const Fit& start,
                                     std::span<const double> lambdas, const std::vector<Index>& rows,
                                     const ExactOptions& options, const Monitor& monitor) {
  Work work(problem, lambdas, rows, options, monitor);
  if (has_knots(problem)) {
    work.walk(start);
  } else {
    work.refit(start, lambdas, 0, rows);
  }
  return work.take();
}

}  // namespace alo
