// SPDX-License-Identifier: MIT
#include "completion/completion_solver.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <array>

#include "alo/error.hpp"
#include "alo/losses/squared.hpp"
#include "seed.hpp"
#include "unit/completion/dense_completion.hpp"

namespace alo {
namespace {

using testing_support::as_matrix;
using testing_support::CompletionCase;
using testing_support::dense_fit;
using testing_support::dense_objective;
using testing_support::DenseCompletion;
using testing_support::LossChoice;
using testing_support::random_case;
using testing_support::varied;

Matrix matrix_of(const CompletionFit& fit) {
  return fit.u * fit.sigma.asDiagonal() * fit.v.transpose();
}

double spectral_norm(const Matrix& matrix) {
  return Eigen::JacobiSVD<Matrix>(matrix).singularValues()[0];
}

Index rank_of(const Matrix& matrix) {
  const Vector values = Eigen::JacobiSVD<Matrix>(matrix).singularValues();
  return (values.array() > 1e-6).count();
}

CompletionSolver solver_of(const CompletionCase& given) {
  return {given.data, given.loss, given.intercept};
}

// All of a matrix observed once with weight one.
CompletionCase full_case(const Matrix& response) {
  CompletionCase given{{}, SquaredLoss{}, false};
  given.data.rows = response.rows();
  given.data.columns = response.cols();
  given.data.response.resize(response.size());
  for (Index b = 0; b < response.cols(); ++b) {
    for (Index a = 0; a < response.rows(); ++a) {
      given.data.response[static_cast<Index>(given.data.row.size())] = response(a, b);
      given.data.row.push_back(a);
      given.data.column.push_back(b);
    }
  }
  given.data.weight = Vector::Ones(response.size());
  given.data.offset = Vector::Zero(response.size());
  return given;
}

// The largest violation of the optimality conditions, over lambda, from full matrices.
double violation(const CompletionCase& given, const CompletionFit& fit) {
  const Vector predictor = testing_support::dense_predictor(given, matrix_of(fit), fit.intercept);
  const Vector slope = given.data.weight.cwiseProduct(given.loss.derivative(predictor, given.data.response));
  const Matrix gradient = as_matrix(given.data, slope);
  double worst = spectral_norm(gradient) - fit.lambda;
  worst = std::max(worst, (gradient * fit.v + fit.lambda * fit.u).norm());
  worst = std::max(worst, (gradient.transpose() * fit.u + fit.lambda * fit.v).norm());
  if (given.intercept) worst = std::max(worst, std::abs(slope.sum()));
  return worst / fit.lambda;
}

struct Shape {
  Index rows;
  Index columns;
};

class CompletionLosses : public testing::TestWithParam<LossChoice> {};

TEST_P(CompletionLosses, EqualDenseProximalSteps) {
  unsigned seed = 0;
  for (const Shape shape : {Shape{6, 5}, {5, 6}, {5, 5}}) {
    for (const bool intercept : {false, true}) {
      const CompletionCase given =
          random_case(shape.rows, shape.columns, 24, GetParam(), intercept, varied(++seed));
      CompletionSolver solver = solver_of(given);
      for (const double share : {0.7, 0.3}) {
        const double lambda = share * solver.lambda_max();
        const CompletionFit fit = solver.fit(lambda);
        const DenseCompletion reference = dense_fit(given, lambda);
        EXPECT_TRUE(fit.converged);
        EXPECT_EQ(fit.rank(), rank_of(reference.matrix));
        EXPECT_NEAR(dense_objective(given, lambda, matrix_of(fit), fit.intercept), reference.objective,
                    1e-10 * std::abs(reference.objective));
        // Proximal steps stop when they no longer move, some way from where the objective is flat.
        EXPECT_LT((matrix_of(fit) - reference.matrix).norm(), 1e-5 * (1.0 + reference.matrix.norm()));
        EXPECT_NEAR(fit.intercept, reference.intercept, 1e-5);
      }
    }
  }
}

RC_GTEST_PROP(Completion, MeetsTheOptimalityConditions, ()) {
  const auto rows = *rc::gen::inRange<Index>(1, 9);
  const auto columns = *rc::gen::inRange<Index>(1, 9);
  const auto count = *rc::gen::inRange<Index>(rows * columns / 2 + 1, 2 * rows * columns + 2);
  const auto loss =
      *rc::gen::element(LossChoice::squared, LossChoice::logistic, LossChoice::poisson, LossChoice::huber);
  const bool intercept = *rc::gen::arbitrary<bool>();
  const auto seed = *rc::gen::inRange<unsigned>(0, 1000000);
  const CompletionCase given = random_case(rows, columns, count, loss, intercept, seed);
  if (loss == LossChoice::logistic || loss == LossChoice::poisson) {
    // Else no intercept is best.
    RC_PRE(given.data.response.minCoeff() < given.data.response.maxCoeff());
  }
  CompletionSolver solver = solver_of(given);
  RC_PRE(solver.lambda_max() > 1e-8);
  for (const double share : {0.8, 0.4, 0.1}) {
    const CompletionFit fit = solver.fit(share * solver.lambda_max());
    RC_ASSERT(fit.converged);
    RC_ASSERT(fit.gap <= 1e-10);
    RC_ASSERT(fit.rank() >= 1);
    RC_ASSERT(fit.sigma.minCoeff() > 0.0);
    RC_ASSERT(violation(given, fit) <= 1e-9);
    RC_ASSERT((fit.u.transpose() * fit.u - Matrix::Identity(fit.rank(), fit.rank())).norm() < 1e-12);
    RC_ASSERT((fit.v.transpose() * fit.v - Matrix::Identity(fit.rank(), fit.rank())).norm() < 1e-12);
    const Vector predictor = testing_support::dense_predictor(given, matrix_of(fit), fit.intercept);
    RC_ASSERT((fit.predictor - predictor).norm() <= 1e-11 * (1.0 + predictor.norm()));
  }
}

INSTANTIATE_TEST_SUITE_P(All, CompletionLosses,
                         testing::Values(LossChoice::squared, LossChoice::logistic, LossChoice::poisson,
                                         LossChoice::huber));

TEST(Completion, IsZeroFromLambdaMaxOn) {
  const CompletionCase given = random_case(8, 6, 30, LossChoice::poisson, true, 3);
  CompletionSolver solver = solver_of(given);
  const CompletionFit zero = solver.fit(solver.lambda_max());
  EXPECT_TRUE(zero.converged);
  EXPECT_EQ(zero.rank(), 0);
  EXPECT_NEAR(spectral_norm(as_matrix(given.data, zero.slope)), solver.lambda_max(),
              1e-10 * solver.lambda_max());
  EXPECT_NEAR(zero.slope.sum(), 0.0, 1e-10 * solver.lambda_max());
  EXPECT_EQ(solver.fit(3.0 * solver.lambda_max()).rank(), 0);
  const CompletionFit one = solver.fit((1.0 - 1e-6) * solver.lambda_max());
  EXPECT_TRUE(one.converged);
  EXPECT_EQ(one.rank(), 1);
  EXPECT_LT(one.sigma[0], 1e-3);
}

// With every entry observed once the fit is known: the singular values of the response less lambda.
TEST(Completion, OfAFullMatrixShrinksItsSingularValues) {
  const Matrix u = Matrix::Random(7, 7).householderQr().householderQ();
  const Matrix v = Matrix::Random(4, 4).householderQr().householderQ();
  for (const Vector& values :
       {Vector(Eigen::Vector4d(5.0, 3.0, 2.0, 1.0)), Vector(Eigen::Vector4d(3.0, 3.0, 3.0, 1.0)),
        Vector(Eigen::Vector4d(2.0, 2.0, 2.0, 2.0))}) {
    const Matrix response = u.leftCols(4) * values.asDiagonal() * v.transpose();
    for (const Matrix& matrix : {Matrix(response), Matrix(response.transpose())}) {
      CompletionSolver solver = solver_of(full_case(matrix));
      EXPECT_NEAR(solver.lambda_max(), values[0], 1e-12);
      for (const double lambda : {1.5, 0.5, 0.01}) {
        const CompletionFit fit = solver.fit(lambda);
        const Vector expected = (values.array() - lambda).max(0.0);
        EXPECT_TRUE(fit.converged);
        ASSERT_EQ(fit.rank(), (expected.array() > 0.0).count());
        EXPECT_LT((fit.sigma - expected.head(fit.rank())).norm(), 1e-10);
      }
    }
  }
}

TEST(Completion, TakesTwoObservationsOfAnEntryForOneOfTheirWeight) {
  CompletionCase once = random_case(6, 6, 25, LossChoice::squared, true, 11);
  CompletionCase twice = once;
  once.data.weight[4] *= 2.0;
  twice.data.row.push_back(once.data.row[4]);
  twice.data.column.push_back(once.data.column[4]);
  for (Vector* numbers : {&twice.data.response, &twice.data.weight, &twice.data.offset}) {
    numbers->conservativeResize(26);
    (*numbers)[25] = (*numbers)[4];
  }
  CompletionSolver one = solver_of(once);
  CompletionSolver two = solver_of(twice);
  EXPECT_NEAR(one.lambda_max(), two.lambda_max(), 1e-11);
  const CompletionFit a = one.fit(0.3 * one.lambda_max());
  const CompletionFit b = two.fit(0.3 * one.lambda_max());
  EXPECT_LT((matrix_of(a) - matrix_of(b)).norm(), 1e-8);
  EXPECT_NEAR(b.predictor[25], b.predictor[4], 1e-14);
}

TEST(Completion, DoesNotDependOnWhereItStarts) {
  const CompletionCase given = random_case(20, 15, 150, LossChoice::logistic, true, 5);
  CompletionSolver cold = solver_of(given);
  const double lambda = 0.1 * cold.lambda_max();
  const CompletionFit expected = cold.fit(lambda);
  CompletionSolver warm = solver_of(given);
  warm.fit(0.02 * warm.lambda_max());
  const CompletionFit upwards = warm.fit(lambda);
  EXPECT_TRUE(upwards.converged);
  EXPECT_EQ(upwards.rank(), expected.rank());
  EXPECT_LT((matrix_of(upwards) - matrix_of(expected)).norm(), 1e-8 * matrix_of(expected).norm());

  CompletionCase without = given;  // an observation left out, from the fit with it
  without.data.weight[7] = 0.0;
  CompletionSolver refit = solver_of(without);
  const CompletionFit direct = refit.fit(lambda);
  refit.start_from(expected);
  const CompletionFit moved = refit.fit(lambda);
  EXPECT_TRUE(moved.converged);
  EXPECT_LT((matrix_of(moved) - matrix_of(direct)).norm(), 1e-8 * matrix_of(expected).norm());
}

TEST(Completion, RefusesPlacesOutsideTheMatrix) {
  CompletionCase given = random_case(4, 3, 10, LossChoice::squared, false, 1);
  given.data.column[6] = 3;
  try {
    solver_of(given);
    FAIL();
  } catch (const InvalidData& error) {
    EXPECT_NE(std::string(error.what()).find("observation 7"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("4 x 3"), std::string::npos);
  }
  given.data.column[6] = 2;
  given.data.weight.conservativeResize(9);
  EXPECT_THROW(solver_of(given), InvalidData);
}

}  // namespace
}  // namespace alo
