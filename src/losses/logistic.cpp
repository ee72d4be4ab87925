// SPDX-License-Identifier: MIT
#include "alo/losses/logistic.hpp"

#include <algorithm>
#include <cmath>

#include "losses/relative_entropy.hpp"
#include "losses/responses.hpp"

namespace alo {

namespace {

// All functions follow from e = exp(-|u|), which cannot overflow. The margin is y u.
struct Row {
  Row(double u, double y) : margin(y * u), e(std::exp(-std::abs(u))), share(1.0 / (1.0 + e)) {}
  double value() const { return std::max(-margin, 0.0) + std::log1p(e); }
  // s(-margin) and s(margin), each to full relative accuracy
  double other() const { return margin >= 0.0 ? e * share : share; }
  double own() const { return margin >= 0.0 ? share : e * share; }
  double curvature() const { return e * share * share; }

  double margin;
  double e;
  double share;
};

double gap(double u, double g, double y) {
  const Row row(u, y);
  const double q = -y * g;
  const double log_one_plus = std::log1p(row.e);
  const double log_other = -std::max(row.margin, 0.0) - log_one_plus;
  const double log_own = -std::max(-row.margin, 0.0) - log_one_plus;
  return relative_entropy(q, row.other(), log_other) + relative_entropy(1.0 - q, row.own(), log_own);
}

}  // namespace

Vector LogisticLoss::value(const VectorView& u, const VectorView& y) const {
  return u.binaryExpr(y, [](double a, double b) { return Row(a, b).value(); });
}

Vector LogisticLoss::derivative(const VectorView& u, const VectorView& y) const {
  return u.binaryExpr(y, [](double a, double b) { return -b * Row(a, b).other(); });
}

Vector LogisticLoss::curvature(const VectorView& u, const VectorView& y) const {
  return u.binaryExpr(y, [](double a, double b) { return Row(a, b).curvature(); });
}

LossValues LogisticLoss::evaluate(const VectorView& u, const VectorView& y) const {
  const Index n = y.size();
  LossValues result{Vector(n), Vector(n), Vector(n)};
  for (Index i = 0; i < n; ++i) {
    const Row row(u[i], y[i]);
    result.value[i] = row.value();
    result.derivative[i] = -y[i] * row.other();
    result.curvature[i] = row.curvature();
  }
  return result;
}

Vector LogisticLoss::fenchel_gap(const VectorView& u, const VectorView& g, const VectorView& y) const {
  return Vector::NullaryExpr(y.size(), [&](Index i) { return gap(u[i], g[i], y[i]); });
}

Vector LogisticLoss::mean(const VectorView& u) const {
  return u.unaryExpr([](double a) { return Row(a, 1.0).own(); });
}

void LogisticLoss::check_response(const VectorView& y) const {
  check_two_classes(name(), y);
}

}  // namespace alo
