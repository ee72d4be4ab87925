// SPDX-License-Identifier: MIT
// The common start of the walks of all rows: the rows that are coordinates, their system, and its tableau at
// the full fit.
#include "solvers/kinked/homotopy/kink_start.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/special_values.hpp"
#include "solvers/kinked/homotopy/kink_tableau.hpp"

namespace alo {

KinkHomotopy::Start KinkHomotopy::begin(const Fit& fit) const {
  // With gradients in this unit the diagonal of G is about one. The pivots of a walk subtract one from
  // entries of its tableau, which would lose the digits of entries that are much smaller or larger.
  const double size = feature_norms_.squaredNorm() / static_cast<double>(problem_.rows()) / fit.lambda;
  const double unit = size > 0.0 && std::isfinite(size) ? std::exp2(std::round(std::log2(size))) : 1.0;
  Start start(RowPlaces(RowKinks{kinks_.position, unit * kinks_.slope}));
  start.fit = &fit;
  start.unit = unit;
  start.lambda = unit * fit.lambda;
  start.subgradient = unit * fit.subgradient;
  // A fit of a path may have dropped its linear predictor.
  start.predictor = problem_.linear_predictor(fit.intercept, fit.coefficients);
  start.places.place_by_gradient(start.subgradient, start.predictor);
  measure_rooms(start);
  return start;
}

void KinkHomotopy::measure_rooms(Start& start) const {
  start.room = Vector::Constant(problem_.rows(), infinity);
  for (Index j = 0; j < problem_.rows(); ++j) {
    if (start.places.is_idle(j) || start.places.is_pinned(j)) continue;
    const double eta = start.predictor[j];
    start.room[j] = std::min(eta - start.places.low_predictor(j), start.places.high_predictor(j) - eta);
  }
}

// One unpenalised direction, and no pinned row that could determine how far the fit goes along it.
bool KinkHomotopy::is_loose(const Start& start) const {
  return free_.cols() == 1 && start.places.pinned().empty();
}

// Moves c until a row meets its kink, and pins that row with the slope that it had. False where none is met.
bool KinkHomotopy::lean(Start& start, double way) const {
  Index first = -1;
  double distance = infinity;
  bool rises = false;
  for (Index j = 0; j < problem_.rows(); ++j) {
    const double rate = way * free_(j, 0);
    if (start.places.is_idle(j) || rate == 0.0) continue;
    const double eta = start.predictor[j];
    const double room =
        rate > 0.0 ? start.places.high_predictor(j) - eta : eta - start.places.low_predictor(j);
    const double reach = std::max(0.0, room) / std::abs(rate);
    if (reach >= distance) continue;
    distance = reach;
    first = j;
    rises = rate > 0.0;
  }
  if (first < 0) return false;
  start.leant = way * distance;
  start.predictor += start.leant * free_.col(0);
  start.places.set_place(first, start.places.place(first) + (rises ? 1 : -1));
  start.predictor[first] = start.places.kink(first);
  measure_rooms(start);
  return true;
}

// The pinned rows, and of the others all or the nearest to their kinks.
void KinkHomotopy::choose_rows(Start& start, Index held_out) const {
  const Index n = problem_.rows();
  std::vector<Index> others;
  for (Index j = 0; j < n; ++j) {
    (start.places.is_pinned(j) ? start.order : others).push_back(j);
  }
  start.pinned = static_cast<Index>(start.order.size());
  const Index columns = static_cast<Index>(rows_.columns().penalized.size()) + free_.cols();
  const Index coordinates = kink_walk_coordinates(n, columns, start.pinned, held_out);
  start.all = coordinates == n;
  if (!start.all) {
    const Vector distance = start.room.cwiseQuotient(feature_norms_);
    std::sort(others.begin(), others.end(), [&](Index a, Index b) { return distance[a] < distance[b]; });
    others.resize(static_cast<std::size_t>(coordinates - start.pinned));
  }
  start.order.insert(start.order.end(), others.begin(), others.end());
}

// Stores the features of the rows that are coordinates, or the kernel where all rows are.
void KinkHomotopy::store_kernel(Start& start) {
  if (!start.all) {
    start.features = rows_.gather(start.order);
    const Index own = start.features.rows();
    start.features.conservativeResize(own + free_.cols(), Eigen::NoChange);
    start.features.bottomRows(free_.cols()) =
        std::sqrt(free_weight_) * free_(start.order, Eigen::all).transpose();
  } else if (kernel_.size() == 0) {
    kernel_ = weighted_kernel(problem_.design(), rows_.columns().penalized, rows_.columns().factors);
    blas::add_product_transposed(kernel_, free_weight_, free_, free_);
  }
}

// G and -F of the coordinates, in their order.
Matrix KinkHomotopy::system(const Start& start) const {
  const Index f = free_.cols();
  const auto count = static_cast<Index>(start.order.size());
  const Matrix products = start.all ? Matrix() : blas::gram(start.features);
  Matrix result = Matrix::Zero(count + f, count + f);
  for (Index b = 0; b < count; ++b) {
    const auto at_b = static_cast<std::size_t>(b);
    auto column = result.col(start.coordinate(at_b, f));
    const VectorView source = start.all ? kernel_.col(start.order[at_b]) : products.col(b);
    for (Index a = 0; a < count; ++a) {
      const Index from = start.all ? start.order[static_cast<std::size_t>(a)] : a;
      column[start.coordinate(static_cast<std::size_t>(a), f)] = source[from] / start.lambda;
    }
    column.segment(start.pinned, f) = -free_.row(start.order[at_b]).transpose();
  }
  result.middleCols(start.pinned, f) = result.middleRows(start.pinned, f).transpose().eval();
  return result;
}

// Moves the pinned rows that depend on other pinned rows behind c, to the rows that are not pivoted.
void KinkHomotopy::hold_dependent_rows(Start& start, const Matrix& matrix) const {
  const auto pinned = static_cast<std::size_t>(start.pinned);
  std::vector<char> chosen(pinned, 0);
  std::vector<Index> order;
  for (const Index k : independent_rows(matrix.topLeftCorner(start.pinned, start.pinned))) {
    chosen[static_cast<std::size_t>(k)] = 1;
    order.push_back(start.order[static_cast<std::size_t>(k)]);
  }
  start.pinned = static_cast<Index>(order.size());
  for (std::size_t k = 0; k < start.order.size(); ++k) {
    if (k >= pinned || chosen[k] == 0) order.push_back(start.order[k]);
  }
  start.order = std::move(order);
}

// False where the pinned rows do not determine c.
bool KinkHomotopy::make_tableau(Start& start) {
  for (const bool again : {false, true}) {
    store_kernel(start);
    Matrix matrix = system(start);
    start.scale = matrix.diagonal();
    if (auto tableau = kink_tableau(matrix, start.pinned, free_.cols())) {
      start.tableau = std::move(*tableau);
      stand(start);
      return true;
    }
    if (!again) hold_dependent_rows(start, matrix);
  }
  return false;
}

// Sets up the walk at the full fit.
void KinkHomotopy::stand(Start& start) const {
  const Index f = free_.cols();
  const Index size = start.tableau.rows();
  const RowKinks& all = start.places.kinks();
  RowKinks kinks{Matrix::Zero(all.count(), size), Matrix::Zero(all.count() + 1, size)};
  start.coordinate_of.assign(static_cast<std::size_t>(problem_.rows()), -1);
  for (std::size_t k = 0; k < start.order.size(); ++k) {
    const Index coordinate = start.coordinate(k, f);
    start.coordinate_of[static_cast<std::size_t>(start.order[k])] = coordinate;
    kinks.position.col(coordinate) = all.position.col(start.order[k]);
    kinks.slope.col(coordinate) = all.slope.col(start.order[k]);
  }
  start.walk = KinkWalk(std::make_shared<const RowKinks>(std::move(kinks)), size);
  for (std::size_t k = 0; k < start.order.size(); ++k) {
    const Index row = start.order[k];
    const Index coordinate = start.coordinate(k, f);
    KinkWalk::Side side = KinkWalk::Side::piece;
    if (start.places.is_idle(row)) side = KinkWalk::Side::none;
    if (start.places.is_pinned(row)) {
      side = coordinate < start.pinned ? KinkWalk::Side::kink : KinkWalk::Side::held;
    }
    start.walk.place(coordinate, side, start.number(row), start.subgradient[row], start.predictor[row]);
    if (side == KinkWalk::Side::held) start.walk.bar(coordinate);
  }
  start.radius = infinity;
  for (Index j = 0; j < problem_.rows(); ++j) {
    if (start.coordinate_of[static_cast<std::size_t>(j)] < 0) {
      start.radius = std::min(start.radius, start.room[j] / feature_norms_[j]);
    }
  }
}

// G and -F between the coordinates and these rows.
Matrix KinkHomotopy::entries(const Start& start, std::span<const Index> rows) const {
  const Index f = free_.cols();
  const auto count = static_cast<Index>(rows.size());
  Matrix result(start.tableau.rows(), count);
  Matrix products;
  if (!start.all) {
    Matrix features(start.features.rows(), count);
    features.topRows(features.rows() - f) = rows_.gather(rows);
    for (Index r = 0; r < count; ++r) {
      features.col(r).tail(f) =
          std::sqrt(free_weight_) * free_.row(rows[static_cast<std::size_t>(r)]).transpose();
    }
    products = blas::transpose_multiply(start.features, features);
  }
  for (Index r = 0; r < count; ++r) {
    const Index row = rows[static_cast<std::size_t>(r)];
    const VectorView source = start.all ? kernel_.col(row) : VectorView(products.col(r));
    for (std::size_t k = 0; k < start.order.size(); ++k) {
      const Index from = start.all ? start.order[k] : static_cast<Index>(k);
      result(start.coordinate(k, f), r) = source[from] / start.lambda;
    }
    result.col(r).segment(start.pinned, f) = -free_.row(row).transpose();
  }
  return result;
}

}  // namespace alo
