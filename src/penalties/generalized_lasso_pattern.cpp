// SPDX-License-Identifier: MIT
// What a point shows of the penalty: proximal points, patterns, and single coefficients.
#include <algorithm>
#include <cmath>

#include <Eigen/QR>

#include "alo/penalties/generalized_lasso.hpp"
#include "penalties/difference_structure.hpp"
#include "penalties/null_space.hpp"
#include "penalties/term_pattern.hpp"
#include "signals/chain.hpp"
#include "signals/discrete_splines.hpp"
#include "signals/graph.hpp"
#include "signals/multiplier.hpp"
#include "signals/spline.hpp"

namespace alo {

namespace {

constexpr double rounding = 1e-14;

// Each coefficient joined to the next, in their order: much faster than a graph.
bool is_chain(const Graph& graph) {
  const auto& edges = graph.edges();
  if (edges.empty() || static_cast<Index>(edges.size()) + 1 != graph.nodes()) return false;
  for (std::size_t k = 0; k < edges.size(); ++k) {
    const auto place = static_cast<Index>(k);
    if (edges[k].tail != place || edges[k].head != place + 1) return false;
  }
  return true;
}

// D(rows, :)
SparseMatrix choose_rows(const SparseMatrix& matrix, const std::vector<Index>& rows) {
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    entries.emplace_back(static_cast<int>(k), static_cast<int>(rows[k]), 1.0);
  }
  SparseMatrix selection(static_cast<Index>(rows.size()), matrix.rows());
  selection.setFromTriplets(entries.begin(), entries.end());
  return selection * matrix;
}

}  // namespace

// Shrinking the proximal point of the differences towards zero gives that of both (Friedman, Hastie, Hofling
// and Tibshirani 2007).
Proximal GeneralizedLasso::graph_prox(const VectorView& b, double lambda) const {
  const auto edges = static_cast<Index>(graph_->edges().size());
  Proximal result{Vector(), Vector(differences_.rows())};
  if (is_chain(*graph_)) {
    const Proximal chain = chain_prox(b, lambda);
    result.point = chain.point;
    result.multipliers.head(edges) = chain.multipliers;
  } else {
    const GraphFit fit = solve_graph(*graph_, b, Vector::Ones(b.size()), Vector::Constant(edges, lambda));
    result.point = expand(fit);
    result.multipliers.head(edges) = -fit.flow;
  }
  if (sparse_ == 0.0) return result;
  const double threshold = lambda * sparse_;
  for (Index j = 0; j < b.size(); ++j) {
    double& value = result.point[j];
    const bool stays = std::abs(value) > threshold;
    result.multipliers[edges + j] = stays ? std::copysign(lambda, value) : value / sparse_;
    value = stays ? value - std::copysign(threshold, value) : 0.0;
  }
  return result;
}

Proximal GeneralizedLasso::chain_prox(const VectorView& b, double lambda) const {
  Proximal result{alo::chain_prox(b, lambda), Vector()};
  result.multipliers = -chain_dual(b, Vector::Ones(b.size()), result.point).head(b.size() - 1);
  for (Index k = 0; k < result.multipliers.size(); ++k) {
    const double jump = result.point[k + 1] - result.point[k];
    result.multipliers[k] = marked_multiplier(result.multipliers[k], jump, lambda);
  }
  return result;
}

Proximal GeneralizedLasso::spline_prox(const VectorView& b, double lambda) const {
  const Vector ones = Vector::Ones(b.size());
  const PiecewisePolynomial spline = solve_spline(b, ones, order_, std::span(&lambda, 1)).front();
  return {expand(spline), marked_multipliers(spline, b, ones, lambda)};
}

// b = N N'b + D'z, z shrunk one by one. Coefficients that share their details are equal to the last digit.
Proximal GeneralizedLasso::orthonormal_prox(const VectorView& b, double lambda) const {
  const Vector details = differences_ * b;
  const Vector shrunk =
      details.cwiseSign().cwiseProduct((details.cwiseAbs().array() - lambda).max(0.0).matrix());
  Proximal result{Vector::Constant(b.size(), b.mean()) + differences_.transpose() * shrunk, details};
  for (Index k = 0; k < details.size(); ++k) {
    result.multipliers[k] = marked_multiplier(details[k], shrunk[k], lambda);
  }
  return result;
}

