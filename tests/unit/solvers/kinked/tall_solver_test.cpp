// SPDX-License-Identifier: MIT
// The solver of many rows against certificates, the other solvers of losses with kinks and the leave-one-out
// formula.
#include "solvers/kinked/tall_solver.hpp"

#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "alo/leave_one_out.hpp"
#include "random_problem.hpp"
#include "solvers/fit_scale.hpp"
#include "solvers/kinked/kernel_solver.hpp"

namespace alo {
namespace {

using testing_support::any_problem;
using testing_support::has_fit;
using testing_support::kinked_losses;
using testing_support::max_difference;
using testing_support::RandomProblem;

Fit solve(const Problem& problem, TallSolver& solver, double lambda, const Vector& weights) {
  solver.solve(lambda);
  Fit fit = make_fit(problem, lambda, solver.coefficients(), solver.intercept());
  fit.subgradient = solver.subgradient();
  Certifier(problem, weights).certify(std::span(&fit, 1));
  return fit;
}

Fit solve(const Problem& problem, TallSolver& solver, double lambda) {
  return solve(problem, solver, lambda, problem.data().weights);
}

bool is_certified(const Fit& fit) {
  return meets(fit.certificate, 1e-10) && fit.certificate.kkt <= 1e-9;
}

double size_of(const Fit& fit) {
  return 1.0 + fit.linear_predictor.lpNorm<Eigen::Infinity>();
}

// Many rows for each column, so that most of them are not near their kinks at first.
RandomProblem tall_problem() {
  RandomProblem p;
  p.penalty = "ridge";
  p.rows = 3000;
  p.columns = 6;
  return p;
}

std::vector<double> falling(double start, double ratio, int count) {
  std::vector<double> lambdas;
  for (int k = 0; k < count; ++k) lambdas.push_back(start * std::pow(ratio, k));
  return lambdas;
}

RC_GTEST_PROP(TallSolver, FewRowsAreCertifiedAndAgreeWithTheKernelOfAllRows, ()) {
  const RandomProblem p = *any_problem({"ridge"}, kinked_losses());
  const Problem problem = p.problem();
  RC_PRE(has_fit(problem));
  TallSolver tall(problem, problem.data().weights);
  KernelSolver kernel(problem, problem.data().weights);
  for (const double lambda : falling(30.0, 0.2, 6)) {
    const Fit fit = solve(problem, tall, lambda);
    // The gap is relative to a loss that unpenalised columns may make zero.
    RC_ASSERT(is_certified(fit) || problem.objective(fit.intercept, fit.coefficients, lambda) <= 1e-12);
    kernel.solve(lambda);
    const Fit other =
        make_fit(problem, lambda, kernel.coefficients(), Vector::Constant(1, kernel.intercept()));
    // Unpenalised ones may not be unique.
    const double difference = problem.objective(fit.intercept, fit.coefficients, lambda) -
                              problem.objective(other.intercept, other.coefficients, lambda);
    RC_ASSERT(std::abs(difference) <= 1e-7 * size_of(fit));
  }
}

class TallRows : public testing::TestWithParam<std::string> {};

TEST_P(TallRows, PathIsCertifiedAndTheSameFromNothing) {
  for (const unsigned seed : {1u, 2u, 3u}) {
    RandomProblem p = tall_problem();
    p.loss = GetParam();
    p.seed = seed;
    p.intercept = seed != 2;
    p.weights = seed == 2;
    p.offset = p.penalty_weights = seed == 3;
    const Problem problem = p.problem();
    TallSolver path(problem, problem.data().weights);
    const std::vector<double> lambdas = falling(3e4, 0.3, 14);
    for (std::size_t k = 0; k < lambdas.size(); ++k) {
      const double lambda = lambdas[k];
      const Fit fit = solve(problem, path, lambda);
      EXPECT_TRUE(is_certified(fit)) << p << " lambda " << lambda << " kkt " << fit.certificate.kkt;
      if (k % 4 != 1) continue;
      TallSolver afresh(problem, problem.data().weights);
      const Fit other = solve(problem, afresh, lambda);
      EXPECT_TRUE(is_certified(other)) << p << " afresh, lambda " << lambda;
      EXPECT_LE(max_difference(fit.coefficients, other.coefficients), 1e-8 * size_of(fit));
    }
  }
}

TEST_P(TallRows, AgreesWithTheAugmentedLagrangian) {
  RandomProblem p = tall_problem();
  p.loss = GetParam();
  p.rows = 1200;
  p.weights = true;
  const Problem problem = p.problem();
  TallSolver tall(problem, problem.data().weights);
  AugmentedLagrangian whole(problem, problem.data().weights);
  for (const double lambda : {300.0, 3.0}) {
    const Fit fit = solve(problem, tall, lambda);
    whole.solve(lambda);
    EXPECT_TRUE(is_certified(fit));
    EXPECT_LE(max_difference(tall.coefficients(), whole.coefficients()), 1e-9 * size_of(fit));
    EXPECT_LE(max_difference(tall.subgradient(), whole.subgradient()), 1e-7);
  }
}

// Every row three times: pinned ones depend on each other.
TEST_P(TallRows, CopiesOfRowsAreCertified) {
  RandomProblem p = tall_problem();
  p.loss = GetParam();
  p.rows = 700;
  const Dataset once = p.dataset();
  Dataset data =
      make_dataset(Design(once.design.dense_values().replicate(3, 1)), once.response.replicate(3, 1));
  const Problem problem = p.problem(std::move(data));
  TallSolver solver(problem, problem.data().weights);
  Dataset weighted = once;
  weighted.weights.setConstant(3.0);
  const Problem single = p.problem(std::move(weighted));
  TallSolver expected(single, single.data().weights);
  for (const double lambda : falling(1e3, 0.2, 6)) {
    const Fit fit = solve(problem, solver, lambda);
    EXPECT_TRUE(is_certified(fit)) << lambda;
    const Fit other = solve(single, expected, lambda);
    EXPECT_LE(max_difference(fit.coefficients, other.coefficients), 1e-8 * size_of(fit)) << lambda;
  }
}

TEST_P(TallRows, RefitsWithoutARowStartFromTheFitOfAll) {
  RandomProblem p = tall_problem();
  p.loss = GetParam();
  const Problem problem = p.problem();
  const double lambda = 10.0;
  TallSolver all(problem, problem.data().weights);
  const Fit fit = solve(problem, all, lambda);
  for (const Index row : {0, 17, 1500}) {
    Vector weights = problem.data().weights;
    weights[row] = 0.0;
    TallSolver warm(problem, weights);
    warm.start_from(fit);
    const Fit refit = solve(problem, warm, lambda, weights);
    EXPECT_TRUE(is_certified(refit));
    TallSolver cold(problem, weights);
    EXPECT_LE(max_difference(refit.coefficients, solve(problem, cold, lambda, weights).coefficients),
              1e-9 * size_of(fit));
  }
}

// The hat that the solver has at hand is that of the leave-one-out formula on the tangent design.
TEST_P(TallRows, HatIsThatOfTheFormula) {
  RandomProblem p = tall_problem();
  p.loss = GetParam();
  p.columns = 12;
  p.penalty_weights = true;
  const Problem problem = p.problem();
  TallSolver solver(problem, problem.data().weights);
  for (const double lambda : falling(1e4, 0.1, 6)) {
    Fit fit = solve(problem, solver, lambda);
    const Vector expected = approximate_leave_one_out(problem, fit, Framework::primal).linear_predictor;
    fit.hat = solver.hat();
    ASSERT_EQ(fit.hat.size(), problem.rows()) << lambda;
    const Vector carried = approximate_leave_one_out(problem, fit).linear_predictor;
    EXPECT_LE(max_difference(carried, expected), 1e-8 * size_of(fit)) << lambda;
  }
}

INSTANTIATE_TEST_SUITE_P(Losses, TallRows, testing::ValuesIn(kinked_losses()), [](const auto& loss) {
  std::string name = loss.param;
  std::erase(name, '-');
  return name;
});

// Lambdas up and down, far apart: what is expected is then far off.
TEST(TallSolver, LambdasMayJump) {
  RandomProblem p = tall_problem();
  p.loss = "hinge";
  const Problem problem = p.problem();
  TallSolver solver(problem, problem.data().weights);
  for (const double lambda : {1e-3, 1e5, 1.0, 0.9, 0.8, 1e-6, 10.0, 10.0}) {
    EXPECT_TRUE(is_certified(solve(problem, solver, lambda))) << lambda;
  }
}

// Whole numbers, so that many rows meet at kinks.
TEST(TallSolver, TiedRowsAreCertified) {
  RandomProblem p = tall_problem();
  p.columns = 4;
  p.loss = "absolute";
  Dataset rounded = p.dataset();
  Dataset data = make_dataset(Design(rounded.design.dense_values().array().round().matrix()),
                              rounded.response.array().round());
  const Problem problem = p.problem(std::move(data));
  TallSolver solver(problem, problem.data().weights);
  for (const double lambda : falling(1e4, 0.1, 8)) {
    EXPECT_TRUE(is_certified(solve(problem, solver, lambda))) << lambda;
  }
}

}  // namespace
}  // namespace alo
