// SPDX-License-Identifier: MIT
// Penalties on the singular values of a matrix of coefficients: certificates, ranks, symmetries, known
// special cases, and the leave-one-out formula against its other form, refits and derivatives of refits.
#include <algorithm>
#include <cmath>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <Eigen/QR>
#include <Eigen/SVD>

#include <fmt/format.h>

#include "alo/error.hpp"
#include "alo/leave_one_out.hpp"
#include "alo/losses/squared.hpp"
#include "alo/penalties/frobenius.hpp"
#include "alo/penalties/group_lasso.hpp"
#include "alo/penalties/nuclear.hpp"
#include "alo/penalties/ridge.hpp"
#include "alo/penalties/schatten.hpp"
#include "form_agreement.hpp"
#include "random_problem.hpp"
#include "refit_derivative.hpp"

namespace alo {
namespace {

using testing_support::all_rows;
using testing_support::expect_derivative;
using testing_support::fit_at;
using testing_support::has_fit;
using testing_support::max_difference;
using testing_support::RandomProblem;
using testing_support::row_where_forms_differ;

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// A random problem whose coefficients are a matrix, of low rank in truth.
struct MatrixCase {
  RandomProblem base;
  MatrixShape shape{3, 4};
  double smoothing = 0.0;  // of schatten; zero: nuclear

