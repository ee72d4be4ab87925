// SPDX-License-Identifier: MIT
#include "solvers/held_out_rows.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "formula/hat.hpp"
#include "linalg/parallel.hpp"
#include "linalg/special_values.hpp"
#include "problem/signal.hpp"
#include "solvers/certified_solver.hpp"

namespace alo {

namespace {

// The derivative of the loss of a row of a signal counts as zero below this share of lambda: it is a sum of
// multipliers of size lambda, rounded by some epsilon for each. At a tenth rows that lie between their
// neighbours are refitted for nothing; at ten times rows are taken for fitted exactly whose held-out
// prediction differs by 1e-12 lambda over the weight.
constexpr double no_slope = 1e-13;

// In a signal no other row determines the coefficient of the row left out. Where the penalty leaves an
// interval of optimal values, the value nearest to the fitted one is taken.
double nearest_prediction(const Problem& problem, const AnalysisOperator& analysis, const Fit& fit,
                          const Fit& without, Index row) {
  const auto [low, high] = analysis.best_values(without.coefficients, row);
  return problem.data().offset[row] + std::clamp(fit.coefficients[row], low, high);
}

}  // namespace

bool pulls_nowhere(const Problem& problem, const Fit& fit, Index row) {
  const Vector predictor = problem.data().offset.segment(row, 1) + fit.coefficients.segment(row, 1);
  const Vector slope = problem.loss().derivative(predictor, problem.data().response.segment(row, 1));
  const double weight = problem.data().weights[row];
  return std::abs(weight * slope[0]) <= no_slope * fit.lambda && problem.data().weights.sum() > weight;
}

HeldOutRows::HeldOutRows(const Problem& problem, std::span<const Fit> fits, const std::vector<Index>& rows,
                         const ExactOptions& options, const Monitor& monitor)
    : problem_(problem),
      signal_(problem.outputs() == 1 ? signal_operator(problem) : nullptr),
      fits_(fits),
      rows_(rows),
      options_(options),
      monitor_(monitor) {
  result_.values.assign(fits.size(), nothing_held_out(problem));
}

bool HeldOutRows::report(double predictions) {
  done_ += predictions;
  const double total = static_cast<double>(rows_.size()) * static_cast<double>(fits_.size());
  monitor_.report("exact leave-one-out", done_, total);
  result_.complete = result_.complete && (done_ >= total || !monitor_.stop());
  return result_.complete;
}

Matrix HeldOutRows::refit_without(std::span<const Fit> fits, Index row, Index& missed) const {
  Matrix predictions = Matrix::Constant(problem_.outputs(), static_cast<Index>(fits.size()), undefined);
  std::optional<CertifiedSolver> solver;
  for (std::size_t k = 0; k < fits.size(); ++k) {
    auto prediction = predictions.col(static_cast<Index>(k));
    if (signal_ != nullptr && pulls_nowhere(problem_, fits[k], row)) {
      prediction[0] = problem_.data().offset[row] + fits[k].coefficients[row];
      continue;
    }
    if (!solver) {
      const Vector weights = weights_without(problem_, row);
      if (weights.sum() == 0.0) break;  // no data left to fit
      solver.emplace(problem_, weights, options_.fit, Use::refit);
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

void HeldOutRows::refit_all() {
  predict_all([this](std::span<const Fit> fits, Index row, Index& missed) {
    return refit_without(fits, row, missed);
  });
}

void HeldOutRows::predict_rows(std::size_t first, std::size_t count, const std::vector<Index>& rows,
                               const Predict& predict) {
  parallel_for(rows.size(), options_.threads, [&](std::size_t k, std::mutex& mutex) {
    {
      const std::scoped_lock lock(mutex);
      result_.complete = result_.complete && !monitor_.stop();
      if (!result_.complete) return;
    }
    const Index row = rows[k];
    Index missed = 0;
    const Matrix predictions = predict(fits_.subspan(first, count), row, missed);
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

void HeldOutRows::take_rows(std::size_t fit, const Matrix& predictions) {
  LeaveOneOut& values = result_.values[fit];
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const auto own = predictions.row(static_cast<Index>(k));
    by_output(values.linear_predictor, problem_.outputs()).row(rows_[k]) = own;
    if (result_.complete && own.hasNaN()) {
      values.flags[static_cast<std::size_t>(rows_[k])] = RowFlag::singular;
    }
  }
  take_level(problem_, fits_[fit], values);
}

}  // namespace alo
