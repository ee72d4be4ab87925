// SPDX-License-Identifier: MIT
// The error of the whole procedure by outer folds.
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alo/error.hpp"
#include "alo/kernel.hpp"
#include "alo/tune.hpp"
#include "leave_one_out/training_part.hpp"
#include "random_problem.hpp"

namespace alo {
namespace {

using testing_support::RandomProblem;

RandomProblem sized(Index rows, Index columns, const std::string& penalty = "lasso") {
  RandomProblem p;
  p.rows = rows;
  p.columns = columns;
  p.penalty = penalty;
  return p;
}

TuneOptions with_outer(int folds, int lambdas = 12) {
  TuneOptions options;
  options.outer_folds = folds;
  options.grid.count = lambdas;
  return options;
}

// What a user would do by hand: cut the rows out, tune the others, predict.
TEST(OuterFolds, EqualALoopByHand) {
  const Problem problem = sized(60, 10).problem();
  const OuterRisk outer = *tune(problem, with_outer(4)).outer;
  const std::vector<int> assignment = assign_folds(problem, 4, 1);
  Vector squares(60);
  for (int fold = 0; fold < 4; ++fold) {
    std::vector<Index> kept;
    for (Index i = 0; i < 60; ++i) {
      if (assignment[static_cast<std::size_t>(i)] != fold) kept.push_back(i);
    }
    const Matrix x = problem.data().design.dense_values();
    const Vector y = problem.data().response;
    const Problem rest(make_dataset(Design(Matrix(x(kept, Eigen::all))), y(kept)), problem.loss(),
                       problem.penalty());
    TuneOptions inner;
    inner.grid.count = 12;
    const Fit fit = tune(rest, inner).minimum->point.fit;
    // The penalty is as strong as in the whole, where there is a third more weight.
    EXPECT_NEAR(outer.lambdas[static_cast<std::size_t>(fold)], fit.lambda * 60.0 / 45.0, 1e-9 * fit.lambda);
    const Vector predictor = (x * fit.coefficients).array() + fit.intercept[0];
    for (Index i = 0; i < 60; ++i) {
      if (assignment[static_cast<std::size_t>(i)] == fold) squares[i] = std::pow(y[i] - predictor[i], 2);
    }
  }
  ASSERT_EQ(outer.risk.size(), 1U);
  // Both fits have gaps of 1e-10 or less of the null deviance.
  EXPECT_NEAR(*outer.risk[0].mean, squares.mean(), 1e-8 * squares.mean());
  const double deviation = std::sqrt((squares.array() - squares.mean()).square().sum() / 59.0);
  EXPECT_NEAR(*outer.risk[0].se, deviation / std::sqrt(60.0), 1e-8 * deviation);
}

// The same with rows that keep their place and lose their weight, which every model knows.
double by_weights(const Problem& problem, const TuneOptions& options, Metric metric) {
  const Dataset& data = problem.data();
  const std::vector<int> assignment = assign_folds(problem, options.outer_folds, options.seed);
  LeaveOneOut held_out{Vector::Zero(problem.rows() * problem.outputs()), {}, 0.0, {}};
  for (int fold = 0; fold < options.outer_folds; ++fold) {
    Dataset part = data;
    for (Index i = 0; i < problem.rows(); ++i) {
      if (assignment[static_cast<std::size_t>(i)] == fold) part.weights[i] = 0.0;
    }
    const double share = part.weights.sum() / data.weights.sum();
    const bool counts = data.weight_kind == WeightKind::frequency;
    if (!counts) part.weights /= share;
    part.design = refill(data, part.weights);
    TuneOptions inner = options;
    inner.outer_folds = 0;
    if (counts) {
      for (double& lambda : inner.lambdas) lambda *= share;
    }
    const Problem rest(std::move(part), problem.loss(), problem.penalty(),
                       {problem.intercept(), problem.standardize()});
    const Vector predictor = tune(rest, inner).minimum->point.fit.linear_predictor;
    for (Index i = 0; i < problem.rows(); ++i) {
      if (assignment[static_cast<std::size_t>(i)] == fold) {
        by_output(held_out.linear_predictor, problem.outputs()).row(i) =
            by_output(predictor, problem.outputs()).row(i);
      }
    }
  }
  return *estimate_risk(problem, metric, held_out).mean;
}

void expect_as_by_weights(const Problem& problem, Metric metric) {
  TuneOptions options = with_outer(3);
  options.metrics = {metric};
  options.lambdas = lambda_grid(problem, {.count = 8, .ratio = 0.05});
  const TuneResult result = tune(problem, options);
  ASSERT_TRUE(result.outer);
  ASSERT_TRUE(result.outer->risk.at(0).mean);
  const double expected = by_weights(problem, options, metric);
  // Two certified fits of the same problem, whose gaps are up to 1e-10 of the null deviance: their
  // predictions differ by the root of that.
  EXPECT_NEAR(*result.outer->risk[0].mean, expected, 1e-5 * (1.0 + std::abs(expected)));
}

TEST(OuterFolds, TakeWeightsOfBothKindsOffsetsAndSparseColumns) {
  RandomProblem p = sized(50, 8);
  p.offset = true;
  p.weights = true;
  expect_as_by_weights(p.problem(), Metric::mse);
  p.weights = false;
  p.frequency = true;
  expect_as_by_weights(p.problem(), Metric::mae);
  p.sparse = true;
  expect_as_by_weights(p.problem(), Metric::r2);
}

TEST(OuterFolds, KeepAFixedPartOfThePenaltyAsStrong) {
  RandomProblem p = sized(50, 8, "elastic-net");
  p.ridge = 20.0;
  expect_as_by_weights(p.problem(), Metric::mse);
}

TEST(OuterFolds, TakeClassesCountsAndKinks) {
  for (const std::string loss : {"logistic", "poisson", "multinomial"}) {
    RandomProblem p = sized(60, 5, "ridge");
    p.loss = loss;
    expect_as_by_weights(p.problem(), Metric::deviance);
  }
  RandomProblem p = sized(60, 5, "ridge");
  p.loss = "hinge";
  p.intercept = false;  // with one, no pinned row may be left to hold it
  expect_as_by_weights(p.problem(), Metric::misclassification);
}

TEST(OuterFolds, ComputeAucOverAllHeldOutRows) {
  RandomProblem p = sized(60, 5, "ridge");
  p.loss = "logistic";
  expect_as_by_weights(p.problem(), Metric::auc);
  TuneOptions options = with_outer(3);
  options.metrics = {Metric::auc_recentred};
  const OuterRisk outer = *tune(p.problem(), options).outer;
  EXPECT_EQ(outer.metrics.at(0), Metric::auc);
}

TEST(OuterFolds, TakeKernels) {
  RandomProblem p = sized(45, 4, "ridge");
  Kernel kernel;
  kernel.kind = KernelKind::rbf;
  const Problem problem(with_kernel(p.dataset(), kernel, true), p.make_loss_model(), p.make_penalty_model(),
                        {false, false});
  expect_as_by_weights(problem, Metric::mse);
}

TEST(OuterFolds, FillMissingEntriesFromTheTrainingRows) {
  Dataset data = sized(40, 6).dataset();
  Matrix x = data.design.dense_values();
  for (const Index row : {1, 7, 20}) {
    double mean = 0.0;
    for (Index i = 0; i < 40; ++i) mean += i == 1 || i == 7 || i == 20 ? 0.0 : x(i, 0) / 37.0;
    x(row, 0) = mean;
    data.filled.push_back({row, 0});
  }
  data.design = Design(x);
  expect_as_by_weights(sized(40, 6).problem(std::move(data)), Metric::mse);
}

TEST(OuterFolds, AreReproducibleAndIndependentOfThreads) {
  const Problem problem = sized(50, 30).problem();
  TuneOptions options = with_outer(5);
  const OuterRisk one = *tune(problem, options).outer;
  options.threads = 3;
  const OuterRisk three = *tune(problem, options).outer;
  EXPECT_EQ(one.lambdas, three.lambdas);
  EXPECT_EQ(*one.risk[0].mean, *three.risk[0].mean);
  options.seed = 2;
  EXPECT_NE(*tune(problem, options).outer->risk[0].mean, *one.risk[0].mean);
}

// A linear program has no approximation: its lambda is chosen by folds of the training rows.
TEST(OuterFolds, ChooseALinearProgramByFolds) {
  RandomProblem p = sized(40, 5);
  p.loss = "absolute";
  TuneOptions options = with_outer(3, 6);
  options.folds = 4;
  const TuneResult result = tune(p.problem(), options);
  ASSERT_TRUE(result.outer);
  EXPECT_TRUE(result.outer->risk.at(0).mean);
}

TEST(OuterFolds, SayWhichRowsCannotBeTuned) {
  RandomProblem p = sized(20, 3, "ridge");
  p.loss = "logistic";
  Dataset data = p.dataset();
  data.response.setConstant(-1.0);
  data.response[5] = 1.0;
  try {
    tune(p.problem(std::move(data)), with_outer(4));
    FAIL() << "one of the parts has one class only";
  } catch (const InvalidData& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("without outer fold "));
  }
}

TEST(OuterFolds, AreRefusedForSignalsAndBadCounts) {
  const Problem signal(
      make_dataset(Design(Matrix(Matrix::Identity(12, 12))), Vector::LinSpaced(12, 0.0, 1.0)),
      make_loss("squared", {}), make_penalty("lasso", {}), {false, false});
  EXPECT_THROW(tune(signal, with_outer(3)), InvalidArgument);
  EXPECT_THROW(tune(sized(20, 3).problem(), with_outer(1)), InvalidArgument);
  EXPECT_THROW(tune(sized(20, 3).problem(), with_outer(21)), InvalidData);
}

TEST(OuterFolds, ReportProgressAndStop) {
  const Problem problem = sized(40, 6).problem();
  double last = 0.0;
  Monitor monitor;
  monitor.progress = [&](std::string_view stage, double done, double total) {
    if (stage != "outer folds") return;
    EXPECT_GE(done, last);
    EXPECT_EQ(total, 4.0);
    last = done;
  };
  EXPECT_TRUE(tune(problem, with_outer(4), monitor).outer->complete);
  EXPECT_EQ(last, 4.0);
  bool begun = false;
  monitor.progress = [&](std::string_view stage, double, double) { begun = begun || stage == "outer folds"; };
  monitor.should_stop = [&] { return begun; };
  const TuneResult stopped = tune(problem, with_outer(4), monitor);
  EXPECT_FALSE(stopped.complete);
  EXPECT_FALSE(stopped.outer->complete);
  EXPECT_TRUE(stopped.outer->risk.empty());
  EXPECT_TRUE(stopped.minimum);  // what was finished before is kept
}

}  // namespace
}  // namespace alo
