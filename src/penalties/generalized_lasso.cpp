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

// Slopes that D'u misses by less, relatively, are those along unpenalised directions, which are zero but for
// what a fit of these leaves.
constexpr double feasibility_share = 1e-6;
// Below this share they are rounding.
constexpr double rounding_share = 1e-9;
// Terms smaller than this share of the largest coefficient are rounding.
constexpr double zero_share = 1e-10;
// What sums of scaled slopes differ by from scaled sums.
constexpr double sum_rounding = 1e-12;

// A miss is judged relative to this.
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
  const SparseMatrix& matrix = analysis_->matrix();
  const Vector terms = matrix * b;
  return lambda * (matrix.transpose() * terms.cwiseSign());
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
  // Slopes of what is not penalised are zero but for rounding.
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
  // Bounded multipliers of other slopes: these are beyond the bound.
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
