// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "alo/tune.hpp"
#include "records.hpp"

namespace paper {

// `count` falling values, equally spaced in the logarithm.
std::vector<double> falling(double first, double last, int count);

struct CurveOptions {
  std::vector<double> lambdas;  // falling
  std::vector<alo::Metric> metrics;
  int folds = 0;      // number of folds of cross-validation, if at least 2
  bool exact = true;  // compute exact leave-one-out
  int threads = 1;
  std::function<double(const alo::Fit&)> truth;  // the error outside the sample, where it is known
};

// Risks along the path: {lambda, METRIC{alo, exact, kfold, error}, truth, leverage (the largest), nonzero,
// certified (share of rows), seconds{fit, alo, exact, kfold}, refits, missed}. error is the standard error
// of leave-one-out, exact where that is computed; missed is the number of exact fits whose certificate
// missed its tolerance.
Json trace(const alo::Problem& problem, const CurveOptions& options);

// `alo` warns of a largest leverage from here on (src/tune/verdict.cpp).
constexpr double warned_leverage = 0.9;

// The agreement of two risk curves a and b over one grid.
struct Agreement {
  double mean = 0;  // the mean of |a - b| / b over the grid
  double largest = 0;
  double at_choice = 0;  // at the lambda that a chooses
  int steps = 0;         // grid steps between the two minima
  double regret = 0;     // b at the choice of a minus the smallest b, relative to that
  // The same in standard errors of b, where they are known: no estimate from this number of rows is better.
  double mean_in_errors = 0;  // over the values of lambda without a warning
  double regret_in_errors = 0;
  double warned = 0;  // the share of the grid with a warning
};

// Undefined entries of `approximate` are left out. `error` and `leverage`, along the grid, may be empty.
Agreement agreement(const std::vector<double>& approximate, const std::vector<double>& exact,
                    const std::vector<double>& error = {}, const std::vector<double>& leverage = {});

// The agreements over several seeds as the cells of a table line; agreement_header names them.
struct Agreements {
  std::vector<Agreement> seeds;

  double mean() const;
  double worst_mean() const;  // the largest mean of a seed
  double largest() const;
  double mean_at_choice() const;
  double largest_at_choice() const;
  double mean_steps() const;
  int most_steps() const;
  double mean_regret() const;
  double largest_regret() const;
  double worst_in_errors() const;  // the largest mean over the grid of a seed
  double worst_regret_in_errors() const;
  double warned() const;
  std::vector<std::string> cells() const;
  void add(const Agreements& others);
};
extern const std::vector<std::string> agreement_header;

std::string percent(double share);

}  // namespace paper
