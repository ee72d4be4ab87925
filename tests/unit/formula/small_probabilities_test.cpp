// SPDX-License-Identifier: MIT
// Rows whose classes have probabilities down to the smallest numbers: the factor of their curvature, and both
// forms of the leave-one-out formula against the same in long double.
#include <cmath>
#include <random>

#include <gtest/gtest.h>
#include <Eigen/LU>

#include "alo/leave_one_out.hpp"
#include "alo/losses/multinomial.hpp"
#include "formula/curvature_factor.hpp"
#include "formula/hat.hpp"
#include "seed.hpp"

namespace alo {
namespace {

using testing_support::varied;

using LongMatrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;

// Curvature of one row, weight 1.
Matrix softmax_curvature(const Vector& logits) {
  const MultinomialLoss loss(logits.size());
  return loss.curvature(logits, Vector::Zero(1)).reshaped(logits.size(), logits.size());
}

// A multinomial's local model at random logits, of which row i has one lower by depth(i).
LocalModel random_model(Index rows, Index outputs, const Vector& depth, unsigned seed) {
  std::mt19937 generator(varied(seed));
  std::normal_distribution<double> normal;
  const Index dimension = 3 * outputs;
  LocalModel model;
  model.tangent_design = Matrix::Zero(rows * outputs, dimension);
  for (Index k = 0; k < outputs; ++k) {
    for (Index i = 0; i < rows; ++i) {
      for (Index j = 0; j < 3; ++j) model.tangent_design(i * outputs + k, 3 * k + j) = normal(generator);
    }
  }
  model.penalty_curvature = Vector::Constant(dimension, 0.3);
  model.linear_predictor = Matrix::NullaryExpr(rows, outputs, [&] { return normal(generator); });
  for (Index i = 0; i < rows; ++i) model.linear_predictor(i, i % outputs) -= depth[i];
  // Every other row has the class that is as good as impossible.
  const Vector labels = Vector::NullaryExpr(
      rows, [&](Index i) { return static_cast<double>((i % outputs + (i / outputs) % 2) % outputs); });
  const MultinomialLoss loss(outputs);
  const LossValues values = loss.evaluate(model.linear_predictor.reshaped(), labels);
  model.derivative = by_output(values.derivative, outputs);
  model.curvature = by_output(values.curvature, outputs * outputs);
  model.removed_share = Vector::Ones(rows);
  return model;
}

// A_i (sum_{j != i} A_j'C_jA_j + Q)^-1 A_i'g_i without its mean.
Vector step_in_long_double(const LocalModel& model, Index row) {
  const Index outputs = model.outputs();
  LongMatrix system = LongMatrix(model.penalty_curvature.cast<long double>().asDiagonal());
  for (Index i = 0; i < model.rows(); ++i) {
    if (i == row) continue;
    const LongMatrix own = model.tangent_design.middleRows(i * outputs, outputs).cast<long double>();
    system += own.transpose() * block(model.curvature, i).cast<long double>() * own;
  }
  const LongMatrix own = model.tangent_design.middleRows(row * outputs, outputs).cast<long double>();
  const LongMatrix gradient = model.derivative.row(row).transpose().cast<long double>();
  const LongMatrix step = own * system.fullPivLu().solve(own.transpose() * gradient);
  const Vector result = step.cast<double>();
  return result.array() - result.mean();
}

Vector step_of(const LocalModel& model, const LeaveOneOut& held_out, Index row) {
  const Vector step =
      by_output(held_out.linear_predictor, model.outputs()).row(row) - model.linear_predictor.row(row);
  return step.array() - step.mean();
}

TEST(CurvatureFactor, EveryEntryHasItsDigits) {
  for (const double depth : {0.0, 12.0, 28.0, 100.0, 690.0}) {
    for (Index tiny = 0; tiny < 4; ++tiny) {
      Vector logits{{0.3, -0.2, 0.9, 0.1}};
      logits[tiny] -= depth;
      const Matrix curvature = softmax_curvature(logits);
      const CurvatureFactor factor(curvature);
      EXPECT_TRUE(factor.is_complete());
      const Matrix product = factor.root() * factor.root().transpose();
      EXPECT_LT(((product - curvature).array() / curvature.array()).abs().maxCoeff(), 1e-14)
          << "depth " << depth << ", class " << tiny;
      // Back and forth: g = C u, u of sum zero.
      const Vector u{{0.5, -1.0, 0.75, -0.25}};
      EXPECT_LT((factor.solve_transposed(factor.solve(curvature * u)) - u).norm(), 1e-12)
          << "depth " << depth << ", class " << tiny;
    }
  }
}

TEST(CurvatureFactor, ABlockThatIsNoGraph) {
  const Matrix curvature{{2.0, 0.5, -0.4}, {0.5, 1.0, 0.3}, {-0.4, 0.3, 3.0}};
  const CurvatureFactor factor(curvature);
  EXPECT_TRUE(factor.is_complete());
  EXPECT_LT((factor.root() * factor.root().transpose() - curvature).norm(), 1e-14);
  const Vector u{{1.0, 2.0, -0.5}};
  EXPECT_LT((factor.solve_transposed(factor.solve(curvature * u)) - u).norm(), 1e-13);
  const Vector one{{1.0, 2.0, 3.0}};
  EXPECT_FALSE(CurvatureFactor(one * one.transpose()).is_complete());
}

TEST(CurvatureFactor, AProbabilityOfZeroLeavesItIncomplete) {
  for (Index tiny = 0; tiny < 3; ++tiny) {
    Vector logits = Vector::Zero(3);
    logits[tiny] = -800.0;
    EXPECT_FALSE(CurvatureFactor(softmax_curvature(logits)).is_complete());
  }
  EXPECT_FALSE(CurvatureFactor(Matrix::Zero(3, 3)).is_complete());
}

TEST(HoldOut, SmallProbabilitiesKeepTheirDigits) {
  for (const Index outputs : {2, 3, 5}) {
    for (const double scale : {1.0, 10.0, 28.0, 50.0, 300.0, 690.0}) {
      const Index rows = 24;
      const LocalModel model = random_model(rows, outputs, Vector::LinSpaced(rows, 0.0, scale), 5);
      const LeaveOneOut primal = hold_out_primal(model);
      const LeaveOneOut dual = hold_out_dual(model);
      for (Index i = 0; i < rows; ++i) {
        const Vector expected = step_in_long_double(model, i);
        const double size = 1.0 + expected.norm();
        EXPECT_LT((step_of(model, primal, i) - expected).norm(), 1e-12 * size)
            << outputs << " outputs, scale " << scale << ", row " << i;
        EXPECT_LT((step_of(model, dual, i) - expected).norm(), 1e-12 * size)
            << outputs << " outputs, scale " << scale << ", row " << i;
        EXPECT_NEAR(primal.leverage[i], dual.leverage[i], 1e-13);
      }
    }
  }
}

// Beyond the numbers: the dual takes the limit, by H_ii itself.
TEST(HoldOut, AProbabilityOfZeroTakesTheLimit) {
  Vector depth = Vector::Zero(12);
  depth.head(6).setConstant(800.0);
  const LocalModel model = random_model(12, 3, depth, 9);
  ASSERT_EQ(model.curvature(1, 4), 0.0);
  const LeaveOneOut dual = hold_out_dual(model);
  for (Index i = 0; i < 12; ++i) {
    const Vector expected = step_in_long_double(model, i);
    EXPECT_LT((step_of(model, dual, i) - expected).norm(), 1e-12 * (1.0 + expected.norm())) << "row " << i;
  }
}

}  // namespace
}  // namespace alo
