// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <vector>

#include "alo/leave_one_out.hpp"
#include "formula/hat.hpp"
#include "random_matrix.hpp"
#include "random_problem.hpp"

namespace alo {
namespace {

using testing_support::normal_matrix;
using testing_support::RandomProblem;

// A quadratic model with K outputs per row, sum_i (A_i b - t_i)' C_i (A_i b - t_i) / 2 + b'Q b / 2,
// at its minimum: leaving a row out is then exact, and brute force is one linear solve.
struct QuadraticBlocks {
  LocalModel model;
  Matrix target;  // n x K

  QuadraticBlocks(Index rows, Index outputs, Index dimension, unsigned seed) {
    model.tangent_design = normal_matrix(rows * outputs, dimension, seed);
    model.penalty_curvature = Vector::Constant(dimension, 0.7);
    model.penalty_curvature[0] = 0.0;
    model.curvature.resize(rows, outputs * outputs);
    for (Index i = 0; i < rows; ++i) {
      const Matrix root = normal_matrix(outputs, outputs, seed + 100 + static_cast<unsigned>(i));
      model.curvature.row(i) = (root.transpose() * root).eval().reshaped().transpose();
    }
    model.removed_share = Vector::Ones(rows);
    target = normal_matrix(rows, outputs, seed + 1);
    const Vector coefficients = solve(-1);
    model.linear_predictor.resize(rows, outputs);
    model.derivative.resize(rows, outputs);
    for (Index i = 0; i < rows; ++i) {
      const Vector predictor = design(i) * coefficients;
      model.linear_predictor.row(i) = predictor.transpose();
      model.derivative.row(i) =
          (block(model.curvature, i) * (predictor - target.row(i).transpose())).transpose();
    }
  }

  Matrix design(Index i) const { return model.tangent_design.middleRows(i * target.cols(), target.cols()); }

