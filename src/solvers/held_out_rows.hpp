// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "alo/leave_one_out.hpp"
#include "alo/monitor.hpp"
#include "alo/penalties/generalized_lasso.hpp"

namespace alo {

// One call of exact leave-one-out: its result, which rows at which lambdas are done, and the ways in which
// methods compute them.
class HeldOutRows {
 public:
  HeldOutRows(const Problem& problem, std::span<const Fit> fits, const std::vector<Index>& rows,
              const ExactOptions& options, const Monitor& monitor);

  // Held-out linear predictors of a row, one column for each of some fits; fits without the row that miss
  // their certificate are counted in `missed`. Called from several threads at once.
  using Predict = std::function<Matrix(std::span<const Fit> fits, Index row, Index& missed)>;
  // Row by row, by a function or by refits.
  void predict_all(const Predict& predict) { predict_rows(0, fits_.size(), rows_, predict); }
  void refit_all();
  // Fit by fit, all rows of one together: by a homotopy (RowHomotopy, KinkHomotopy), whose unsure rows are
  // refitted.
  template <class Homotopy>
  void walk();
  // The same for a class with the result of NewtonRows.
  template <class Rows>
  void step();

  ExactLeaveOneOut take() { return std::move(result_); }

 private:
  void predict_rows(std::size_t first, std::size_t count, const std::vector<Index>& rows,
                    const Predict& predict);
  Matrix refit_without(std::span<const Fit> fits, Index row, Index& missed) const;
  void take_rows(std::size_t fit, const Matrix& predictions);
  // So many more predictions are made; false when it is time to stop.
  bool report(double predictions);

  const Problem& problem_;
  const GeneralizedLasso* signal_;  // the penalty of a signal; null otherwise
  std::span<const Fit> fits_;
  const std::vector<Index>& rows_;
  const ExactOptions& options_;
  const Monitor& monitor_;
  ExactLeaveOneOut result_;
  double done_ = 0.0;
};

// A signal's row that pulls nowhere, as one that lies between its neighbours: the fit is as good without it,
// if other rows are left.
bool pulls_nowhere(const Problem& problem, const Fit& fit, Index row);

template <class Homotopy>
void HeldOutRows::walk() {
  Homotopy homotopy(problem_, options_);
  for (std::size_t f = 0; f < fits_.size() && result_.complete; ++f) {
    typename Homotopy::Result found =
        homotopy.run(fits_[f], rows_, [this](Index rows) { return report(static_cast<double>(rows)); });
    result_.values[f].linear_predictor = std::move(found.linear_predictor);
    result_.missed += found.missed;
    if (!result_.complete) break;
    done_ -= static_cast<double>(found.unsure.size());
    predict_rows(f, 1, found.unsure, [this](std::span<const Fit> fits, Index row, Index& missed) {
      return refit_without(fits, row, missed);
    });
  }
}

template <class Rows>
void HeldOutRows::step() {
  Rows rows(problem_, rows_, options_);
  for (std::size_t f = 0; f < fits_.size() && result_.complete; ++f) {
    const auto found = rows.run(fits_[f], [this](Index count) { return report(static_cast<double>(count)); });
    take_rows(f, found.linear_predictor);
    result_.missed += found.missed;
  }
}

}  // namespace alo
