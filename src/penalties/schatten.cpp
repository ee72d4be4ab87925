// SPDX-License-Identifier: MIT
#include "alo/penalties/schatten.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "alo/error.hpp"
#include "linalg/special_values.hpp"
#include "linalg/tolerances.hpp"
#include "penalties/null_space.hpp"
#include "penalties/spectral.hpp"

namespace alo {

namespace {

// A safeguard: Newton's steps for one singular value, of which some ten are usual.
constexpr int most_steps = 100;

}  // namespace

Schatten::Schatten(MatrixShape shape, double smoothing) : shape_(shape), smoothing_(smoothing) {
  spectral::check_shape(shape);
  if (!(smoothing > 0.0) || !std::isfinite(smoothing)) {
    throw InvalidArgument(
        fmt::format("the smoothing of schatten is {}, and must be a positive number; without smoothing the "
                    "penalty is the nuclear one",
                    smoothing));
  }
}

std::string Schatten::describe() const {
  return fmt::format(
      "lambda * sum of sqrt(s^2 + {}^2) - {} over the singular values s of the {} x {} coefficients",
      smoothing_, smoothing_, shape_.rows, shape_.columns);
}

double Schatten::rounded(double s) const {
  return std::hypot(s, smoothing_);
}

double Schatten::value(const VectorView& b, double lambda) const {
  double sum = 0.0;
  // s^2 / (h + e) = h - e
  for (const double s : blas::singular_values_only(spectral::as_matrix(b, shape_))) {
    sum += s * (s / (rounded(s) + smoothing_));
  }
  return lambda * sum;
}

// A singular value s of b becomes the root x of x + lambda x / sqrt(x^2 + e^2) = s. The left side is concave
// in x, so that Newton's steps from the left of the root rise to it monotonically.
Proximal Schatten::prox(const VectorView& b, double lambda) const {
  const blas::SingularValues parts = blas::singular_values(spectral::as_matrix(b, shape_));
  Vector shrunk = parts.s;
  for (double& s : shrunk) {
    const double wanted = s;
    double x = wanted * smoothing_ / (smoothing_ + lambda);
    for (int step = 0; step < most_steps; ++step) {
      const double length = rounded(x);
      const double curvature = smoothing_ / length * (smoothing_ / length) / length;
      const double next = x + (wanted - x - lambda * x / length) / (1.0 + lambda * curvature);
      if (!(next > x)) break;
      x = next;
    }
    s = x;
  }
  return {spectral::as_vector(spectral::product(parts, shrunk)), {}};
}

Geometry Schatten::geometry(const VectorView& b, const VectorView&, double lambda) const {
  const blas::SingularValues parts = blas::singular_values(spectral::as_matrix(b, shape_));
  const Vector& s = parts.s;
  const Vector h = s.unaryExpr([this](double value) { return rounded(value); });
  const Index both = s.size();
  const double e = smoothing_;
  spectral::PairedCurvature curvature(spectral::all_directions(parts));
  for (Index k = 0; k < both; ++k) {
    curvature.set(k, k, lambda * (e / h[k]) * (e / h[k]) / h[k]);
    for (Index l = k + 1; l < both; ++l) {
      const double cross = s[k] * h[l] + s[l] * h[k];
      // r'_k - r'_l = e^2 (s_k^2 - s_l^2) / (h_k h_l cross), and r'_k + r'_l = cross / (h_k h_l).
      const double sum = s[k] + s[l];
      const double along_sum = cross > 0.0 ? e / h[k] * (e / h[l]) * sum / cross : 1.0 / e;
      const double along_difference = sum > 0.0 ? cross / (h[k] * h[l]) / sum : 1.0 / e;
      curvature.set_pair(k, l, lambda * along_sum, lambda * along_difference);
    }
    for (Index l = both; l < shape_.columns; ++l) curvature.set(k, l, lambda / h[k]);
    for (Index l = both; l < shape_.rows; ++l) curvature.set(l, k, lambda / h[k]);
  }
  return curvature.geometry();
}

Vector Schatten::subgradient(const VectorView& b, double lambda) const {
  const blas::SingularValues parts = blas::singular_values(spectral::as_matrix(b, shape_));
  const Vector slopes = parts.s.unaryExpr([&](double s) { return lambda * s / rounded(s); });
  return spectral::as_vector(spectral::product(parts, slopes));
}

// The gap is the sum of two nonnegative parts. The first pairs the k-th singular values s of B and z of Z:
// with g = z / lambda, f = sqrt(1 - g^2) and h = sqrt(s^2 + e^2) it is
//
//     lambda (r(s) + r*(g) - s g) = lambda (e g - s f)^2 / (h + e f + s g).
//
// The second is sum_k s_k z_k - <B, Z>, which comes from singular vectors that differ, and is not negative by
// von Neumann's trace inequality.
double Schatten::fenchel_gap(const VectorView& b, const DualPoint& dual, double lambda) const {
  const Vector s = blas::singular_values_only(spectral::as_matrix(b, shape_));
  const Vector z = blas::singular_values_only(spectral::as_matrix(dual.slopes, shape_));
  if (lambda == 0.0) return z[0] == 0.0 ? 0.0 : infinity;
  if (z[0] > (1.0 + tolerances::domain_rounding) * lambda) return infinity;
  double gap = std::max(s.dot(z) - b.dot(dual.slopes), 0.0);
  for (Index k = 0; k < s.size(); ++k) {
    const double g = std::min(z[k] / lambda, 1.0);
    const double f = std::sqrt((1.0 - g) * (1.0 + g));
    const double apart = smoothing_ * g - s[k] * f;
    gap += lambda * apart * apart / (rounded(s[k]) + smoothing_ * f + s[k] * g);
  }
  return gap;
}

double Schatten::dual_scale(const DualPoint& dual, double lambda) const {
  return tolerances::scale_into(spectral::norm(spectral::as_matrix(dual.slopes, shape_)), lambda);
}

Vector Schatten::subgradient_distance(const VectorView& b, const DualPoint& dual, double lambda) const {
  return (dual.slopes - subgradient(b, lambda)).cwiseAbs();
}

double Schatten::lambda_max(const VectorView& z) const {
  return z.isZero(0.0) ? 0.0 : infinity;
}

SparseMatrix Schatten::unpenalized(Index columns, double lambda) const {
  return free_without_lambda(columns, lambda);
}

void Schatten::check_columns(Index columns) const {
  spectral::check_columns(shape_, columns);
}

}  // namespace alo
