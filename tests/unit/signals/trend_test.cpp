// SPDX-License-Identifier: MIT
// Trend filtering with second differences, against conditions that are written out for them.

#include <algorithm>
#include <array>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <Eigen/Cholesky>

#include "signals/spline.hpp"
#include "unit/signals/random_signal.hpp"

namespace alo {
namespace {

using testing_support::any_signal;
using testing_support::RandomSignal;

PiecewisePolynomial solve_one(const Vector& signal, const Vector& weights, double lambda) {
  return solve_spline(signal, weights, 2, std::span(&lambda, 1)).front();
}

Vector solve_unweighted(const Vector& signal, double lambda) {
  return expand(solve_one(signal, Vector::Ones(signal.size()), lambda));
}

double second_difference(const Vector& b, Index i) {
  return b[i - 1] - 2.0 * b[i] + b[i + 1];
}

double objective(const Vector& y, const Vector& w, double lambda, const Vector& b) {
  double sum = 0.0;
  for (Index i = 0; i < y.size(); ++i) sum += 0.5 * w[i] * (y[i] - b[i]) * (y[i] - b[i]);
  for (Index i = 1; i + 1 < y.size(); ++i) sum += lambda * std::abs(second_difference(b, i));
  return sum;
}

// v_i, the sum over all j <= k < i of w_j (y_j - b_j), at rows 0 ... n.
Vector twice_summed(const Vector& y, const Vector& w, const Vector& b) {
  Vector v = Vector::Zero(y.size() + 1);
  long double once = 0.0L;
  long double twice = 0.0L;
  for (Index i = 0; i < y.size(); ++i) {
    once += w[i] * (y[i] - b[i]);
    twice += once;
    v[i + 1] = static_cast<double>(twice);
  }
  return v;
}

// The largest violation, in units of the largest |y|, of
//   |v_i| <= lambda at the inner rows,   v_i = lambda sign(b_(i-1) - 2 b_i + b_(i+1)) where b bends,
//   v = 0 from the last row on.
double violation(const Vector& y, const Vector& w, double lambda, const PiecewisePolynomial& trend) {
  const Vector b = expand(trend);
  const Vector v = twice_summed(y, w, b);
  const Index last = y.size() - 1;
  double worst = std::max({std::abs(v[0]), std::abs(v[last]), std::abs(v[last + 1])});
  for (Index i = 1; i < last; ++i) {
    worst = std::max(worst, std::abs(v[i]) - lambda);
    if (!std::ranges::binary_search(trend.difference, i - 1)) {
      worst = std::max(worst, std::abs(second_difference(b, i)));
    }
  }
  for (std::size_t k = 0; k < trend.difference.size(); ++k) {
    const double bound = std::copysign(lambda, trend.value[static_cast<Index>(k)]);
    worst = std::max(worst, std::abs(v[trend.difference[k] + 1] - bound));
  }
  return worst / (1.0 + y.lpNorm<Eigen::Infinity>());
}

// Double sums of at most 60 terms, in units of the largest.
constexpr double rounding = 1e-10;

RC_GTEST_PROP(Trend, MeetsItsOptimalityConditions, ()) {
  const RandomSignal s = *any_signal(60);
  const Vector y = s.signal();
  const Vector w = s.row_weights();
  const PiecewisePolynomial trend = solve_one(y, w, s.lambda);
  RC_ASSERT(trend.converged);
  RC_ASSERT(violation(y, w, s.lambda, trend) <= rounding);
  for (const Index difference : trend.difference) RC_ASSERT(w[difference + 1] > 0.0);
}

RC_GTEST_PROP(Trend, NoPerturbationIsBetter, ()) {
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

// From the next larger lambda or afresh.
RC_GTEST_PROP(Trend, PathIsTheSolutionAtEachLambda, ()) {
  const RandomSignal s = *any_signal(60);
  const Vector y = s.signal();
  const Vector w = s.row_weights();
  const std::array lambdas = {0.2, 3.0, 0.0, 100.0, 20.0, 1.0};
  const std::vector<PiecewisePolynomial> path = solve_spline(y, w, 2, lambdas);
  for (std::size_t k = 0; k < lambdas.size(); ++k) {
    RC_ASSERT(path[k].converged);
    RC_ASSERT(violation(y, w, lambdas[k], path[k]) <= rounding);
    const Vector alone = expand(solve_one(y, w, lambdas[k]));
    for (Index i = 0; i < s.rows; ++i) {
      if (w[i] > 0.0) RC_ASSERT(std::abs(expand(path[k])[i] - alone[i]) <= 20.0 * rounding);
    }
  }
}

RC_GTEST_PROP(Trend, ReversedTiltedAndScaledSignals, ()) {
  RandomSignal s = *any_signal(60);
  s.left_out = 0.0;
  const Vector y = s.signal();
  const Vector w = s.row_weights();
  const Vector b = expand(solve_one(y, w, s.lambda));
  const Vector backwards = expand(solve_one(y.reverse(), w.reverse(), s.lambda));
  RC_ASSERT((backwards.reverse() - b).lpNorm<Eigen::Infinity>() <= 20.0 * rounding);
  const Vector line = Vector::LinSpaced(s.rows, -30.0, 50.0);
  const Vector tilted = expand(solve_one(line - 1e3 * y, 8.0 * w, 8e3 * s.lambda));
  RC_ASSERT((tilted - line + 1e3 * b).lpNorm<Eigen::Infinity>() <= 20e3 * rounding);
}

RC_GTEST_PROP(Trend, RowsLeftOutAreNotRead, ()) {
  const RandomSignal s = *any_signal(40);
  Vector y = s.signal();
  const Vector w = s.row_weights();
  const Vector b = expand(solve_one(y, w, s.lambda));
  for (Index i = 0; i < s.rows; ++i) {
    if (w[i] == 0.0) y[i] = std::numeric_limits<double>::quiet_NaN();
  }
  RC_ASSERT(expand(solve_one(y, w, s.lambda)) == b);
}

// Against the B-splines as a dense matrix.
RC_GTEST_PROP(Trend, Leverages, ()) {
  const RandomSignal s = *any_signal(40);
  const Vector w = s.row_weights();
  if ((w.array() > 0.0).count() < 2) return;
  PiecewisePolynomial trend = solve_one(s.signal(), w, s.lambda);
  const Index size = trend.coefficient.size();
  Matrix basis(s.rows, size);
  for (Index k = 0; k < size; ++k) {
    trend.coefficient = Vector::Unit(size, k);
    basis.col(k) = expand(trend);
  }
  const Matrix gram = basis.transpose() * w.asDiagonal() * basis;
  const Matrix inverse = gram.ldlt().solve(Matrix::Identity(size, size));
  const Vector expected = ((basis * inverse).cwiseProduct(basis)).rowwise().sum().cwiseProduct(w);
  RC_ASSERT((w.cwiseProduct(hat_values(trend, w)) - expected).lpNorm<Eigen::Infinity>() <= rounding);
}

TEST(Trend, SmallestSignals) {
  EXPECT_EQ(solve_unweighted(Vector(), 1.0).size(), 0);
  EXPECT_EQ(solve_unweighted(Vector{{3.5}}, 1.0), (Vector{{3.5}}));
  EXPECT_TRUE(solve_unweighted(Vector{{1.0, 4.0}}, 1.0).isApprox(Vector{{1.0, 4.0}}, 1e-14));
  // One bend, v = lambda there: the residuals are -lambda (1, -2, 1) as long as the bend keeps its sign.
  EXPECT_TRUE(solve_unweighted(Vector{{0.0, 6.0, 0.0}}, 1.0).isApprox(Vector{{1.0, 4.0, 1.0}}, 1e-14));
  EXPECT_TRUE(solve_unweighted(Vector{{0.0, 6.0, 0.0}}, 2.5).isApprox(Vector{{2.0, 2.0, 2.0}}, 1e-14));
  EXPECT_EQ(expand(solve_one(Vector{{1.0, 2.0}}, Vector::Zero(2), 1.0)), Vector::Zero(2));
  EXPECT_EQ(expand(solve_one(Vector{{1.0, 2.0, 7.0}}, Vector{{0.0, 3.0, 0.0}}, 1.0)),
            Vector::Constant(3, 2.0));
}

TEST(Trend, HugeLambdaIsTheWeightedLine) {
  const RandomSignal s{.kind = RandomSignal::Kind::steps, .rows = 50, .weights = true, .left_out = 0.2};
  const Vector y = s.signal();
  const Vector w = s.row_weights();
  Matrix x(50, 2);
  x << Vector::Ones(50), Vector::LinSpaced(50, 0.0, 49.0);
  const Vector line =
      x * (x.transpose() * w.asDiagonal() * x).ldlt().solve(x.transpose() * w.cwiseProduct(y));
  for (const double lambda : {1e6, 1e30, std::numeric_limits<double>::infinity()}) {
    const PiecewisePolynomial trend = solve_one(y, w, lambda);
    ASSERT_TRUE(trend.difference.empty());
    EXPECT_LE((expand(trend) - line).lpNorm<Eigen::Infinity>(), 1e-11);
  }
}

TEST(Trend, ZeroLambdaIsTheSignal) {
  const RandomSignal s{.rows = 30, .weights = true};
  EXPECT_EQ(expand(solve_one(s.signal(), s.row_weights(), 0.0)), s.signal());
}

// Signals on which nodes that were added together start against the sign of the one that was missed most.
TEST(Trend, NodesThatDisagree) {
  using Kind = RandomSignal::Kind;
  const std::array signals = {
      RandomSignal{.kind = Kind::noise, .seed = 52},     RandomSignal{.kind = Kind::noise, .seed = 97},
      RandomSignal{.kind = Kind::integers, .seed = 114}, RandomSignal{.kind = Kind::integers, .seed = 167},
      RandomSignal{.kind = Kind::noise, .seed = 379},    RandomSignal{.kind = Kind::integers, .seed = 1269}};
  std::vector<double> lambdas;
  for (int k = 0; k < 10; ++k) lambdas.push_back(1e4 * std::pow(0.3, k));
  for (RandomSignal s : signals) {
    s.rows = 400;
    s.weights = true;
    const Vector y = s.signal();
    const Vector w = (3.0 * (s.row_weights().array() - 1.5)).exp();  // from 0.015 to 90
    const std::vector<PiecewisePolynomial> path = solve_spline(y, w, 2, lambdas);
    for (std::size_t k = 0; k < lambdas.size(); ++k) {
      EXPECT_TRUE(path[k].converged) << s << " at " << lambdas[k];
      // residuals up to 10, weights up to 90, summed twice over 400 rows
      EXPECT_LE(violation(y, w, lambdas[k], path[k]), 1e-8) << s << " at " << lambdas[k];
    }
  }
}

// Long enough for steps that have to be shortened in some regions.
TEST(Trend, LongSignal) {
  const RandomSignal s{.kind = RandomSignal::Kind::steps, .rows = 20000, .weights = true, .left_out = 0.05};
  const Vector y = s.signal();
  const Vector w = s.row_weights();
  std::vector<double> lambdas;
  for (int k = 0; k < 12; ++k) lambdas.push_back(1e5 * std::pow(0.2, k));
  const std::vector<PiecewisePolynomial> path = solve_spline(y, w, 2, lambdas);
  for (std::size_t k = 0; k < lambdas.size(); ++k) {
    EXPECT_TRUE(path[k].converged) << lambdas[k];
    const Vector v = twice_summed(y, w, expand(path[k]));
    // values up to 1e3 with an error of one unit in the last place, summed twice over 2e4 rows
    EXPECT_LE(v.lpNorm<Eigen::Infinity>(), lambdas[k] + 1e-5) << lambdas[k];
  }
}

}  // namespace
}  // namespace alo
