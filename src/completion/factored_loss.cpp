// SPDX-License-Identifier: MIT
#include "completion/factored_loss.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "alo/error.hpp"
#include "completion/entry_products.hpp"
#include "linalg/blas.hpp"

namespace alo {

namespace {

// A safeguard: Newton steps in a bracket for the intercept, which bisection alone would end after about 60.
constexpr int most_intercept_steps = 200;
// Some epsilon, relative to the largest pivot or singular value, to the sum of absolute derivatives, or to
// the largest linear predictor. Below it a singular value, a slope or a move is rounding. At a tenth it is
// below epsilon and never met; at ten times factors that are still growing may lose their smallest singular
// value, and intercepts a digit.
constexpr double factored_rounding = 1e-15;

void check_size(const char* what, Index size, Index expected) {
  if (size != expected) {
    throw InvalidData(fmt::format("there are {} {} for {} observations", size, what, expected));
  }
}

// The rows of a factor from the columns of a matrix of factors, and an orthonormal basis of its columns.
struct Side {
  explicit Side(const Matrix& transposed)
      : factor(transposed.transpose()), basis(blas::orthonormal_basis(factor, factored_rounding)) {}
  Matrix factor;
  Matrix basis;
  Matrix coordinates() const { return blas::transpose_multiply(basis, factor); }
};

}  // namespace

Matrix balanced_factors(const Matrix& u, const Vector& sigma, const Matrix& v) {
  const Index rank = sigma.size();
  Matrix factors = Matrix::Zero(padded_rank(rank), u.rows() + v.rows());
  const Vector root = sigma.cwiseSqrt();
  factors.topLeftCorner(rank, u.rows()) = root.asDiagonal() * u.transpose();
  factors.topRightCorner(rank, v.rows()) = root.asDiagonal() * v.transpose();
  return factors;
}

FactoredLoss::FactoredLoss(const CompletionData& data, Loss loss, bool intercept)
    : entries_(data.rows, data.columns, data.row, data.column),
      loss_(std::move(loss)),
      intercept_(intercept) {
  check_size("responses", data.response.size(), entries_.size());
  check_size("weights", data.weight.size(), entries_.size());
  check_size("offsets", data.offset.size(), entries_.size());
  response_ = entries_.sorted(data.response);
  weight_ = entries_.sorted(data.weight);
  offset_ = entries_.sorted(data.offset);
}

FactoredLoss::Point FactoredLoss::at(Matrix u, Vector sigma, Matrix v, double intercept) const {
  Point point;
  point.factors = balanced_factors(u, sigma, v);
  point.u = std::move(u);
  point.sigma = std::move(sigma);
  point.v = std::move(v);
  point.intercept = intercept;
  evaluate(point);
  return point;
}

FactoredLoss::Point FactoredLoss::at(const Matrix& factors, double intercept) const {
  const Side left(factors.leftCols(entries_.rows()));
  const Side right(factors.rightCols(entries_.columns()));
  const Matrix middle = left.coordinates() * right.coordinates().transpose();
  const blas::SingularValues svd = blas::singular_values(middle);
  const Index rank = svd.s.size() == 0 ? 0 : (svd.s.array() > factored_rounding * svd.s[0]).count();
  return at(blas::multiply(left.basis, svd.u.leftCols(rank)), svd.s.head(rank),
            blas::multiply(right.basis, svd.v.leftCols(rank)), intercept);
}

void FactoredLoss::evaluate(Point& point) const {
  point.predictor = offset_.array() + point.intercept;
  point.predictor += entry_values(entries_, point.factors);
  minimize_over_intercept(point.intercept, point.predictor);
  point.loss = weight_.dot(loss_.value(point.predictor, response_));
  point.slope = weight_.cwiseProduct(loss_.derivative(point.predictor, response_));
}

// The derivative by the intercept rises with it, so its zero is found by Newton steps inside a bracket, with
// bisection where a step leaves the bracket. While a bound is missing a step is at most `reach`, which
// doubles.
void FactoredLoss::minimize_over_intercept(double& intercept, Vector& predictor) const {
  if (!intercept_) return;
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  double reach = 1.0;
  for (int step = 0; step < most_intercept_steps; ++step) {
    const Vector derivative = loss_.derivative(predictor, response_);
    const double slope = weight_.dot(derivative);
    if (std::abs(slope) <= factored_rounding * weight_.dot(derivative.cwiseAbs())) return;
    (slope < 0.0 ? low : high) = intercept;
    double move = -slope / weight_.dot(loss_.curvature(predictor, response_));
    const bool bounded = std::isfinite(low) && std::isfinite(high);
    if (bounded && !(intercept + move > low && intercept + move < high)) {
      move = 0.5 * (low + high) - intercept;
    } else if (!bounded && !loss_.is_quadratic()) {
      move = std::clamp(move, -reach, reach);
      reach *= 2.0;
    }
    predictor.array() += move;
    intercept += move;
    const double size = std::abs(intercept) + predictor.lpNorm<Eigen::Infinity>();
    if (loss_.is_quadratic() || std::abs(move) <= factored_rounding * size) return;
  }
}

Vector FactoredLoss::curvature(const Point& point) const {
  return weight_.cwiseProduct(loss_.curvature(point.predictor, response_));
}

double FactoredLoss::intercept_move(const Vector& curvature, const Vector& direction) const {
  const double total = intercept_ ? curvature.sum() : 0.0;
  return total > 0.0 ? -curvature.dot(direction) / total : 0.0;
}

double FactoredLoss::largest_curvature(const Vector& curvature) const {
  double largest = 0.0;
  for (Index a = 0; a < entries_.rows(); ++a) {
    double sum = 0.0;
    for (Index j = entries_.first(a); j < entries_.first(a + 1); ++j) {
      const bool repeated = j > entries_.first(a) && entries_.column(j) == entries_.column(j - 1);
      sum = (repeated ? sum : 0.0) + curvature[j];
      largest = std::max(largest, sum);
    }
  }
  return largest;
}

double FactoredLoss::excess(const Point& point) const {
  return weight_.dot(loss_.value(point.predictor, response_) - loss_.minimum(response_));
}

}  // namespace alo
