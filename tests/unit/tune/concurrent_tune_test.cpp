// SPDX-License-Identifier: MIT
// Several calls of tune() in one process at a time.
#include <gtest/gtest.h>

#include <latch>
#include <thread>

#include "alo/tune.hpp"
#include "random_problem.hpp"

namespace alo {
namespace {

using testing_support::RandomProblem;

// Models of which each takes another solver and another way to leave rows out.
std::vector<Problem> some_problems() {
  const auto random = [](const std::string& loss, const std::string& penalty, Index columns) {
    RandomProblem p;
    p.rows = 24;
    p.columns = columns;
    p.loss = loss;
    p.penalty = penalty;
    return p;
  };
  std::vector<Problem> problems;
  problems.push_back(random("squared", "lasso", 30).problem());
  problems.push_back(random("logistic", "elastic-net", 8).problem());
  problems.push_back(random("hinge", "ridge", 6).problem());
  problems.push_back(random("squared", "ridge", 30).problem());
  ModelParameters parameters;
  parameters.columns = 6;
  parameters.groups = {0, 0, 1, 1, 2, 2};
  const Dataset data = random("squared", "lasso", 6).dataset();
  problems.emplace_back(data, make_loss("squared"), make_penalty("group-lasso", parameters));
  problems.emplace_back(data, make_loss("squared"), make_penalty("fused-lasso", parameters));
  return problems;
}

TuneResult tuned(const Problem& problem) {
  TuneOptions options;
  options.grid.count = 8;
  options.exact = true;
  options.folds = 3;
  options.keep_rows = true;
  options.threads = 2;
  return tune(problem, options);
}

// Equal in every bit. NaN, the value of a row without a prediction, equals itself here.
bool is_same(const Vector& a, const Vector& b) {
  return a.size() == b.size() && ((a.array() == b.array()) || (a.array().isNaN() && b.array().isNaN())).all();
}

bool is_same(const std::vector<Estimate>& a, const std::vector<Estimate>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Estimate& one, const Estimate& other) {
    return one.mean == other.mean && one.se == other.se && one.undefined == other.undefined;
  });
}

void expect_same(const TuneResult& a, const TuneResult& b) {
  ASSERT_EQ(a.path.size(), b.path.size());
  for (std::size_t k = 0; k < a.path.size(); ++k) {
    EXPECT_EQ(a.path[k].fit.lambda, b.path[k].fit.lambda);
    EXPECT_TRUE(is_same(a.path[k].fit.coefficients, b.path[k].fit.coefficients)) << k;
    EXPECT_TRUE(is_same(a.path[k].rows->alo, b.path[k].rows->alo)) << k;
    EXPECT_TRUE(is_same(a.path[k].rows->exact, b.path[k].rows->exact)) << k;
  }
  ASSERT_EQ(a.risk.size(), b.risk.size());
  EXPECT_TRUE(is_same(a.risk[0].alo, b.risk[0].alo));
  EXPECT_TRUE(is_same(a.risk[0].exact, b.risk[0].exact));
  EXPECT_TRUE(is_same(a.risk[0].kfold, b.risk[0].kfold));
  ASSERT_EQ(a.minimum.has_value(), b.minimum.has_value());
  if (a.minimum) {
    EXPECT_EQ(a.minimum->choice.lambda, b.minimum->choice.lambda);
  }
}

// Designs this small get one BLAS thread whoever else is at work, so not even the last digit may differ.
TEST(ConcurrentTune, GivesWhatSerialCallsGive) {
  const std::vector<Problem> problems = some_problems();
  std::vector<TuneResult> serial;
  for (const Problem& problem : problems) serial.push_back(tuned(problem));

  // Each thread works through all problems, from another one on: different problems at a time, and as the
  // threads drift apart the same ones too.
  constexpr std::size_t callers = 4;
  std::vector<std::vector<TuneResult>> results(callers, std::vector<TuneResult>(problems.size()));
  std::latch begin(callers);
  {
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < callers; ++t) {
      threads.emplace_back([&, t] {
        begin.arrive_and_wait();
        for (std::size_t k = 0; k < problems.size(); ++k) {
          const std::size_t which = (k + t) % problems.size();
          results[t][which] = tuned(problems[which]);
        }
      });
    }
  }
  for (std::size_t t = 0; t < callers; ++t) {
    for (std::size_t k = 0; k < problems.size(); ++k) {
      SCOPED_TRACE(testing::Message() << "thread " << t << ", problem " << k);
      expect_same(results[t][k], serial[k]);
    }
  }
}

// Passes over so many rows run on two threads, each with sums of its own. These are added up in another order
// than by one thread, which changes the last digits.
TEST(ConcurrentTune, PassesOverManyRowsGiveWhatOneThreadGives) {
  RandomProblem p;
  p.rows = 20'000;
  p.columns = 6;
  p.loss = "squared";
  p.penalty = "lasso";
  const Problem problem = p.problem();
  TuneOptions options;
  options.grid.count = 6;
  options.choose = ChooseBy::alo;
  const TuneResult serial = tune(problem, options);
  options.threads = 2;
  const TuneResult shared = tune(problem, options);
  ASSERT_EQ(serial.path.size(), shared.path.size());
  for (std::size_t k = 0; k < serial.path.size(); ++k) {
    const double risk = *serial.risk[0].alo[k].mean;
    EXPECT_NEAR(*shared.risk[0].alo[k].mean, risk, 1e-12 * risk) << k;
    EXPECT_TRUE(is_certified(shared.path[k].fit.status)) << k;
  }
}

}  // namespace
}  // namespace alo
