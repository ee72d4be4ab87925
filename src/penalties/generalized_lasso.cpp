// SPDX-License-Identifier: MIT
#include "alo/penalties/generalized_lasso.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>
#include <Eigen/QR>

#include "alo/error.hpp"
#include "penalties/box_least_squares.hpp"
#include "penalties/difference_structure.hpp"
#include "penalties/multiplier.hpp"
#include "penalties/null_space.hpp"
#include "signals/chain.hpp"
#include "signals/graph.hpp"

namespace alo {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// Keeps scaled multipliers inside their bounds when the product is rounded up.
constexpr double rounding_margin = 1.0 - 4.0 * std::numeric_limits<double>::epsilon();
// Slopes that D'u misses by less, relatively, are those along unpenalised directions, which are zero but for
// what a fit of these leaves.
constexpr double feasibility_share = 1e-6;
// Below this share they are rounding.
constexpr double rounding_share = 1e-9;
// Terms smaller than this share of the largest coefficient are rounding.
constexpr double zero_share = 1e-10;
constexpr double rank_tolerance = 1e-11;
constexpr double rounding = 1e-14;
// A coefficient is good to some units of its last place.
constexpr double term_rounding = 8.0 * std::numeric_limits<double>::epsilon();

// Sums from each row to the last, `times` over.
void sum_from_below(Eigen::Ref<Matrix> values, int times) {
  for (int k = 0; k < times; ++k) {
    for (Index i = values.rows() - 2; i >= 0; --i) values.row(i) += values.row(i + 1);
  }
}

SparseMatrix from_columns(const Matrix& columns) {
  return columns.sparseView(1.0, 0.0);
}

std::vector<Index> all_coordinates(Index count) {
  std::vector<Index> result(static_cast<std::size_t>(count));
  std::iota(result.begin(), result.end(), Index{0});
  return result;
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

bool is_same_up_to_sign(const SparseMatrix& a, const SparseMatrix& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() && ((a - b).norm() == 0.0 || (a + b).norm() == 0.0);
}

}  // namespace

GeneralizedLasso::GeneralizedLasso(SparseMatrix differences, std::string name, int order)
    : name_(std::move(name)), differences_(std::move(differences)), order_(order) {
  const Index columns = differences_.cols();
  free_ = std::make_shared<const SparseMatrix>(
      from_columns(polynomials(columns, std::min<Index>(order, columns))));
}

GeneralizedLasso GeneralizedLasso::differences(Index columns, int order, std::string name) {
  if (order < 1) {
    throw InvalidArgument(fmt::format("the order of the differences must be at least 1, but is {}", order));
  }
  return {difference_matrix(columns, order), std::move(name), order};
}

GeneralizedLasso GeneralizedLasso::haar(Index columns) {
  const SparseMatrix details = haar_matrix(columns);
  GeneralizedLasso result(details, "wavelet", 1);
  result.order_ = 0;
  result.terms_ = std::make_shared<const SparseMatrix>(details.transpose());  // its rows are orthonormal
  return result;
}

GeneralizedLasso::GeneralizedLasso(SparseMatrix differences, std::string name)
    : name_(std::move(name)), differences_(std::move(differences)) {
  for (Index j = 0; j < differences_.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator entry(differences_, j); entry; ++entry) {
      if (std::isfinite(entry.value())) continue;
      throw InvalidData(fmt::format("the penalty matrix is {} in row {}, column {}; it must be finite",
                                    entry.value(), entry.row() + 1, j + 1));
    }
  }
  const Index columns = differences_.cols();
  const Index rows = differences_.rows();
  if (rows == 0) {
    free_ = std::make_shared<const SparseMatrix>(from_columns(Matrix::Identity(columns, columns)));
    terms_ = std::make_shared<const SparseMatrix>(columns, 0);
    return;
  }
  // D' P = Q R: the first columns of Q span the rows of D, and D Z = I for Z = Q_1 R^-T P'.
  Eigen::ColPivHouseholderQR<Matrix> factor(differences_.transpose().toDense());
  factor.setThreshold(rank_tolerance);
  const Matrix q = factor.householderQ();
  const Index rank = factor.rank();
  free_ = std::make_shared<const SparseMatrix>(from_columns(q.rightCols(columns - rank)));
  if (rank < rows) return;
  const Matrix permuted = factor.colsPermutation().transpose() * Matrix::Identity(rows, rows);
  const Matrix solved =
      factor.matrixR().topLeftCorner(rank, rank).triangularView<Eigen::Upper>().transpose().solve(permuted);
  terms_ = std::make_shared<const SparseMatrix>(from_columns(q.leftCols(rank) * solved));
}

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

