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

// What is minimised, everywhere in this project, over the intercept b0 and the
// coefficients b on the original scale:
//
//     sum_i w_i loss(o_i + b0 + x_i'b; y_i) + P(s b),
//
// a sum, not a mean, with P the penalty at lambda, s_j = 1, or with standardisation the weighted standard
// deviation of column j (divisor sum of w).
class Problem {
 public:
  // Checks the data and the models against each other; throws InvalidData.
  Problem(Dataset data, Loss loss, Penalty penalty, ProblemOptions options = {});

  const Dataset& data() const { return data_; }
  const Loss& loss() const { return loss_; }
  const Penalty& penalty() const { return penalty_; }
  bool intercept() const { return options_.intercept; }
  bool standardize() const { return options_.standardize; }
  Index rows() const { return data_.rows(); }
  Index columns() const { return data_.columns(); }

  // The design that the solvers and the leave-one-out formulas see: columns divided
  // by `scale`, centred when there is an intercept (which changes nothing but rounding).
  const Design& design() const { return design_; }
  const Vector& scale() const { return scale_; }
  // Columns without variation, which are left out of the model (coefficient zero).
  const std::vector<Index>& constant_columns() const { return constant_columns_; }

  // Share of a row's weight that leaving it out removes: one, or with frequency
  // weights 1/w_i (one copy of the row).
  Vector removed_share() const;
  double removed_share(Index row) const;

  // Of the loss: linear predictors per row. The penalty is the sum of P over the coefficients of
  // each output.
  Index outputs() const { return outputs_; }
  // o + b0 + X b, output after output.
  Vector linear_predictor(const Vector& intercept, const Vector& coefficients) const;
  // sum_i w_i loss + P at lambda.
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
