// SPDX-License-Identifier: MIT
// Penalties lambda |D b|_1: special cases that are known otherwise, what is read off D, and what D may not
// be.
#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "alo/error.hpp"
#include "alo/leave_one_out.hpp"
#include "alo/penalties/generalized_lasso.hpp"
#include "alo/penalties/lasso.hpp"
#include "random_problem.hpp"

namespace alo {
namespace {

using testing_support::fit_at;
using testing_support::max_difference;
using testing_support::RandomProblem;

// The identity is the lasso.
TEST(GeneralizedLasso, WithTheIdentityIsTheLasso) {
  const RandomProblem p = testing_support::medium_problem();
  const Matrix identity = Matrix::Identity(p.columns, p.columns);
  const Problem general(p.dataset(), p.make_loss_model(), GeneralizedLasso(identity.sparseView()), {});
  const Problem lasso(p.dataset(), p.make_loss_model(), Lasso(), {});
  const double lambda = 0.1 * lambda_start(lasso);
  EXPECT_NEAR(lambda_start(general), lambda_start(lasso), 1e-9 * lambda_start(lasso));
  const Fit a = fit_at(general, lambda);
  const Fit b = fit_at(lasso, lambda);
  EXPECT_LT(max_difference(a.coefficients, b.coefficients), 1e-10);
  EXPECT_LT(max_difference(approximate_leave_one_out(general, a).linear_predictor,
                           approximate_leave_one_out(lasso, b).linear_predictor),
            1e-9);
}

// Whatever D is, without it there is one fit.
TEST(GeneralizedLasso, LambdaZero) {
  for (const char* loss : {"squared", "logistic", "multinomial"}) {
    RandomProblem p;
    p.loss = loss;
    p.rows = 60;
    p.columns = 4;
    Dataset data = p.dataset();
    std::mt19937 generator(9);
    std::shuffle(data.response.begin(), data.response.end(), generator);  // nothing to tell classes apart by
    const Problem lasso(data, p.make_loss_model(), Lasso(), {});
    const Vector expected = lasso.loss().mean(fit_at(lasso, 0.0).linear_predictor);
    const Matrix identity = Matrix::Identity(4, 4);
    const Matrix twice = identity.replicate(2, 1);
    for (const Penalty& penalty :
         {Penalty(GeneralizedLasso(identity.sparseView())), Penalty(GeneralizedLasso(twice.sparseView())),
          Penalty(GeneralizedLasso::on_graph(4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}))}) {
      const Problem problem(data, p.make_loss_model(), penalty, {});
      const Fit fit = fit_at(problem, 0.0);
      EXPECT_EQ(fit.status, FitStatus::converged) << loss;
      EXPECT_LT(max_difference(problem.loss().mean(fit.linear_predictor), expected), 1e-7) << loss;
    }
  }
}

TEST(GeneralizedLasso, AMatrixIsKnownByItsEntries) {
  const SparseMatrix second = GeneralizedLasso::differences(7, 2, "trend-filter").analysis()->matrix();
  EXPECT_EQ(GeneralizedLasso::recognize(second).analysis()->chain_order(), 2);
  EXPECT_EQ(GeneralizedLasso::recognize(-second).analysis()->chain_order(), 2);
  EXPECT_EQ(GeneralizedLasso::recognize(second).name(), "generalized-lasso");
  const auto sparse = GeneralizedLasso::on_graph(4, {{0, 1}, {1, 2}, {0, 3}}, 0.5);
  const auto again = GeneralizedLasso::recognize(sparse.analysis()->matrix());
  EXPECT_TRUE(again.analysis()->has_direct_prox());
  EXPECT_NE(again.analysis()->proximal_map(), nullptr);
  EXPECT_EQ((again.analysis()->matrix() - sparse.analysis()->matrix()).norm(), 0.0);
  const Vector b{{1.0, -2.0, 0.5, 3.0}};
  EXPECT_DOUBLE_EQ(again.value(b, 0.7), sparse.value(b, 0.7));
  Matrix uneven = sparse.analysis()->matrix().toDense();
  uneven(1, 1) *= 2.0;
  EXPECT_FALSE(GeneralizedLasso::recognize(uneven.sparseView()).analysis()->has_direct_prox());
}

// The sides of every edge are the new variables.
TEST(GeneralizedLasso, AGraphWithoutCyclesHasIndependentRows) {
  const std::vector<std::pair<Index, Index>> forest{{1, 0}, {1, 4}, {2, 6}, {4, 3}, {4, 7}};
  const auto penalty = GeneralizedLasso::on_graph(8, forest);
  const RightInverse* inverse = penalty.analysis()->right_inverse();
  ASSERT_NE(inverse, nullptr);
  const Matrix units = Matrix::Identity(5, 5);
  EXPECT_EQ(Matrix(penalty.analysis()->matrix() * inverse->multiply(units)), units);
  EXPECT_EQ(penalty.analysis()->null_basis().cols(), 3);  // {0, 1, 3, 4, 7}, {2, 6}, {5}
  for (const auto& more : {std::pair<Index, Index>{3, 0}, {5, 5}, {0, 1}}) {
    std::vector<std::pair<Index, Index>> edges = forest;
    edges.push_back(more);
    EXPECT_EQ(GeneralizedLasso::on_graph(8, edges).analysis()->right_inverse(), nullptr) << more.first;
  }
  EXPECT_EQ(GeneralizedLasso::on_graph(8, forest, 0.5).analysis()->right_inverse(), nullptr);
}

// A chain as a graph is the chain, whatever the loss.
TEST(GeneralizedLasso, AChainAsAGraph) {
  RandomProblem p = testing_support::medium_problem();
  std::vector<std::pair<Index, Index>> edges;
  for (Index j = p.columns - 1; j > 0; --j) edges.emplace_back(j, j - 1);
  for (const char* loss : {"squared", "logistic", "multinomial", "absolute"}) {
    p.loss = loss;
    const Problem chain(p.dataset(), p.make_loss_model(),
                        GeneralizedLasso::differences(p.columns, 1, "fused-lasso"), {});
    const Problem graph(p.dataset(), p.make_loss_model(), GeneralizedLasso::on_graph(p.columns, edges), {});
    const double lambda = 0.3 * lambda_start(chain);
    const Fit a = fit_at(chain, lambda);
    const Fit b = fit_at(graph, lambda);
    EXPECT_EQ(b.status, FitStatus::converged) << loss;
    EXPECT_LT(max_difference(a.coefficients, b.coefficients), 1e-8) << loss;
    if (loss == std::string("absolute")) continue;
    EXPECT_LT(max_difference(approximate_leave_one_out(chain, a).linear_predictor,
                             approximate_leave_one_out(graph, b).linear_predictor),
              1e-7)
        << loss;
  }
}

// Each output has differences of its own.
TEST(GeneralizedLasso, SeveralOutputs) {
  RandomProblem p = testing_support::medium_problem();
  p.loss = "multinomial";
  const Problem problem(p.dataset(), p.make_loss_model(),
                        GeneralizedLasso::differences(p.columns, 1, "fused-lasso"), {});
  const Fit fit = fit_at(problem, 0.2 * lambda_start(problem), {.carry_hat = true});
  ASSERT_EQ(fit.status, FitStatus::converged);
  ASSERT_EQ(fit.multipliers.size(), 3 * (p.columns - 1));
  const auto mean = [&](Framework framework) {
    return problem.loss().mean(approximate_leave_one_out(problem, fit, framework).linear_predictor);
  };
  EXPECT_LT(max_difference(mean(Framework::primal), mean(Framework::dual)), 1e-9);
  EXPECT_LT(max_difference(mean(Framework::primal), mean(Framework::automatic)), 1e-9);
}

// Every output has the unpenalised directions, one more than predictions know of, and a row has a
// probability of 1e-16.
TEST(GeneralizedLasso, AClassThatIsAsGoodAsImpossible) {
  RandomProblem p;
  p.loss = "multinomial";
  p.seed = 38;
  p.rows = 18;
  p.columns = 20;
  const Problem problem(p.dataset(), p.make_loss_model(),
                        GeneralizedLasso::differences(20, 3, "trend-filter"), {});
  const Fit fit = fit_at(problem, 0.03 * lambda_start(problem), {.carry_hat = true});
  ASSERT_EQ(fit.status, FitStatus::converged);
  ASSERT_GT(fit.hat.size(), 0);
  EXPECT_LT(problem.loss().mean(fit.linear_predictor).minCoeff(), 1e-15);
  const auto mean = [&](Framework framework) {
    return problem.loss().mean(approximate_leave_one_out(problem, fit, framework).linear_predictor);
  };
  EXPECT_LT(max_difference(mean(Framework::primal), mean(Framework::dual)), 1e-9);
  EXPECT_LT(max_difference(mean(Framework::primal), mean(Framework::automatic)), 1e-9);
}

// Where many members depend on each other they leave one at a time, and the objective stays where it is.
TEST(GeneralizedLasso, MembersThatLeaveOneByOneAreNoEnd) {
  RandomProblem p;
  p.loss = "multinomial";
  p.seed = 529806;
  p.rows = 17;
  p.columns = 24;
  p.standardize = false;
  p.weights = true;
  p.offset = true;
  const Problem problem(p.dataset(), p.make_loss_model(),
                        GeneralizedLasso::differences(24, 3, "trend-filter"), {true, false});
  const double start = lambda_start(problem);
  for (const Fit& fit : fit_path(problem, {start, 0.3 * start, 0.1 * start, 0.03 * start}).fits) {
    EXPECT_EQ(fit.status, FitStatus::converged) << "lambda " << fit.lambda / start;
  }
}

TEST(GeneralizedLasso, FusedCoefficientsAreExactlyEqual) {
  const RandomProblem p = testing_support::medium_problem();
  const Problem problem(p.dataset(), p.make_loss_model(),
                        GeneralizedLasso::differences(p.columns, 1, "fused-lasso"), {true, false});
  const Fit fit = fit_at(problem, 0.2 * lambda_start(problem));
  ASSERT_EQ(fit.status, FitStatus::converged);
  Index ties = 0;
  for (Index j = 0; j + 1 < p.columns; ++j) {
    const bool fused = std::abs(fit.multipliers[j]) < fit.lambda;
    EXPECT_EQ(fused, fit.coefficients[j] == fit.coefficients[j + 1]);
    ties += fused ? 1 : 0;
  }
  EXPECT_GT(ties, 0);
  EXPECT_LT(ties, p.columns - 1);
}

TEST(GeneralizedLasso, InterceptThatAFreeDirectionMakesIsRefused) {
  const Vector signal = Vector::LinSpaced(10, 0.0, 1.0);
  const Problem problem(make_dataset(Design(Matrix(Matrix::Identity(10, 10))), signal), make_loss("squared"),
                        GeneralizedLasso::differences(10, 1, "fused-lasso"), {true, false});
  EXPECT_THROW(fit_path(problem, {1.0}), InvalidData);
}

TEST(GeneralizedLasso, RefusesAMatrixOfAnotherWidth) {
  const RandomProblem p = testing_support::medium_problem();
  const auto make = [&] {
    return Problem(p.dataset(), p.make_loss_model(),
                   GeneralizedLasso::differences(p.columns + 1, 1, "fused-lasso"), {});
  };
  EXPECT_THROW(make(), InvalidData);
  EXPECT_THROW(GeneralizedLasso::differences(5, 0, "trend-filter"), InvalidArgument);
  SparseMatrix bad(1, 2);
  bad.insert(0, 1) = std::nan("");
  EXPECT_THROW(GeneralizedLasso{bad}, InvalidData);
}

}  // namespace
}  // namespace alo
