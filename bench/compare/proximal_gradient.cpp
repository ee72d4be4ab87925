// SPDX-License-Identifier: MIT
#include "proximal_gradient.hpp"

#include <cblas-openblas.h>

#include <algorithm>
#include <cmath>

#include "alo/penalties/slope.hpp"
#include "signals/chain.hpp"

namespace compare {

namespace {

using alo::Index;
using alo::Matrix;
using alo::Vector;

// A guard against endless runs, and the number of steps between two computations of the duality gap, each
// of which costs about one step.
constexpr int most_steps = 200'000;
constexpr int steps_between_gaps = 10;

int size_of(Index count) {
  return static_cast<int>(count);
}

Vector product(const Matrix& a, const Vector& x, bool transposed) {
  Vector y(transposed ? a.cols() : a.rows());
  cblas_dgemv(CblasColMajor, transposed ? CblasTrans : CblasNoTrans, size_of(a.rows()), size_of(a.cols()),
              1.0, a.data(), size_of(a.rows()), x.data(), 1, 0.0, y.data(), 1);
  return y;
}

// The loss |y - X b|^2 / 2 as the steps need it, through X'X or through X.
class SquaredLoss {
 public:
  struct Point {
    Vector b;
    Vector slopes;                 // X'r
    double residual_square = 0.0;  // r'r
    double product = 0.0;          // y'r
  };

  SquaredLoss(const Matrix& design, const Vector& response)
      : design_(design),
        response_(response),
        by_gram_(design.cols() <= design.rows()),
        start_(product(design, response, true)),
        square_(response.squaredNorm()) {
    if (by_gram_) {
      const int p = size_of(design.cols());
      gram_.resize(p, p);
      cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, p, size_of(design.rows()), 1.0, design.data(),
                  size_of(design.rows()), 0.0, gram_.data(), p);
      gram_.triangularView<Eigen::StrictlyUpper>() = gram_.transpose();
    }
  }

  Point at(Vector b) const {
    Point point;
    if (by_gram_) {
      point.slopes = start_ - product(gram_, b, false);
      point.product = square_ - start_.dot(b);
      point.residual_square = point.product - point.slopes.dot(b);
    } else {
      Vector residual = response_;
      for (Index j = 0; j < b.size(); ++j) {
        if (b[j] == 0.0) continue;
        cblas_daxpy(size_of(residual.size()), -b[j], design_.col(j).data(), 1, residual.data(), 1);
      }
      point.slopes = product(design_, residual, true);
      point.product = response_.dot(residual);
      point.residual_square = residual.squaredNorm();
    }
    point.b = std::move(b);
    return point;
  }

  // X'X b, the curvature times b.
  Vector curvature(const Vector& b) const {
    return by_gram_ ? product(gram_, b, false) : product(design_, product(design_, b, false), true);
  }
  // The largest eigenvalue of X'X by the power method, times 1.01 to be an upper bound.
  double steepness() const {
    Vector direction = Vector::Ones(start_.size()) + start_ / start_.norm();
    double before = 0.0;
    for (int k = 0; k < 200; ++k) {
      direction.normalize();
      const Vector image = curvature(direction);
      const double value = image.norm();
      if (value - before <= 1e-4 * value) return 1.01 * value;
      before = value;
      direction = image;
    }
    return 1.01 * before;
  }
  const Vector& start() const { return start_; }
  double square() const { return square_; }

 private:
  const Matrix& design_;
  const Vector& response_;
  bool by_gram_;
  Vector start_;  // X'y
  double square_;
  Matrix gram_;
};

// The duality gap P - D at a point. The dual point is r, made orthogonal to X 1 where that is unpenalised,
// and scaled into the dual ball of radius lambda.
class DualityGap {
 public:
  DualityGap(const SquaredLoss& loss, const Norm& norm) : norm_(norm), null_excess_(0.5 * loss.square()) {
    if (!norm.free_constant) return;
    constant_slopes_ = loss.curvature(Vector::Ones(loss.start().size()));
    constant_square_ = constant_slopes_.sum();
    response_part_ = loss.start().sum() / constant_square_;
    null_excess_ -= 0.5 * response_part_ * response_part_ * constant_square_;
  }

