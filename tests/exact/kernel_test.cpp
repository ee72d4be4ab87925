// SPDX-License-Identifier: MIT
// Fits with a kernel against the same problems without one.
#include <numeric>

#include <gtest/gtest.h>

#include "alo/leave_one_out.hpp"
#include "alo/path.hpp"
#include "alo/registry.hpp"
#include "random_matrix.hpp"

namespace alo {
namespace {

// Fits and refits are certified at 1e-10 of the null loss; the objective is strongly convex in the
// prediction.
constexpr double kernel_tolerance = 1e-7;

struct Answers {
  Fit fit;
  Vector approximate;
  Vector exact;
};

Answers answers(const Problem& problem, double lambda) {
  Answers result;
  result.fit = fit_path(problem, {lambda}).fits.at(0);
  EXPECT_EQ(result.fit.status, FitStatus::converged);
  result.approximate = approximate_leave_one_out(problem, result.fit).linear_predictor;
  std::vector<Index> rows(static_cast<std::size_t>(problem.rows()));
  std::iota(rows.begin(), rows.end(), Index{0});
  result.exact =
      exact_leave_one_out(problem, std::span(&result.fit, 1), rows, {}).values.at(0).linear_predictor;
  return result;
}

double distance(const Vector& a, const Vector& b) {
  return (a - b).lpNorm<Eigen::Infinity>();
}

Matrix random_rows(Index rows, Index columns) {
  return testing_support::normal_matrix(rows, columns, 11);
}

Problem problem_of(const Dataset& data, const std::string& loss, bool intercept) {
  return {data, make_loss(loss), make_penalty("ridge"), {.intercept = intercept, .standardize = false}};
}

Vector response_of(const std::string& loss, const Matrix& x) {
  const Vector score = x.col(0) - 0.5 * x.col(1) + (3.0 * x.col(2).array()).sin().matrix();
  if (loss == "hinge") return score.unaryExpr([](double value) { return value > 0.0 ? 1.0 : -1.0; });
  return score;
}

TEST(KernelFit, OfProductsIsThePlainRidge) {
  Matrix x = random_rows(24, 5);
  x.col(4) = x.col(0) - 2.0 * x.col(3);  // rank 4
  const Kernel products{KernelKind::polynomial, 1.0, 1, 0.0};
  for (const std::string loss : {"hinge", "epsilon-insensitive"}) {
    for (const bool intercept : {false, true}) {
      const Dataset data = make_dataset(Design(x), response_of(loss, x));
      const Dataset features = with_kernel(data, products);
      ASSERT_EQ(features.columns(), 4);
      for (const double lambda : {4.0, 0.3}) {
        const Answers plain = answers(problem_of(data, loss, intercept), lambda);
        const Answers kernel = answers(problem_of(features, loss, intercept), lambda);
        EXPECT_LT(distance(kernel.fit.linear_predictor, plain.fit.linear_predictor), kernel_tolerance)
            << loss;
        EXPECT_LT(distance(kernel.approximate, plain.approximate), kernel_tolerance)
            << loss << " at " << lambda;
        EXPECT_LT(distance(kernel.exact, plain.exact), kernel_tolerance) << loss << " at " << lambda;
      }
    }
  }
}

TEST(KernelFit, RepeatedRowsAreWeights) {
  const Matrix x = random_rows(15, 3);
  for (const std::string loss : {"hinge", "epsilon-insensitive"}) {
    Matrix twice(30, 3);
    twice << x, x;
    const Vector y = response_of(loss, x);
    Vector y_twice(30);
    y_twice << y, y;
    Dataset weighted = make_dataset(Design(x), y);
    weighted.weights.setConstant(2.0);
    const Kernel rbf{KernelKind::rbf, 0.4, 3, 0.0};
    const Dataset repeated = with_kernel(make_dataset(Design(twice), y_twice), rbf);
    EXPECT_LE(repeated.columns(), 15);
    const Answers two = answers(problem_of(repeated, loss, true), 0.5);
    const Answers one = answers(problem_of(with_kernel(weighted, rbf), loss, true), 0.5);
    EXPECT_LT(distance(two.fit.linear_predictor.head(15), one.fit.linear_predictor), kernel_tolerance)
        << loss;
    EXPECT_LT(distance(two.fit.linear_predictor.tail(15), one.fit.linear_predictor), kernel_tolerance)
        << loss;
  }
}

// The expansion in rows, a_j = -g_j / lambda, is the fit.
TEST(KernelFit, IsAnExpansionInItsSupportVectors) {
  const Matrix x = random_rows(30, 3);
  for (const std::string loss : {"hinge", "epsilon-insensitive"}) {
    for (const bool intercept : {false, true}) {
      const Dataset data =
          with_kernel(make_dataset(Design(x), response_of(loss, x)), {KernelKind::polynomial, 0.3, 3, 1.0});
      const Problem problem = problem_of(data, loss, intercept);
      const Fit fit = fit_path(problem, {0.7}).fits.at(0);
      const Matrix similarities = kernel_matrix(data.kernel->kernel, Design(x), Design(x));
      const Vector expanded = (similarities * (-fit.subgradient / fit.lambda)).array() + fit.intercept[0];
      EXPECT_LT(distance(expanded, fit.linear_predictor), kernel_tolerance) << loss;
    }
  }
}

}  // namespace
}  // namespace alo
