// SPDX-License-Identifier: MIT
// Minima of losses with kinks over few columns. A subgradient that is orthogonal to the columns proves a
// minimum, so that every answer is checked by its own optimality conditions.
#include <random>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "certificate/kink_simplex.hpp"
#include "linalg/blas.hpp"
#include "random_problem.hpp"

namespace alo {
namespace {

using testing_support::kinked_losses;
using testing_support::RandomProblem;

struct KinkCase {
  Loss loss;
  Vector response, weights, offset;
  Matrix columns;

  KinkMinimum minimum() const {
    return minimum_between_kinks(loss.kinks(response), weights, offset,
                                 blas::orthonormal_basis(columns, 1e-12));
  }
  double objective(const Vector& predictor) const { return weights.dot(loss.value(predictor, response)); }
};

Loss loss_named(const std::string& name) {
  RandomProblem p;
  p.loss = name;
  return p.make_loss_model();
}

// Relative to the objective where all predictions are zero, which is on the scale of the response.
void expect_minimum(const KinkCase& one, double tolerance) {
  const KinkMinimum found = one.minimum();
  const double size = one.objective(Vector::Zero(one.response.size())) + one.objective(one.offset);
  Vector unit = found.gradient;
  for (Index i = 0; i < unit.size(); ++i) unit[i] = one.weights[i] > 0.0 ? unit[i] / one.weights[i] : 0.0;
  RC_ASSERT(one.weights.dot(one.loss.fenchel_gap(found.linear_predictor, unit, one.response)) <=
            tolerance * size);
  for (Index k = 0; k < one.columns.cols(); ++k) {
    RC_ASSERT(std::abs(one.columns.col(k).dot(found.gradient)) <=
              tolerance * one.columns.col(k).norm() * one.weights.norm());
  }
  const Vector move = found.linear_predictor - one.offset;
  const Matrix basis = blas::orthonormal_basis(one.columns, 1e-12);
  RC_ASSERT((move - basis * (basis.transpose() * move)).lpNorm<Eigen::Infinity>() <=
            tolerance * (1.0 + move.lpNorm<Eigen::Infinity>()));
}

KinkCase any_case(bool with_ties) {
  std::mt19937 generator(*rc::gen::inRange(1u, 1000000u));
  std::normal_distribution<double> normal;
  std::uniform_int_distribution<int> digit(-2, 2);
  const auto number = [&] { return with_ties ? static_cast<double>(digit(generator)) : normal(generator); };
  const auto rows = *rc::gen::inRange<Index>(3, 40);
  const auto columns = *rc::gen::inRange<Index>(1, 7);
  const std::string name = *rc::gen::elementOf(kinked_losses());
  KinkCase one{loss_named(name), {}, {}, {}, {}};
  one.response = Vector::NullaryExpr(rows, [&](Index) { return number(); });
  if (name == "hinge") one.response = one.response.unaryExpr([](double y) { return y > 0.0 ? 1.0 : -1.0; });
  one.weights = Vector::NullaryExpr(rows, [&](Index) { return static_cast<double>(digit(generator) + 2); });
  one.offset = Vector::Zero(rows);
  if (!with_ties) one.offset = Vector::NullaryExpr(rows, [&](Index) { return normal(generator); });
  one.columns = Matrix::NullaryExpr(rows, columns, [&](Index, Index) { return number(); });
  one.columns.col(0).setOnes();
  return one;
}

RC_GTEST_PROP(KinkSimplex, EndsAtAMinimum, ()) {
  expect_minimum(any_case(false), 1e-12);
}

// Few different numbers, dependent columns and rows without weight: many kinks meet in a point, where a
// simplex method without a rule for ties can go round in circles.
RC_GTEST_PROP(KinkSimplex, EndsWhereManyKinksMeet, ()) {
  expect_minimum(any_case(true), 1e-12);
}

// A quantile of 20000 rows in 12 columns: some hundred edges.
TEST(KinkSimplex, ManyRows) {
  std::mt19937 generator(2);
  std::normal_distribution<double> normal;
  const Index rows = 20'000;
  KinkCase one{loss_named("quantile"), {}, Vector::Ones(rows), Vector::Zero(rows), {}};
  one.columns = Matrix::NullaryExpr(rows, 12, [&](Index, Index) { return normal(generator); });
  one.response = one.columns.rowwise().sum() +
                 Vector::NullaryExpr(rows, [&](Index) { return std::exp(normal(generator)); });
  const KinkMinimum found = one.minimum();
  EXPECT_LT((one.columns.transpose() * found.gradient).lpNorm<Eigen::Infinity>(), 1e-9);
  EXPECT_LT(one.loss.fenchel_gap(found.linear_predictor, found.gradient, one.response).sum(), 1e-9);
}

// Known answers: the median, and the line through two of three points that leaves the least.
TEST(KinkSimplex, KnownMinima) {
  const KinkCase median{loss_named("absolute"), Vector{{3.0, -1.0, 10.0}}, Vector::Ones(3), Vector::Zero(3),
                        Matrix::Ones(3, 1)};
  EXPECT_DOUBLE_EQ(median.minimum().linear_predictor[0], 3.0);
  const KinkCase line{loss_named("absolute"), Vector{{0.0, 5.0, 2.0}}, Vector::Ones(3), Vector::Zero(3),
                      Matrix{{1.0, 0.0}, {1.0, 1.0}, {1.0, 2.0}}};
  EXPECT_NEAR(line.objective(line.minimum().linear_predictor), 4.0, 1e-12);
}

}  // namespace
}  // namespace alo
