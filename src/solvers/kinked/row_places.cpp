// SPDX-License-Identifier: MIT
#include "solvers/kinked/row_places.hpp"

#include <algorithm>
#include <cmath>

namespace alo {

namespace {

// A pinned row that depends on the others may miss its kink by this number of tolerances, because it has the
// errors of all of them. At a tenth rows that are copies up to rounding leave their kink and come back; at
// ten times a row that is 1e-8 of the predictors off counts as pinned.
constexpr double dependent_slack = 100.0;
// A row touches a kink within this share of the linear predictors: ten times `tolerance`, so that a row which
// has just left its kink counts as touching. At a tenth H_ii may be taken for unique where a row is about to
// be pinned; at ten times more of them are computed by the general formula, which takes longer.
constexpr double touching_share = 1e-10;
// The first envelopes pin the nearest row in bound_share, and all rows within usual_reach of a kink, as a
// share of the linear predictors. A larger sigma, which pins fewer rows, may leave Newton's method without
// curvature; a smaller one takes more rounds of multipliers. Only the time depends on these.
constexpr Index bound_share = 8;
constexpr double usual_reach = 5e-4;

}  // namespace

RowPlaces::RowPlaces(RowKinks kinks)
    : kinks_(std::make_shared<const RowKinks>(std::move(kinks))),
      places_(static_cast<std::size_t>(kinks_->rows()), 0) {}

std::vector<Index> RowPlaces::pinned() const {
  std::vector<Index> rows;
  for (Index i = 0; i < size(); ++i) {
    if (is_pinned(i)) rows.push_back(i);
  }
  return rows;
}

Vector RowPlaces::distances_to_kinks(const std::vector<Index>& pinned, const VectorView& predictor) const {
  Vector distances = -predictor(pinned);
  for (std::size_t k = 0; k < pinned.size(); ++k) distances[static_cast<Index>(k)] += kink(pinned[k]);
  return distances;
}

Index RowPlaces::place_of_predictor(Index i, double eta) const {
  const auto position = kinks_->position.col(i);
  Index piece = 0;
  while (piece < position.size() && eta > position[piece]) ++piece;
  const bool at_kink = piece < position.size() && eta == position[piece] && !is_idle(i);
  return 2 * piece + (at_kink ? 1 : 0);
}

Index RowPlaces::place_of_gradient(Index i, double gradient, double eta) const {
  if (is_idle(i)) return place_of_predictor(i, eta);
  const auto slope = kinks_->slope.col(i);
  for (Index piece = 0; piece < slope.size(); ++piece) {
    if (gradient < slope[piece]) return piece == 0 ? 0 : 2 * piece - 1;
    if (gradient == slope[piece]) return 2 * piece;
  }
  return 2 * (slope.size() - 1);
}

void RowPlaces::place_by_predictor(const VectorView& predictor) {
  for (Index i = 0; i < size(); ++i) set_place(i, place_of_predictor(i, predictor[i]));
}

void RowPlaces::place_by_gradient(const VectorView& gradient, const VectorView& predictor) {
  for (Index i = 0; i < size(); ++i) set_place(i, place_of_gradient(i, gradient[i], predictor[i]));
}

RowPlaces::Proximal RowPlaces::proximal(Index i, double eta, double multiplier, double sigma) const {
  const auto position = kinks_->position.col(i);
  const auto slope = kinks_->slope.col(i);
  for (Index k = 0; k < position.size(); ++k) {
    const double at_kink = multiplier + sigma * (eta - position[k]);
    if (at_kink < slope[k]) return {2 * k, slope[k]};
    if (at_kink <= slope[k + 1] && !is_idle(i)) return {2 * k + 1, at_kink};
  }
  return {2 * position.size(), slope[position.size()]};
}

bool RowPlaces::place_by_proximal(const AugmentedTerm& term, const VectorView& predictor, Vector& gradient) {
  bool changed = false;
  for (Index i = 0; i < size(); ++i) {
    const Proximal point = proximal(i, predictor[i], term.multipliers[i], term.sigma);
    changed = changed || point.place != place(i);
    set_place(i, point.place);
    gradient[i] = point.gradient;
  }
  return changed;
}

double RowPlaces::envelope_slope(const AugmentedTerm& term, const VectorView& predictor,
                                 const VectorView& direction, double length) const {
  double slope = 0.0;
  for (Index i = 0; i < size(); ++i) {
    const double eta = predictor[i] + length * direction[i];
    slope += proximal(i, eta, term.multipliers[i], term.sigma).gradient * direction[i];
  }
  return slope;
}

Index RowPlaces::move_outgrown(const VectorView& predictor, const VectorView& gradient,
                               const std::vector<char>& depends) {
  Index moves = 0;
  const double slack = end_tolerance * kinks_->predictor_size(predictor);
  for (Index i = 0; i < size(); ++i) {
    Index next = place(i);
    if (is_pinned(i)) {
      const double gradient_slack = end_tolerance * gradient_range(i);
      if (gradient[i] > high_gradient(i) + gradient_slack) next = place(i) + 1;
      if (gradient[i] < low_gradient(i) - gradient_slack) next = place(i) - 1;
      const double off = predictor[i] - kink(i);
      const bool is_off =
          depends[static_cast<std::size_t>(i)] != 0 && std::abs(off) > dependent_slack * slack;
      if (is_off) next = off > 0.0 ? place(i) + 1 : place(i) - 1;
    } else {
      const Index stride = is_idle(i) ? 2 : 1;
      if (predictor[i] > high_predictor(i) + slack) next = place(i) + stride;
      if (predictor[i] < low_predictor(i) - slack) next = place(i) - stride;
    }
    if (next == place(i)) continue;
    set_place(i, next);
    ++moves;
  }
  return moves;
}

void RowPlaces::leave_ends(Vector& gradient, double tolerance) {
  for (Index i = 0; i < size(); ++i) {
    if (!is_pinned(i)) continue;
    const double slack = tolerance * gradient_range(i);
    if (gradient[i] >= high_gradient(i) - slack) {
      set_place(i, place(i) + 1);
    } else if (gradient[i] <= low_gradient(i) + slack) {
      set_place(i, place(i) - 1);
    } else {
      continue;
    }
    gradient[i] = slope(i);
  }
}

bool RowPlaces::holds(const VectorView& predictor, const VectorView& gradient, double tolerance) const {
  const double slack = tolerance * kinks_->predictor_size(predictor);
  for (Index i = 0; i < size(); ++i) {
    if (is_beyond(i, predictor[i], slack)) return false;
    const double gradient_slack = tolerance * gradient_range(i);
    // The comparison is negated so that it fails for NaN.
    if (!(gradient[i] <= high_gradient(i) + gradient_slack)) return false;
    if (!(gradient[i] >= low_gradient(i) - gradient_slack)) return false;
  }
  return true;
}

bool RowPlaces::touches_kink(const VectorView& predictor) const {
  const double touching = touching_share * kinks_->predictor_size(predictor);
  for (Index i = 0; i < size(); ++i) {
    if (is_idle(i) || is_pinned(i)) continue;
    if (kinks_->distance_to_kink(i, predictor[i]) <= touching) return true;
  }
  return false;
}

AugmentedTerm RowPlaces::first_term(const VectorView& gradient, const VectorView& predictor, Index bound,
                                    double least_reach) const {
  AugmentedTerm term{Vector(size()), 1.0};
  std::vector<double> distances;  // relative to the row's range of gradients
  double range = 0.0;
  for (Index i = 0; i < size(); ++i) {
    term.multipliers[i] = std::clamp(gradient[i], low_gradient(i), high_gradient(i));
    if (is_idle(i)) continue;
    distances.push_back(kinks_->distance_to_kink(i, predictor[i]) / gradient_range(i));
    range = std::max(range, gradient_range(i));
  }
  if (distances.empty()) return term;
  const auto farthest = distances.begin() + std::min(bound, static_cast<Index>(distances.size()) - 1);
  std::nth_element(distances.begin(), farthest, distances.end());
  term.sigma = 0.5 / std::max(*farthest, least_reach * kinks_->predictor_size(predictor) / range);
  return term;
}

AugmentedTerm RowPlaces::first_term(const VectorView& gradient, const VectorView& predictor,
                                    Index least_bound) const {
  return first_term(gradient, predictor, std::max(size() / bound_share, least_bound), usual_reach);
}

}  // namespace alo
