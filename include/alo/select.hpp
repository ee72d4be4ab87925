// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "alo/risk.hpp"

namespace alo {

enum class Rule { minimum, one_se };
enum class Search { grid, exact };

// A lambda chosen from a risk curve.
struct Choice {
  double lambda = 0.0;
  std::optional<Index> index;  // on the path; none between grid values
  Estimate risk;
};

// `minimum`: the best risk, of equal ones the largest lambda. `one_se`: the largest lambda
// whose risk is within one standard error of the best; never less regularised than `minimum`.
struct Choices {
  Choice minimum;
  Choice one_se;
};

// None when the risk is undefined at every lambda. `lambdas` fall.
std::optional<Choices> choose_on_grid(Metric metric, const std::vector<double>& lambdas,
                                      const std::vector<Estimate>& risk);

// The continuous minimiser between the smallest lambda and lambda_start, for problems whose
// solution is affine in lambda between knots (squared loss with a lasso, or an elastic net
// whose ridge part is fixed). On each open
// segment between two knots residuals are affine and leverages constant, so the risk is
// minimised in closed form; it jumps at the knots, and an infimum approached there is
// reported just inside its segment. Throws InvalidArgument where the path is not affine.
std::optional<Choices> choose_on_segments(const Problem& problem, Metric metric, double lambda_min);

}  // namespace alo