  Vector solve(Index without) const {
    Matrix system = model.penalty_curvature.asDiagonal();
    Vector right = Vector::Zero(system.rows());
    for (Index i = 0; i < target.rows(); ++i) {
      if (i == without) continue;
      const Matrix weighted = design(i).transpose() * block(model.curvature, i);
      system += weighted * design(i);
      right += weighted * target.row(i).transpose();
    }
    return system.partialPivLu().solve(right);
  }
};

TEST(HoldOut, BlocksEqualBruteForce) {
  for (const Index outputs : {1, 2, 3}) {
    const QuadraticBlocks exact(12, outputs, 5, 17 + static_cast<unsigned>(outputs));
    for (const LeaveOneOut& held_out : {hold_out_primal(exact.model), hold_out_dual(exact.model)}) {
      for (Index i = 0; i < 12; ++i) {
        const Vector expected = exact.design(i) * exact.solve(i);
        EXPECT_LT((by_output(held_out.linear_predictor, outputs).row(i).transpose() - expected).norm(),
                  1e-10 * (1 + expected.norm()))
            << "outputs " << outputs << " row " << i;
      }
      // Trace of (A'CA + Q)^-1 A'CA: between the one unpenalised direction and all five.
      EXPECT_GT(held_out.leverage.sum(), 1.0);
      EXPECT_LT(held_out.leverage.sum(), 5.0);
    }
  }
}

// More directions than rows: the n x n form against the d x d one.
TEST(HoldOut, FormsByRowsAndByCoefficientsAgree) {
  const QuadraticBlocks exact(8, 1, 30, 3);
  const HatBlocks rows = hat_by_rows(exact.model);
  const auto coefficients = hat_by_coefficients(exact.model);
  ASSERT_TRUE(coefficients.has_value());
  EXPECT_LT((rows.blocks - coefficients->blocks).cwiseAbs().maxCoeff(), 1e-10);
}

// A row in a flat part of its loss has a derivative but no curvature: eta~ = eta + H g.
TEST(HoldOut, FlatRowsTakeTheLimit) {
  QuadraticBlocks exact(10, 1, 4, 23);
  exact.model.curvature(2, 0) = 0.0;
  exact.model.derivative(2, 0) = 0.8;
  const auto hat = hat_by_coefficients(exact.model);
  const double expected = exact.model.linear_predictor(2, 0) + 0.8 * hat->blocks(2, 0);
  EXPECT_NEAR(hold_out_primal(exact.model).linear_predictor(2, 0), expected, 1e-12);
  EXPECT_NEAR(hold_out_dual(exact.model).linear_predictor(2, 0), expected, 1e-12);
  EXPECT_EQ(hold_out_primal(exact.model).leverage[2], 0.0);
}

TEST(HoldOut, FlagsARowThatAloneDeterminesADirection) {
  Matrix x = normal_matrix(10, 2, 4);
  x.col(1).setZero();
  x(6, 1) = 1.0;  // only row 7 knows this column
  Dataset data = make_dataset(Design(x), normal_matrix(10, 1, 5).col(0));
  data.response[6] = 50.0;
  RandomProblem p;
  p.columns = 2;
  p.standardize = false;
  const Problem problem = p.problem(std::move(data));
  const Fit fit = fit_path(problem, {0.01}).fits[0];
  ASSERT_NE(fit.coefficients[1], 0.0);
  for (const Framework framework : {Framework::primal, Framework::dual}) {
    const LeaveOneOut held_out = approximate_leave_one_out(problem, fit, framework);
    EXPECT_EQ(held_out.flags[6], RowFlag::leverage_one);
    EXPECT_TRUE(std::isnan(held_out.linear_predictor[6]));
    EXPECT_EQ(held_out.undefined(), 1);
    EXPECT_EQ(held_out.flags[0], RowFlag::none);
  }
}

TEST(HoldOut, EveryRowIsFlaggedAtSaturation) {
  RandomProblem p;
  p.rows = 10;
  p.columns = 40;
  p.intercept = false;
  const Problem problem = p.problem();
  const Fit fit = fit_path(problem, {1e-9 * lambda_start(problem)}).fits[0];
  ASSERT_EQ((fit.coefficients.array() != 0.0).count(), 10);
  EXPECT_EQ(approximate_leave_one_out(problem, fit).undefined(), 10);
}

TEST(HoldOut, ARowOfWeightZeroIsOutAlready) {
  RandomProblem p;
  p.penalty = "ridge";
  Dataset data = p.dataset();
  data.weights[3] = 0.0;
  const Problem problem = p.problem(std::move(data));
  const Fit fit = fit_path(problem, {1.0}).fits[0];
  for (const Framework framework : {Framework::primal, Framework::dual}) {
    const LeaveOneOut held_out = approximate_leave_one_out(problem, fit, framework);
    EXPECT_EQ(held_out.linear_predictor[3], fit.linear_predictor[3]);
    EXPECT_EQ(held_out.leverage[3], 0.0);
  }
}

TEST(HoldOut, LeveragesSumToDegreesOfFreedomOfTheLasso) {
  RandomProblem p;
  p.rows = 30;
  const Problem problem = p.problem();
  const Fit fit = fit_path(problem, {0.05 * lambda_start(problem)}).fits[0];
  const double active = static_cast<double>((fit.coefficients.array() != 0.0).count());
  EXPECT_NEAR(approximate_leave_one_out(problem, fit).leverage.sum(), active + 1.0, 1e-10);
}

// A quadratic model of one output in which some rows are held at their predictors, as rows at a kink are.
// Leaving a row out is one linear system under the constraints of the other held rows, so that brute force is
// exact (the paper's theorem on nonsmooth losses with curvature off the kinks).
struct HeldQuadratic {
  LocalModel model;
  Vector target, goal;  // of the rows that are not held, and of the held ones

  HeldQuadratic(Index rows, Index dimension, Index held, bool has_free_direction, unsigned seed) {
    model.tangent_design = normal_matrix(rows, dimension, seed);
    model.penalty_curvature = Vector::LinSpaced(dimension, 0.5, 2.0);
    if (has_free_direction) {
      model.tangent_design.col(0).setOnes();
      model.penalty_curvature[0] = 0.0;
    }
    model.curvature = normal_matrix(rows, 1, seed + 1).cwiseAbs2();
    for (Index i = 0; i < rows; i += 5) model.curvature(i, 0) = 0.0;  // linear pieces beside curved ones
    model.removed_share = Vector::Ones(rows);
    model.has_kinks = true;
    for (Index i = 1; i <= held; ++i) model.pinned.push_back(2 * i);
    target = normal_matrix(rows, 1, seed + 2);
    goal = normal_matrix(rows, 1, seed + 3);
    const Vector solution = solve(-1);
    model.linear_predictor = model.tangent_design * solution.head(dimension);
    model.derivative = Matrix::Zero(rows, 1);
    for (Index i = 0; i < rows; ++i) model.derivative(i, 0) = slope(i, model.linear_predictor(i, 0));
    for (Index k = 0; k < held; ++k) {
      const Index row = model.pinned[static_cast<std::size_t>(k)];
      model.derivative(row, 0) = solution[dimension + k];
    }
  }

