// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "alo/leave_one_out.hpp"
#include "alo/path.hpp"
#include "formula/hat.hpp"
#include "linalg/parallel.hpp"
#include "problem/signal.hpp"
#include "solvers/chosen_solver.hpp"
#include "solvers/generalized_lasso/proximal_signal.hpp"
#include "solvers/kink_homotopy/kink_homotopy.hpp"
#include "solvers/quadratic/row_homotopy.hpp"
#include "solvers/smooth/newton_rows.hpp"
#include "solvers/smooth/row_space.hpp"

namespace alo {

namespace {

constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

// The slope of a row of a signal, relative to lambda, that is rounding.
constexpr double no_slope = 1e-13;

// A signal's row that pulls nowhere, as one that lies between its neighbours: the fit is as good without it,
// if other rows are left.
bool pulls_nowhere(const Problem& problem, const Fit& fit, Index row) {
  const Vector predictor = problem.data().offset.segment(row, 1) + fit.coefficients.segment(row, 1);
  const Vector slope = problem.loss().derivative(predictor, problem.data().response.segment(row, 1));
  const double weight = problem.data().weights[row];
  return std::abs(weight * slope[0]) <= no_slope * fit.lambda && problem.data().weights.sum() > weight;
}

// A signal has no other row to say what a coefficient is; where the penalty leaves an interval for it, it
// moves no further than it has to.
double nearest_prediction(const Problem& problem, const GeneralizedLasso& penalty, const Fit& fit,
                          const Fit& without, Index row) {
  const auto [low, high] = penalty.best_values(without.coefficients, row);
  return problem.data().offset[row] + std::clamp(fit.coefficients[row], low, high);
}

// State of one call: which rows at which lambdas are done.
class Work {
 public:
  Work(const Problem& problem, std::span<const Fit> fits, const std::vector<Index>& rows,
       const ExactOptions& options, const Monitor& monitor)
      : problem_(problem),
        signal_(problem.outputs() == 1 ? signal_penalty(problem) : nullptr),
        fits_(fits),
        rows_(rows),
        options_(options),
        monitor_(monitor) {
    if (ProximalSignal::suits(problem, problem.data().weights)) proximal_.emplace(problem);
    result_.values.assign(fits.size(), nothing_held_out(problem));
  }

  // By a RowHomotopy or a KinkHomotopy.
  template <class Homotopy>
  void walk();
  void step();
  // Refits without some rows at some of the fits, which begin at number `first`.
  void refit(std::size_t first, std::size_t count, const std::vector<Index>& rows);
  ExactLeaveOneOut take() { return std::move(result_); }

 private:
  // Refits without one row: its held-out linear predictors, one column per fit.
  Matrix refit_without(std::span<const Fit> fits, Index row, Index& missed) const;
  bool report(double predictions);

