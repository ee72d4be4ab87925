// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "alo/fit.hpp"
#include "alo/monitor.hpp"
#include "alo/penalties/generalized_lasso.hpp"
#include "signals/chain.hpp"
#include "signals/graph.hpp"
#include "signals/spline.hpp"
#include "signals/trend.hpp"

namespace alo {

// What minimises sum_i w_i (y_i - b_i)^2 / 2 + lambda |D b|_1, D being differences along a chain or a graph,
// or differences of a higher order.
using SignalPattern = std::variant<Blocks, PiecewiseLinear, PiecewisePolynomial, GraphFit>;

// True for such a D.
bool has_signal_pattern(const GeneralizedLasso& penalty);

// How second differences are searched for: fast, or as those of other orders are, with the care that weights
// of very different sizes need, as those of a loss with flat pieces.
enum class TrendSearches { fast, careful };

// Those of one signal; along a chain what one call finds is of use for the next.
class SignalPath {
 public:
  SignalPath(const GeneralizedLasso& penalty, Vector signal, Vector weights,
             TrendSearches search = TrendSearches::fast);

  const Vector& signal() const { return signal_; }
  const Vector& weights() const { return weights_; }
  // At all lambdas, at none when the monitor says stop, and on a graph at fewer.
  std::vector<SignalPattern> solve(std::span<const double> lambdas, const Monitor& monitor);

 private:
  const GeneralizedLasso* penalty_;
  Vector signal_;
  Vector weights_;
  TrendSearches search_;
  std::optional<ChainPath> chain_;
};

Vector signal_values(const SignalPattern& pattern);
// |D b|_1 of a pattern: without the terms that are zero, whose rounding would be a sum over all rows.
double signal_variation(const GeneralizedLasso& penalty, const SignalPattern& pattern);
// Multipliers of the terms D b, marked as Fit::multipliers are, of the signal and weights that have this
// pattern at lambda.
Vector signal_multipliers(const GeneralizedLasso& penalty, const SignalPattern& pattern,
                          const VectorView& signal, const VectorView& weights, double lambda);
// The pattern that a fit's multipliers mark, without its values.
SignalPattern marked_pattern(const GeneralizedLasso& penalty, const VectorView& weights, const Fit& fit);
// H_ii where the rows have these curvatures; empty where those leave open what rows with weight have in
// common.
Vector signal_hat(const SignalPattern& pattern, const VectorView& weights, const VectorView& curvature);

}  // namespace alo
