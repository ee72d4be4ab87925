// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "alo/leave_one_out.hpp"
#include "alo/problem.hpp"

namespace alo {

// A balanced random assignment of rows to folds, within each class where there are classes.
std::vector<int> assign_folds(const Problem& problem, int folds, std::uint64_t seed);

// The design with missing entries replaced by the mean of the rows with positive training weight.
Design refill(const Dataset& data, const Vector& training_weights);

// The problem without the rows of one fold, and what predicts them.
struct TrainingPart {
  Problem problem;              // of the training rows alone, in their order
  std::vector<Index> held_out;  // the rows of the fold
  Design held_out_design;       // filled with the means of the training rows
  // What a lambda of all rows is multiplied by in the training part, so that the penalty is as strong, per
  // unit of weight. One where the weights of the training rows were scaled to the sum of all weights, which
  // keeps every part of a penalty as strong; frequency weights are counts and stay as they are.
  double lambda_factor = 1.0;
};
// Throws InvalidData where the training rows have no fit at all: no weight, or too few rows of a class.
TrainingPart training_part(const Problem& problem, const std::vector<int>& assignment, int fold);

// The predictions of the held-out rows by a fit of the training part, one column per output.
Matrix predict_held_out(const Problem& problem, const TrainingPart& part, const Fit& fit);

}  // namespace alo
