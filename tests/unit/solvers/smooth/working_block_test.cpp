// SPDX-License-Identifier: MIT
// A sparse design is worked on without dense copies: everything a block computes is the same for both.
#include <random>

#include <gtest/gtest.h>

#include "alo/leave_one_out.hpp"
#include "alo/losses/logistic.hpp"
#include "alo/losses/multinomial.hpp"
#include "alo/path.hpp"
#include "alo/penalties/lasso.hpp"
#include "seed.hpp"
#include "solvers/smooth/working_block.hpp"

namespace alo {
namespace {

using testing_support::varied;

// Rounding of sums over 400 rows.
constexpr double rounding = 1e-12;

constexpr Index rows = 400;
constexpr Index columns = 30;

// Four entries in a hundred, so that the block stays sparse.
Matrix few_entries(unsigned seed) {
  std::mt19937_64 generator(varied(seed));
  std::normal_distribution<double> normal(1.0, 1.0);
  std::uniform_real_distribution<double> uniform;
  Matrix x = Matrix::Zero(rows, columns);
  for (double& value : x.reshaped()) {
    if (uniform(generator) < 0.04) value = normal(generator);
  }
  return x;
}

Matrix random_matrix(Index height, Index width, unsigned seed) {
  std::mt19937_64 generator(varied(seed));
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  return Matrix::NullaryExpr(height, width, [&]() { return uniform(generator); });
}

struct Case {
  Index outputs;
  bool intercept;
  bool standardize;
};

Problem problem_of(Design design, const Case& c) {
  Vector response(rows);
  for (Index i = 0; i < rows; ++i) {
    response[i] = c.outputs == 1 ? (i % 3 == 0 ? 1.0 : -1.0) : static_cast<double>(i % c.outputs);
  }
  const ProblemOptions options{.intercept = c.intercept, .standardize = c.standardize};
  if (c.outputs == 1) return {make_dataset(std::move(design), response), LogisticLoss{}, Lasso{}, options};
  return {make_dataset(std::move(design), response), MultinomialLoss{c.outputs}, Lasso{}, options};
}

class SparseBlock : public testing::TestWithParam<Case> {
 protected:
  SparseBlock()
      : sparse_problem(problem_of(Design(SparseMatrix(few_entries(1).sparseView())), GetParam())),
        dense_problem(problem_of(Design(few_entries(1)), GetParam())),
        sparse(sparse_problem),
        dense(dense_problem) {
    for (WorkingBlock* block : {&sparse, &dense}) {
      if (GetParam().intercept) block->position(Coordinate::intercept);
      for (const Index j : {7, 2, 19, 20, 5}) block->position(j);
    }
  }

  std::vector<Coordinate> members() const {
    std::vector<Coordinate> result;
    if (GetParam().intercept) result.push_back({Coordinate::intercept, 0});
    for (const Index j : {2, 20, 5}) result.push_back({j, GetParam().outputs - 1});
    result.push_back({7, 0});
    return result;
  }
  // Symmetric blocks with positive diagonals.
  Matrix curvature() const {
    const Index k = GetParam().outputs;
    Matrix result(rows, k * k);
    const Matrix entries = random_matrix(rows, k * k, 3);
    for (Index i = 0; i < rows; ++i) {
      const Matrix root = entries.row(i).reshaped(k, k);
      result.row(i) = (root * root.transpose()).reshaped().transpose();
    }
    return result;
  }

