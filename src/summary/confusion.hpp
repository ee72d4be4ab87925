// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "alo/problem.hpp"
#include "alo/tune.hpp"

namespace alo::report {

// Counts of the true and the predicted class of held-out rows.
struct Confusion {
  Eigen::Matrix<Index, Eigen::Dynamic, Eigen::Dynamic> counts;  // true class by predicted class
  Index undefined = 0;                                          // rows without a held-out prediction
  bool exact = false;  // by exact leave-one-out, else by the approximation

  Index total() const { return counts.sum(); }
  Index correct() const { return counts.diagonal().sum(); }
};

// The counts at a chosen lambda, by exact leave-one-out where it was computed. Copies of a row (frequency
// weights) count as rows; rows of weight zero do not count. None for a loss without classes and for a point
// without rows.
std::optional<Confusion> find_confusion(const Problem& problem, const std::optional<Selected>& selected);

}  // namespace alo::report
