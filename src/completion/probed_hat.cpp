// SPDX-License-Identifier: MIT
#include "completion/probed_hat.hpp"

#include <cmath>
#include <random>

#include "completion/factored_system.hpp"
#include "linalg/decompositions.hpp"

namespace alo {

namespace {

// The relative error to which conjugate gradients solve for a probe, in the norm of the preconditioner. The
// error of the quadratic forms z'Hz is its square, 1e-4, small beside the relative error of an estimate from
// 30 probes, about 0.2. At ten times the two become comparable; at a tenth the systems take half as many
// steps again.
constexpr double system_tolerance = 1e-2;
// A safeguard: about 15 steps are usual.
constexpr int most_system_steps = 200;
// The scales s_j^2 are at least this share of the mean curvature. Estimates are divided by s_j, so rows of
// tiny curvature would make them scatter at a hundredth; at one the scales would not follow the curvature.
constexpr double smallest_scale = 0.1;

Vector scales(const Vector& curvature) {
  return curvature.cwiseMax(smallest_scale * curvature.mean()).cwiseSqrt();
}

// The estimates z_j (H s z)_j / s_j, one column per probe.
Matrix probe(const FactoredSystem& system, double intercept_share, const CompletionHatOptions& options) {
  const Vector scale = scales(system.curvature());
  std::mt19937_64 engine(options.seed);
  Matrix result(scale.size(), options.probes);
  for (Index k = 0; k < result.cols(); ++k) {
    const Vector signs =
        Vector::NullaryExpr(scale.size(), [&] { return (engine() >> 63) == 0 ? 1.0 : -1.0; });
    const Matrix target = system.adjoint(scale.cwiseProduct(signs));
    const Matrix solution = system.solve(target, system_tolerance, most_system_steps).direction;
    result.col(k) = signs.cwiseProduct(system.predictor_move(solution)).cwiseQuotient(scale);
  }
  result.array() += intercept_share;
  return result;
}

// The weighted least-squares fit of the estimates by a_j, b_j and their products. Where it is not a leverage
// (W_j H_jj outside (0, 1)) the value for independent rows and columns, a + b - W a b, replaces it.
Vector regress(const FactoredSystem& system, const Vector& estimate) {
  const FactoredSystem::OneSided side = system.one_sided();
  const auto w = system.curvature().array();
  const auto a = side.by_row.array();
  const auto b = side.by_column.array();
  Matrix features(estimate.size(), 5);
  features << a, b, w * a * b, w * a.square(), w * b.square();
  const Vector weight = scales(system.curvature()).cwiseAbs2();
  const Vector coefficients =
      dense::least_squares(weight.asDiagonal() * features, weight.cwiseProduct(estimate));
  const Vector fitted = features * coefficients;
  const Vector independent = a + b - w * a * b;
  return (fitted.array() > 0.0 && w * fitted.array() < 1.0).select(fitted, independent);
}

// The sum of w_j l at the held-out predictions, and its first and second derivatives by H_jj.
struct HeldOutLoss {
  HeldOutLoss(const FactoredLoss& loss, const FactoredLoss::Point& point, const Vector& curvature,
              const Vector& hat) {
    const Eigen::ArrayXd rest = 1.0 - curvature.array() * hat.array();
    const Vector predictor = point.predictor.array() + hat.array() * point.slope.array() / rest;
    total = loss.weight().dot(loss.loss().value(predictor, loss.response()));
    slope = loss.weight().array() * loss.loss().derivative(predictor, loss.response()).array() *
            point.slope.array() / rest.square();
    // This is the second derivative of a squared loss; of other losses it is the part that grows as the
    // leverage nears one.
    bend = 3.0 * slope.array() * curvature.array() / rest;
  }
  double total = 0.0;
  Vector slope;
  Vector bend;
};

}  // namespace

CompletionHat probed_hat(const FactoredLoss& loss, const FactoredLoss::Point& point, double lambda,
                         const CompletionHatOptions& options) {
  const FactoredSystem system(loss, point, lambda);
  const double intercept_share = loss.has_intercept() ? 1.0 / system.curvature().sum() : 0.0;
  const Matrix estimates = probe(system, intercept_share, options);
  const Vector mean = estimates.rowwise().mean();
  CompletionHat result;
  result.hat = regress(system, mean);
  const HeldOutLoss first(loss, point, system.curvature(), result.hat);
  const double factor = first.slope.dot(mean) / first.slope.dot(result.hat);
  const Vector scaled = factor * result.hat;
  if (factor > 0.0 && (scaled.array() * system.curvature().array() < 1.0).all()) result.hat = scaled;

  const HeldOutLoss held_out(loss, point, system.curvature(), result.hat);
  const auto count = static_cast<double>(estimates.cols());
  const Vector effects = estimates.transpose() * held_out.slope;
  result.standard_error =
      std::sqrt((effects.array() - effects.mean()).square().sum() / (count * (count - 1.0))) /
      std::abs(held_out.total);
  const Index half = estimates.cols() / 2;
  const Vector one = estimates.leftCols(half).rowwise().mean() - result.hat;
  const Vector other = estimates.rightCols(estimates.cols() - half).rowwise().mean() - result.hat;
  result.scatter_bias = 0.5 * held_out.bend.dot(one.cwiseProduct(other)) / std::abs(held_out.total);
  return result;
}

}  // namespace alo