double GeneralizedLasso::value(const VectorView& b, double lambda) const {
  return lambda * (differences_ * b).lpNorm<1>();
}

GeneralizedLasso GeneralizedLasso::on_graph(Index columns, const std::vector<std::pair<Index, Index>>& edges,
                                            double sparse) {
  if (!(sparse >= 0.0) || std::isinf(sparse)) {
    throw InvalidArgument(fmt::format(
        "the factor of the coefficients themselves must be a finite number, zero or more, but is {}",
        sparse));
  }
  std::vector<GraphEdge> list;
  std::vector<Eigen::Triplet<double>> entries;
  for (const auto& [tail, head] : edges) {
    if (std::min(tail, head) < 0 || std::max(tail, head) >= columns) {
      throw InvalidData(
          fmt::format("an edge joins coefficients {} and {}, but there are {}", tail + 1, head + 1, columns));
    }
    const auto row = static_cast<int>(list.size());
    list.push_back({tail, head});
    if (tail == head) continue;  // no difference
    entries.emplace_back(row, static_cast<int>(tail), -1.0);
    entries.emplace_back(row, static_cast<int>(head), 1.0);
  }
  const auto count = static_cast<Index>(list.size());
  for (Index j = 0; j < columns && sparse > 0.0; ++j) {
    entries.emplace_back(static_cast<int>(count + j), static_cast<int>(j), sparse);
  }
  SparseMatrix differences(count + (sparse > 0.0 ? columns : 0), columns);
  differences.setFromTriplets(entries.begin(), entries.end());
  GeneralizedLasso result(std::move(differences), "fused-lasso", 1);
  result.order_ = 0;
  result.sparse_ = sparse;
  result.graph_ = std::make_shared<const Graph>(columns, std::move(list));
  result.free_ = std::make_shared<const SparseMatrix>(null_space(result.differences_));
  return result;
}

GeneralizedLasso GeneralizedLasso::recognize(const SparseMatrix& differences) {
  constexpr int largest_order = 3;
  const std::string name = "generalized-lasso";
  for (int order = 1; order <= largest_order && order < differences.cols(); ++order) {
    const SparseMatrix known = difference_matrix(differences.cols(), order);
    if (is_same_up_to_sign(differences, known)) return {known, name, order};
  }
  const auto edges = find_edges(differences);
  if (!edges) return GeneralizedLasso(differences, name);
  GeneralizedLasso result = on_graph(differences.cols(), edges->list, edges->sparse);
  result.name_ = name;
  return result;
}

// Shrinking the proximal point of the differences towards zero gives that of both (Friedman, Hastie, Hofling
// and Tibshirani 2007).
Proximal GeneralizedLasso::graph_prox(const VectorView& b, double lambda) const {
  const auto edges = static_cast<Index>(graph_->edges().size());
  const GraphFit fit = solve_graph(*graph_, b, Vector::Ones(b.size()), Vector::Constant(edges, lambda));
  Proximal result{expand(fit), Vector(differences_.rows())};
  result.multipliers.head(edges) = -fit.flow;
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
  result.multipliers = -chain_dual(b, Vector::Ones(b.size()), result.point).head(differences_.rows());
  for (Index k = 0; k < result.multipliers.size(); ++k) {
    const double jump = result.point[k + 1] - result.point[k];
    result.multipliers[k] = marked_multiplier(result.multipliers[k], jump, lambda);
  }
  return result;
}