  // c (u - t), or t itself on a linear piece.
  double slope(Index i, double u) const {
    const double c = model.curvature(i, 0);
    return c > 0.0 ? c * (u - target[i]) : target[i];
  }

  // Coefficients and multipliers without a row.
  Vector solve(Index without) const {
    std::vector<Index> held;
    for (const Index i : model.pinned) {
      if (i != without) held.push_back(i);
    }
    const Index d = model.dimension(), v = static_cast<Index>(held.size());
    Matrix system = Matrix::Zero(d + v, d + v);
    Vector right = Vector::Zero(d + v);
    system.topLeftCorner(d, d) = model.penalty_curvature.asDiagonal();
    for (Index i = 0; i < target.size(); ++i) {
      if (i == without || std::find(model.pinned.begin(), model.pinned.end(), i) != model.pinned.end())
        continue;
      const Vector row = model.tangent_design.row(i);
      system.topLeftCorner(d, d) += model.curvature(i, 0) * row * row.transpose();
      right.head(d) -= slope(i, 0.0) * row;
    }
    const Matrix rows = model.tangent_design(held, Eigen::all);
    system.topRightCorner(d, v) = rows.transpose();
    system.bottomLeftCorner(v, d) = rows;
    right.tail(v) = goal(held);
    return system.partialPivLu().solve(right);
  }
};

TEST(HoldOut, CurvedRowsBesidePinnedOnesEqualBruteForce) {
  for (const bool has_free_direction : {false, true}) {
    for (const Index dimension : {6, 40}) {
      const HeldQuadratic quadratic(30, dimension, 4, has_free_direction, 7);
      const LocalModel& model = quadratic.model;
      const LeaveOneOut primal = hold_out_primal(model), dual = hold_out_dual(model);
      for (Index i = 0; i < model.rows(); ++i) {
        const double exact = model.tangent_design.row(i).dot(quadratic.solve(i).head(dimension));
        EXPECT_NEAR(primal.linear_predictor[i], exact, 1e-9 * (1.0 + std::abs(exact))) << i;
        EXPECT_NEAR(dual.linear_predictor[i], exact, 1e-9 * (1.0 + std::abs(exact))) << i;
      }
      EXPECT_GT(primal.leverage.maxCoeff(), 0.1);
      EXPECT_LE(primal.leverage.maxCoeff(), 1.0);
      EXPECT_GE(primal.degrees_of_freedom, 4.0);  // that many rows are pinned
    }
  }
}

// Pinned rows that are nearly combinations of others: the Gram matrix of the rows squares their distance, so
// that its eigenvectors have lost most digits and must not decide which row depends on which.
TEST(HoldOut, PinnedRowsThatNearlyDependOnOthers) {
  for (const double distance : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6}) {
    for (unsigned seed = 1; seed <= 10; ++seed) {
      const Index rows = 10;
      const Index dimension = 20;
      LocalModel model;
      model.tangent_design = normal_matrix(rows, dimension, seed);
      model.tangent_design.row(1) =
          model.tangent_design.row(0) + distance * normal_matrix(1, dimension, seed + 50);
      model.tangent_design.row(2) = model.tangent_design.row(3) + model.tangent_design.row(4);
      model.penalty_curvature = Vector::Ones(dimension);
      model.linear_predictor = model.derivative = model.curvature = Matrix::Zero(rows, 1);
      model.removed_share = Vector::Ones(rows);
      model.has_kinks = true;
      model.pinned = {0, 1, 2, 3, 4, 5};
      const Vector hat = pinned_hat_by_rows(model);
      const Vector expected = pinned_hat_by_directions(model);
      // Singular values keep the digits that the distance leaves, 1e-16 / 1e-6; squares of rows the root of
      // that.
      EXPECT_LT((hat - expected).cwiseAbs().maxCoeff(), 1e-7 * expected.maxCoeff())
          << distance << " seed " << seed;
      EXPECT_GT(expected[0], 0.1 * distance * distance) << distance << " seed " << seed;
      EXPECT_GT(hat[0], 0.5 * expected[0]) << distance << " seed " << seed;
      EXPECT_EQ(hat[2], 0.0) << distance << " seed " << seed;
    }
  }
}

}  // namespace
}  // namespace alo
