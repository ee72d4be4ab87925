// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>

#include "alo/error.hpp"
#include "alo/signal_patterns.hpp"
#include "penalties/analysis/blocks.hpp"
#include "penalties/analysis/chain_signals.hpp"
#include "penalties/analysis/difference_matrix.hpp"
#include "penalties/analysis/operators.hpp"
#include "penalties/analysis/right_inverses.hpp"
#include "signals/chain.hpp"
#include "signals/discrete_splines.hpp"
#include "signals/spline.hpp"

namespace alo {

namespace {

// The common part of differences of all orders: their null space, which are polynomials, and their right
// inverse, which are cumulative sums.
class ChainDifferences : public AnalysisOperator {
 public:
  bool has_direct_prox() const override { return true; }
  const RightInverse* right_inverse() const override { return &sums_; }
  const SignalPatterns* signals() const override { return matrix().rows() > 0 ? signals_.get() : nullptr; }
  std::optional<int> chain_order() const override { return order_; }

 protected:
  ChainDifferences(Index columns, int order)
      : AnalysisOperator(difference_matrix(columns, order),
                         polynomials(columns, std::min<Index>(order, columns)).sparseView(1.0, 0.0)),
        order_(order),
        sums_(columns, order),
        signals_(chain_signals(order)) {}

  int order() const { return order_; }

 private:
  int order_;
  ChainSums sums_;
  std::unique_ptr<const SignalPatterns> signals_;
};

// First differences, which make coefficients equal block by block.
class NeighborDifferences final : public ChainDifferences {
 public:
  explicit NeighborDifferences(Index columns) : ChainDifferences(columns, 1) {}

  Proximal prox(const VectorView& b, double lambda) const override {
    return b.size() == 0 ? Proximal{} : marked_chain_prox(b, lambda);
  }
  // Rows without weight lie between the nearest rows with weight.
  std::pair<double, double> best_values(const VectorView& b, const VectorView& weights,
                                        Index coefficient) const override {
    if (matrix().rows() == 0) return AnalysisOperator::best_values(b, weights, coefficient);
    Vector others = weights;
    others[coefficient] = 0.0;
    const auto [low, high] = chain_interval(b, others, coefficient);
    return {low, high};
  }
  SparseMatrix tangent_basis(const std::vector<Index>& active) const override {
    return block_indicators(block_numbers(active));
  }
  Vector onto_pattern(const VectorView& b, const std::vector<Index>& active) const override {
    return block_means(block_numbers(active), b);
  }

 private:
  BlockNumbers block_numbers(const std::vector<Index>& active) const {
    BlockNumbers blocks;
    blocks.of.reserve(static_cast<std::size_t>(matrix().cols()));
    auto next = active.begin();
    for (Index j = 0; j < matrix().cols(); ++j) {
      blocks.of.push_back(blocks.count);
      if (next == active.end() || *next != j) continue;
      ++blocks.count;
      ++next;
    }
    ++blocks.count;
    return blocks;
  }
};

// Differences of order two and more, which make piecewise polynomials.
class HigherDifferences final : public ChainDifferences {
 public:
  HigherDifferences(Index columns, int order) : ChainDifferences(columns, order) {}

  Proximal prox(const VectorView& b, double lambda) const override {
    if (matrix().rows() == 0) return {b, Vector()};
    const Vector ones = Vector::Ones(b.size());
    const PiecewisePolynomial spline = solve_spline(b, ones, order(), std::span(&lambda, 1)).front();
    return {expand(spline), marked_multipliers(spline, b, ones, lambda)};
  }
  SparseMatrix tangent_basis(const std::vector<Index>& active) const override {
    if (matrix().rows() == 0) return AnalysisOperator::tangent_basis(active);
    return DiscreteSplines(matrix().cols(), order(), active).basis();
  }
  Vector onto_pattern(const VectorView& b, const std::vector<Index>& active) const override {
    return matrix().rows() == 0 ? Vector(b) : nearest_spline(b, order(), active);
  }
};

}  // namespace

std::shared_ptr<const AnalysisOperator> chain_differences(Index columns, int order) {
  if (order < 1) {
    throw InvalidArgument(fmt::format("the order of the differences must be at least 1, but is {}", order));
  }
  if (order == 1) return std::make_shared<const NeighborDifferences>(columns);
  return std::make_shared<const HigherDifferences>(columns, order);
}

}  // namespace alo
