// SPDX-License-Identifier: MIT
// The elastic net whose ridge part lambda does not scale,
//     sum_i w_i loss + lambda sum_j f_j |b_j| + rho / 2 sum_j f_j b_j^2.
#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "alo/error.hpp"
#include "alo/leave_one_out.hpp"
#include "alo/losses/squared.hpp"
#include "alo/penalties/elastic_net.hpp"
#include "alo/penalties/lasso.hpp"
#include "alo/penalties/ridge.hpp"
#include "random_problem.hpp"
#include "unit/solvers/quadratic/augmented_rows.hpp"

namespace alo {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;
using testing_support::all_columns;
using testing_support::any_problem;
using testing_support::augmented_rows;
using testing_support::AugmentedRows;
using testing_support::max_difference;
using testing_support::RandomProblem;

RandomProblem fixed_ridge_problem() {
  RandomProblem p;
  p.penalty = "elastic-net";
  p.ridge = 4.0;
  return p;
}

// The fixed part as rows, so that the same fit is a lasso. These rows must not see an intercept: it is taken
// out of the columns and the response.
Problem augmented_lasso(const Problem& problem) {
  const SeparableTerms terms = problem.penalty().separable(problem.columns()).value();
  const Vector squares =
      terms.fixed_square.unaryExpr([](double square) { return std::isfinite(square) ? square : 0.0; });
  AugmentedRows rows = augmented_rows(problem, all_columns(problem), squares);
  if (problem.intercept()) {
    const Vector root = problem.data().weights.cwiseSqrt();
    auto response = rows.response.head(problem.rows());
    response -= root.dot(response) / root.squaredNorm() * root;
  }
  Vector factors = terms.absolute;
  for (const Index j : problem.constant_columns()) factors[j] = std::numeric_limits<double>::infinity();
  return {make_dataset(Design(rows.design), rows.response),
          SquaredLoss{},
          Lasso{factors},
          {.intercept = false, .standardize = false}};
}

RC_GTEST_PROP(FixedRidge, IsALassoOfAugmentedData, ()) {
  RandomProblem p = *any_problem({"elastic-net"});
  p.ridge = *rc::gen::element(0.01, 1.0, 30.0);
  const Problem problem = p.problem();
  const Problem lasso = augmented_lasso(problem);
  const double lambda = p.lambda_share * lambda_start(problem);
  RC_ASSERT(std::abs(lambda_start(lasso) - lambda_start(problem)) <= 1e-9 * lambda_start(problem));
  const Fit fit = fit_path(problem, {lambda}).fits[0];
  const Fit other = fit_path(lasso, {lambda}).fits[0];
  RC_ASSERT(fit.status == FitStatus::converged);
  const Vector scaled = problem.scale().cwiseProduct(fit.coefficients);
  // Without ridge rows dependent columns would not be unique; rho = 0.01 leaves two digits less.
  RC_ASSERT(max_difference(scaled, other.coefficients) <= 1e-7 * (1.0 + other.coefficients.norm()));

  const Vector leverage = approximate_leave_one_out(problem, fit).leverage;
  Vector expected = approximate_leave_one_out(lasso, other).leverage.head(problem.rows());
  const Vector& weights = problem.data().weights;
  if (problem.intercept()) expected += weights / weights.sum();
  RC_ASSERT(max_difference(leverage, expected) <= 1e-8);
}

TEST(FixedRidge, CertificateIsSmallAtTheOptimumAndLargeOffIt) {
  RandomProblem p = fixed_ridge_problem();
  p.columns = 30;  // more than rows
  p.weights = true;
  p.penalty_weights = true;
  const Problem problem = p.problem();
  const double lambda = 0.1 * lambda_start(problem);
  const Fit fit = fit_path(problem, {lambda}).fits[0];
  EXPECT_LT(fit.certificate.gap.value(), 1e-13);
  EXPECT_LT(fit.certificate.kkt, 1e-13);
  const Certifier certifier(problem);
  for (const Index j : {Index{0}, Index{20}, Index{29}}) {
    Vector off = fit.coefficients;
    off[j] += 1e-3;
    const Certificate wrong = certifier.certify(fit.intercept, off, lambda);
    EXPECT_GT(wrong.gap.value(), 1e-10) << j;
    EXPECT_GT(wrong.kkt, 1e-8) << j;
  }
  // The optimum of another fixed part is not this one's.
  p.ridge = 4.01;
  const Fit other = fit_path(p.problem(), {lambda}).fits[0];
  EXPECT_GT(certifier.certify(other.intercept, other.coefficients, lambda).gap.value(), 1e-10);
}

// As the fixed part vanishes the fit is that of the lasso, and must be certified all the way.
TEST(FixedRidge, VanishingPartIsCertified) {
  for (const double rho : {1e-8, 1e-16, 1e-30, 1e-300}) {
    RandomProblem p = fixed_ridge_problem();
    p.ridge = rho;
    p.columns = 30;
    const Problem problem = p.problem();
    for (const Fit& fit : fit_path(problem, lambda_grid(problem)).fits) {
      EXPECT_LT(fit.certificate.gap.value(), 1e-12) << rho << ' ' << fit.lambda;
      EXPECT_GE(fit.certificate.gap.value(), 0.0) << rho << ' ' << fit.lambda;
    }
  }
}

// Without absolute values what is left is a ridge, which another solver fits.
TEST(FixedRidge, AtLambdaZeroIsARidge) {
  for (const Index columns : {8, 30}) {
    RandomProblem p = fixed_ridge_problem();
    p.columns = columns;
    p.penalty_weights = true;
    const Problem problem = p.problem();
    p.penalty = "ridge";
    const Problem ridge = p.problem();
    const Fit fit = fit_path(problem, {0.0}).fits[0];
    const Fit expected = fit_path(ridge, {*p.ridge}).fits[0];
    EXPECT_LT(fit.certificate.gap.value(), 1e-13);
    EXPECT_LT(max_difference(fit.coefficients, expected.coefficients), 1e-9);
    const LeaveOneOut held_out = approximate_leave_one_out(problem, fit);
    const LeaveOneOut exact = approximate_leave_one_out(ridge, expected);
    EXPECT_LT(max_difference(held_out.linear_predictor, exact.linear_predictor), 1e-9);
    EXPECT_LT(max_difference(held_out.leverage, exact.leverage), 1e-10);
    for (const auto& certified : certify_rows(problem, fit)) EXPECT_TRUE(certified.value());
  }
}

// Columns that the fixed part does not reach still need rows enough at lambda = 0.
TEST(FixedRidge, AtLambdaZeroCountsUnpenalisedColumns) {
  RandomProblem p;
  p.rows = 5;
  p.columns = 6;
  const Problem problem(p.dataset(), SquaredLoss{}, ElasticNet::with_fixed_ridge(1.0, Vector::Zero(6)));
  EXPECT_THAT([&] { fit_path(problem, {0.0}); }, ThrowsMessage<InvalidData>(HasSubstr("no unique fit")));
}

// Equal columns share a coefficient, which the lasso leaves open.
TEST(FixedRidge, TreatsEqualColumnsEqually) {
  RandomProblem p = fixed_ridge_problem();
  Dataset data = p.dataset();
  Matrix x = data.design.dense_values();
  x.col(3) = x.col(0);
  data.design = Design(x);
  const Problem problem = p.problem(std::move(data));
  for (const Fit& fit : fit_path(problem, lambda_grid(problem)).fits) {
    EXPECT_EQ(fit.status, FitStatus::converged);
    EXPECT_NEAR(fit.coefficients[0], fit.coefficients[3], 1e-9);
  }
}

TEST(FixedRidge, ObjectiveAndItsWords) {
  RandomProblem p = fixed_ridge_problem();
  p.ridge = 2.5;
  p.standardize = false;
  const Problem problem = p.problem();
  const Vector b = Vector::LinSpaced(p.columns, -1.0, 2.0);
  const double loss =
      0.5 * (problem.data().response - problem.linear_predictor(Vector::Constant(1, 0.3), b)).squaredNorm();
  const double penalty = 7.0 * b.lpNorm<1>() + 2.5 / 2.0 * b.squaredNorm();
  EXPECT_NEAR(problem.objective(Vector::Constant(1, 0.3), b, 7.0), loss + penalty, 1e-10 * (loss + penalty));
  EXPECT_THAT(problem.describe(), HasSubstr("lambda * lasso penalty + 2.5 * ridge penalty"));
}

TEST(FixedRidge, RefusesWhatMakesNoSense) {
  for (const double rho : {-1.0, std::numeric_limits<double>::infinity(), std::nan("")}) {
    EXPECT_THAT([&] { ElasticNet::with_fixed_ridge(rho); },
                ThrowsMessage<InvalidArgument>(HasSubstr("fixed ridge part")));
  }
  EXPECT_THAT([] { SeparablePenalty(0.0, {}, 1.0); },
              ThrowsMessage<InvalidArgument>(HasSubstr("add the fixed")));
}

}  // namespace
}  // namespace alo
