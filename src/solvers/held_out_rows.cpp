// SPDX-License-Identifier: MIT
#include "solvers/held_out_rows.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "formula/hat.hpp"
#include "formula/held_out_range.hpp"
#include "formula/intercept_range.hpp"
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

// An interval that is narrower than this share of the prediction and the largest response is rounding:
// coefficients that are equal differ by some epsilon where no exact pattern makes them so. At a tenth
// rounding is reported as an interval; at ten times intervals in the tenth digit go unreported.
constexpr double interval_rounding = 1e-11;

bool has_width(double low, double high, double prediction, double size) {
  return high - low > interval_rounding * (size + std::abs(prediction));
}

// In a signal no other row determines the coefficient of the row left out, and the penalty may leave an
// interval of optimal values. A coefficient that no term joins with others keeps the value of the refit.
// False where nothing bounds it.
bool set_signal_value(const Problem& problem, const AnalysisOperator& analysis, const Vector& coefficients,
                      Index row, std::size_t fit, HeldOutPredictions& found) {
  const auto [low, high] = analysis.best_values(coefficients, problem.data().weights, row);
  const double offset = problem.data().offset[row];
  found.set_interval(fit, offset + low, offset + high, offset + coefficients[row]);
  return std::isfinite(low) && std::isfinite(high);
}

}  // namespace

bool pulls_nowhere(const Problem& problem, const Fit& fit, Index row) {
  const double weight = problem.data().weights[row];
  if (problem.data().weights.sum() == weight) return false;
  if (problem.loss().has_kinks()) return std::abs(fit.subgradient[row]) <= no_slope * fit.lambda;
  const Vector predictor = problem.data().offset.segment(row, 1) + fit.coefficients.segment(row, 1);
  const Vector slope = problem.loss().derivative(predictor, problem.data().response.segment(row, 1));
  return std::abs(weight * slope[0]) <= no_slope * fit.lambda;
}

HeldOutPredictions::HeldOutPredictions(const Problem& problem, std::size_t fits)
    : predictor(Matrix::Constant(problem.outputs(), static_cast<Index>(fits), undefined)),
      low(Vector::Constant(static_cast<Index>(fits), undefined)),
      high(low),
      missed(fits, 0),
      size_(problem.data().response.lpNorm<Eigen::Infinity>()) {}

void HeldOutPredictions::set_interval(std::size_t fit, double lowest, double highest, double otherwise) {
  const auto k = static_cast<Index>(fit);
  double& value = predictor(0, k);
  if (std::isfinite(lowest) && std::isfinite(highest)) {
    value = 0.5 * (lowest + highest);
  } else {
    value = std::isfinite(lowest) ? lowest : std::isfinite(highest) ? highest : otherwise;
  }
  if (!has_width(lowest, highest, value, size_)) return;
  low[k] = lowest;
  high[k] = highest;
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
  if (predictions > 0.0) monitor_.report("exact leave-one-out", done_, total);
  result_.complete = result_.complete && (done_ >= total || !monitor_.stop());
  return result_.complete;
}

HeldOutPredictions HeldOutRows::refit_without(std::span<const Fit> fits, Index row) const {
  HeldOutPredictions found(problem_, fits.size());
  const bool is_out = problem_.data().weights[row] * (1.0 - problem_.removed_share(row)) == 0.0;
  const Vector weights = weights_without(problem_, row);
  std::optional<CertifiedSolver> solver;
  for (std::size_t k = 0; k < fits.size(); ++k) {
    auto prediction = found.predictor.col(static_cast<Index>(k));
    const bool stays = signal_ != nullptr && pulls_nowhere(problem_, fits[k], row);
    if (stays && is_out && set_signal_value(problem_, *signal_, fits[k].coefficients, row, k, found))
      continue;
    if (stays && !is_out) {
      prediction[0] = problem_.data().offset[row] + fits[k].coefficients[row];
      continue;
    }
    if (!solver) {
      if (weights.sum() == 0.0) break;  // no data left to fit
      solver.emplace(problem_, weights, options_.fit, Use::refit);
      solver->start_from(fits[k]);
    }
    const Fit fit = solver->fit(fits[k].lambda);
    if (fit.status != FitStatus::converged) found.missed[k] = 1;
    prediction = by_output(fit.linear_predictor, problem_.outputs()).row(row).transpose();
    if (signal_ != nullptr && is_out) {
      set_signal_value(problem_, *signal_, fit.coefficients, row, k, found);
    } else if (const InterceptRange range = intercept_range(problem_, weights, fit); !range.is_unique()) {
      found.set_interval(k, prediction[0] + range.down, prediction[0] + range.up, prediction[0]);
    } else if (const HeldOutRange moves = held_out_range(problem_, weights, fit, row); !moves.is_unique()) {
      found.set_interval(k, prediction[0] + moves.down, prediction[0] + moves.up, prediction[0]);
    }
  }
  return found;
}

void HeldOutRows::refit_all() {
  predict_all([this](std::span<const Fit> fits, Index row) { return refit_without(fits, row); });
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
    const HeldOutPredictions found = predict(fits_.subspan(first, count), row);
    const std::scoped_lock lock(mutex);
    for (std::size_t f = 0; f < count; ++f) take_row(result_.values[first + f], row, found, f);
    report(static_cast<double>(count));
  });
}

void HeldOutRows::take_row(LeaveOneOut& values, Index row, const HeldOutPredictions& found,
                           std::size_t fit) const {
  const auto k = static_cast<Index>(fit);
  values.missed += found.missed[fit];
  by_output(values.linear_predictor, problem_.outputs()).row(row) = found.predictor.col(k);
  if (found.predictor.col(k).hasNaN()) {
    values.flags[static_cast<std::size_t>(row)] = RowFlag::singular;
  } else if (!std::isnan(found.low[k])) {
    take_interval(values, {row, found.low[k], found.high[k]});
  }
}

void HeldOutRows::take_interval(LeaveOneOut& values, const RowInterval& interval) const {
  const double size = problem_.data().response.lpNorm<Eigen::Infinity>();
  if (!has_width(interval.low, interval.high, values.linear_predictor[interval.row], size)) return;
  values.flags[static_cast<std::size_t>(interval.row)] = RowFlag::not_unique;
  if (values.low.size() == 0) values.low = values.high = Vector::Constant(problem_.rows(), undefined);
  values.low[interval.row] = interval.low;
  values.high[interval.row] = interval.high;
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

ExactLeaveOneOut HeldOutRows::take() {
  for (LeaveOneOut& values : result_.values) {
    if (values.low.size() == 0) continue;
    values.low = values.low.array().isNaN().select(values.linear_predictor, values.low);
    values.high = values.high.array().isNaN().select(values.linear_predictor, values.high);
  }
  return std::move(result_);
}

}  // namespace alo
