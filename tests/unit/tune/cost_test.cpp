// SPDX-License-Identifier: MIT
// Operation counts of paths and of exact leave-one-out.
#include <gtest/gtest.h>

#include "alo/tune.hpp"
#include "random_problem.hpp"
#include "solvers/method.hpp"

namespace alo {
namespace {

using testing_support::medium_problem;
using testing_support::RandomProblem;

// Counts of a path of so many lambdas, on which more coefficients enter at its beginning than at its end.
std::vector<Index> rising(Index lambdas, Index last) {
  std::vector<Index> nonzero;
  for (Index k = 1; k <= lambdas; ++k) {
    const double share = std::sqrt(static_cast<double>(k) / static_cast<double>(lambdas));
    nonzero.push_back(std::lround(share * static_cast<double>(last)));
  }
  return nonzero;
}

TEST(Cost, FollowsTheSizes) {
  const Problem problem = medium_problem().problem();
  EXPECT_LT(route(problem).exact_flops(problem, {3, 3.0}, problem.rows()),
            route(problem).exact_flops(problem, {12, 12.0}, problem.rows()));
  EXPECT_LT(route(problem).path_flops(problem, rising(10, 3)),
            route(problem).path_flops(problem, rising(100, 3)));
  EXPECT_LT(route(problem).exact_flops(problem, {12, 12.0}, problem.rows()),
            route(problem).path_flops(problem, rising(100, 12)));
  const Problem long_one(make_dataset(Design(SparseMatrix(1'000'000, 2)), Vector::LinSpaced(1'000'000, 0, 1)),
                         problem.loss(), problem.penalty(), {true, false});
  EXPECT_GT(route(long_one).exact_flops(long_one, {2, 2.0}, long_one.rows()),
            route(long_one).path_flops(long_one, rising(1, 2)));
  const Problem wide(make_dataset(Design(SparseMatrix(300, 5000)), Vector::LinSpaced(300, 0, 1)),
                     problem.loss(), problem.penalty(), {true, false});
  EXPECT_LT(route(wide).exact_flops(wide, {20, 20.0}, wide.rows()),
            route(wide).path_flops(wide, rising(100, 280)));
  EXPECT_GT(route(wide).exact_flops(wide, {280, 280.0}, wide.rows()),
            route(wide).path_flops(wide, rising(100, 280)))
      << "nearly as many as rows";
  RandomProblem ridge = medium_problem();
  ridge.penalty = "ridge";
  const Problem quadratic = ridge.problem();
  EXPECT_TRUE(std::isfinite(route(quadratic).exact_flops(quadratic, {3, 3.0}, quadratic.rows())));
}

// Exact leave-one-out at one lambda over the path of 100, in CPU time.
struct Measured {
  const char* loss;
  int classes;
  Index rows;
  Index columns;
  Index last;
  Index nonzero;
  double ratio;
};

class MeasuredCost : public testing::TestWithParam<Measured> {};

TEST_P(MeasuredCost, IsOnTheSameSideOfThePath) {
  const Measured& m = GetParam();
  Vector response(m.rows);
  for (Index i = 0; i < m.rows; ++i) {
    const auto label = static_cast<double>(i % std::max(m.classes, 2));
    response[i] = m.classes == 2 ? 2.0 * label - 1.0 : label;
  }
  ModelParameters parameters;
  if (m.classes > 2) parameters.classes = m.classes;
  const Problem problem(make_dataset(Design(Matrix::Zero(m.rows, m.columns)), response),
                        make_loss(m.loss, parameters), make_penalty("lasso", {}), {true, false});
  const double ratio =
      route(problem).exact_flops(problem, {m.nonzero, static_cast<double>(m.nonzero)}, problem.rows()) /
      route(problem).path_flops(problem, rising(100, m.last));
  EXPECT_EQ(ratio < 1.0, m.ratio < 1.0) << ratio;
  EXPECT_NEAR(std::log(ratio / m.ratio), 0.0, std::log(2.0));
}

INSTANTIATE_TEST_SUITE_P(Sizes, MeasuredCost,
                         testing::Values(Measured{"squared", 1, 5000, 500, 499, 66, 0.41},
                                         Measured{"squared", 1, 300, 1000, 260, 93, 0.46},
                                         Measured{"squared", 1, 20000, 50, 50, 34, 0.6},
                                         Measured{"logistic", 2, 5000, 500, 499, 71, 2.8},
                                         Measured{"logistic", 2, 500, 5000, 357, 163, 2.0},
                                         Measured{"logistic", 2, 2000, 200, 200, 17, 1.6},
                                         Measured{"multinomial", 5, 2000, 300, 1151, 366, 0.75}));

// Exact leave-one-out of a row in operations of a matrix product, by CPU time
// (bench/compare/operation_counts).
struct MeasuredRow {
  const char* loss;
  const char* penalty;
  Index rows;
  Index columns;
  FitSize fit;
  double operations;
};

class MeasuredRows : public testing::TestWithParam<MeasuredRow> {};

// A few fits in the middle of a path tell little of those where rows are nearly interpolated, coefficients
// move in clusters, or rows have two kinks.
TEST_P(MeasuredRows, AreCountedToAFactorOfTwo) {
  const MeasuredRow& m = GetParam();
  Vector response(m.rows);
  for (Index i = 0; i < m.rows; ++i) response[i] = i % 2 == 0 ? -1.0 : 1.0;
  ModelParameters parameters;
  parameters.columns = m.columns;
  for (Index j = 0; j < m.columns; ++j) parameters.groups.push_back(j / 4);
  const Problem problem(make_dataset(Design(Matrix::Zero(m.rows, m.columns)), response),
                        make_loss(m.loss, parameters), make_penalty(m.penalty, parameters), {true, false});
  const double counted = route(problem).exact_flops(problem, m.fit, m.rows) / static_cast<double>(m.rows);
  EXPECT_NEAR(std::log(counted / m.operations), 0.0, std::log(2.0)) << counted;
}

INSTANTIATE_TEST_SUITE_P(
    Sizes, MeasuredRows,
    testing::Values(MeasuredRow{"squared", "slope", 100, 200, {41, 36.0}, 2.0e7},
                    MeasuredRow{"squared", "slope", 100, 200, {85, 75.0}, 2.1e8},
                    MeasuredRow{"squared", "slope", 100, 200, {105, 93.0}, 9.6e8},
                    MeasuredRow{"squared", "slope", 300, 60, {28, 26.0}, 8.7e6},
                    MeasuredRow{"logistic", "slope", 300, 60, {58, 59.0}, 8.8e7},
                    MeasuredRow{"squared", "group-lasso", 40, 80, {52, 25.3}, 1.0e7},
                    MeasuredRow{"squared", "group-lasso", 100, 200, {156, 91.4}, 1.2e8},
                    MeasuredRow{"logistic", "group-lasso", 40, 80, {44, 16.4}, 1.4e7},
                    MeasuredRow{"hinge", "elastic-net", 120, 8, {8, 9.0}, 5.0e6},
                    MeasuredRow{"hinge", "elastic-net", 300, 30, {30, 30.0}, 4.2e7},
                    MeasuredRow{"epsilon-insensitive", "elastic-net", 100, 200, {46, 31.0}, 5.3e7},
                    MeasuredRow{"epsilon-insensitive", "elastic-net", 100, 200, {110, 98.0}, 5.2e8},
                    MeasuredRow{"epsilon-insensitive", "elastic-net", 1000, 20, {20, 21.0}, 1.8e8},
                    MeasuredRow{"epsilon-insensitive", "ridge", 200, 60, {60, 2.0}, 2.8e5},
                    MeasuredRow{"epsilon-insensitive", "ridge", 200, 60, {60, 60.0}, 3.8e6},
                    MeasuredRow{"epsilon-insensitive", "ridge", 60, 15, {15, 16.0}, 3.6e5}));

}  // namespace
}  // namespace alo
