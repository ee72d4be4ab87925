// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "alo/tune.hpp"
#include "records.hpp"

namespace paper {

// `count` values, equally spaced in the logarithm, falling.
std::vector<double> falling(double first, double last, int count);

struct CurveOptions {
  std::vector<double> lambdas;  // falling
  std::vector<alo::Metric> metrics;
  int folds = 0;      // of cross validation beside it, if at least 2
  bool exact = true;  // leave-one-out, exact
  int threads = 1;
  std::function<double(const alo::Fit&)> truth;  // error outside the sample, where it is known
};

// Risks along the path: {lambda, METRIC{alo, exact, kfold, error}, truth, leverage (the largest), nonzero,
// certified (share of rows), seconds{fit, alo, exact, kfold}, refits, missed}; error is the standard error of
// leave-one-out, exact where that is computed; missed are those of the exact fits whose certificate missed
// its tolerance.
Json trace(const alo::Problem& problem, const CurveOptions& options);

// Largest leverages from here on are what `alo` warns of.
constexpr double warned_leverage = 0.9;

// How near two risk curves over one grid are.
struct Agreement {
  double mean = 0;  // of |a - b| / b over the grid
  double largest = 0;
  double at_choice = 0;  // at the lambda that a chooses
  int steps = 0;         // of the grid between the two minima
  double regret = 0;     // b at the choice of a, above the smallest b, as a share of that
  // The same in standard errors of b, where they are known: an estimate from so many rows is not better.
  double mean_in_errors = 0;  // over the values of lambda without a warning
  double regret_in_errors = 0;
  double warned = 0;  // share of the grid
};

// Entries of `approximate` that are undefined are left out. `error` and `leverage`, along the grid, may be
// empty.
Agreement agreement(const std::vector<double>& approximate, const std::vector<double>& exact,
                    const std::vector<double>& error = {}, const std::vector<double>& leverage = {});

// The same over several seeds, as the cells of a line of a table; agreement_header names them.
struct Agreements {
  std::vector<Agreement> seeds;

  double mean() const;
  double worst_mean() const;  // of a seed
  double largest() const;
  double mean_at_choice() const;
  double largest_at_choice() const;
  double mean_steps() const;
  int most_steps() const;
  double mean_regret() const;
  double largest_regret() const;
  double worst_in_errors() const;  // mean over the grid of a seed
  double worst_regret_in_errors() const;
  double warned() const;
  std::vector<std::string> cells() const;
  void add(const Agreements& others);
};
extern const std::vector<std::string> agreement_header;

std::string percent(double share);

}  // namespace paper
