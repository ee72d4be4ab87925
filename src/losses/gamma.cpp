// SPDX-License-Identifier: MIT
#include "alo/losses/gamma.hpp"

#include <cmath>

#include <fmt/format.h>

#include "alo/error.hpp"
#include "losses/relative_entropy.hpp"

namespace alo {

Vector GammaLoss::value(const VectorView& u, const VectorView& y) const {
  return u + curvature(u, y);
}

Vector GammaLoss::derivative(const VectorView& u, const VectorView& y) const {
  return 1.0 - curvature(u, y).array();
}

Vector GammaLoss::curvature(const VectorView& u, const VectorView& y) const {
  return u.binaryExpr(y, [](double a, double b) { return b * std::exp(-a); });
}

LossValues GammaLoss::evaluate(const VectorView& u, const VectorView& y) const {
  LossValues result;
  result.curvature = curvature(u, y);
  result.derivative = 1.0 - result.curvature.array();
  result.value = u + result.curvature;
  return result;
}

Vector GammaLoss::fenchel_gap(const VectorView& u, const VectorView& g, const VectorView& y) const {
  return Vector::NullaryExpr(y.size(), [&](Index i) {
    return relative_entropy(1.0 - g[i], y[i] * std::exp(-u[i]), std::log(y[i]) - u[i]);
  });
}

Vector GammaLoss::minimum(const VectorView& y) const {
  return y.unaryExpr([](double amount) { return 1.0 + std::log(amount); });
}

Vector GammaLoss::mean(const VectorView& u) const {
  return u.unaryExpr([](double a) { return std::exp(a); });
}

void GammaLoss::check_response(const VectorView& y) const {
  for (Index i = 0; i < y.size(); ++i) {
    if (!(y[i] > 0.0)) {
      throw InvalidData(
          fmt::format("the response in row {} is {}; the gamma loss takes positive numbers", i + 1, y[i]));
    }
  }
}

}  // namespace alo