  Problem sparse_problem, dense_problem;
  WorkingBlock sparse, dense;
};

TEST_P(SparseBlock, MultipliesAsTheDenseOne) {
  const auto width = static_cast<Index>(sparse.columns().size());
  const Matrix coefficients = random_matrix(width, GetParam().outputs, 1);
  const Matrix values = random_matrix(rows, GetParam().outputs, 2);
  EXPECT_LE((sparse.multiply(coefficients) - dense.multiply(coefficients)).cwiseAbs().maxCoeff(), rounding);
  for (const Index first : {0, 1, 3}) {
    const Matrix difference =
        sparse.transpose_multiply(values, first) - dense.transpose_multiply(values, first);
    EXPECT_LE(difference.cwiseAbs().maxCoeff(), rows * rounding) << first;
  }
}

TEST_P(SparseBlock, FormsTheSameProducts) {
  const Matrix all = dense.curvature_gram(members(), curvature());
  const double size = all.cwiseAbs().maxCoeff();
  EXPECT_LE((sparse.curvature_gram(members(), curvature()) - all).cwiseAbs().maxCoeff(), rounding * size);
  const std::vector<Coordinate> fresh = {{19, 0}, {20, GetParam().outputs - 1}};
  const Matrix cross = dense.curvature_products(members(), fresh, curvature());
  EXPECT_LE((sparse.curvature_products(members(), fresh, curvature()) - cross).cwiseAbs().maxCoeff(),
            rounding * size);
  for (const Index i : {Index{0}, Index{17}, rows - 1}) {
    EXPECT_LE((sparse.row(members(), i) - dense.row(members(), i)).cwiseAbs().maxCoeff(), rounding);
  }
}

TEST_P(SparseBlock, HasTheSameHat) {
  Matrix system = dense.curvature_gram(members(), curvature());
  system.diagonal().array() += 0.1;
  CholeskyFactor factor;
  ASSERT_TRUE(factor.factor(system));
  const Matrix expected = dense.hat(members(), factor);
  EXPECT_LE((sparse.hat(members(), factor) - expected).cwiseAbs().maxCoeff(),
            rounding * expected.cwiseAbs().maxCoeff());
}

// Through the solver, with columns that come and go, and held-out predictions.
TEST_P(SparseBlock, LeadsToTheSameFits) {
  const double start = lambda_start(dense_problem);
  for (const double share : {0.5, 0.1}) {
    const FitOptions options{.carry_hat = true};
    const Fit a = fit_path(sparse_problem, {share * start}, options).fits.at(0);
    const Fit b = fit_path(dense_problem, {share * start}, options).fits.at(0);
    EXPECT_EQ(a.status, FitStatus::converged);
    ASSERT_EQ(a.hat.size(), b.hat.size());
    // Fits converge to 2e-11 of lambda.
    EXPECT_LE((a.coefficients - b.coefficients).cwiseAbs().maxCoeff(), 1e-8);
    EXPECT_LE((a.hat - b.hat).cwiseAbs().maxCoeff(), 1e-8 * b.hat.cwiseAbs().maxCoeff());
  }
}

// In single precision, which leverages of a half and more are spared.
TEST(WorkingBlock, HatInSinglePrecision) {
  constexpr Index many = 200;
  const Matrix x = random_matrix(rows, many, 3);
  const Problem problem = problem_of(Design(x), {1, false, false});
  WorkingBlock block(problem);
  std::vector<Coordinate> members;
  for (Index j = 0; j < many; ++j) {
    block.position(j);
    members.push_back({j, 0});
  }
  const Matrix curvature = (random_matrix(rows, 1, 4).array() + 1.1).square();
  const Matrix system = block.curvature_gram(members, curvature);
  CholeskyFactor factor;
  ASSERT_TRUE(factor.factor(system));
  ASSERT_TRUE(block.is_worth_single(many));
  EXPECT_FALSE(block.is_worth_single(many / 2));
  const Vector hat = block.single_hat(members, factor, curvature);
  const Vector expected = factor.solve_lower(x.transpose()).colwise().squaredNorm().transpose();
  Index large = 0;
  for (Index i = 0; i < rows; ++i) {
    const bool is_large = expected[i] * curvature(i, 0) > 0.501;
    large += is_large ? 1 : 0;
    EXPECT_NEAR(hat[i], expected[i], (is_large ? rounding : 1e-6) * expected[i]) << i;
  }
  EXPECT_GT(large, 10);
  EXPECT_LT(large, rows - 10);
}

INSTANTIATE_TEST_SUITE_P(Views, SparseBlock,
                         testing::Values(Case{1, false, false}, Case{1, true, false}, Case{1, true, true},
                                         Case{3, false, false}, Case{3, true, true}));

}  // namespace
}  // namespace alo
