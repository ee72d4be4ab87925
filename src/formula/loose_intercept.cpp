// SPDX-License-Identifier: MIT
#include "formula/loose_intercept.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/special_values.hpp"

namespace alo {

namespace {

// Parts of the sum F'g = 0 that differ by less than this share of the sum of all |F_k g_k| are equal: a fit
// meets the sum up to some epsilon for each row. At a tenth equal parts of some thousand rows are taken for
// different; at ten times weights that differ in the eleventh digit are taken for equal.
constexpr double sum_rounding = 1e-12;

}  // namespace

LooseIntercept::LooseIntercept(const LocalModel& model) : model_(model) {
  if (!model.has_kinks || model.kinks.cols() != model.rows() || model.tangent_design.size() == 0) return;
  if ((model.curvature.array() != 0.0).any()) return;  // rows with curvature hold the intercept
  Index free = -1;
  Index count = 0;
  for (Index k = 0; k < model.dimension(); ++k) {
    if (model.penalty_curvature[k] > 0.0) {
      penalized_.push_back(k);
    } else {
      free = k;
      ++count;
    }
  }
  if (count != 1) return;
  free_ = model.tangent_design.col(free);
  rounding_ = sum_rounding * free_.cwiseProduct(model.derivative.col(0)).lpNorm<1>();
  for (const Index k : model.pinned) {
    if (free_[k] != 0.0) holding_.push_back(k);
    if (holding_.size() > 1) return;
  }
  applies_ = true;
  root_ = model.penalty_curvature(penalized_).cwiseSqrt();
  for (Index k = 0; k < model.rows(); ++k) add_stops(k);
  const auto nearer = [](const Stop& a, const Stop& b) { return a.distance < b.distance; };
  std::stable_sort(up_.begin(), up_.end(), nearer);
  std::stable_sort(down_.begin(), down_.end(), nearer);
}

// A row that is pinned holds c and is not met; one with F_k = 0 never moves.
void LooseIntercept::add_stops(Index row) {
  const double size = std::abs(free_[row]);
  if (size == 0.0) return;
  const double eta = model_.linear_predictor(row, 0);
  Index piece = 0;
  while (piece < model_.slopes.rows() && model_.slopes(piece, row) != model_.derivative(row, 0)) ++piece;
  if (piece == model_.slopes.rows()) return;
  Stops& ahead = free_[row] > 0.0 ? up_ : down_;
  Stops& behind = free_[row] > 0.0 ? down_ : up_;
  for (Index m = 0; m < model_.kinks.rows(); ++m) {
    const double room = size * (model_.slopes(m + 1, row) - model_.slopes(m, row));
    const double distance = (model_.kinks(m, row) - eta) / size;
    if (room == 0.0) continue;
    if (m >= piece) {
      ahead.push_back({std::max(distance, 0.0), row, room});
    } else {
      behind.push_back({std::max(-distance, 0.0), row, room});
    }
  }
}

// A row without weight has one slope.
bool LooseIntercept::concerns(Index row) const {
  if (!applies_ || model_.slopes.col(row).maxCoeff() == model_.slopes.col(row).minCoeff()) return false;
  return holding_.empty() || holding_.front() == row;
}

// Copies of a row that stay keep its kinks.
Index LooseIntercept::gone(Index row) const {
  return model_.removed_share[row] < 1.0 ? -1 : row;
}

LooseIntercept::Stops::const_iterator LooseIntercept::next(Stops::const_iterator stop, const Stops& stops,
                                                           Index without) const {
  return std::find_if(stop, stops.end(), [without](const Stop& s) { return s.row != without; });
}

// With the row of the stop at its kink, and B'dg given.
double LooseIntercept::move_at(Index row, const Stop& stop, double way, const Vector& coefficients) const {
  const auto kernel = [&](Index k) {
    return model_.tangent_design(k, penalized_).transpose().cwiseQuotient(root_).dot(coefficients);
  };
  const double at_stop = way * stop.distance + kernel(stop.row) / free_[stop.row];
  return free_[row] * at_stop - kernel(row);
}

// Of a row without a gradient: all that changes is that its own kinks bound c no more.
double LooseIntercept::middle_move(Index row) const {
  const auto up = next(up_.begin(), up_, gone(row));
  const auto down = next(down_.begin(), down_, gone(row));
  if (up == up_.end() && down == down_.end()) return undefined;
  if (up == up_.end()) return -free_[row] * down->distance;
  if (down == down_.end()) return free_[row] * up->distance;
  return 0.5 * free_[row] * (up->distance - down->distance);
}

double LooseIntercept::move(Index row) const {
  const double removed = model_.removed_share[row] * model_.derivative(row, 0);
  const auto part = [&](Index k) {
    return Vector(model_.tangent_design(k, penalized_).transpose().cwiseQuotient(root_));
  };
  Vector coefficients = -removed * part(row);
  if (free_[row] == 0.0) return -part(row).dot(coefficients);
  double left = std::abs(removed * free_[row]);
  if (left <= rounding_) return middle_move(row);
  const double way = removed * free_[row] > 0.0 ? 1.0 : -1.0;
  const Stops& stops = way > 0.0 ? up_ : down_;
  const Index out = gone(row);
  for (auto stop = next(stops.begin(), stops, out); stop != stops.end(); stop = next(stop + 1, stops, out)) {
    const double taken = std::min(left, stop->room);
    coefficients += way * taken / free_[stop->row] * part(stop->row);
    left -= taken;
    if (left > rounding_) continue;
    const double here = move_at(row, *stop, way, coefficients);
    const auto after = next(stop + 1, stops, out);
    const bool determined = stop->room - taken > rounding_;
    if (determined || after == stops.end()) return here;
    return 0.5 * (here + move_at(row, *after, way, coefficients));
  }
  return undefined;
}

}  // namespace alo
