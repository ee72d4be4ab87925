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
  alo::Index sample =
      0;  // of so many rows only, if positive: ALO of all rows and the mean difference on these
  int threads = 1;
  std::function<double(const alo::Fit&)> truth;  // error outside the sample, where it is known
};

// Risks along the path: {lambda, METRIC{alo, exact, kfold}, truth, leverage (the largest), nonzero,
// certified (share of rows), seconds{fit, alo, exact, kfold}}.
Json trace(const alo::Problem& problem, const CurveOptions& options);

// How near two risk curves over one grid are.
struct Agreement {
  double mean = 0;  // of |a - b| / b over the grid
  double largest = 0;
  double at_choice = 0;  // at the lambda that a chooses
  int steps = 0;         // of the grid between the two minima
  double regret = 0;     // b at the choice of a, above the smallest b, as a share of that
};

// Entries of `approximate` that are undefined are left out.
Agreement agreement(const std::vector<double>& approximate, const std::vector<double>& exact);

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
  std::vector<std::string> cells() const;
  void add(const Agreements& others);
};
extern const std::vector<std::string> agreement_header;

std::string percent(double share);

}  // namespace paper