Proximal GeneralizedLasso::prox(const VectorView& b, double lambda) const {
  if (graph_) return graph_prox(b, lambda);
  if (order_ == 1 && b.size() > 0) return chain_prox(b, lambda);
  Vector multipliers = box_least_squares(differences_, b, lambda);
  Vector point = b - differences_.transpose() * multipliers;
  return {std::move(point), std::move(multipliers)};
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
  } else if (order_ == 2) {
    geometry.combinations = hat_basis(columns, active);
  } else if (has_independent_rows()) {
    Matrix variables = Matrix::Zero(columns, free_->cols() + static_cast<Index>(active.size()));
    variables.topLeftCorner(free_->cols(), free_->cols()).setIdentity();
    for (std::size_t k = 0; k < active.size(); ++k) {
      variables(free_->cols() + active[k], free_->cols() + static_cast<Index>(k)) = 1.0;
    }
    const Index directions = variables.cols();
    const Matrix basis =
        from_terms(variables).householderQr().householderQ() * Matrix::Identity(columns, directions);
    geometry.combinations = from_columns(basis);
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
  if (b.size() == 0) return 0.0;
  const Vector u = multipliers_of(dual, lambda);
  if (!are_multipliers(u, dual.slopes, lambda)) return infinity;
  const Vector terms = terms_of(b);
  const Vector missed = dual.slopes - differences_.transpose() * u;
  const bool rounded = missed.lpNorm<Eigen::Infinity>() <=
                       rounding_share * std::max(lambda, dual.slopes.lpNorm<Eigen::Infinity>());
  double gap = rounded ? 0.0 : std::abs(missed.dot(b));
  for (Index k = 0; k < u.size(); ++k) {
    if (std::abs(u[k]) > lambda) return infinity;
    gap += lambda * std::abs(terms[k]) - u[k] * terms[k];
  }
  return gap;
}

double GeneralizedLasso::dual_scale(const DualPoint& dual, double lambda) const {
  if (differences_.rows() == 0) return 1.0;
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
  return graph_ ? graph_lambda_max(z) : least_bound(differences_, z);
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

SparseMatrix GeneralizedLasso::unpenalized(Index columns, double lambda) const {
  if (lambda > 0.0) return *free_;
  SparseMatrix all(columns, columns);
  all.setIdentity();
  return all;
}

void GeneralizedLasso::check_columns(Index columns) const {
  if (differences_.cols() == columns) return;
  throw InvalidData(
      fmt::format("the penalty matrix has {} columns for {} coefficients; give one per coefficient",
                  differences_.cols(), columns));
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

Matrix GeneralizedLasso::from_terms(const MatrixView& variables) const {
  const Index free = free_->cols();
  const auto terms = variables.bottomRows(variables.rows() - free);
  if (order_ == 0) return *free_ * variables.topRows(free) + *terms_ * terms;
  Matrix sums = Matrix::Zero(variables.rows(), variables.cols());
  sums.bottomRows(terms.rows()) = terms;
  for (int k = 0; k < order_; ++k) {
    for (Index i = 1; i < sums.rows(); ++i) sums.row(i) += sums.row(i - 1);
  }
  return *free_ * variables.topRows(free) + sums;
}

Vector GeneralizedLasso::to_variables(const VectorView& b, const VectorView& terms) const {
  const Index free = free_->cols();
  Vector variables = Vector::Zero(b.size());
  variables.tail(terms.size()) = terms;
  const Vector rest = b - from_terms(variables);
  variables.head(free) = free_->toDense().householderQr().solve(rest);
  return variables;
}

Matrix GeneralizedLasso::term_design(const Design& design) const {
  const Index columns = differences_.cols();
  const Index free = free_->cols();
  Matrix result(design.rows(), columns);
  result.leftCols(free) = design.multiply_columns(free_->toDense());
  if (order_ == 0) {
    result.rightCols(columns - free) = design.gather(all_coordinates(columns)) * *terms_;
    return result;
  }
  Matrix sums = design.gather(all_coordinates(columns));
  for (int k = 0; k < order_; ++k) {
    for (Index j = columns - 2; j >= 0; --j) sums.col(j) += sums.col(j + 1);
  }
  result.rightCols(columns - free) = sums.rightCols(columns - free);
  return result;
}

Matrix GeneralizedLasso::transpose_terms(const MatrixView& slopes) const {
  if (order_ == 0) return terms_->transpose() * slopes;
  Matrix sums = slopes;
  sum_from_below(sums, order_);
  return sums.bottomRows(differences_.rows());
}

}  // namespace alo