  Penalty penalty() const {
    return smoothing > 0.0 ? Penalty(Schatten(shape, smoothing)) : Penalty(NuclearNorm(shape));
  }
  Problem problem() const { return problem(base.dataset()); }
  Problem problem(Dataset data) const {
    return {std::move(data), base.make_loss_model(), penalty(), {base.intercept, base.standardize}};
  }
};

std::ostream& operator<<(std::ostream& stream, const MatrixCase& c) {
  return stream << c.shape.rows << 'x' << c.shape.columns << " smoothing " << c.smoothing << ": " << c.base;
}

MatrixCase any_matrix(std::vector<std::string> matrix_losses) {
  MatrixCase c;
  c.base = *testing_support::any_problem({"lasso"}, std::move(matrix_losses));
  c.shape = {*rc::gen::inRange<Index>(1, 6), *rc::gen::inRange<Index>(1, 6)};
  c.base.columns = c.shape.rows * c.shape.columns;
  c.smoothing = *rc::gen::element(0.0, 0.0, 0.3);
  return c;
}

const std::vector<std::string> matrix_losses = {"squared", "logistic", "poisson", "huber"};

Vector singular_values(const Vector& coefficients, MatrixShape shape) {
  const Matrix matrix = Eigen::Map<const RowMajor>(coefficients.data(), shape.rows, shape.columns);
  return Eigen::JacobiSVD<Matrix>(matrix).singularValues();
}

RC_GTEST_PROP(Matrices, EveryFitIsCertified, ()) {
  const MatrixCase c = any_matrix(matrix_losses);
  const Problem problem = c.problem();
  RC_PRE(has_fit(problem));
  const double start = lambda_start(problem);
  std::vector<double> lambdas = {start, 0.3 * start, 0.1 * start};
  // Where nearly every row of a Huber loss is fitted exactly, what is left to gain is rounding of the
  // objective.
  if (c.base.loss != "huber") lambdas.push_back(0.03 * start);
  for (const Fit& fit : fit_path(problem, lambdas).fits) {
    RC_LOG() << c << " lambda " << fit.lambda << " gap " << fit.certificate.gap.value_or(-1) << " kkt "
             << fit.certificate.kkt << '\n';
    RC_ASSERT(fit.status == FitStatus::converged);
  }
}

RC_GTEST_PROP(Matrices, RankZeroAtTheStartOfThePath, ()) {
  MatrixCase c = any_matrix(matrix_losses);
  c.smoothing = 0.0;
  const Problem problem = c.problem();
  RC_PRE(has_fit(problem));
  const double start = lambda_start(problem);
  const Fit above = fit_at(problem, start);
  RC_LOG() << c << " start " << start << " coefficients " << above.coefficients.transpose() << '\n';
  RC_ASSERT(above.coefficients.isZero(0.0));
  RC_ASSERT(fit_geometry(problem, above).dimension() == 0);
  const Vector slopes =
      problem.design().transpose_multiply(null_fit(problem, problem.data().weights).gradient);
  if (slopes.isZero(1e-9)) return;
  // The intercept alone may have many best values, and slopes at one may be more than at another.
  if (c.base.loss == "huber" && c.base.intercept) return;
  RC_ASSERT(!fit_at(problem, 0.9 * start).coefficients.isZero(0.0));
}

// The rank that the geometry has is that of the coefficients, and what is not in it is rounding.
RC_GTEST_PROP(Matrices, RankIsExact, ()) {
  MatrixCase c = any_matrix(matrix_losses);
  c.smoothing = 0.0;
  c.base.standardize = false;
  const Problem problem = c.problem();
  RC_PRE(has_fit(problem));
  const Fit fit = fit_at(problem, c.base.lambda_share * lambda_start(problem));
  const Geometry geometry = fit_geometry(problem, fit);
  const Vector values = singular_values(fit.coefficients, c.shape);
  const Index rank = geometry.matrix ? geometry.matrix->rank : 0;
  RC_LOG() << c << " rank " << rank << " singular values " << values.transpose() << '\n';
  RC_ASSERT(geometry.dimension() == rank * (c.shape.rows + c.shape.columns - rank));
  for (Index k = 0; k < values.size(); ++k) {
    if (k < rank) {
      RC_ASSERT(values[k] > 1e-11 * values[0]);
    } else {
      RC_ASSERT(values[k] <= 1e-11 * values[0]);
    }
  }
  RC_ASSERT((geometry.curvature.array() >= 0.0).all());
}

RC_GTEST_PROP(Matrices, ApproximationDoesNotDependOnTheForm, ()) {
  const MatrixCase c = any_matrix({"squared", "logistic", "poisson"});
  const Problem problem = c.problem();
  RC_PRE(has_fit(problem));
  const Fit fit = fit_at(problem, c.base.lambda_share * lambda_start(problem), {.carry_hat = true});
  RC_PRE(fit.status == FitStatus::converged);
  RC_LOG() << c << '\n';
  RC_ASSERT(!row_where_forms_differ(problem, fit));
}

TEST(Matrices, HatIsTheDerivativeOfARefit) {
  for (const MatrixShape shape : {MatrixShape{4, 3}, MatrixShape{3, 4}, MatrixShape{4, 4}}) {
    for (const double smoothing : {0.0, 0.3}) {
      for (const std::string loss : {"squared", "logistic", "poisson", "huber"}) {
        SCOPED_TRACE(fmt::format("{} x {} smoothing {} {}", shape.rows, shape.columns, smoothing, loss));
        MatrixCase c;
        c.shape = shape;
        c.smoothing = smoothing;
        c.base.loss = loss;
        c.base.rows = 40;
        c.base.columns = shape.rows * shape.columns;
        c.base.standardize = false;
        const Problem problem = c.problem();
        const double lambda = 0.1 * lambda_start(problem);
        for (Index row = 0; row < problem.rows(); row += 7) expect_derivative(problem, lambda, row);
      }
    }
  }
}

// Without its row, by refits that start at the fit and by a problem that never had the row.
TEST(Matrices, ExactLeaveOneOutIsARefit) {
  MatrixCase c;
  c.base.rows = 20;
  c.base.columns = 12;
  c.base.standardize = false;
  for (const std::string loss : {"squared", "logistic"}) {
    c.base.loss = loss;
    const Problem problem = c.problem();
    const Fit fit = fit_at(problem, 0.1 * lambda_start(problem));
    const ExactLeaveOneOut exact =
        exact_leave_one_out(problem, std::span(&fit, 1), all_rows(problem), {.fit = {}, .threads = 1});
    EXPECT_EQ(exact.missed(), 0);
    for (const Index row : {0, 7, 19}) {
      Dataset data = problem.data();
      data.weights[row] = 0.0;
      const Fit alone = fit_at(c.problem(std::move(data)), fit.lambda);
      EXPECT_NEAR(exact.values.at(0).linear_predictor[row], alone.linear_predictor[row], 1e-8);
    }
  }
}

// X_i -> P X_i R for orthogonal P and R turns the coefficients alike and changes no prediction.
RC_GTEST_PROP(Matrices, RotationsChangeNoPrediction, ()) {
  MatrixCase c = any_matrix({"squared", "logistic"});
  c.base.standardize = false;
  c.base.sparse = false;
  const Problem problem = c.problem();
  RC_PRE(has_fit(problem));
  std::mt19937 generator(c.base.seed);
  std::normal_distribution<double> normal;
  const auto orthogonal = [&](Index size) {
    const Matrix random = Matrix::NullaryExpr(size, size, [&] { return normal(generator); });
    return Matrix(Eigen::HouseholderQR<Matrix>(random).householderQ());
  };
  const Matrix left = orthogonal(c.shape.rows);
  const Matrix right = orthogonal(c.shape.columns);
  Matrix values = problem.data().design.dense_values();
  for (Index i = 0; i < values.rows(); ++i) {
    const Vector row = values.row(i);
    const Eigen::Map<const RowMajor> matrix(row.data(), c.shape.rows, c.shape.columns);
    const Matrix turned = left * matrix * right;
    values.row(i) = turned.reshaped<Eigen::RowMajor>();
  }
  Dataset data = problem.data();
  data.design = Design(std::move(values));
  const Problem rotated = c.problem(std::move(data));
  const double lambda = c.base.lambda_share * lambda_start(problem);
  const Fit fit = fit_at(problem, lambda);
  const LeaveOneOut one = approximate_leave_one_out(problem, fit);
  const LeaveOneOut other = approximate_leave_one_out(rotated, fit_at(rotated, lambda));
  for (Index i = 0; i < problem.rows(); ++i) {
    if (!(one.leverage[i] < 0.99)) continue;
    RC_LOG() << c << " row " << i << '\n';
    RC_ASSERT(std::abs(one.linear_predictor[i] - other.linear_predictor[i]) <
              1e-6 * (1.0 + std::abs(one.linear_predictor[i])));
  }
}

// A matrix of one row has one singular value, its length.
TEST(Matrices, OneRowIsOneGroup) {
  RandomProblem base;
  base.rows = 30;
  base.columns = 6;
  base.standardize = false;
  const Vector factor = Vector::Constant(1, 1.0 / std::sqrt(6.0));
  const Problem group(base.dataset(), SquaredLoss{}, GroupLasso(std::vector<Index>(6, 0), factor),
                      {true, false});
  for (const MatrixShape shape : {MatrixShape{1, 6}, MatrixShape{6, 1}}) {
    const Problem matrix(base.dataset(), SquaredLoss{}, NuclearNorm(shape), {true, false});
    EXPECT_NEAR(lambda_start(matrix), lambda_start(group), 1e-9 * lambda_start(group));
    for (const double share : {0.5, 0.1, 0.01}) {
      const double lambda = share * lambda_start(group);
      const Fit one = fit_at(matrix, lambda);
      const Fit other = fit_at(group, lambda);
      EXPECT_LT(max_difference(one.coefficients, other.coefficients), 1e-10);
      EXPECT_LT(max_difference(approximate_leave_one_out(matrix, one).linear_predictor,
                               approximate_leave_one_out(group, other).linear_predictor),
                1e-9);
    }
  }
}

TEST(Matrices, FrobeniusIsRidge) {
  RandomProblem base;
  base.columns = 12;
  const Problem ridge(base.dataset(), SquaredLoss{}, Ridge{});
  const Problem frobenius(base.dataset(), SquaredLoss{}, Frobenius({3, 4}));
  for (const double lambda : {100.0, 1.0, 0.01}) {
    const Fit one = fit_at(ridge, lambda);
    const Fit other = fit_at(frobenius, lambda);
    EXPECT_EQ(max_difference(one.coefficients, other.coefficients), 0.0);
    EXPECT_EQ(max_difference(approximate_leave_one_out(ridge, one).linear_predictor,
                             approximate_leave_one_out(frobenius, other).linear_predictor),
              0.0);
  }
}

// With less and less smoothing schatten becomes nuclear, its leave-one-out too.
TEST(Matrices, SmoothingVanishes) {
  MatrixCase c;
  c.base.rows = 30;
  c.base.columns = 12;
  c.base.standardize = false;
  const Problem nuclear = c.problem();
  const double lambda = 0.2 * lambda_start(nuclear);
  const Vector limit = approximate_leave_one_out(nuclear, fit_at(nuclear, lambda)).linear_predictor;
  double before = std::numeric_limits<double>::infinity();
  for (const double smoothing : {1e-1, 1e-2, 1e-3, 1e-4}) {
    c.smoothing = smoothing;
    const Problem smooth = c.problem();
    const Fit fit = fit_at(smooth, lambda);
    ASSERT_EQ(fit.status, FitStatus::converged) << "smoothing " << smoothing;
    const double apart = max_difference(approximate_leave_one_out(smooth, fit).linear_predictor, limit);
    EXPECT_LT(apart, 0.2 * before) << "smoothing " << smoothing;
    before = apart;
  }
  EXPECT_LT(before, 1e-2);
}

// B and its mirror image have equal singular values: two that are the same.
TEST(Matrices, EqualSingularValuesAreOrdinary) {
  const MatrixShape shape{3, 3};
  const Matrix x = Matrix::Identity(9, 9);
  Matrix target(3, 3);
  target << 4.0, 0.0, 0.0, 0.0, 4.0, 0.0, 0.0, 0.0, 1.0;
  const Vector y = target.reshaped<Eigen::RowMajor>();
  const Problem problem(make_dataset(Design(x), y), SquaredLoss{}, NuclearNorm(shape), {false, false});
  const Fit fit = fit_at(problem, 1.5);
  EXPECT_EQ(fit.status, FitStatus::converged);
  EXPECT_LT(max_difference(singular_values(fit.coefficients, shape), Vector{{2.5, 2.5, 0.0}}), 1e-12);
  const LeaveOneOut primal = approximate_leave_one_out(problem, fit, Framework::primal);
  const LeaveOneOut dual = approximate_leave_one_out(problem, fit, Framework::dual);
  EXPECT_LT(max_difference(primal.leverage, dual.leverage), 1e-10);
}

// Coefficients that no row sees follow from the others: a constant column is not left out.
TEST(Matrices, ConstantColumnsStay) {
  RandomProblem base;
  base.rows = 40;
  base.columns = 6;
  base.standardize = false;
  Dataset data = base.dataset();
  Matrix x = data.design.dense_values();
  x.col(4).setConstant(3.0);
  data.design = Design(x);
  const Problem problem(data, SquaredLoss{}, NuclearNorm({2, 3}), {true, false});
  EXPECT_TRUE(problem.constant_columns().empty());
  const Fit fit = fit_at(problem, 0.05 * lambda_start(problem));
  EXPECT_EQ(fit.status, FitStatus::converged);
  EXPECT_NE(fit.coefficients[4], 0.0);
}

TEST(Matrices, WhatDoesNotFitIsRefusedByName) {
  RandomProblem base;
  base.columns = 6;
  const auto refusal = [&](const std::string& loss, const Penalty& penalty) {
    base.loss = loss;
    return [&, penalty] { fit_at(Problem(base.dataset(), base.make_loss_model(), penalty), 1.0); };
  };
  EXPECT_THAT(refusal("squared", NuclearNorm({2, 4})),
              testing::ThrowsMessage<InvalidData>(
                  testing::HasSubstr("2 x 4 coefficients needs 8 columns, and there are 6")));
  EXPECT_THAT(refusal("hinge", NuclearNorm({2, 3})),
              testing::ThrowsMessage<InvalidArgument>(testing::HasSubstr("hinge")));
  EXPECT_THROW(NuclearNorm({0, 3}), InvalidArgument);
  EXPECT_THROW(Schatten({2, 3}, 0.0), InvalidArgument);
}

}  // namespace
}  // namespace alo
