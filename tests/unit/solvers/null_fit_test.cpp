// SPDX-License-Identifier: MIT
// Whether a finite fit of what is not penalised is best.
#include <gtest/gtest.h>

#include "random_problem.hpp"

namespace alo {
namespace {

using testing_support::has_fit;
using testing_support::RandomProblem;

// A response in three classes with an unpenalised column (the second) that is one in rows of so many of them.
Problem with_unpenalised_column(RandomProblem p, const std::vector<Index>& ones) {
  p.columns = 4;
  p.rows = 30;
  p.penalty_weights = true;
  Dataset data = p.dataset();
  Matrix x = data.design.dense_values();
  x.col(1).setZero();
  for (const Index i : ones) x(i, 1) = 1.0;
  data.design = Design(x);
  return p.problem(std::move(data));
}

std::vector<Index> rows_with(const RandomProblem& p, double response, std::size_t most) {
  RandomProblem same = p;
  same.columns = 4;
  same.rows = 30;
  const Vector y = same.dataset().response;
  std::vector<Index> rows;
  for (Index i = 0; i < y.size() && rows.size() < most; ++i) {
    if (y[i] == response) rows.push_back(i);
  }
  return rows;
}

// The column is one in rows of a single class, and zero in others of it: its coefficient grows without end,
// while intercepts are finite and keep their curvature.
TEST(NullFit, AColumnThatSeparatesPartOfAClassHasNoFiniteFit) {
  for (const char* loss : {"logistic", "probit", "multinomial"}) {
    for (unsigned seed = 1; seed <= 10; ++seed) {
      for (const bool intercept : {true, false}) {
        RandomProblem p;
        p.loss = loss;
        p.seed = seed;
        p.intercept = intercept;
        EXPECT_FALSE(has_fit(with_unpenalised_column(p, rows_with(p, 1.0, 4)))) << p;
      }
    }
  }
}

TEST(NullFit, OneRowOfAnotherClassMakesItFinite) {
  for (const char* loss : {"logistic", "probit", "multinomial"}) {
    for (unsigned seed = 1; seed <= 10; ++seed) {
      RandomProblem p;
      p.loss = loss;
      p.seed = seed;
      std::vector<Index> ones = rows_with(p, 1.0, 4);
      for (const double other : {0.0, -1.0, 2.0}) {
        for (const Index i : rows_with(p, other, 1)) ones.push_back(i);
      }
      EXPECT_TRUE(has_fit(with_unpenalised_column(p, ones))) << p;
    }
  }
}

// Steps of a Huber loss end all at once, without a quadratic approach.
TEST(NullFit, HuberFitsAreFinite) {
  for (const double delta : {1e-3, 0.1, 2.0}) {
    for (unsigned seed = 1; seed <= 20; ++seed) {
      RandomProblem p;
      p.loss = "huber";
      p.delta = delta;
      p.seed = seed;
      p.penalty_weights = true;
      EXPECT_TRUE(has_fit(p.problem())) << p;
    }
  }
}

}  // namespace
}  // namespace alo