  const Problem& problem_;
  const GeneralizedLasso* signal_;
  std::optional<ProximalSignal> proximal_;
  std::span<const Fit> fits_;
  const std::vector<Index>& rows_;
  const ExactOptions& options_;
  const Monitor& monitor_;
  ExactLeaveOneOut result_;
  double done_ = 0.0;
};

// So many more predictions are made; false when it is time to stop.
bool Work::report(double predictions) {
  done_ += predictions;
  const double total = static_cast<double>(rows_.size()) * static_cast<double>(fits_.size());
  monitor_.report("exact leave-one-out", done_, total);
  result_.complete = result_.complete && (done_ >= total || !monitor_.stop());
  return result_.complete;
}

Matrix Work::refit_without(std::span<const Fit> fits, Index row, Index& missed) const {
  Matrix predictions = Matrix::Constant(problem_.outputs(), static_cast<Index>(fits.size()), undefined);
  std::optional<ChosenSolver> solver;
  for (std::size_t k = 0; k < fits.size(); ++k) {
    auto prediction = predictions.col(static_cast<Index>(k));
    if (signal_ != nullptr && pulls_nowhere(problem_, fits[k], row)) {
      prediction[0] = problem_.data().offset[row] + fits[k].coefficients[row];
      continue;
    }
    if (proximal_) {
      prediction[0] = proximal_->predict_without(row, fits[k]);
      continue;
    }
    if (!solver) {
      const Vector weights = weights_without(problem_, row);
      if (weights.sum() == 0.0) break;  // no data left to fit
      solver.emplace(problem_, weights, options_.fit, ChosenSolver::Use::refit);
      solver->start_from(fits[k]);
    }
    const Fit fit = solver->fit(fits[k].lambda);
    if (fit.status != FitStatus::converged) ++missed;
    const bool is_out = problem_.data().weights[row] * (1.0 - problem_.removed_share(row)) == 0.0;
    prediction = by_output(fit.linear_predictor, problem_.outputs()).row(row).transpose();
    if (signal_ != nullptr && is_out)
      prediction[0] = nearest_prediction(problem_, *signal_, fits[k], fit, row);
  }
  return predictions;
}

void Work::refit(std::size_t first, std::size_t count, const std::vector<Index>& rows) {
  parallel_for(rows.size(), options_.threads, [&](std::size_t k, std::mutex& mutex) {
    {
      const std::scoped_lock lock(mutex);
      result_.complete = result_.complete && !monitor_.stop();
      if (!result_.complete) return;
    }
    const Index row = rows[k];
    Index missed = 0;
    const Matrix predictions = refit_without(fits_.subspan(first, count), row, missed);
    const std::scoped_lock lock(mutex);
    for (std::size_t f = 0; f < count; ++f) {
      LeaveOneOut& values = result_.values[first + f];
      const auto own = predictions.col(static_cast<Index>(f));
      by_output(values.linear_predictor, problem_.outputs()).row(row) = own;
      if (own.hasNaN()) values.flags[static_cast<std::size_t>(row)] = RowFlag::singular;
    }
    result_.missed += missed;
    report(static_cast<double>(count));
  });
}

template <class Homotopy>
void Work::walk() {
  Homotopy homotopy(problem_, options_);
  for (std::size_t f = 0; f < fits_.size() && result_.complete; ++f) {
    typename Homotopy::Result found =
        homotopy.run(fits_[f], rows_, [this](Index rows) { return report(static_cast<double>(rows)); });
    result_.values[f].linear_predictor = std::move(found.linear_predictor);
    result_.missed += found.missed;
    if (!result_.complete) break;
    done_ -= static_cast<double>(found.unsure.size());
    refit(f, 1, found.unsure);
  }
}

void Work::step() {
  NewtonRows rows(problem_, rows_, options_);
  for (std::size_t f = 0; f < fits_.size() && result_.complete; ++f) {
    const NewtonRows::Result found =
        rows.run(fits_[f], [this](Index count) { return report(static_cast<double>(count)); });
    LeaveOneOut& values = result_.values[f];
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      const auto own = found.linear_predictor.row(static_cast<Index>(k));
      by_output(values.linear_predictor, problem_.outputs()).row(rows_[k]) = own;
      if (result_.complete && own.hasNaN()) {
        values.flags[static_cast<std::size_t>(rows_[k])] = RowFlag::singular;
      }
    }
    take_level(problem_, fits_[f], values);
    result_.missed += found.missed;
  }
}

// More columns than rows: the same rows in fewer coordinates.
ExactLeaveOneOut in_row_space(const Problem& problem, std::span<const Fit> fits,
                              const std::vector<Index>& rows, const ExactOptions& options,
                              const Monitor& monitor) {
  const RowSpace space(problem);
  std::vector<double> lambdas;
  for (const Fit& fit : fits) lambdas.push_back(fit.lambda);
  const Path path = fit_path(space.reduced(), lambdas, options.fit, {{}, monitor.should_stop});
  if (!path.complete) return {std::vector<LeaveOneOut>(fits.size(), nothing_held_out(problem)), false, 0};
  return exact_leave_one_out(space.reduced(), path.fits, rows, options, monitor);
}

}  // namespace

ExactLeaveOneOut exact_leave_one_out(const Problem& problem, std::span<const Fit> fits,
                                     const std::vector<Index>& rows, const ExactOptions& options,
                                     const Monitor& monitor) {
  if (LassoCoordinates::suits(problem) && !is_identity(problem.design())) {
    const LassoCoordinates coordinates(problem);
    return exact_leave_one_out(coordinates.reduced(), coordinates.reduce(fits), rows, options, monitor);
  }
  if (RowSpace::suits(problem)) return in_row_space(problem, fits, rows, options, monitor);
  Work work(problem, fits, rows, options, monitor);
  const bool is_smooth_and_separable =
      !problem.loss().has_kinks() && problem.penalty().separable(problem.columns());
  if (has_kink_walks(problem)) {
    work.walk<KinkHomotopy>();
  } else if (is_smooth_and_separable && !problem.loss().is_quadratic()) {
    work.step();
  } else if (is_smooth_and_separable && has_knots(problem)) {
    work.walk<RowHomotopy>();
  } else {
    work.refit(0, fits.size(), rows);
  }
  return work.take();
}

}  // namespace alo
