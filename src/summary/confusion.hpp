// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "alo/problem.hpp"
#include "alo/tune.hpp"

namespace alo::report {

// How often a row of one class is held to be of another when it is left out.
struct Confusion {
  Eigen::Matrix<Index, Eigen::Dynamic, Eigen::Dynamic> counts;  // true class by predicted class
  Index undefined = 0;                                          // rows without a held-out prediction
  bool exact = false;  // by exact leave-one-out, else by the approximation

  Index total() const { return counts.sum(); }
  Index correct() const { return counts.diagonal().sum(); }
};

// At a chosen lambda, by exact leave-one-out where it was computed. Copies of a row (frequency weights)
// count as rows; rows of weight zero do not count. None unless the loss has classes and the point rows.
std::optional<Confusion> find_confusion(const Problem& problem, const std::optional<Selected>& selected);

}  // namespace alo::report
