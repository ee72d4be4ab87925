// SPDX-License-Identifier: MIT
#include "alo/losses/poisson.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "alo/error.hpp"
#include "losses/relative_entropy.hpp"

namespace alo {

namespace {

double exponential(double u) {
  return std::exp(u);
}

}  // namespace

Vector PoissonLoss::value(const VectorView& u, const VectorView& y) const {
  return u.unaryExpr(&exponential) - y.cwiseProduct(u);
}

Vector PoissonLoss::derivative(const VectorView& u, const VectorView& y) const {
  return u.unaryExpr(&exponential) - y;
}

Vector PoissonLoss::curvature(const VectorView& u, const VectorView&) const {
  return mean(u);
}

LossValues PoissonLoss::evaluate(const VectorView& u, const VectorView& y) const {
  LossValues result;
  result.curvature = mean(u);
  result.derivative = result.curvature - y;
  result.value = result.curvature - y.cwiseProduct(u);
  return result;
}

Vector PoissonLoss::fenchel_gap(const VectorView& u, const VectorView& g, const VectorView& y) const {
  return Vector::NullaryExpr(y.size(), [&](Index i) {
    return relative_entropy(y[i] + g[i], std::exp(u[i]), u[i], std::max(y[i], 1.0));
  });
}

Vector PoissonLoss::minimum(const VectorView& y) const {
  return y.unaryExpr([](double count) { return count > 0.0 ? count - count * std::log(count) : 0.0; });
}

Vector PoissonLoss::mean(const VectorView& u) const {
  return u.unaryExpr(&exponential);
}

void PoissonLoss::check_response(const VectorView& y) const {
  for (Index i = 0; i < y.size(); ++i) {
    if (!(y[i] >= 0.0)) {
      throw InvalidData(
          fmt::format("the response in row {} is {}; the poisson loss takes counts, which are not negative",
                      i + 1, y[i]));
    }
  }
  if ((y.array() == 0.0).all()) {
    throw InvalidData(
        "the response is 0 in every row; the poisson loss needs a positive count, since no finite linear "
        "predictor is best for zeros alone");
  }
}

}  // namespace alo
