// SPDX-License-Identifier: MIT
#include "alo/losses/multinomial.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "alo/error.hpp"
#include "losses/relative_entropy.hpp"

namespace alo {

namespace {

using Columns = Eigen::Map<const Matrix>;

Columns columns_of(const VectorView& values, Index classes) {
  return {values.data(), values.size() / classes, classes};
}

// One row: the largest u_k, log sum_k exp(u_k - largest), and the probabilities p. The sum leaves out the
// largest term, which is 1, so that log1p keeps the digits of a small result.
struct Softmax {
  Softmax(const Columns& u, Index row, Vector& probabilities) {
    Index top = 0;
    largest = u.row(row).maxCoeff(&top);
    double others = 0.0;
    for (Index k = 0; k < u.cols(); ++k) {
      probabilities[k] = k == top ? 1.0 : std::exp(u(row, k) - largest);
      if (k != top) others += probabilities[k];
    }
    probabilities /= 1.0 + others;
    log_sum = std::log1p(others);
  }
  double log_probability(double u) const { return (u - largest) - log_sum; }

  double largest;
  double log_sum;
};

Index label(double y) {
  return static_cast<Index>(y);
}

// 1 - p_k as a sum of the other probabilities, because the difference would cancel
double complement(const Vector& probabilities, Index k) {
  return probabilities.head(k).sum() + probabilities.tail(probabilities.size() - k - 1).sum();
}

}  // namespace

MultinomialLoss::MultinomialLoss(Index classes) : classes_(classes) {
  if (classes < 2) {
    throw InvalidArgument(fmt::format("the multinomial loss needs at least 2 classes, not {}", classes));
  }
}

std::string MultinomialLoss::describe() const {
  return fmt::format("multinomial loss ({} classes)", classes_);
}

Vector MultinomialLoss::value(const VectorView& u, const VectorView& y) const {
  const Columns columns = columns_of(u, classes_);
  Vector probabilities(classes_);
  return Vector::NullaryExpr(y.size(), [&](Index i) {
    return -Softmax(columns, i, probabilities).log_probability(columns(i, label(y[i])));
  });
}

Vector MultinomialLoss::derivative(const VectorView& u, const VectorView& y) const {
  return evaluate(u, y).derivative;
}

Vector MultinomialLoss::curvature(const VectorView& u, const VectorView& y) const {
  return evaluate(u, y).curvature;
}

LossValues MultinomialLoss::evaluate(const VectorView& u, const VectorView& y) const {
  const Index n = y.size();
  const Columns columns = columns_of(u, classes_);
  LossValues result{Vector(n), Vector(n * classes_), Vector(n * classes_ * classes_)};
  Vector p(classes_);
  for (Index i = 0; i < n; ++i) {
    const Softmax softmax(columns, i, p);
    const Index own = label(y[i]);
    result.value[i] = -softmax.log_probability(columns(i, own));
    for (Index k = 0; k < classes_; ++k) {
      const double rest = complement(p, k);
      result.derivative[i + n * k] = k == own ? -rest : p[k];
      for (Index j = 0; j < classes_; ++j) {
        result.curvature[i + n * (j + classes_ * k)] = j == k ? p[k] * rest : -p[j] * p[k];
      }
    }
  }
  return result;
}

Vector MultinomialLoss::fenchel_gap(const VectorView& u, const VectorView& g, const VectorView& y) const {
  // A dual point must have components that sum to zero. They are at most one in size, so that the sum of K
  // <= 100 of them has a rounding error of a few dozen epsilon. A smaller bound would call feasible points
  // infeasible; ten times the value would hide an error of 1e-13 in the dual objective, below any tolerance
  // in use.
  const double sum_tolerance = 64.0 * std::numeric_limits<double>::epsilon();
  const Columns columns = columns_of(u, classes_);
  const Columns dual = columns_of(g, classes_);
  Vector p(classes_);
  return Vector::NullaryExpr(y.size(), [&](Index i) {
    if (std::abs(dual.row(i).sum()) > sum_tolerance) return std::numeric_limits<double>::infinity();
    const Softmax softmax(columns, i, p);
    double sum = 0.0;
    for (Index k = 0; k < classes_; ++k) {
      const double q = dual(i, k) + (k == label(y[i]) ? 1.0 : 0.0);
      sum += relative_entropy(q, p[k], softmax.log_probability(columns(i, k)));
    }
    return sum;
  });
}

Vector MultinomialLoss::mean(const VectorView& u) const {
  const Columns columns = columns_of(u, classes_);
  Vector result(u.size());
  Vector p(classes_);
  for (Index i = 0; i < columns.rows(); ++i) {
    Softmax(columns, i, p);
    by_output(result, classes_).row(i) = p;
  }
  return result;
}

void MultinomialLoss::check_response(const VectorView& y) const {
  std::vector<bool> seen(static_cast<std::size_t>(classes_), false);
  for (Index i = 0; i < y.size(); ++i) {
    const bool known = y[i] >= 0.0 && y[i] < static_cast<double>(classes_) && y[i] == std::floor(y[i]);
    if (!known) {
      throw InvalidData(
          fmt::format("the response in row {} is {}; the multinomial loss takes classes, coded as 0 to {}",
                      i + 1, y[i], classes_ - 1));
    }
    seen[static_cast<std::size_t>(y[i])] = true;
  }
  for (std::size_t k = 0; k < seen.size(); ++k) {
    if (!seen[k]) {
      throw InvalidData(fmt::format(
          "no row has class {} of 0 to {}; the multinomial loss needs rows of every class", k, classes_ - 1));
    }
  }
}

}  // namespace alo
