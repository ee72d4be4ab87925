// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "alo/risk.hpp"

namespace alo {

// one_se_paired: the standard error is that of the difference to the best risk, row by row.
enum class Rule { minimum, one_se, one_se_paired };
enum class Search { grid, exact };

// A lambda chosen from a risk curve.
struct Choice {
  double lambda = 0.0;
  std::optional<Index> index;  // position on the path; none for a lambda between grid values
  Estimate risk;
};

// Breaks ties of the metric that chooses, as many lambdas may have the same share of errors: the risk in
// another metric along the same lambdas, mostly the loss's own. Without a risk there is none.
struct TieBreaker {
  Metric metric = Metric::mse;
  std::span<const Estimate> risk;
};

// `minimum` has the best risk; among equal ones it is the best by the tie breaker, and then the largest
// lambda. `one_se` is the largest lambda
// whose risk is within one standard error of the best (Breiman, Friedman, Olshen and Stone 1984); it is
// never less regularised than `minimum`.
struct Choices {
  Choice minimum;
  Choice one_se;
};

// There is no choice when the risk is undefined at every lambda. `lambdas` must fall.
std::optional<Choices> choose_on_grid(Metric metric, const std::vector<double>& lambdas,
                                      const std::vector<Estimate>& risk, const TieBreaker& ties = {});

// The minimiser of the risk over all lambda between `lambda_min` and lambda_start, for problems whose
// solution is piecewise affine in lambda: squared loss with a lasso, or with an elastic net whose ridge
// part is fixed. Between two knots the residuals are affine and the leverages constant, so the risk is
// minimised in closed form. It jumps at the knots; an infimum that is only approached at a knot is reported
// just inside its segment. Throws InvalidArgument where the path is not piecewise affine.
std::optional<Choices> choose_on_segments(const Problem& problem, Metric metric, double lambda_min);

}  // namespace alo
