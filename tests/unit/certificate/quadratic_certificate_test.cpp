// SPDX-License-Identifier: MIT
#include <cmath>

#include <gtest/gtest.h>
#include <Eigen/Cholesky>

#include "alo/fit.hpp"
#include "alo/path.hpp"
#include "alo/registry.hpp"
#include "linalg/blas.hpp"
#include "random_matrix.hpp"

namespace alo {
namespace {

using testing_support::normal_matrix;

constexpr Index tall = 9000;  // several blocks of rows, for two threads

// A lasso of many rows, with weights (some of them zero), an offset and an unpenalised column.
Problem tall_problem() {
  const Matrix values = normal_matrix(tall, 5, 1).array() + 3.0;
  const Vector noise = normal_matrix(tall, 1, 2);
  Dataset data = make_dataset(Design(values), values.col(0) - 2.0 * values.col(3) + noise);
  data.weights = normal_matrix(tall, 1, 3).cwiseAbs();
  for (Index i = 0; i < tall; i += 100) data.weights[i] = 0.0;
  data.offset = normal_matrix(tall, 1, 4);
  ModelParameters parameters;
  parameters.penalty_weights = Vector::Ones(5);
  parameters.penalty_weights[4] = 0.0;
  return {std::move(data), make_loss("squared"), make_penalty("lasso", parameters)};
}

// The gap from its definition, with all rows at once: the loss and the penalty less the dual objective at the
// residual, made orthogonal to the unpenalised columns and scaled into the dual ball.
double gap_by_definition(const Problem& problem, const Fit& fit) {
  const Dataset& data = problem.data();
  const Vector root = data.weights.cwiseSqrt();
  Matrix free(tall, 2);
  free << root, root.asDiagonal() * problem.design().gather(std::vector<Index>{4});
  const auto off_free = [&](const Vector& values) {
    return Vector(values - free * (free.transpose() * free).ldlt().solve(free.transpose() * values));
  };
  const Vector target = root.cwiseProduct(data.response - data.offset);
  const Vector residual =
      root.cwiseProduct(data.response - problem.linear_predictor(fit.intercept, fit.coefficients));
  const Vector theta = off_free(residual);
  const Matrix columns = root.asDiagonal() * problem.design().gather(std::vector<Index>{0, 1, 2, 3});
  const double largest = (columns.transpose() * theta).cwiseAbs().maxCoeff();
  const double scale = std::min(1.0, fit.lambda / largest);
  const double dual = scale * theta.dot(target) - 0.5 * scale * scale * theta.squaredNorm();
  const double primal = problem.objective(fit.intercept, fit.coefficients, fit.lambda);
  return (primal - dual) / (0.5 * off_free(target).squaredNorm());
}

TEST(QuadraticCertificate, IsThatOfAllRowsAtOnce) {
  const Problem problem = tall_problem();
  const Certifier certifier(problem);
  Fit right = fit_path(problem, {0.1 * lambda_start(problem)}).fits[0];
  EXPECT_LT(std::abs(right.certificate.gap.value()), 1e-12);
  for (const double error : {1e-1, 1e-2, 1e-3}) {
    Fit off = right;
    off.coefficients[0] += error;
    off.intercept[0] -= error;
    certifier.certify(std::span(&off, 1));
    const double expected = gap_by_definition(problem, off);
    EXPECT_NEAR(off.certificate.gap.value(), expected, 1e-9 * expected + 1e-13) << error;
    const Vector predictor = problem.linear_predictor(off.intercept, off.coefficients);
    EXPECT_LT((off.linear_predictor - predictor).cwiseAbs().maxCoeff(), 1e-12);
  }
}

// Sums over other runs of rows have other roundings, and the same bits every time.
TEST(QuadraticCertificate, DependsOnThreadsInItsLastDigitsOnly) {
  const Problem problem = tall_problem();
  const Certifier certifier(problem);
  Fit fit = fit_path(problem, {0.1 * lambda_start(problem)}).fits[0];
  fit.coefficients[0] += 1e-2;
  std::vector<double> gaps;
  for (const int threads : {1, 2, 2}) {
    const blas::ThreadScope scope(threads);
    certifier.certify(std::span(&fit, 1));
    gaps.push_back(fit.certificate.gap.value());
  }
  EXPECT_EQ(gaps[1], gaps[2]);
  EXPECT_NEAR(gaps[0], gaps[1], 1e-11 * gaps[0]);
}

}  // namespace
}  // namespace alo
