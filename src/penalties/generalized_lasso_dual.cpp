// SPDX-License-Identifier: MIT
// Multipliers and what they prove.
#include <algorithm>
#include <cmath>
#include <limits>

#include "alo/penalties/generalized_lasso.hpp"
#include "penalties/term_pattern.hpp"
#include "signals/graph.hpp"
#include "signals/multiplier.hpp"

namespace alo {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// Slopes that D'u misses by less, relatively, are those along unpenalised directions, which are zero but for
// what a fit of these leaves.
constexpr double feasibility_share = 1e-6;
// Below this share they are rounding.
constexpr double rounding_share = 1e-9;
// Terms smaller than this share of the largest coefficient are rounding.
constexpr double zero_share = 1e-10;
constexpr double rounding = 1e-14;
// What sums of scaled slopes differ by from scaled sums.
constexpr double sum_rounding = 1e-12;
// A coefficient is good to some units of its last place.
constexpr double term_rounding = 8.0 * std::numeric_limits<double>::epsilon();

}  // namespace

// D b, with zero for what the rounding of b alone can make.
Vector GeneralizedLasso::terms_of(const VectorView& b) const {
  Vector terms = Vector::Zero(differences_.rows());
  Vector sizes = Vector::Zero(differences_.rows());
  for (Index j = 0; j < differences_.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator entry(differences_, j); entry; ++entry) {
      const double part = entry.value() * b[j];
      terms[entry.row()] += part;
      sizes[entry.row()] += std::abs(part);
    }
  }
  return (terms.array().abs() > term_rounding * sizes.array()).select(terms, 0.0);
}

Vector GeneralizedLasso::multipliers_of(const DualPoint& dual, double lambda) const {
  if (dual.multipliers.size() > 0 || differences_.rows() == 0) return dual.multipliers;
  return has_independent_rows() ? Vector(transpose_terms(dual.slopes))
                                : prox(dual.slopes, lambda).multipliers;
}

bool GeneralizedLasso::are_multipliers(const Vector& u, const Vector& slopes, double lambda) const {
  const double size = std::max(lambda, slopes.lpNorm<Eigen::Infinity>());
  const Vector missed = slopes - differences_.transpose() * u;
  return missed.lpNorm<Eigen::Infinity>() <= feasibility_share * size;
}

double GeneralizedLasso::fenchel_gap(const VectorView& b, const DualPoint& dual, double lambda) const {
  // Slopes of what is not penalised are zero but for rounding.
  if (b.size() == 0 || lambda == 0.0) return 0.0;
  const Vector u = multipliers_of(dual, lambda);
  if (!are_multipliers(u, dual.slopes, lambda)) return infinity;
  const Vector terms = terms_of(b);
  const Vector missed = dual.slopes - differences_.transpose() * u;
  const bool rounded = missed.lpNorm<Eigen::Infinity>() <=
                       rounding_share * std::max(lambda, dual.slopes.lpNorm<Eigen::Infinity>());
  double gap = rounded ? 0.0 : std::abs(missed.dot(b));
  for (Index k = 0; k < u.size(); ++k) {
    if (std::abs(u[k]) > (1.0 + sum_rounding) * lambda) return infinity;
    gap += lambda * std::abs(terms[k]) - std::clamp(u[k], -lambda, lambda) * terms[k];
  }
  return gap;
}

double GeneralizedLasso::dual_scale(const DualPoint& dual, double lambda) const {
  if (differences_.rows() == 0 || lambda == 0.0) return 1.0;
  const Vector u = multipliers_of(dual, lambda);
  // Bounded multipliers of other slopes: these are beyond the bound.
  const bool beyond = !are_multipliers(u, dual.slopes, lambda);
  const double largest = beyond ? lambda_max(dual.slopes) : u.lpNorm<Eigen::Infinity>();
  return largest > lambda ? rounding_margin * lambda / largest : 1.0;
}

Vector GeneralizedLasso::subgradient_distance(const VectorView& b, const DualPoint& dual,
                                              double lambda) const {
  if (b.size() == 0) return {};
  Vector u = multipliers_of(dual, lambda);
  const Vector terms = terms_of(b);
  const double zero = zero_share * b.lpNorm<Eigen::Infinity>();
  for (Index k = 0; k < u.size(); ++k) {
    u[k] = std::abs(terms[k]) > zero ? std::copysign(lambda, terms[k]) : std::clamp(u[k], -lambda, lambda);
  }
  return (dual.slopes - differences_.transpose() * u).cwiseAbs();
}

double GeneralizedLasso::lambda_max(const VectorView& z) const {
  if (differences_.rows() == 0) return 0.0;
  if (has_independent_rows()) return transpose_terms(z).cwiseAbs().maxCoeff();
  return graph_ ? graph_lambda_max(z) : terms_gauge(differences_, *free_, z);
}

// The largest ratio of what flows out of a set of coefficients to what its edges carry: each proximal point
// shows a set with a larger one until there is none.
double GeneralizedLasso::graph_lambda_max(const VectorView& z) const {
  const auto ratio = [&](const Vector& values, double level) {
    double flow = 0.0;
    double capacity = 0.0;
    for (Index j = 0; j < values.size(); ++j) {
      if (values[j] != level) continue;
      flow += z[j];
      capacity += sparse_;
    }
    for (const auto& [tail, head] : graph_->edges()) {
      if ((values[tail] == level) != (values[head] == level)) capacity += 1.0;
    }
    return capacity > 0.0 ? std::abs(flow) / capacity : 0.0;
  };
  double lambda = 0.0;
  Vector values = z;
  while (!(differences_ * values).isZero(0.0)) {
    const double larger = std::max(ratio(values, values.maxCoeff()), ratio(values, values.minCoeff()));
    if (larger <= lambda * (1.0 + rounding)) break;
    lambda = larger;
    values = prox(z, lambda).point;
  }
  return lambda;
}

}  // namespace alo
