// SPDX-License-Identifier: MIT
#include "alo/penalties/generalized_lasso.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "alo/error.hpp"
#include "linalg/special_values.hpp"
#include "penalties/analysis/operators.hpp"
#include "signals/multiplier.hpp"

namespace alo {

namespace {

// Slopes z are feasible when they differ from D'u by at most this share of slope_size: a fit that is not yet
// at the best of its unpenalised part has slopes along it, and they shrink with its error. Beyond
// rounding_share the difference counts in the gap, |(z - D'u)'b|. At ten times infeasible points would be
// scaled as feasible ones; at a tenth early fits of a path have no gap, which is no harm.
constexpr double feasibility_share = 1e-6;
// A difference z - D'u up to this share is rounding, and adds nothing to the gap. Multipliers are sums of n
// terms, k times over for differences of order k, and lose up to n^k epsilon of their size: 2e-10 for a trend
// filter of order two with 1000 rows. At a tenth such fits miss their certificate (gaps of 1e-10 are counted
// that are not there); at ten times a wrong multiplier could hide a gap of 1e-8 |b| lambda.
constexpr double rounding_share = 1e-9;
// For kkt and subgradients: terms of D b below this share of the largest coefficient are zero.
constexpr double zero_share = 1e-10;
// A multiplier may exceed lambda by this share. The multipliers of a dual point times a scale and the scale
// times the multipliers differ by the rounding of sums. At a tenth long signals may have no gap; at ten times
// the gap misses 1e-11 lambda |D b|_1.
constexpr double sum_rounding = 1e-12;

// The size that slopes and their misses are relative to.
double slope_size(const Vector& slopes, double lambda) {
  return std::max(lambda, slopes.lpNorm<Eigen::Infinity>());
}

}  // namespace

GeneralizedLasso::GeneralizedLasso(std::shared_ptr<const AnalysisOperator> analysis, std::string name)
    : name_(std::move(name)), analysis_(std::move(analysis)) {
  if (!analysis_) throw InvalidArgument("a generalised lasso needs its analysis operator");
}

GeneralizedLasso::GeneralizedLasso(const SparseMatrix& matrix, std::string name)
    : GeneralizedLasso(matrix_operator(matrix), std::move(name)) {}

GeneralizedLasso GeneralizedLasso::recognize(const SparseMatrix& matrix) {
  return GeneralizedLasso(recognized_operator(matrix));
}

GeneralizedLasso GeneralizedLasso::differences(Index columns, int order, std::string name) {
  return GeneralizedLasso(chain_differences(columns, order), std::move(name));
}

GeneralizedLasso GeneralizedLasso::on_graph(Index columns, const std::vector<std::pair<Index, Index>>& edges,
                                            double sparse) {
  return GeneralizedLasso(
      sparse == 0.0 ? graph_differences(columns, edges) : sparse_graph_differences(columns, edges, sparse),
      "fused-lasso");
}

GeneralizedLasso GeneralizedLasso::haar(Index columns) {
  return GeneralizedLasso(haar_wavelet(columns), "wavelet");
}

double GeneralizedLasso::value(const VectorView& b, double lambda) const {
  return lambda * analysis_->terms(b).lpNorm<1>();
}

Geometry GeneralizedLasso::geometry(const VectorView& b, const VectorView& multipliers, double lambda) const {
  Geometry geometry;
  geometry.combinations = analysis_->tangent_basis(analysis_->active_terms(b, multipliers, lambda));
  const Index directions = geometry.combinations.cols();
  if (directions > 0) {
    geometry.coordinates.resize(static_cast<std::size_t>(geometry.combinations.rows()));
    std::iota(geometry.coordinates.begin(), geometry.coordinates.end(), Index{0});
  }
  geometry.curvature = Vector::Zero(directions);
  return geometry;
}

Vector GeneralizedLasso::subgradient(const VectorView& b, double lambda) const {
  const Vector terms = analysis_->terms(b);
  const double zero = b.size() > 0 ? zero_share * b.lpNorm<Eigen::Infinity>() : 0.0;
  const Vector signs = (terms.array().abs() > zero).select(terms.cwiseSign(), 0.0);
  return lambda * (analysis_->matrix().transpose() * signs);
}

Vector GeneralizedLasso::multipliers_of(const DualPoint& dual, double lambda) const {
  if (dual.multipliers.size() > 0 || analysis_->matrix().rows() == 0) return dual.multipliers;
  const RightInverse* inverse = analysis_->right_inverse();
  return inverse != nullptr ? Vector(inverse->transpose_multiply(dual.slopes))
                            : analysis_->prox(dual.slopes, lambda).multipliers;
}

Vector GeneralizedLasso::missed_slopes(const Vector& u, const Vector& slopes) const {
  return slopes - analysis_->matrix().transpose() * u;
}

double GeneralizedLasso::fenchel_gap(const VectorView& b, const DualPoint& dual, double lambda) const {
  // Without lambda nothing is penalised, and the slopes of a dual point are zero up to rounding.
  if (b.size() == 0 || lambda == 0.0) return 0.0;
  const Vector u = multipliers_of(dual, lambda);
  const Vector missed = missed_slopes(u, dual.slopes);
  const double share = missed.lpNorm<Eigen::Infinity>() / slope_size(dual.slopes, lambda);
  if (!(share <= feasibility_share)) return infinity;
  const Vector terms = analysis_->terms(b);
  double gap = share <= rounding_share ? 0.0 : std::abs(missed.dot(b));
  for (Index k = 0; k < u.size(); ++k) {
    if (std::abs(u[k]) > (1.0 + sum_rounding) * lambda) return infinity;
    gap += lambda * std::abs(terms[k]) - std::clamp(u[k], -lambda, lambda) * terms[k];
  }
  return gap;
}

double GeneralizedLasso::dual_scale(const DualPoint& dual, double lambda) const {
  if (analysis_->matrix().rows() == 0 || lambda == 0.0) return 1.0;
  const Vector u = multipliers_of(dual, lambda);
  const double missed = missed_slopes(u, dual.slopes).lpNorm<Eigen::Infinity>();
  // Where no multipliers within lambda belong to the slopes, the slopes are outside the domain, and their
  // gauge says by how much.
  const bool beyond = !(missed <= feasibility_share * slope_size(dual.slopes, lambda));
  const double largest = beyond ? lambda_max(dual.slopes) : u.lpNorm<Eigen::Infinity>();
  return largest > lambda ? rounding_margin * lambda / largest : 1.0;
}

Vector GeneralizedLasso::subgradient_distance(const VectorView& b, const DualPoint& dual,
                                              double lambda) const {
  if (b.size() == 0) return {};
  Vector u = multipliers_of(dual, lambda);
  const Vector terms = analysis_->terms(b);
  const double zero = zero_share * b.lpNorm<Eigen::Infinity>();
  for (Index k = 0; k < u.size(); ++k) {
    u[k] = std::abs(terms[k]) > zero ? std::copysign(lambda, terms[k]) : std::clamp(u[k], -lambda, lambda);
  }
  return missed_slopes(u, dual.slopes).cwiseAbs();
}

SparseMatrix GeneralizedLasso::unpenalized(Index columns, double lambda) const {
  if (lambda > 0.0) return analysis_->null_basis();
  SparseMatrix all(columns, columns);
  all.setIdentity();
  return all;
}

void GeneralizedLasso::check_columns(Index columns) const {
  const Index own = analysis_->matrix().cols();
  if (own == columns) return;
  throw InvalidData(fmt::format(
      "the penalty matrix has {} columns for {} coefficients; give one per coefficient", own, columns));
}

}  // namespace alo
