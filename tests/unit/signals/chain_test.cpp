// SPDX-License-Identifier: MIT
#include "signals/chain.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "unit/signals/random_signal.hpp"

namespace alo {
namespace {

using testing_support::any_signal;
using testing_support::RandomSignal;

Blocks solve_one(const Vector& signal, const Vector& weights, double lambda) {
  return solve_chain(signal, weights, std::span(&lambda, 1)).front();
}

double objective(const Vector& y, const Vector& w, double lambda, const Vector& b) {
  double sum = 0.0;
  for (Index i = 0; i < y.size(); ++i) sum += 0.5 * w[i] * (y[i] - b[i]) * (y[i] - b[i]);
  for (Index k = 0; k + 1 < y.size(); ++k) sum += lambda * std::abs(b[k + 1] - b[k]);
  return sum;
}

// The largest violation of the conditions on u, in units of what rounding may add up to.
double violation(const Vector& y, const Vector& w, double lambda, const Vector& b) {
  const Index rows = y.size();
  double u = 0.0;
  double worst = 0.0;
  for (Index k = 0; k < rows; ++k) {
    u += w[k] * (y[k] - b[k]);
    if (k + 1 == rows) {
      worst = std::max(worst, std::abs(u));
    } else if (b[k + 1] == b[k]) {
      worst = std::max(worst, std::abs(u) - lambda);
    } else {
      worst = std::max(worst, std::abs(u + lambda * (b[k + 1] > b[k] ? 1.0 : -1.0)));
    }
  }
  return worst / (1.0 + y.lpNorm<Eigen::Infinity>());
}

// Sums of at most 60 terms of the order of one, in units of the largest.
constexpr double rounding = 1e-12;

RC_GTEST_PROP(Chain, MeetsItsOptimalityConditions, ()) {
  const RandomSignal s = *any_signal(60);
  const Vector y = s.signal();
  const Vector w = s.row_weights();
  const Blocks blocks = solve_one(y, w, s.lambda);
  const Vector b = expand(blocks);
  RC_ASSERT(violation(y, w, s.lambda, b) <= rounding);
  RC_ASSERT(blocks.first.front() == 0);
  for (Index k = 1; k < blocks.count(); ++k) {
    RC_ASSERT(blocks.first[k] > blocks.first[k - 1]);
    RC_ASSERT(blocks.value[k] != blocks.value[k - 1]);
    RC_ASSERT(w[blocks.first[k]] > 0.0);  // rows that are left out follow the row before
  }
}

RC_GTEST_PROP(Chain, NoPerturbationIsBetter, ()) {
  const RandomSignal s = *any_signal(12);
  const Vector y = s.signal();
  const Vector w = s.row_weights();
  const Vector b = expand(solve_one(y, w, s.lambda));
  const double best = objective(y, w, s.lambda, b);
  for (int k = 0; k < 20; ++k) {
    const Vector other = b + std::pow(0.3, k) * Vector::Random(s.rows);
    RC_ASSERT(objective(y, w, s.lambda, other) >= best - rounding * (1.0 + best));
  }
}

// Nested or afresh, in any order of lambda, and the blocks only merge.
RC_GTEST_PROP(Chain, PathIsTheSolutionAtEachLambda, ()) {
  const RandomSignal s = *any_signal(60);
  const Vector y = s.signal();
  const Vector w = s.row_weights();
  const std::array lambdas = {3.0, 0.0, 0.2, 1.0, 0.2, 0.05, 40.0, 0.5};
  const std::vector<Blocks> path = solve_chain(y, w, lambdas);
  for (std::size_t k = 0; k < lambdas.size(); ++k) {
    const Blocks alone = solve_one(y, w, lambdas[k]);
    RC_ASSERT(path[k].first == alone.first);
    RC_ASSERT((path[k].value - alone.value).lpNorm<Eigen::Infinity>() <= rounding * 20.0);
    for (std::size_t j = 0; j < lambdas.size(); ++j) {
      if (lambdas[j] < lambdas[k]) continue;
      RC_ASSERT(std::ranges::includes(path[k].first, path[j].first));
    }
  }
}

// What a path keeps between calls changes nothing: lambdas below and above it, one or several at a time.
RC_GTEST_PROP(Chain, CallAfterCallIsTheSolutionAtEachLambda, ()) {
  const RandomSignal s = *any_signal(60);
  const Vector y = s.signal();
  const Vector w = s.row_weights();
  ChainPath path(y, w);
  const std::vector<std::vector<double>> calls = {{std::numeric_limits<double>::infinity()},
                                                  {40.0, 3.0, 1.0},
                                                  {0.5, 0.2},
                                                  {1e-5},
                                                  {0.05, 1e-5, 0.0},
                                                  {2.0},
                                                  {0.3, std::numeric_limits<double>::infinity()}};
  for (const std::vector<double>& lambdas : calls) {
    const std::vector<Blocks> blocks = path.solve(lambdas);
    for (std::size_t k = 0; k < lambdas.size(); ++k) {
      const Blocks alone = solve_one(y, w, lambdas[k]);
      RC_ASSERT(blocks[k].first == alone.first);
      RC_ASSERT((blocks[k].value - alone.value).lpNorm<Eigen::Infinity>() <= rounding * 20.0);
    }
  }
}

RC_GTEST_PROP(Chain, ReversedAndScaledSignals, ()) {
  RandomSignal s = *any_signal(60);
  s.left_out = 0.0;  // what a row without weight gets depends on the direction
  const Vector y = s.signal();
  const Vector w = s.row_weights();
  const Vector b = expand(solve_one(y, w, s.lambda));
  const Vector backwards = expand(solve_one(y.reverse(), w.reverse(), s.lambda));
  RC_ASSERT((backwards.reverse() - b).lpNorm<Eigen::Infinity>() <= rounding * 20.0);
  const Vector scaled = expand(solve_one((-1e5 * y).array() + 1e5, 8.0 * w, 8e5 * s.lambda));
  RC_ASSERT((scaled - (1e5 - 1e5 * b.array()).matrix()).lpNorm<Eigen::Infinity>() <= rounding * 20e5);
}

RC_GTEST_PROP(Chain, RowsLeftOutAreNotRead, ()) {
  const RandomSignal s = *any_signal(40);
  Vector y = s.signal();
  const Vector w = s.row_weights();
  const Vector b = expand(solve_one(y, w, s.lambda));
  for (Index i = 0; i < s.rows; ++i) {
    if (w[i] == 0.0) y[i] = std::numeric_limits<double>::quiet_NaN();
  }
  RC_ASSERT(expand(solve_one(y, w, s.lambda)) == b);
}

TEST(Chain, KnownSolutions) {
  // Two rows: each moves lambda towards the other, until they meet.
  EXPECT_TRUE(chain_prox(Vector{{0.0, 4.0}}, 1.0).isApprox(Vector{{1.0, 3.0}}, 1e-15));
  EXPECT_TRUE(chain_prox(Vector{{0.0, 4.0}}, 3.0).isApprox(Vector{{2.0, 2.0}}, 1e-15));
  // The middle of a monotone signal stays, a peak is cut by two lambdas.
  EXPECT_TRUE(chain_prox(Vector{{0.0, 2.0, 5.0}}, 1.0).isApprox(Vector{{1.0, 2.0, 4.0}}, 1e-15));
  EXPECT_TRUE(chain_prox(Vector{{0.0, 5.0, 0.0}}, 1.0).isApprox(Vector{{1.0, 3.0, 1.0}}, 1e-15));
}

TEST(Chain, SmallestSignals) {
  EXPECT_EQ(chain_prox(Vector(), 1.0).size(), 0);
  EXPECT_EQ(chain_prox(Vector{{3.5}}, 1.0), (Vector{{3.5}}));
  EXPECT_EQ(solve_one(Vector{{1.0, 2.0}}, Vector::Zero(2), 1.0).count(), 1);
}

TEST(Chain, HugeLambdaIsTheWeightedMean) {
  const RandomSignal s{.rows = 50, .weights = true, .left_out = 0.2};
  const Vector y = s.signal();
  const Vector w = s.row_weights();
  for (const double lambda : {1e3, 1e30, std::numeric_limits<double>::infinity()}) {
    const Blocks blocks = solve_one(y, w, lambda);
    ASSERT_EQ(blocks.count(), 1);
    EXPECT_NEAR(blocks.value[0], w.dot(y) / w.sum(), 1e-14);
  }
}

TEST(Chain, ZeroLambdaIsTheSignal) {
  const Vector y{{1.0, 1.0, 2.0, -3.0, -3.0, -3.0, 0.5}};
  const Blocks blocks = solve_one(y, Vector::Ones(7), 0.0);
  EXPECT_EQ(blocks.first, (std::vector<Index>{0, 2, 3, 6}));
  EXPECT_TRUE(expand(blocks).isApprox(y, 1e-15));
}

TEST(Chain, LongSignal) {
  const RandomSignal s{.kind = RandomSignal::Kind::steps, .rows = 100000};
  const Vector y = s.signal();
  const Vector w = Vector::Ones(s.rows);
  for (const double lambda : {0.1, 3.0, 100.0}) {
    const Vector b = chain_prox(y, lambda);
    const Vector u = chain_dual(y, w, b);
    // 1e5 values with an error of one unit in the last place of about 1e3
    EXPECT_LE(u.lpNorm<Eigen::Infinity>(), lambda + 1e-8);
    EXPECT_NEAR(u[s.rows - 1], 0.0, 1e-8);
  }
}

}  // namespace
}  // namespace alo
