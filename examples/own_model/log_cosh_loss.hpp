// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <alo/loss.hpp>

namespace own {

// With r = u - y, a scale s > 0, x = r / s and t = g / s:
//
//     l(u; y) = s^2 log cosh x,  l' = s tanh x,  l'' = 1 - tanh(x)^2,
//     l*(g; y) = s^2 ((1 + t) log(1 + t) + (1 - t) log(1 - t)) / 2 + g y  for |t| <= 1.
//
// Squares near the response and absolute values far from it, as Huber's loss, but with all derivatives.
class LogCoshLoss {
 public:
  explicit LogCoshLoss(double scale) : scale_(scale) {}

  std::string name() const { return "log-cosh"; }
  alo::Index outputs() const { return 1; }
  alo::ResponseKind response_kind() const { return alo::ResponseKind::number; }

  alo::Vector value(const alo::VectorView& u, const alo::VectorView& y) const {
    // log cosh x = |x| + log(1 + exp(-2 |x|)) - log 2 loses all digits of a small x.
    return rows(u, y, [this](double x) {
      const double size = std::abs(x);
      const double sine = std::sinh(std::min(size, 1.0));
      const double unit = size < 1.0 ? 0.5 * std::log1p(sine * sine)
                                     : size + std::log1p(std::exp(-2.0 * size)) - std::log(2.0);
      return scale_ * scale_ * unit;
    });
  }
  alo::Vector derivative(const alo::VectorView& u, const alo::VectorView& y) const {
    return rows(u, y, [this](double x) { return scale_ * std::tanh(x); });
  }
  alo::Vector curvature(const alo::VectorView& u, const alo::VectorView& y) const {
    // 1 - tanh(x)^2, whose difference is zero long before its value is.
    return rows(u, y, [](double x) {
      const double decay = std::exp(-2.0 * std::abs(x));
      return 4.0 * decay / ((1.0 + decay) * (1.0 + decay));
    });
  }

  // With p = (1 + t) / 2 and q = (1 + tanh x) / 2 the gap is s^2 times the relative entropy of p beside q,
  // a sum of two terms that are not negative.
  alo::Vector fenchel_gap(const alo::VectorView& u, const alo::VectorView& g,
                          const alo::VectorView& y) const {
    alo::Vector gap(y.size());
    for (alo::Index i = 0; i < y.size(); ++i) {
      const double x = (u[i] - y[i]) / scale_;
      const double t = g[i] / scale_;
      gap[i] = scale_ * scale_ *
               (entropy_term(0.5 * (1.0 + t), -log1p_exp(-2.0 * x)) +
                entropy_term(0.5 * (1.0 - t), -log1p_exp(2.0 * x)));
    }
    return gap;
  }

  alo::Vector minimum(const alo::VectorView& y) const { return alo::Vector::Zero(y.size()); }
  alo::Vector mean(const alo::VectorView& u) const { return u; }
  void check_response(const alo::VectorView&) const {}
  bool is_quadratic() const { return false; }

 private:
  template <class Function>
  alo::Vector rows(const alo::VectorView& u, const alo::VectorView& y, const Function& function) const {
    return ((u - y) / scale_).unaryExpr(function);
  }

  // log(1 + exp(v)) without overflow.
  static double log1p_exp(double v) { return std::max(v, 0.0) + std::log1p(std::exp(-std::abs(v))); }

  // p log(p / q) - p + q for a probability p, with q given by its logarithm, since q may underflow.
  static double entropy_term(double p, double log_q) {
    const double q = std::exp(log_q);
    if (p < 0.0) return std::numeric_limits<double>::infinity();
    if (p == 0.0) return q;
    // Near p = q the three parts cancel. The series of (1 + z) log(1 + z) - z does not, and its next term,
    // z^6 / 30, is rounding beside the first.
    const double z = (p - q) / q;
    if (std::abs(z) < 1e-3) return q * z * z * (1.0 / 2 - z * (1.0 / 6 - z * (1.0 / 12 - z / 20)));
    return p * (std::log(p) - log_q) - (p - q);
  }

  double scale_;
};

static_assert(alo::LossModel<LogCoshLoss>);

}  // namespace own
