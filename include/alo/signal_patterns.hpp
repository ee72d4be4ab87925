// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "alo/monitor.hpp"
#include "alo/types.hpp"

namespace alo {

// A minimiser b of
//
//     sum_i w_i (y_i - b_i)^2 / 2 + lambda |D b|_1,   w_i >= 0,
//
// known by its pattern: the terms of D b that are not zero, such as the jumps between constant blocks, and
// the few numbers that say what b is between them.
class SignalPattern {
 public:
  virtual ~SignalPattern() = default;
  // b
  virtual Vector values() const = 0;
  // |D b|_1, summed over the terms that are not zero: the rounding of the others would add up over all rows.
  virtual double variation() const = 0;
  // The multipliers of the terms, marked as Fit::multipliers are, for the signal and weights of which this is
  // the minimiser at lambda.
  virtual Vector multipliers(const VectorView& signal, const VectorView& weights, double lambda) const = 0;
  // H_ii for rows with these curvatures; empty if the curvatures do not determine the numbers of the pattern
  // for rows with weight.
  virtual Vector hat(const VectorView& weights, const VectorView& curvature) const = 0;
};

// The search for the patterns of one signal. What one call finds may be of use for the next.
class SignalSearch {
 public:
  virtual ~SignalSearch() = default;

  const Vector& signal() const { return signal_; }
  const Vector& weights() const { return weights_; }
  // At all lambdas >= 0, in their order; at fewer when the monitor says stop.
  virtual std::vector<std::unique_ptr<SignalPattern>> solve(std::span<const double> lambdas,
                                                            const Monitor& monitor) = 0;

 protected:
  SignalSearch(Vector signal, Vector weights) : signal_(std::move(signal)), weights_(std::move(weights)) {}

 private:
  Vector signal_;
  Vector weights_;
};

// What a matrix D offers whose signals are solved for directly, for any number of rows.
class SignalPatterns {
 public:
  virtual ~SignalPatterns() = default;
  virtual std::unique_ptr<SignalSearch> search(Vector signal, Vector weights) const = 0;
  // The pattern with these terms active, rising, of rows with these weights; it has no values.
  virtual std::unique_ptr<SignalPattern> marked(const VectorView& weights,
                                                const std::vector<Index>& active) const = 0;
};

}  // namespace alo
