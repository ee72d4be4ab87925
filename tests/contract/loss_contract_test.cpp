// SPDX-License-Identifier: MIT
// What every loss must satisfy. A new loss is one more entry in `cases`.
#include <cmath>

#include <gtest/gtest.h>

#include "alo/loss.hpp"
#include "alo/losses/squared.hpp"
#include "alo/registry.hpp"

namespace alo {
namespace {

struct LossCase {
  Loss loss;
  Vector predictor;
  Vector response;
};

std::vector<LossCase> cases() {
  const Vector points = Vector::LinSpaced(41, -3.0, 3.0);
  const Vector responses = (2.0 * points.array()).sin() * 2.0;
  return {{SquaredLoss{}, points, responses}};
}

class LossContract : public testing::TestWithParam<std::size_t> {
 protected:
  const LossCase given = cases()[GetParam()];
};

TEST_P(LossContract, DerivativesAgreeWithDifferences) {
  const double h = 1e-5;
  const Vector above = given.predictor.array() + h;
  const Vector below = given.predictor.array() - h;
  const Vector derivative = given.loss.derivative(given.predictor, given.response);
  const Vector curvature = given.loss.curvature(given.predictor, given.response);
  const Vector slope =
      (given.loss.value(above, given.response) - given.loss.value(below, given.response)) / (2 * h);
  const Vector bend =
      (given.loss.derivative(above, given.response) - given.loss.derivative(below, given.response)) / (2 * h);
  // Central differences err by h^2 and rounding / h: both near 1e-10.
  EXPECT_LT((derivative - slope).lpNorm<Eigen::Infinity>(), 1e-8 * (1 + derivative.norm()));
  EXPECT_LT((curvature - bend).lpNorm<Eigen::Infinity>(), 1e-8 * (1 + curvature.norm()));
  EXPECT_GE(curvature.minCoeff(), 0.0);
}

TEST_P(LossContract, FenchelGapIsZeroAtTheDerivativeAndPositiveElsewhere) {
  const Vector derivative = given.loss.derivative(given.predictor, given.response);
  const Vector at = given.loss.fenchel_gap(given.predictor, derivative, given.response);
  EXPECT_LT(at.lpNorm<Eigen::Infinity>(), 1e-14);
  const Vector off = 0.9 * derivative;
  const Vector away = given.loss.fenchel_gap(given.predictor, off, given.response);
  for (Index i = 0; i < away.size(); ++i) {
    if (std::abs(derivative[i]) > 1e-6) {
      EXPECT_GT(away[i], 0.0);
    }
  }
}

// l(u) + l*(g) - g u with the conjugate from its definition, a supremum over a grid.
TEST_P(LossContract, FenchelGapAgreesWithTheSupremum) {
  const Vector grid = Vector::LinSpaced(200001, -40.0, 40.0);
  for (const Index i : {Index{3}, Index{20}, Index{33}}) {
    const double g = 0.5 * given.loss.derivative(given.predictor, given.response)[i];
    const Vector repeated = Vector::Constant(grid.size(), given.response[i]);
    const double conjugate = (g * grid - given.loss.value(grid, repeated)).maxCoeff();
    const Vector u = given.predictor.segment(i, 1);
    const Vector y = given.response.segment(i, 1);
    const double expected = given.loss.value(u, y)[0] + conjugate - g * u[0];
    EXPECT_NEAR(given.loss.fenchel_gap(u, Vector::Constant(1, g), y)[0], expected, 1e-6);
  }
}

TEST_P(LossContract, MinimumIsBelowEveryValue) {
  const Vector least = given.loss.minimum(given.response);
  EXPECT_TRUE((given.loss.value(given.predictor, given.response).array() >= least.array() - 1e-15).all());
}

TEST_P(LossContract, IsInTheRegistry) {
  EXPECT_EQ(make_loss(given.loss.name()).name(), given.loss.name());
}

TEST(LossContract, CoversTheRegistry) {
  std::vector<std::string> covered;
  for (const LossCase& one : cases()) covered.push_back(one.loss.name());
  for (const ModelEntry& entry : losses()) {
    EXPECT_NE(std::find(covered.begin(), covered.end(), entry.name), covered.end())
        << entry.name << " has no case";
  }
}

INSTANTIATE_TEST_SUITE_P(All, LossContract, testing::Range(std::size_t{0}, cases().size()),
                         [](const auto& parameter) {
                           std::string name = cases()[parameter.param].loss.name();
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace alo
