// SPDX-License-Identifier: MIT
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alo/error.hpp"
#include "alo/leave_one_out.hpp"
#include "random_problem.hpp"

namespace alo {
namespace {

using testing_support::max_difference;
using testing_support::RandomProblem;

// As many folds as rows is leave-one-out, when scales are not estimated and lambda is the
// same in every part.
void expect_leave_one_out(RandomProblem p) {
  p.standardize = false;
  const Problem problem = p.problem();
  const double lambda = 0.2 * lambda_start(problem);
  const double share = static_cast<double>(p.rows) / static_cast<double>(p.rows - 1);
  KFoldOptions options;
  options.folds = static_cast<int>(p.rows);
  options.generated_grid = false;
  // The rows of a part are weighted up to the whole: undo that by a stronger penalty.
  RandomProblem stronger = p;
  if (p.ridge) stronger.ridge = *p.ridge * share;
  const KFold folds = k_fold(stronger.problem(), {lambda * share}, options);
  const Fit fit = fit_path(problem, {lambda}).fits[0];
  const ExactLeaveOneOut exact =
      exact_leave_one_out(problem, std::span(&fit, 1), testing_support::all_rows(problem));
  EXPECT_LT(max_difference(folds.values[0].linear_predictor, exact.values[0].linear_predictor), 1e-9);
}

TEST(KFold, WithAsManyFoldsAsRowsIsLeaveOneOut) {
  expect_leave_one_out({});
}

TEST(KFold, WithAsManyFoldsAsRowsIsLeaveOneOutWithAFixedRidgePart) {
  RandomProblem p;
  p.penalty = "elastic-net";
  p.ridge = 20.0;
  expect_leave_one_out(p);
}

TEST(KFold, IsReproducibleAndIndependentOfThreads) {
  RandomProblem p;
  const Problem problem = p.problem();
  const std::vector<double> lambdas = lambda_grid(problem, {.count = 5});
  KFoldOptions options;
  options.folds = 5;
  const KFold one = k_fold(problem, lambdas, options);
  options.threads = 2;
  const KFold two = k_fold(problem, lambdas, options);
  options.seed = 2;
  const KFold other = k_fold(problem, lambdas, options);
  for (std::size_t k = 0; k < lambdas.size(); ++k) {
    EXPECT_EQ(one.values[k].linear_predictor, two.values[k].linear_predictor);
  }
  EXPECT_GT(max_difference(one.values[2].linear_predictor, other.values[2].linear_predictor), 1e-6);
}

// Means that were filled in are recomputed in each training part.
TEST(KFold, RefillsMissingEntriesFromTheTrainingPart) {
  RandomProblem p;
  p.rows = 6;
  p.columns = 1;
  p.standardize = false;
  p.penalty = "ridge";
  Dataset data = p.dataset();
  Matrix x = data.design.dense_values();
  const double mean = x.col(0).tail(5).mean();
  x(0, 0) = mean;
  data.design = Design(x);
  data.filled = {{0, 0}};
  Dataset plain = data;
  plain.filled.clear();
  KFoldOptions options;
  options.folds = 3;
  options.generated_grid = false;
  const KFold refilled = k_fold(p.problem(data), {0.1}, options);
  const KFold kept = k_fold(p.problem(plain), {0.1}, options);
  EXPECT_GT(max_difference(refilled.values[0].linear_predictor, kept.values[0].linear_predictor), 1e-9);
}

TEST(KFold, RefusesFoldCountsThatMakeNoSense) {
  RandomProblem p;
  const Problem problem = p.problem();
  EXPECT_THAT([&] { k_fold(problem, {1.0}, {.fit = {}, .folds = 1}); },
              testing::ThrowsMessage<InvalidArgument>(testing::HasSubstr("at least 2")));
  EXPECT_THAT([&] { k_fold(problem, {1.0}, {.fit = {}, .folds = 1000}); },
              testing::ThrowsMessage<InvalidData>(testing::HasSubstr("1000 folds")));
}

}  // namespace
}  // namespace alo
