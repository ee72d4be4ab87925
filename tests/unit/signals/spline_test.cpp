// SPDX-License-Identifier: MIT
#include "signals/spline.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <Eigen/Cholesky>

#include "penalties/analysis/difference_matrix.hpp"
#include "signals/discrete_splines.hpp"
#include "unit/signals/random_signal.hpp"

namespace alo {
namespace {

using testing_support::any_signal;
using testing_support::RandomSignal;

// A signal long enough for the order.
struct Case {
  RandomSignal signal;
  int order;
};

std::ostream& operator<<(std::ostream& stream, const Case& c) {
  return stream << c.signal << " order " << c.order;
}

Case any_case(Index most_rows) {
  Case c{.signal = *any_signal(most_rows), .order = *rc::gen::inRange(2, 6)};
  c.signal.rows += c.order;
  RC_LOG() << c << '\n';
  return c;
}

PiecewisePolynomial solve_one(const Vector& signal, const Vector& weights, int order, double lambda) {
  return solve_spline(signal, weights, order, std::span(&lambda, 1)).front();
}

double objective(const Vector& y, const Vector& w, int order, double lambda, const Vector& b) {
  double sum = lambda * (difference_matrix(y.size(), order) * b).lpNorm<1>();
  for (Index i = 0; i < y.size(); ++i) {
    if (w[i] > 0.0) sum += 0.5 * w[i] * (y[i] - b[i]) * (y[i] - b[i]);
  }
  return sum;
}

// The largest violation of what makes b optimal, on the scale of the signal: slopes that are no D'u, u beyond
// lambda, and differences where there is no knot, which are rounding times binomials.
double violation(const Vector& y, const Vector& w, int order, double lambda,
                 const PiecewisePolynomial& spline) {
  const SparseMatrix differences = difference_matrix(y.size(), order);
  const Vector b = expand(spline);
  const Vector u = spline_multipliers(spline, y, w, lambda);
  Vector slopes = Vector::Zero(y.size());
  for (Index i = 0; i < y.size(); ++i) {
    if (w[i] > 0.0) slopes[i] = w[i] * (y[i] - b[i]);
  }
  double worst = (slopes - differences.transpose() * u).lpNorm<Eigen::Infinity>();
  const Vector terms = differences * b;
  for (Index m = 0; m < u.size(); ++m) {
    worst = std::max(worst, std::abs(u[m]) - lambda);
    const auto place = std::ranges::lower_bound(spline.difference, m);
    const bool is_knot = place != spline.difference.end() && *place == m;
    if (!is_knot) worst = std::max(worst, std::abs(terms[m]) / std::pow(2.0, order));
    if (!is_knot || lambda == 0.0) continue;
    const double value = spline.value[place - spline.difference.begin()];
    worst = std::max(worst, std::abs(u[m] - std::copysign(lambda, value)));
  }
  double size = 1.0;
  for (Index i = 0; i < y.size(); ++i) {
    if (w[i] > 0.0) size = std::max(size, std::abs(y[i]));
  }
  return worst / size;
}

// Sums of at most 60 rows, once more for each order.
constexpr double rounding = 1e-10;
double rounding_of(int order) {
  return rounding * std::pow(4.0, order - 2);
}

RC_GTEST_PROP(DiscreteSplines, HaveOneDifferenceEachAndSumToOne, ()) {
  const int order = *rc::gen::inRange(2, 7);
  const auto rows = *rc::gen::inRange<Index>(order, 40);
  std::vector<Index> differences;
  for (Index m = 0; m < rows - order; ++m) {
    if (*rc::gen::inRange(0, 3) == 0) differences.push_back(m);
  }
  const DiscreteSplines splines(rows, order, differences);
  const Matrix basis = splines.basis();
  RC_ASSERT(basis.cols() == order + static_cast<Index>(differences.size()));
  RC_ASSERT(basis.minCoeff() >= -1e-13);
  RC_ASSERT((basis.rowwise().sum().array() - 1.0).abs().maxCoeff() < 1e-13);
  RC_ASSERT(std::abs(basis(0, 0) - 1.0) < 1e-13);
  RC_ASSERT(std::abs(basis(rows - 1, basis.cols() - 1) - 1.0) < 1e-13);
  Matrix expected = Matrix::Zero(rows - order, basis.cols());
  const Matrix parts = splines.difference_parts();
  for (std::size_t k = 0; k < differences.size(); ++k) {
    const auto number = static_cast<Index>(k);
    expected.row(differences[k]).segment(number, order + 1) = parts.col(number).transpose();
  }
  const Matrix all = difference_matrix(rows, order) * basis;
  RC_ASSERT((rows == order || (all - expected).cwiseAbs().maxCoeff() < 1e-12));
}

RC_GTEST_PROP(Spline, MeetsItsOptimalityConditions, ()) {
  const auto [s, order] = any_case(60);
  const Vector y = s.signal();
  const Vector w = s.row_weights();
  const PiecewisePolynomial spline = solve_one(y, w, order, s.lambda);
  RC_ASSERT(spline.converged);
  RC_LOG() << violation(y, w, order, s.lambda, spline) << '\n';
  RC_ASSERT(violation(y, w, order, s.lambda, spline) <= rounding_of(order) * std::max(1.0, s.lambda));
}

RC_GTEST_PROP(Spline, NoPerturbationIsBetter, ()) {
  const auto [s, order] = any_case(12);
  const Vector y = s.signal();
  const Vector w = s.row_weights();
  const Vector b = expand(solve_one(y, w, order, s.lambda));
  const double best = objective(y, w, order, s.lambda, b);
  for (int k = 0; k < 20; ++k) {
    const Vector other = b + std::pow(0.3, k) * Vector::Random(s.rows);
    RC_ASSERT(objective(y, w, order, s.lambda, other) >= best - rounding * (1.0 + best));
  }
}

// From the next larger lambda or afresh.
RC_GTEST_PROP(Spline, PathIsTheSolutionAtEachLambda, ()) {
  const auto [s, order] = any_case(60);
  const Vector y = s.signal();
  const Vector w = s.row_weights();
  const std::array lambdas = {0.2, 3.0, 0.0, 100.0, 20.0, 1.0};
  const std::vector<PiecewisePolynomial> path = solve_spline(y, w, order, lambdas);
  for (std::size_t k = 0; k < lambdas.size(); ++k) {
    RC_ASSERT(path[k].converged);
    const Vector alone = expand(solve_one(y, w, order, lambdas[k]));
    for (Index i = 0; i < s.rows; ++i) {
      if (w[i] > 0.0) RC_ASSERT(std::abs(expand(path[k])[i] - alone[i]) <= 100.0 * rounding);
    }
  }
}

RC_GTEST_PROP(Spline, ReversedBentAndScaledSignals, ()) {
  Case c = any_case(60);
  c.signal.left_out = 0.0;
  const auto [s, order] = c;
  const Vector y = s.signal();
  const Vector w = s.row_weights();
  const Vector b = expand(solve_one(y, w, order, s.lambda));
  const Vector backwards = expand(solve_one(y.reverse(), w.reverse(), order, s.lambda));
  RC_ASSERT((backwards.reverse() - b).lpNorm<Eigen::Infinity>() <= 100.0 * rounding);
  const Vector bent = 20.0 * Vector::LinSpaced(s.rows, -2.0, 1.0).array().pow(order - 1);
  const Vector moved = expand(solve_one(bent - 1e3 * y, 8.0 * w, order, 8e3 * s.lambda));
  RC_ASSERT((moved - bent + 1e3 * b).lpNorm<Eigen::Infinity>() <= 1e5 * rounding);
}

RC_GTEST_PROP(Spline, RowsLeftOutAreNotRead, ()) {
  const auto [s, order] = any_case(40);
  Vector y = s.signal();
  const Vector w = s.row_weights();
  const Vector b = expand(solve_one(y, w, order, s.lambda));
  for (Index i = 0; i < s.rows; ++i) {
    if (w[i] == 0.0) y[i] = std::numeric_limits<double>::quiet_NaN();
  }
  RC_ASSERT(expand(solve_one(y, w, order, s.lambda)) == b);
}

// Against the basis as a dense matrix.
RC_GTEST_PROP(Spline, HatValues, ()) {
  const auto [s, order] = any_case(40);
  const Vector w = s.row_weights();
  const PiecewisePolynomial spline = solve_one(s.signal(), w, order, s.lambda);
  const Matrix basis = DiscreteSplines(s.rows, order, spline.difference).basis();
  const Matrix gram = basis.transpose() * w.asDiagonal() * basis;
  const Vector hat = hat_values(spline, w);
  if (hat.size() == 0) {
    RC_ASSERT(s.left_out > 0.0);
    return;
  }
  const Matrix solved = gram.ldlt().solve(basis.transpose());
  const Vector expected = basis.cwiseProduct(solved.transpose()).rowwise().sum();
  RC_ASSERT((hat - expected).lpNorm<Eigen::Infinity>() <= 1e-8 * expected.lpNorm<Eigen::Infinity>());
}

TEST(Spline, SmallestSignals) {
  // One difference of order three, u = lambda there: the residuals are lambda (-1, 3, -3, 1) up to sign.
  EXPECT_TRUE(expand(solve_one(Vector{{0.0, 0.0, 0.0, 10.0}}, Vector::Ones(4), 3, 0.1))
                  .isApprox(Vector{{0.1, -0.3, 0.3, 9.9}}, 1e-14));
  // Up to u = 10 / 20, where the parabola through what is left is met.
  const Vector parabola = expand(solve_one(Vector{{0.0, 0.0, 0.0, 10.0}}, Vector::Ones(4), 3, 0.6));
  EXPECT_TRUE(parabola.isApprox(Vector{{0.5, -1.5, 1.5, 9.5}}, 1e-13));
}

TEST(Spline, HugeLambdaIsTheWeightedPolynomial) {
  const RandomSignal s{.kind = RandomSignal::Kind::steps, .rows = 50, .weights = true, .left_out = 0.2};
  const Vector y = s.signal();
  const Vector w = s.row_weights();
  const Matrix x = polynomials(50, 3);
  const Vector polynomial =
      x * (x.transpose() * w.asDiagonal() * x).ldlt().solve(x.transpose() * w.cwiseProduct(y));
  for (const double lambda : {1e8, 1e30, std::numeric_limits<double>::infinity()}) {
    const PiecewisePolynomial spline = solve_one(y, w, 3, lambda);
    EXPECT_TRUE(spline.difference.empty());
    EXPECT_LE((expand(spline) - polynomial).lpNorm<Eigen::Infinity>(), 1e-11);
  }
}

TEST(Spline, ZeroLambdaIsTheSignal) {
  const RandomSignal s{.rows = 30, .weights = true};
  EXPECT_LE((expand(solve_one(s.signal(), s.row_weights(), 3, 0.0)) - s.signal()).lpNorm<Eigen::Infinity>(),
            1e-14);
}

// Long enough for steps that have to be shortened in some regions.
TEST(Spline, LongSignal) {
  const RandomSignal s{.kind = RandomSignal::Kind::steps, .rows = 5000, .weights = true, .left_out = 0.05};
  const Vector y = s.signal();
  const Vector w = s.row_weights();
  std::vector<double> lambdas;
  for (int k = 0; k < 12; ++k) lambdas.push_back(1e7 * std::pow(0.1, k));
  const std::vector<PiecewisePolynomial> path = solve_spline(y, w, 3, lambdas);
  for (std::size_t k = 0; k < lambdas.size(); ++k) {
    EXPECT_TRUE(path[k].converged) << lambdas[k];
    EXPECT_LE(violation(y, w, 3, lambdas[k], path[k]), 1e-9 * std::max(1.0, lambdas[k])) << lambdas[k];
  }
}

}  // namespace
}  // namespace alo
