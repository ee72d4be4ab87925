// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "alo/analysis_operator.hpp"
#include "alo/leave_one_out.hpp"
#include "alo/monitor.hpp"

namespace alo {

// The held-out linear predictors of one row at some fits.
struct HeldOutPredictions {
  HeldOutPredictions(const Problem& problem, std::size_t fits);

  // All values of an interval are optimal: the prediction is the midpoint, the end of a half-line, or
  // `otherwise` where nothing bounds it.
  void set_interval(std::size_t fit, double low, double high, double otherwise);

  Matrix predictor;  // a column for each fit
  // The ends of the interval of optimal values at each fit; NaN where there is one value.
  Vector low;
  Vector high;
  std::vector<Index> missed;  // at each fit one, if the certificate of the fit without the row missed

 private:
  double size_;  // of responses
};

// The ends of the interval of optimal values of a row, whose prediction is the midpoint.
struct RowInterval {
  Index row;
  double low;
  double high;
};

// One call of exact leave-one-out: its result, its progress, and the ways in which methods compute the rows.
class HeldOutRows {
 public:
  HeldOutRows(const Problem& problem, std::span<const Fit> fits, const std::vector<Index>& rows,
              const ExactOptions& options, const Monitor& monitor);

  // A function that returns the held-out linear predictors of a row at each of the given fits. It is called
  // from several threads at once.
  using Predict = std::function<HeldOutPredictions(std::span<const Fit> fits, Index row)>;
  // Computes all rows, row by row, by a given function or by refits.
  void predict_all(const Predict& predict) { predict_rows(0, fits_.size(), rows_, predict); }
  void refit_all();
  // Computes all rows of one fit together, fit by fit, by a homotopy (RowHomotopy, KinkHomotopy). Rows of
  // which the homotopy is not sure are refitted.
  template <class Homotopy>
  void walk();
  // The same by a class with the interface of NewtonRows.
  template <class Rows>
  void step();

  ExactLeaveOneOut take();

 private:
  void predict_rows(std::size_t first, std::size_t count, const std::vector<Index>& rows,
                    const Predict& predict);
  HeldOutPredictions refit_without(std::span<const Fit> fits, Index row) const;
  void take_row(LeaveOneOut& values, Index row, const HeldOutPredictions& found, std::size_t fit) const;
  void take_interval(LeaveOneOut& values, const RowInterval& interval) const;
  void take_rows(std::size_t fit, const Matrix& predictions);
  // Adds to the number of predictions made and reports it, if it is not zero; false when the monitor says
  // stop.
  bool report(double predictions);

  const Problem& problem_;
  const AnalysisOperator* signal_;  // the penalty of a signal; null otherwise
  std::span<const Fit> fits_;
  const std::vector<Index>& rows_;
  const ExactOptions& options_;
  const Monitor& monitor_;
  ExactLeaveOneOut result_;
  double done_ = 0.0;
};

// True for a row of a signal at which the derivative of the loss is zero (for example one that lies between
// its neighbours), if other rows have weight: the fit remains optimal without the row, whose coefficient may
// then also have other values (AnalysisOperator::best_values).
bool pulls_nowhere(const Problem& problem, const Fit& fit, Index row);

template <class Homotopy>
void HeldOutRows::walk() {
  Homotopy homotopy(problem_, options_);
  for (std::size_t f = 0; f < fits_.size() && result_.complete; ++f) {
    typename Homotopy::Result found =
        homotopy.run(fits_[f], rows_, [this](Index rows) { return report(static_cast<double>(rows)); });
    result_.values[f].linear_predictor = std::move(found.linear_predictor);
    result_.values[f].missed += found.missed;
    if constexpr (requires { found.intervals; }) {
      for (const RowInterval& interval : found.intervals) take_interval(result_.values[f], interval);
    }
    if (!result_.complete) break;
    done_ -= static_cast<double>(found.unsure.size());
    predict_rows(f, 1, found.unsure,
                 [this](std::span<const Fit> fits, Index row) { return refit_without(fits, row); });
  }
}

template <class Rows>
void HeldOutRows::step() {
  Rows rows(problem_, rows_, options_);
  for (std::size_t f = 0; f < fits_.size() && result_.complete; ++f) {
    const auto found = rows.run(fits_[f], [this](Index count) { return report(static_cast<double>(count)); });
    take_rows(f, found.linear_predictor);
    result_.values[f].missed += found.missed;
  }
}

}  // namespace alo
