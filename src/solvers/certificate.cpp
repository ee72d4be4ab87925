// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>

#include "alo/fit.hpp"
#include "linalg/blas.hpp"
#include "solvers/null_fit.hpp"

namespace alo {

namespace {

constexpr double rank_tolerance = 1e-12;

Matrix orthonormal(const Matrix& columns, const Vector& weights) {
  return blas::orthonormal_basis(weights.cwiseSqrt().asDiagonal() * columns, rank_tolerance);
}

// Keeps a scaled dual point inside its bounds when the product is rounded up.
constexpr double rounding_margin = 1.0 - 4.0 * std::numeric_limits<double>::epsilon();

// A null fit this much better than predicting zero has only rounding left to explain.
constexpr double rounding_share = 1e-24;

}  // namespace

std::string_view to_string(FitStatus status) {
  return status == FitStatus::converged ? "converged" : "not_converged";
}

Certifier::Certifier(const Problem& problem) : Certifier(problem, problem.data().weights) {}

Certifier::Certifier(const Problem& problem, Vector weights)
    : problem_(&problem), weights_(std::move(weights)) {
  const Dataset& data = problem.data();
  unpenalized_ = orthonormal(unpenalized_columns(problem, null_lambda), weights_);
  const Vector minimum = problem.loss().minimum(data.response);
  const auto excess = [&](const Vector& predictor) {
    return weights_.dot(problem.loss().value(predictor, data.response) - minimum);
  };
  const Vector null = null_linear_predictor(problem, weights_);
  null_excess_ = excess(null);
  if (null_excess_ <= rounding_share * excess(Vector::Zero(problem.rows()))) null_excess_ = 0.0;
  const Vector gradient = weights_.cwiseProduct(problem.loss().derivative(null, data.response));
  const Vector slope = without_constant_columns(problem, problem.design().transpose_multiply(gradient));
  for (const double entry : slope) null_gradient_ = std::max(null_gradient_, std::abs(entry));
}

Vector Certifier::dual_point(const Vector& gradient, double lambda) const {
  Matrix without_lambda;
  if (lambda == 0.0) without_lambda = orthonormal(unpenalized_columns(*problem_, 0.0), weights_);
  const Matrix& basis = lambda > 0.0 ? unpenalized_ : without_lambda;
  if (basis.cols() == 0) return -gradient;
  const Vector root = weights_.cwiseSqrt();
  Vector point = (root.array() > 0.0).select(-gradient.array() / root.array(), 0.0);
  for (int pass = 0; pass < 2; ++pass) point -= basis * (basis.transpose() * point);
  return root.cwiseProduct(point);
}

void Certifier::certify(std::span<Fit> fits) const {
  const Problem& problem = *problem_;
  const auto count = static_cast<Index>(fits.size());
  Matrix coefficients(problem.columns(), count);
  for (Index k = 0; k < count; ++k) coefficients.col(k) = fits[static_cast<std::size_t>(k)].coefficients;
  const Matrix products = problem.data().design.multiply_columns(coefficients);
  Matrix gradients(problem.rows(), count);
  Matrix thetas(problem.rows(), count);
  bool projected = false;
  for (Index k = 0; k < count; ++k) {
    Fit& fit = fits[static_cast<std::size_t>(k)];
    fit.linear_predictor = (problem.data().offset + products.col(k)).array() + fit.intercept;
    gradients.col(k) =
        weights_.cwiseProduct(problem.loss().derivative(fit.linear_predictor, problem.data().response));
    thetas.col(k) = dual_point(gradients.col(k), fit.lambda);
    projected = projected || thetas.col(k) != -gradients.col(k);
  }
  const Matrix steepest = -problem.design().transpose_multiply_columns(gradients);
  // Without a projection, and so without an intercept and its centring, these are the same.
  Matrix slopes = steepest;
  if (projected) {
    slopes = problem.data().design.transpose_multiply_columns(thetas);
    slopes.array().colwise() /= problem.scale().array();
  }
  for (Index k = 0; k < count; ++k) {
    Fit& fit = fits[static_cast<std::size_t>(k)];
    fit.certificate = assemble(fit, gradients.col(k), without_constant_columns(problem, steepest.col(k)),
                               thetas.col(k), without_constant_columns(problem, slopes.col(k)));
  }
}

Certificate Certifier::certify(double intercept, const VectorView& coefficients, double lambda) const {
  Fit fit;
  fit.lambda = lambda;
  fit.intercept = intercept;
  fit.coefficients = coefficients;
  certify(std::span(&fit, 1));
  return fit.certificate;
}

Certificate Certifier::assemble(const Fit& fit, const Vector& gradient, const Vector& steepest,
                                const Vector& theta, const Vector& slope) const {
  const Problem& problem = *problem_;
  const Vector scaled = problem.scale().cwiseProduct(fit.coefficients);
  double residual = problem.intercept() ? std::abs(gradient.sum()) : 0.0;
  const Vector distance = problem.penalty().subgradient_distance(scaled, steepest, fit.lambda);
  for (const double entry : distance) residual = std::max(residual, entry);

  const auto gap_at = [&](double scale) {
    const Vector unit_gradient =
        (weights_.array() > 0.0).select(-scale * theta.array() / weights_.array(), 0.0);
    const Vector gaps =
        problem.loss().fenchel_gap(fit.linear_predictor, unit_gradient, problem.data().response);
    return weights_.dot(gaps) + problem.penalty().fenchel_gap(scaled, scale * slope, fit.lambda);
  };
  const double scale = problem.penalty().dual_scale(slope, fit.lambda);
  double gap = gap_at(scale);
  // A square beside an absolute value lets a slope exceed lambda, at a price that explodes as the
  // square vanishes: then a point that the absolute values alone allow is the better one.
  const double largest = problem.penalty().lambda_max(slope);
  if (fit.lambda < scale * largest && std::isfinite(largest)) {
    gap = std::min(gap, gap_at(rounding_margin * fit.lambda / largest));
  }

  Certificate certificate;
  const double size = std::max(fit.lambda, null_gradient_);
  certificate.kkt = size > 0.0 ? residual / size : residual;
  if (std::isfinite(gap)) certificate.gap = null_excess_ > 0.0 ? gap / null_excess_ : gap;
  return certificate;
}

bool meets(const Certificate& certificate, double tolerance) {
  return certificate.gap.value_or(certificate.kkt) <= tolerance;
}

}  // namespace alo
