// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
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
  bool timed = true;  // time the path with and without ALO
  int threads = 1;
  std::function<double(const alo::Fit&)> truth;  // the error outside the sample, where it is known
};

// Risks along the path: {lambda, METRIC{alo, exact, kfold, error, default{place, kind, reliable}}, truth,
// leverage (the largest), nonzero, certified (share of rows), seconds{fit, fit and alo, exact, default},
// refits, missed}. error is the standard error of leave-one-out, exact where that is computed; default is
// what `alo` chooses by itself for this metric: the place in the grid, the kind of estimate there, and
// whether it calls the choice reliable; missed is the number of exact fits whose certificate missed its
// tolerance.
Json trace(const alo::Problem& problem, const CurveOptions& options);

// The seconds of a path, and of a path with ALO at every lambda: in each of some calls one after the other,
// the fastest of each.
struct PathSeconds {
  double fit = 0, fit_and_alo = 0;
};
PathSeconds time_path(const alo::Problem& problem, const std::vector<double>& lambdas, int calls);

// The median; NaN if one of the values is.
double median(std::vector<double> values);

// A fit with a largest leverage from here on is drawn dashed: ALO divides there by 1 - h of a tenth or less.
constexpr double warned_leverage = 0.9;
// The paper does not say how small its "very small lambda" is: below this share of the best lambda, here.
constexpr double very_small = 0.1;

// A risk by ALO, or another estimate, and the exact risk, or the error outside the sample, over one grid of
// falling lambdas.
struct Curves {
  std::vector<double> approximate, exact;
  std::vector<double> lambda = {}, error = {}, leverage = {};  // along the grid, where they are known
  std::optional<std::size_t> by_default = {};                  // the place of the default choice
};

// The agreement of two risk curves a and b.
struct Agreement {
  double mean = 0;  // the mean of |a - b| / b over the grid
  double largest = 0;
  double at_choice = 0;  // at the lambda that a chooses
  int steps = 0;         // grid steps between the two minima
  double regret = 0;     // b at the choice of a minus the smallest b, relative to that
  // The same mean over the lambdas that are not very small, over those from the best one on, and over those
  // without a warning.
  double mean_not_small = 0;
  double mean_from_best = 0;
  double mean_without_warning = 0;
  double warned = 0;          // the share of the grid with a warning
  double default_regret = 0;  // b at the default choice minus the smallest b, relative to that,
  double default_harm = 0;    // as a share of what alo tolerates (alo/tune.hpp)
};

// The place of the smallest of the values that are numbers; of equal ones, up to rounding, the first, which
// belongs to the largest lambda of a falling grid.
std::size_t place_of_smallest(const std::vector<double>& values);

// Undefined entries of `approximate` are left out.
Agreement agreement(const Curves& curves);

// The agreements over several seeds, and the cells of their lines in the tables of agreement and of choices.
struct Agreements {
  std::vector<Agreement> seeds;

  double mean(double Agreement::*member) const;
  double largest(double Agreement::*member) const;
  double mean_steps() const;
  int most_steps() const;
  // The share of seeds whose value is above a limit.
  double share_above(double Agreement::*member, double limit) const;
  std::vector<std::string> agreement_cells() const;
  std::vector<std::string> choice_cells() const;
  void add(const Agreements& others);
};
extern const std::vector<std::string> agreement_header, choice_header;

// A choice harms where the exact risk there is above its smallest by more than this share, which is what
// `alo` calls as good as exact.
constexpr double harmful = alo::tolerated_share;

std::string percent(double share);

}  // namespace paper