  double operator()(const SquaredLoss::Point& point, double lambda) const {
    Vector slopes = point.slopes;
    double square = point.residual_square;
    double product = point.product;
    if (norm_.free_constant) {
      const double part = point.slopes.sum() / constant_square_;
      slopes -= part * constant_slopes_;
      square -= part * part * constant_square_;
      product -= part * response_part_ * constant_square_;
    }
    const double largest = norm_.dual(slopes);
    const double scale = largest > lambda ? lambda / largest : 1.0;
    const double primal = 0.5 * point.residual_square + lambda * norm_.value(point.b);
    return primal - (scale * product - 0.5 * scale * scale * square);
  }
  double null_excess() const { return null_excess_; }

 private:
  const Norm& norm_;
  Vector constant_slopes_;  // X'X 1
  double constant_square_ = 0.0;
  double response_part_ = 0.0;
  double null_excess_;
};

}  // namespace

Norm fused_norm() {
  return {.value = [](const Vector& b) { return (b.tail(b.size() - 1) - b.head(b.size() - 1)).lpNorm<1>(); },
          .prox = [](const Vector& b, double lambda) { return alo::chain_prox(b, lambda); },
          .dual =
              [](const Vector& slopes) {
                double sum = 0.0;
                double largest = 0.0;
                for (Index j = 0; j + 1 < slopes.size(); ++j) {
                  sum += slopes[j];
                  largest = std::max(largest, std::abs(sum));
                }
                return largest;
              },
          .free_constant = true};
}

Norm slope_norm(const Vector& sequence) {
  const alo::Slope slope(sequence);
  return {.value = [slope](const Vector& b) { return slope.value(b, 1.0); },
          .prox = [slope](const Vector& b, double lambda) { return slope.prox(b, lambda).point; },
          .dual =
              [sequence](const Vector& slopes) {
                Vector sizes = slopes.cwiseAbs();
                std::sort(sizes.begin(), sizes.end(), std::greater<>());
                double largest = 0.0;
                double sum = 0.0;
                double bound = 0.0;
                for (Index k = 0; k < sizes.size(); ++k) {
                  sum += sizes[k];
                  bound += sequence[k];
                  largest = std::max(largest, sum / bound);
                }
                return largest;
              },
          .free_constant = false};
}

ProximalPath proximal_gradient(const Matrix& design, const Vector& response, const Norm& norm,
                               const std::vector<double>& lambdas, double gap) {
  const SquaredLoss loss(design, response);
  const DualityGap gap_at(loss, norm);
  const double steepness = loss.steepness();
  ProximalPath path;
  SquaredLoss::Point point = loss.at(Vector::Zero(design.cols()));
  for (const double lambda : lambdas) {
    SquaredLoss::Point before = point;
    double momentum = 1.0;
    for (int step = 0; step < most_steps; ++step, ++path.steps) {
      if (step % steps_between_gaps == 0 && gap_at(point, lambda) <= gap * gap_at.null_excess()) break;
      const double following = 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * momentum * momentum));
      const double push = (momentum - 1.0) / following;
      const Vector ahead = point.b + push * (point.b - before.b);
      // The slopes are affine in b, so that those of the extrapolated point need no product.
      const Vector slopes = point.slopes + push * (point.slopes - before.slopes);
      before = std::move(point);
      point = loss.at(norm.prox(ahead + slopes / steepness, lambda / steepness));
      const bool uphill = (ahead - point.b).dot(point.b - before.b) > 0.0;
      momentum = uphill ? 1.0 : following;
    }
    path.coefficients.push_back(point.b);
  }
  return path;
}

}  // namespace compare
