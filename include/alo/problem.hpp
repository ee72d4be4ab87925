// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "alo/dataset.hpp"
#include "alo/loss.hpp"
#include "alo/penalty.hpp"

namespace alo {

struct ProblemOptions {
  bool intercept = true;
  bool standardize = true;
};

// The objective that is minimised everywhere in this project, over the intercept b0 and the coefficients b
// on the original scale:
//
//     sum_i w_i loss(o_i + b0 + x_i'b; y_i) + P(s b).
//
// It is a sum, not a mean. P is the penalty at lambda, w the weights and o the offset. s_j is the weighted
// standard deviation of column j (divisor sum of w) with standardisation, and 1 without. glmnet and
// scikit-learn divide the loss by n; docs/lambda.md has the conversions.
class Problem {
 public:
  // Throws InvalidData unless data, loss and penalty fit each other.
  Problem(Dataset data, Loss loss, Penalty penalty, ProblemOptions options = {});

  const Dataset& data() const { return data_; }
  const Loss& loss() const { return loss_; }
  const Penalty& penalty() const { return penalty_; }
  bool intercept() const { return options_.intercept; }
  bool standardize() const { return options_.standardize; }
  Index rows() const { return data_.rows(); }
  Index columns() const { return data_.columns(); }

  // The design as the solvers and the leave-one-out formula see it: columns are divided by `scale`, and
  // centred when there is an intercept. Centring changes the intercept alone; it is there for accuracy.
  const Design& design() const { return design_; }
  const Vector& scale() const { return scale_; }
  // The columns without variation. They are left out of the model: their coefficients are zero.
  const std::vector<Index>& constant_columns() const { return constant_columns_; }

  // The share of a row's weight that leaving it out removes: one, or 1/w_i with frequency weights (one copy
  // of the row).
  Vector removed_share() const;
  double removed_share(Index row) const;

  // K, the number of linear predictors per row. The penalty is the sum of P over the outputs.
  Index outputs() const { return outputs_; }
  // The linear predictor o + b0 + X b, output after output.
  Vector linear_predictor(const Vector& intercept, const Vector& coefficients) const;
  // The objective at lambda.
  double objective(const Vector& intercept, const Vector& coefficients, double lambda) const;
  // The objective in words, for reports.
  std::string describe() const;

 private:
  Dataset data_;
  Loss loss_;
  Penalty penalty_;
  ProblemOptions options_;
  Index outputs_;
  Design design_;
  Vector scale_;
  std::vector<Index> constant_columns_;
};

}  // namespace alo
