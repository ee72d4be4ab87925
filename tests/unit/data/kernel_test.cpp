// SPDX-License-Identifier: MIT
#include "alo/kernel.hpp"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alo/dataset.hpp"
#include "alo/error.hpp"
#include "alo/inspect.hpp"
#include "alo/registry.hpp"
#include "random_matrix.hpp"

namespace alo {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;
using testing_support::normal_matrix;

const Kernel linear{};
const Kernel rbf{KernelKind::rbf, 0.3, 3, 0.0};
const Kernel cubic{KernelKind::polynomial, 0.5, 3, 1.0};

// One pair of rows at a time, from the definition.
Matrix by_definition(const Kernel& kernel, const Matrix& x, const Matrix& z) {
  return Matrix::NullaryExpr(x.rows(), z.rows(), [&](Index i, Index j) {
    const double product = x.row(i).dot(z.row(j));
    switch (kernel.kind) {
      case KernelKind::linear:
        return product;
      case KernelKind::rbf:
        return std::exp(-*kernel.gamma * (x.row(i) - z.row(j)).squaredNorm());
      case KernelKind::polynomial:
        return std::pow(*kernel.gamma * product + kernel.coef0, kernel.degree);
    }
    return 0.0;
  });
}

double largest(const Matrix& values) {
  return values.cwiseAbs().maxCoeff();
}

Matrix gram_of_features(const Kernel& kernel, const Design& design) {
  const Matrix phi = kernel_features(kernel, design).dense_values();
  return phi * phi.transpose();
}

TEST(Kernel, IsItsDefinition) {
  // More rows than are taken at a time.
  const Matrix x = normal_matrix(300, 4, 1);
  const Matrix z = normal_matrix(7, 4, 2);
  for (const Kernel& kernel : {linear, rbf, cubic}) {
    for (const bool is_sparse : {false, true}) {
      const Design left = is_sparse ? Design(SparseMatrix(x.sparseView())) : Design(x);
      const Matrix expected = by_definition(kernel, x, z);
      EXPECT_LT(largest(kernel_matrix(kernel, left, Design(z)) - expected), 1e-13 * largest(expected))
          << describe(kernel);
      EXPECT_LT(largest(kernel_matrix(kernel, Design(z), left) - expected.transpose()),
                1e-13 * largest(expected));
    }
  }
}

// Squares of numbers near 1e8 have no digits left for distances near one.
TEST(Kernel, DistancesKeepTheirDigitsFarFromTheOrigin) {
  const Matrix x = normal_matrix(20, 3, 3);
  const Matrix moved = x.array() + 1e8;
  EXPECT_LT(largest(kernel_matrix(rbf, Design(moved), Design(moved)) - by_definition(rbf, moved, moved)),
            1e-12);
}

TEST(Kernel, FeaturesHaveTheKernelForProducts) {
  const Design x(normal_matrix(60, 4, 4));
  for (const Kernel& kernel : {linear, rbf, cubic}) {
    const Matrix expected = by_definition(kernel, x.dense_values(), x.dense_values());
    EXPECT_LT(largest(gram_of_features(kernel, x) - expected), 1e-13 * largest(expected)) << describe(kernel);
  }
  // Monomials of degree up to 3 in 4 variables.
  EXPECT_EQ(kernel_features(cubic, x).columns(), 35);
}

TEST(Kernel, RepeatedRowsAddNoFeature) {
  Matrix x = normal_matrix(30, 3, 5);
  x.bottomRows(15) = x.topRows(15);
  const Design features = kernel_features(rbf, Design(x));
  EXPECT_LE(features.columns(), 15);
  const Matrix& phi = features.dense_values();
  EXPECT_LT(largest(phi.topRows(15) - phi.bottomRows(15)), 1e-13);
  EXPECT_LT(largest(gram_of_features(rbf, Design(x)) - by_definition(rbf, x, x)), 1e-13);
}

TEST(Kernel, DependentColumnsHaveTheRankForFeatures) {
  Matrix x = normal_matrix(30, 5, 6);
  x.col(3) = x.col(0) + x.col(1);
  x.col(4) = 2.0 * x.col(2);
  const Kernel degree_one{KernelKind::polynomial, 1.0, 1, 0.0};
  EXPECT_EQ(kernel_features(degree_one, Design(x)).columns(), 3);
  EXPECT_LT(largest(gram_of_features(degree_one, Design(x)) - x * x.transpose()), 1e-13 * largest(x) * 30);
}

TEST(Kernel, DefaultGammaIsByTheVarianceOfAllEntries) {
  const Matrix x{{1.0, 2.0}, {3.0, 10.0}, {5.0, 0.0}};
  const double variance = (x.array() - x.mean()).square().mean();
  EXPECT_DOUBLE_EQ(default_gamma(Design(x)), 1.0 / (2.0 * variance));
  EXPECT_DOUBLE_EQ(default_gamma(Design(SparseMatrix(x.sparseView()))), 1.0 / (2.0 * variance));
  EXPECT_EQ(default_gamma(Design(Matrix::Constant(3, 2, 4.0))), 1.0);
}

TEST(Kernel, RefusesWhatIsNoKernel) {
  const Design x(normal_matrix(5, 2, 7));
  EXPECT_THAT(
      [&] {
        kernel_features({KernelKind::rbf, std::nullopt, 3, 0.0}, x);
      },
      ThrowsMessage<InvalidArgument>(HasSubstr("needs its gamma")));
  EXPECT_THAT(
      [&] {
        kernel_features({KernelKind::rbf, -1.0, 3, 0.0}, x);
      },
      ThrowsMessage<InvalidArgument>(HasSubstr("positive")));
  EXPECT_THAT(
      [&] {
        kernel_features({KernelKind::polynomial, 1.0, 0, 0.0}, x);
      },
      ThrowsMessage<InvalidArgument>(HasSubstr("at least 1")));
  EXPECT_THAT(
      [&] {
        kernel_features({KernelKind::polynomial, 1.0, 3, -1.0}, x);
      },
      ThrowsMessage<InvalidArgument>(HasSubstr("no inner product")));
  EXPECT_THAT(
      [&] {
        kernel_features({KernelKind::polynomial, 1e200, 3, 0.0}, x);
      },
      ThrowsMessage<InvalidData>(HasSubstr("too large")));
  EXPECT_THAT(
      [] {
        kernel_features({KernelKind::polynomial, 1.0, 3, 0.0}, Design(Matrix::Zero(3, 2)));
      },
      ThrowsMessage<InvalidData>(HasSubstr("zero for all rows")));
}

// A row of weight two counts as the row twice.
TEST(KernelData, DefaultGammaCountsWeights) {
  const Matrix x = normal_matrix(6, 2, 4);
  Matrix repeated(8, 2);
  repeated << x, x.topRows(2);
  const Kernel kernel{KernelKind::rbf, std::nullopt, 3, 0.0};
  Dataset data = make_dataset(Design(x), Vector::LinSpaced(6, -1.0, 1.0));
  EXPECT_EQ(with_kernel(data, kernel).kernel->kernel.gamma, default_gamma(data.design));
  data.weights.head(2).setConstant(2.0);
  EXPECT_NEAR(with_kernel(data, kernel).kernel->kernel.gamma.value(), default_gamma(Design(repeated)), 1e-15);
}

TEST(KernelData, KeepTheirColumnsBesideTheFeatures) {
  Dataset data = make_dataset(Design(normal_matrix(12, 2, 8)), Vector::LinSpaced(12, -1.0, 1.0));
  data.weights = Vector::LinSpaced(12, 1.0, 2.0);
  const Dataset changed = with_kernel(data, {KernelKind::rbf, std::nullopt, 3, 0.0});
  ASSERT_TRUE(changed.kernel);
  EXPECT_EQ(changed.kernel->columns.dense_values(), data.design.dense_values());
  EXPECT_EQ(changed.kernel->column_names, data.column_names);
  EXPECT_EQ(changed.column_names.front(), "phi1");
  EXPECT_EQ(changed.response, data.response);
  EXPECT_EQ(changed.weights, data.weights);
  const Problem problem(changed, make_loss("epsilon-insensitive"), make_penalty("ridge"), {false, false});
  EXPECT_THAT(problem.describe(), HasSubstr("ridge penalty of the features of the rbf kernel (gamma"));
}

TEST(KernelData, StandardisedColumnsHaveUnitScale) {
  Matrix x = normal_matrix(10, 3, 9);
  x.col(1) *= 100.0;
  x.col(2).setConstant(4.0);
  Dataset data = make_dataset(Design(x), Vector::LinSpaced(10, -1.0, 1.0));
  data.weights = Vector::LinSpaced(10, 1.0, 3.0);
  Matrix scaled = x;
  for (Index j = 0; j < 2; ++j) {
    const double mean = data.weights.dot(x.col(j)) / data.weights.sum();
    const double variance =
        data.weights.dot((x.col(j).array() - mean).square().matrix()) / data.weights.sum();
    scaled.col(j) /= std::sqrt(variance);
  }
  scaled.col(2).setZero();
  for (Kernel kernel : {linear, rbf, cubic}) {
    const Dataset changed = with_kernel(data, kernel, true);
    const Matrix phi = changed.design.dense_values();
    const Matrix expected = by_definition(kernel, scaled, scaled);
    EXPECT_LT(largest(phi * phi.transpose() - expected), 1e-13 * largest(expected)) << describe(kernel);
    EXPECT_EQ(columns_left_out(*changed.kernel), std::vector<Index>{2});
  }
  const Dataset changed = with_kernel(data, {KernelKind::rbf, std::nullopt, 3, 0.0}, true);
  EXPECT_EQ(changed.kernel->kernel.gamma, 0.5);
  const Problem problem(changed, make_loss("epsilon-insensitive"), make_penalty("ridge"), {false, false});
  EXPECT_THAT(inspect(problem), testing::Contains(HasSubstr("left out: 'x3'")));
}

}  // namespace
}  // namespace alo
