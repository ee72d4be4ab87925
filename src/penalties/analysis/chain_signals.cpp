// SPDX-License-Identifier: MIT
#include "penalties/analysis/chain_signals.hpp"

#include <algorithm>
#include <cmath>

#include "signals/chain.hpp"
#include "signals/multiplier.hpp"
#include "signals/spline.hpp"

namespace alo {

namespace {

using Patterns = std::vector<std::unique_ptr<SignalPattern>>;

// Wraps the solutions of a search in signals/ as patterns.
template <class Pattern, class Solution>
Patterns as_patterns(std::vector<Solution> solutions) {
  Patterns patterns;
  patterns.reserve(solutions.size());
  for (Solution& solution : solutions) patterns.push_back(std::make_unique<Pattern>(std::move(solution)));
  return patterns;
}

class BlockPattern final : public SignalPattern {
 public:
  explicit BlockPattern(Blocks blocks) : blocks_(std::move(blocks)) {}

  Vector values() const override { return expand(blocks_); }

  double variation() const override {
    double sum = 0.0;
    for (Index k = 0; k + 1 < blocks_.count(); ++k) sum += std::abs(blocks_.value[k + 1] - blocks_.value[k]);
    return sum;
  }

  // u_k = -(sum of w_i (y_i - b_i) up to k). At every jump u is known, so that the sum starts anew from there
  // and rounding does not add up over blocks.
  Vector multipliers(const VectorView& signal, const VectorView& weights, double lambda) const override {
    Vector result(std::max<Index>(0, blocks_.rows - 1));
    double multiplier = 0.0;
    for (Index k = 0; k < blocks_.count(); ++k) {
      const Index last = blocks_.end(k) - 1;
      const double value = blocks_.value[k];
      for (Index i = blocks_.first[static_cast<std::size_t>(k)]; i < last; ++i) {
        if (weights[i] > 0.0) multiplier -= weights[i] * (signal[i] - value);
        result[i] = marked_multiplier(multiplier, 0.0, lambda);
      }
      if (k + 1 == blocks_.count()) break;
      multiplier = std::copysign(lambda, blocks_.value[k + 1] - value);
      result[last] = multiplier;
    }
    return result;
  }

  Vector hat(const VectorView& weights, const VectorView& curvature) const override {
    Vector result(blocks_.rows);
    for (Index k = 0; k < blocks_.count(); ++k) {
      const Index first = blocks_.first[static_cast<std::size_t>(k)];
      const Index size = blocks_.end(k) - first;
      const double bend = curvature.segment(first, size).sum();
      if (bend == 0.0 && weights.segment(first, size).sum() > 0.0) return {};
      result.segment(first, size).setConstant(bend > 0.0 ? 1.0 / bend : 0.0);
    }
    return result;
  }

 private:
  Blocks blocks_;
};

class SplinePattern final : public SignalPattern {
 public:
  explicit SplinePattern(PiecewisePolynomial spline) : spline_(std::move(spline)) {}

  Vector values() const override { return expand(spline_); }
  double variation() const override { return spline_.value.lpNorm<1>(); }
  Vector multipliers(const VectorView& signal, const VectorView& weights, double lambda) const override {
    return marked_multipliers(spline_, signal, weights, lambda);
  }
  Vector hat(const VectorView&, const VectorView& curvature) const override {
    return hat_values(spline_, curvature);
  }

 private:
  PiecewisePolynomial spline_;
};

class BlockSearch final : public SignalSearch {
 public:
  BlockSearch(Vector signal, Vector weights)
      : SignalSearch(std::move(signal), std::move(weights)), path_(this->signal(), this->weights()) {}

  Patterns solve(std::span<const double> lambdas, const Monitor& monitor) override {
    if (monitor.stop()) return {};
    return as_patterns<BlockPattern>(path_.solve(lambdas));
  }

 private:
  ChainPath path_;
};

class SplineSearch final : public SignalSearch {
 public:
  SplineSearch(Vector signal, Vector weights, int order)
      : SignalSearch(std::move(signal), std::move(weights)), order_(order) {}

  Patterns solve(std::span<const double> lambdas, const Monitor& monitor) override {
    if (monitor.stop()) return {};
    return as_patterns<SplinePattern>(solve_spline(signal(), weights(), order_, lambdas));
  }

 private:
  int order_;
};

// First differences, whose signals are constant in blocks.
class BlockSignals final : public SignalPatterns {
 public:
  std::unique_ptr<SignalSearch> search(Vector signal, Vector weights) const override {
    return std::make_unique<BlockSearch>(std::move(signal), std::move(weights));
  }
  std::unique_ptr<SignalPattern> marked(const VectorView& weights,
                                        const std::vector<Index>& active) const override {
    Blocks blocks;
    blocks.rows = weights.size();
    blocks.first.push_back(0);
    for (const Index k : active) blocks.first.push_back(k + 1);
    return std::make_unique<BlockPattern>(std::move(blocks));
  }
};

// Differences of a higher order, whose signals are piecewise polynomials.
class SplineSignals final : public SignalPatterns {
 public:
  explicit SplineSignals(int order) : order_(order) {}

  std::unique_ptr<SignalSearch> search(Vector signal, Vector weights) const override {
    return std::make_unique<SplineSearch>(std::move(signal), std::move(weights), order_);
  }
  std::unique_ptr<SignalPattern> marked(const VectorView& weights,
                                        const std::vector<Index>& active) const override {
    return std::make_unique<SplinePattern>(
        PiecewisePolynomial{.rows = weights.size(), .order = order_, .difference = active});
  }

 private:
  int order_;
};

}  // namespace

Proximal marked_chain_prox(const VectorView& b, double lambda) {
  Proximal result{chain_prox(b, lambda), Vector()};
  result.multipliers = -chain_dual(b, Vector::Ones(b.size()), result.point).head(b.size() - 1);
  for (Index k = 0; k < result.multipliers.size(); ++k) {
    const double jump = result.point[k + 1] - result.point[k];
    result.multipliers[k] = marked_multiplier(result.multipliers[k], jump, lambda);
  }
  return result;
}

std::unique_ptr<const SignalPatterns> chain_signals(int order) {
  if (order == 1) return std::make_unique<BlockSignals>();
  return std::make_unique<SplineSignals>(order);
}

}  // namespace alo
