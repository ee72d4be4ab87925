// SPDX-License-Identifier: MIT
// Newton's systems of matrices of coefficients in their three forms, beside the dense matrix.
#include "solvers/proximal/tangent_system.hpp"

#include <limits>

#include <gtest/gtest.h>

#include <Eigen/Cholesky>

#include "alo/losses/squared.hpp"
#include "alo/penalties/nuclear.hpp"
#include "fixed_curvature.hpp"
#include "random_matrix.hpp"

namespace alo {
namespace {

using testing_support::FixedCurvature;
using testing_support::normal_matrix;

constexpr MatrixShape shape{5, 6};
constexpr double lambda = 3.0;

Problem matrix_problem(Index rows, bool intercept) {
  Dataset data = make_dataset(Design(normal_matrix(rows, shape.rows * shape.columns, 1)),
                              Vector(normal_matrix(rows, 1, 2).col(0)));
  return {std::move(data), Loss(SquaredLoss()), Penalty(NuclearNorm(shape)), {intercept, false}};
}

struct Expected {
  Vector solution;
  Vector hat;
};
Expected dense(const Problem& problem, const Geometry& geometry, const Vector& right) {
  Matrix columns = tangent_design(problem.design(), geometry);
  if (problem.intercept()) columns.rowwise() -= columns.colwise().mean();
  Matrix system = columns.transpose() * columns;
  system.diagonal() += geometry.curvature;
  const Eigen::LDLT<Matrix> factor(system);
  Vector hat = columns.cwiseProduct(factor.solve(columns.transpose()).transpose()).rowwise().sum();
  if (problem.intercept()) hat.array() += 1.0 / static_cast<double>(problem.rows());
  return {factor.solve(right), hat};
}

// `threshold` sets the rank, `asks` how often the inverse of X'X was wanted before.
void expect_dense_answers(Index rows, bool intercept, double threshold, int asks, TangentSystem::Form form) {
  const Problem problem = matrix_problem(rows, intercept);
  WorkingLoss loss(problem, problem.data().weights, WorkingLoss::Columns::all);
  for (int k = 0; k < asks; ++k) loss.inverse();
  const Vector around = normal_matrix(shape.rows * shape.columns, 1, 3).col(0);
  const Proximal proximal = problem.penalty().prox(around, threshold);
  const Geometry geometry =
      problem.penalty().geometry(proximal.point, lambda / threshold * proximal.multipliers, lambda);
  const WorkingLoss::Point point = loss.at(proximal.point, 0.0);
  const Vector right = normal_matrix(geometry.dimension(), 1, 4).col(0);
  const TangentSystem system(loss, geometry, point, 1.0, form);
  const Expected expected = dense(problem, geometry, right);
  EXPECT_FALSE(system.damped());
  EXPECT_LT((system.solve(right) - expected.solution).norm(), 1e-9 * expected.solution.norm());
  const Vector hat = system.hat(loss, geometry, point);
  ASSERT_EQ(hat.size(), rows);
  EXPECT_LT((hat - expected.hat).lpNorm<Eigen::Infinity>(), 1e-10);
}

class TangentSystems : public testing::TestWithParam<bool> {};

TEST_P(TangentSystems, ByDirections) {
  expect_dense_answers(60, GetParam(), 2.0, 0, TangentSystem::Form::by_directions);
}

TEST_P(TangentSystems, ByComplementWhereFewDirectionsAreBent) {
  // The inverse has been asked for often enough, and the matrix has full rank.
  expect_dense_answers(60, GetParam(), 0.01, 10, TangentSystem::Form::cheapest);
}

TEST_P(TangentSystems, ByRowsWhereTheseAreFew) {
  expect_dense_answers(13, GetParam(), 2.0, 0, TangentSystem::Form::cheapest);
}

// No multiple of the identity makes such a system definite: the step is none, and there are no leverages.
TEST_P(TangentSystems, ACurvatureThatIsNotANumberHasAnOutcome) {
  for (const Index rows : {60, 13}) {
    const Problem squared = matrix_problem(rows, GetParam());
    const Problem problem(squared.data(), Loss(FixedCurvature(std::numeric_limits<double>::quiet_NaN())),
                          squared.penalty(), {GetParam(), false});
    WorkingLoss loss(problem, problem.data().weights, WorkingLoss::Columns::all);
    const WorkingLoss::Point point = loss.at(normal_matrix(shape.rows * shape.columns, 1, 3).col(0), 0.0);
    const Geometry geometry = problem.penalty().geometry(point.coefficients, Vector(), lambda);
    const TangentSystem system(loss, geometry, point, 1.0);
    EXPECT_EQ(system.outcome(), DampedFactor::Outcome::not_finite);
    EXPECT_TRUE(system.solve(Vector::Ones(geometry.dimension())).isZero(0.0));
    EXPECT_EQ(system.hat(loss, geometry, point).size(), 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Intercepts, TangentSystems, testing::Bool());

TEST(WorkingLossProducts, InverseIsMadeWhenItPays) {
  const Problem problem = matrix_problem(60, true);
  WorkingLoss loss(problem, problem.data().weights, WorkingLoss::Columns::all);
  EXPECT_EQ(loss.inverse(), nullptr);
  for (int k = 0; k < 10; ++k) loss.inverse();
  EXPECT_NE(loss.inverse(), nullptr);
  const Problem few = matrix_problem(20, true);
  WorkingLoss wide(few, few.data().weights, WorkingLoss::Columns::all);
  for (int k = 0; k < 10; ++k) wide.inverse();
  EXPECT_EQ(wide.inverse(), nullptr);
}

TEST(WorkingLossProducts, PointsMoveAsTheRowsSay) {
  const Problem problem = matrix_problem(60, true);
  const WorkingLoss loss(problem, problem.data().weights, WorkingLoss::Columns::all);
  ASSERT_TRUE(loss.keeps_products());
  const Vector target = normal_matrix(30, 1, 5).col(0);
  const WorkingLoss::Point origin = loss.at(Vector::Zero(30), 0.0);
  Vector slopes = loss.slopes(origin);
  const WorkingLoss::Point moved = loss.moved(origin, target, slopes);
  const WorkingLoss::Point seen = loss.at(target, 0.0);
  EXPECT_NEAR(moved.loss, seen.loss, 1e-10 * seen.loss);
  EXPECT_LT((slopes - loss.slopes(seen)).norm(), 1e-10 * slopes.norm());
}

}  // namespace
}  // namespace alo