Proximal GeneralizedLasso::prox(const VectorView& b, double lambda) const {
  if (orthonormal_ && b.size() > 0) return orthonormal_prox(b, lambda);
  if (graph_) return graph_prox(b, lambda);
  if (order_ == 1 && b.size() > 0) return chain_prox(b, lambda);
  if (order_ > 1 && differences_.rows() > 0) return spline_prox(b, lambda);
  TermSolution solution = terms_prox(differences_, b, lambda);
  return {std::move(solution.coefficients), std::move(solution.multipliers)};
}

std::vector<Index> GeneralizedLasso::active_terms(const VectorView& b, const VectorView& multipliers,
                                                  double lambda) const {
  std::vector<Index> active;
  const Vector terms = multipliers.size() == 0 ? Vector(differences_ * b) : Vector();
  for (Index k = 0; k < differences_.rows(); ++k) {
    const bool is_active = multipliers.size() == 0 ? terms[k] != 0.0 : std::abs(multipliers[k]) >= lambda;
    if (is_active) active.push_back(k);
  }
  return active;
}

Geometry GeneralizedLasso::geometry(const VectorView& b, const VectorView& multipliers, double lambda) const {
  const Index columns = differences_.cols();
  const std::vector<Index> active = active_terms(b, multipliers, lambda);
  Geometry geometry;
  geometry.coordinates = all_coordinates(columns);
  if (order_ == 1) {
    geometry.combinations = block_basis(columns, active);
  } else if (order_ > 1 && differences_.rows() > 0) {
    geometry.combinations = DiscreteSplines(columns, order_, active).basis();
  } else if (has_independent_rows() && !graph_) {
    Matrix variables = Matrix::Zero(columns, free_->cols() + static_cast<Index>(active.size()));
    variables.topLeftCorner(free_->cols(), free_->cols()).setIdentity();
    for (std::size_t k = 0; k < active.size(); ++k) {
      variables(free_->cols() + active[k], free_->cols() + static_cast<Index>(k)) = 1.0;
    }
    const Index directions = variables.cols();
    const Matrix basis =
        from_terms(variables).householderQr().householderQ() * Matrix::Identity(columns, directions);
    geometry.combinations = basis.sparseView(1.0, 0.0);
  } else {
    std::vector<Index> inactive;
    for (Index k = 0; k < differences_.rows(); ++k) {
      if (!std::binary_search(active.begin(), active.end(), k)) inactive.push_back(k);
    }
    geometry.combinations = null_space(choose_rows(differences_, inactive));
    if (geometry.combinations.cols() == 0) geometry.coordinates.clear();
  }
  geometry.curvature = Vector::Zero(geometry.combinations.cols());
  return geometry;
}

Vector GeneralizedLasso::subgradient(const VectorView& b, double lambda) const {
  const Vector terms = differences_ * b;
  return lambda * (differences_.transpose() * terms.cwiseSign());
}

// Of |D_kj| |b_j - t_k| summed over k, t_k where term k vanishes: a weighted median of the t_k.
std::pair<double, double> GeneralizedLasso::best_values(const VectorView& b, Index coefficient) const {
  const Vector terms = differences_ * b;
  std::vector<std::pair<double, double>> places;  // with their weights
  double total = 0.0;
  for (SparseMatrix::InnerIterator entry(differences_, coefficient); entry; ++entry) {
    if (entry.value() == 0.0) continue;
    places.emplace_back(b[coefficient] - terms[entry.row()] / entry.value(), std::abs(entry.value()));
    total += std::abs(entry.value());
  }
  if (places.empty()) return {b[coefficient], b[coefficient]};
  std::sort(places.begin(), places.end());
  double below = 0.0;
  std::size_t k = 0;
  while (below + places[k].second < 0.5 * total * (1.0 - rounding)) below += places[k++].second;
  const bool flat = below + places[k].second <= 0.5 * total * (1.0 + rounding) && k + 1 < places.size();
  return {places[k].first, places[flat ? k + 1 : k].first};
}

}  // namespace alo
