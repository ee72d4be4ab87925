// SPDX-License-Identifier: MIT
#include "certificate/kink_simplex.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <vector>

#include "linalg/blas.hpp"
#include "linalg/decompositions.hpp"

namespace alo {

namespace {

// A linear predictor this close to a kink is at it, relative to the largest predictor and kink. Predictors
// are sums of a few products, so that rounding makes some 1e-15; a column basis of condition 1e3 leaves this
// much. At ten times it kinks that differ in their eleventh digit would be taken for one.
constexpr double tie_share = 1e-12;
// A slope of the objective is zero below this share of the norm of the slopes of all rows, of which it is a
// sum. Sums of some 1e5 terms are good to 1e-14 or so. At ten times it the subgradient that is returned could
// miss the columns by as much, which the test of null fits (null_fit.cpp) is to take for rounding.
constexpr double sum_rounding = 1e-13;
// A row whose predictor moves by less than this share of the largest that a row of its norm can move stands
// still: its kink would make the pinned rows dependent. Rows that are alike in columns of condition 1e6
// differ by 1e-10 in their basis, by rounding. At ten times it rows that differ by 1e-8 would be taken for
// alike.
constexpr double still_share = 1e-9;
// Edges before the search is given up, in all and for each column. A search from least squares takes a few
// for each column and rarely more than a hundred in all; ten times as many would only make a failure slower.
constexpr Index fewest_edges = 5000;
constexpr Index edges_per_column = 200;

// A kink that a row meets along an edge: the length of the edge up to it, the derivative of that length with
// respect to e, and the rise of the objective's slope along the edge there.
struct Crossing {
  double time;
  double shift_time;
  Index row;
  Index kink;
  double rise;
};

class KinkSimplex {
 public:
  KinkSimplex(const Kinks& kinks, const Vector& weights, const Vector& offset, const Matrix& basis);

  void run();
  KinkMinimum minimum() const;

 private:
  // A direction of descent of length one in the coordinates. Along it a pinned row may leave its kink,
  // upwards or downwards.
  struct Edge {
    Vector direction;
    std::optional<Index> leaving;  // a place in pinned_
    bool up = false;
  };
  void begin_at_least_squares();
  void set_pieces();
  // Moves the coordinates so that the pinned rows are on their kinks, up to the rounding of the factor of
  // F_V.
  void anchor();
  Vector slopes() const;  // of rows that are not pinned, weights included
  Vector pinned_subgradients(const Vector& gradient) const;
  // The edge against the part of the gradient that is orthogonal to the rows of F_V, and the steepest edge
  // along which a pinned row leaves; none if the objective does not fall.
  std::optional<Edge> edge_across() const;
  std::optional<Edge> edge_from_kink() const;
  void leave(const Edge& edge);
  std::vector<Crossing> crossings_ahead(const Vector& move) const;
  static double end_of_descent(std::vector<Crossing>& ahead, double slope);
  // Follows the edge to the kink at which the objective is least, and pins the row of that kink. False if no
  // kink is ahead.
  bool follow(const Edge& edge);

  const Matrix& position_;
  Matrix slope_;  // weights included
  const Vector& offset_;
  const Matrix& basis_;  // F
  Vector row_norms_;
  Vector shifts_;  // r_i
  double largest_position_ = 0.0;
  double tie_ = 0.0;

  Matrix coordinates_;  // c and its derivative with respect to e, a column each
  Vector predictor_;
  Vector shift_;              // derivative of predictor less kink
  std::vector<Index> piece_;  // of a pinned row the kink, which is between this piece and the next
  std::vector<char> is_pinned_;
  std::vector<Index> pinned_;  // V
  Matrix range_;               // F_V' = range_ * upper_
  Matrix upper_;
};

KinkSimplex::KinkSimplex(const Kinks& kinks, const Vector& weights, const Vector& offset, const Matrix& basis)
    : position_(kinks.position),
      slope_(weights.asDiagonal() * kinks.slope),
      offset_(offset),
      basis_(basis),
      row_norms_(basis.rowwise().norm()),
      coordinates_(Matrix::Zero(basis.cols(), 2)),
      piece_(static_cast<std::size_t>(offset.size()), 0),
      is_pinned_(static_cast<std::size_t>(offset.size()), 0) {
  // Any numbers without linear relations; the engine, unlike the distributions of the standard library, gives
  // the same ones everywhere.
  std::mt19937 generator(1);
  shifts_ = Vector::NullaryExpr(offset.size(),
                                [&](Index) { return 1.0 + 0x1p-32 * static_cast<double>(generator()); });
  largest_position_ = position_.cwiseAbs().maxCoeff() + offset.lpNorm<Eigen::Infinity>();
  begin_at_least_squares();
}

void KinkSimplex::begin_at_least_squares() {
  const Vector width = slope_.rightCols(1) - slope_.leftCols(1);
  const Vector target = position_.rowwise().mean() - offset_;
  const Matrix weighted = width.asDiagonal() * basis_;
  const Matrix system = blas::transpose_multiply(basis_, weighted);
  coordinates_.col(0) = dense::least_squares(system, weighted.transpose() * target);
  anchor();
  set_pieces();
}

void KinkSimplex::set_pieces() {
  for (Index i = 0; i < predictor_.size(); ++i) {
    Index piece = 0;
    for (Index k = 0; k < position_.cols(); ++k) {
      const double above = predictor_[i] - position_(i, k);
      piece += above > tie_ || (above >= -tie_ && shift_[i] > 0.0) ? 1 : 0;
    }
    piece_[static_cast<std::size_t>(i)] = piece;
  }
}

void KinkSimplex::anchor() {
  const auto count = static_cast<Index>(pinned_.size());
  const Matrix rows = basis_(pinned_, Eigen::all);
  range_ = Matrix::Zero(basis_.cols(), count);
  upper_ = Matrix::Zero(count, count);
  if (count > 0) {
    dense::ThinFactors factors = dense::thin_factors(rows.transpose());
    range_ = std::move(factors.q);
    upper_ = std::move(factors.r);
    Matrix missing(count, 2);
    for (Index k = 0; k < count; ++k) {
      const Index i = pinned_[static_cast<std::size_t>(k)];
      missing(k, 0) = position_(i, piece_[static_cast<std::size_t>(i)]) - offset_[i];
      missing(k, 1) = shifts_[i];
    }
    missing -= rows * coordinates_;
    upper_.transpose().triangularView<Eigen::Lower>().solveInPlace(missing);
    coordinates_ += range_ * missing;
  }
  const Matrix moved = blas::multiply(basis_, coordinates_);
  predictor_ = offset_ + moved.col(0);
  shift_ = moved.col(1) - shifts_;
  tie_ = tie_share * (largest_position_ + predictor_.lpNorm<Eigen::Infinity>());
}

Vector KinkSimplex::slopes() const {
  return Vector::NullaryExpr(predictor_.size(), [&](Index i) {
    const auto row = static_cast<std::size_t>(i);
    return is_pinned_[row] != 0 ? 0.0 : slope_(i, piece_[row]);
  });
}

// g_V with F_V'g_V = -F_S'g_S.
Vector KinkSimplex::pinned_subgradients(const Vector& gradient) const {
  Vector result = -(range_.transpose() * gradient);
  upper_.triangularView<Eigen::Upper>().solveInPlace(result);
  return result;
}

std::optional<KinkSimplex::Edge> KinkSimplex::edge_across() const {
  if (static_cast<Index>(pinned_.size()) == basis_.cols()) return std::nullopt;
  const Vector own = slopes();
  const Vector gradient = blas::transpose_multiply_vector(basis_, own);
  Vector across = gradient - range_ * (range_.transpose() * gradient);
  across -= range_ * (range_.transpose() * across);  // once more, for what rounding left
  if (across.norm() <= sum_rounding * own.norm()) return std::nullopt;
  return Edge{-across.normalized(), std::nullopt, false};
}

std::optional<KinkSimplex::Edge> KinkSimplex::edge_from_kink() const {
  const Vector own = slopes();
  const Vector gradient = blas::transpose_multiply_vector(basis_, own);
  const Vector subgradients = pinned_subgradients(gradient);
  // Row k leaves along the direction d with F_V d = e_k, which is row k of `ways`. The direction that is
  // steepest for d of length one is taken (steepest-edge pricing), because it passes the fewest vertices.
  Matrix ways = range_.transpose();
  upper_.triangularView<Eigen::Upper>().solveInPlace(ways);
  std::optional<Edge> steepest;
  double best = sum_rounding * own.norm();
  for (Index k = 0; k < subgradients.size(); ++k) {
    const Index i = pinned_[static_cast<std::size_t>(k)];
    const Index kink = piece_[static_cast<std::size_t>(i)];
    const double above = subgradients[k] - slope_(i, kink + 1);
    const double below = slope_(i, kink) - subgradients[k];
    const double length = ways.row(k).norm();
    if (std::max(above, below) <= best * length) continue;
    best = std::max(above, below) / length;
    const bool up = above > below;
    steepest = Edge{(up ? 1.0 : -1.0) / length * ways.row(k).transpose(), k, up};
  }
  return steepest;
}

void KinkSimplex::leave(const Edge& edge) {
  if (!edge.leaving) return;
  const auto row = static_cast<std::size_t>(pinned_[static_cast<std::size_t>(*edge.leaving)]);
  pinned_.erase(pinned_.begin() + *edge.leaving);
  is_pinned_[row] = 0;
  if (edge.up) ++piece_[row];
}

std::vector<Crossing> KinkSimplex::crossings_ahead(const Vector& move) const {
  std::vector<Crossing> ahead;
  const Index kinks = position_.cols();
  for (Index i = 0; i < move.size(); ++i) {
    const auto row = static_cast<std::size_t>(i);
    if (is_pinned_[row] != 0 || slope_(i, 0) == slope_(i, kinks)) continue;
    if (std::abs(move[i]) <= still_share * row_norms_[i]) continue;
    const Index step = move[i] > 0.0 ? 1 : -1;
    for (Index k = step > 0 ? piece_[row] : piece_[row] - 1; k >= 0 && k < kinks; k += step) {
      const double distance = position_(i, k) - predictor_[i];
      const double time = std::abs(distance) <= tie_ ? 0.0 : std::max(distance / move[i], 0.0);
      const double rise = std::abs(move[i]) * (slope_(i, k + 1) - slope_(i, k));
      ahead.push_back({time, -shift_[i] / move[i], i, k, rise});
    }
  }
  return ahead;
}

// The length of the edge at which the slope of the objective, which rises from crossing to crossing, is
// negative no more.
double KinkSimplex::end_of_descent(std::vector<Crossing>& ahead, double slope) {
  const auto later = [](const Crossing& a, const Crossing& b) { return a.time > b.time; };
  std::make_heap(ahead.begin(), ahead.end(), later);
  auto rest = ahead.end();
  do {
    std::pop_heap(ahead.begin(), rest, later);
    --rest;
    slope += rest->rise;
  } while (slope < 0.0 && rest != ahead.begin());
  return rest->time;
}

bool KinkSimplex::follow(const Edge& edge) {
  const Vector move = blas::multiply_vector(basis_, edge.direction);
  const Vector parts = slopes().cwiseProduct(move);
  // A slope that is negative by no more than rounding counts as zero, which ends the descent.
  double slope = parts.sum() + sum_rounding * parts.lpNorm<1>();
  std::vector<Crossing> ahead = crossings_ahead(move);
  if (ahead.empty()) return false;
  const double end = end_of_descent(ahead, slope);
  const auto is_then = [&](const Crossing& crossing) {
    const Index i = crossing.row;
    return crossing.time == end ||
           std::abs(position_(i, crossing.kink) - predictor_[i] - end * move[i]) <= tie_;
  };
  auto met = std::partition(ahead.begin(), ahead.end(), [&](const Crossing& crossing) {
    return crossing.time < end && !is_then(crossing);
  });
  const auto last = std::partition(met, ahead.end(), is_then);
  // Kinks that are met at the same time are met in the order of the shifts.
  std::sort(met, last, [&](const Crossing& a, const Crossing& b) {
    if (a.row != b.row) return a.shift_time < b.shift_time;
    return move[a.row] > 0.0 ? a.kink < b.kink : a.kink > b.kink;
  });
  for (auto crossing = ahead.begin(); crossing != met; ++crossing) slope += crossing->rise;
  while (slope + met->rise < 0.0 && met + 1 != last) {
    slope += met->rise;
    ++met;
  }
  for (auto crossing = ahead.begin(); crossing != met; ++crossing) {
    piece_[static_cast<std::size_t>(crossing->row)] += move[crossing->row] > 0.0 ? 1 : -1;
  }
  coordinates_.col(0) += met->time * edge.direction;
  coordinates_.col(1) += met->shift_time * edge.direction;
  piece_[static_cast<std::size_t>(met->row)] = met->kink;
  is_pinned_[static_cast<std::size_t>(met->row)] = 1;
  pinned_.push_back(met->row);
  return true;
}

void KinkSimplex::run() {
  const Index most = fewest_edges + edges_per_column * basis_.cols();
  for (Index step = 0; step < most; ++step) {
    // No loss falls without end, so without a kink ahead the slope was rounding. A row that has left its kink
    // then has a subgradient at the end of its range.
    std::optional<Edge> edge = edge_across();
    if (!edge || !follow(*edge)) {
      edge = edge_from_kink();
      if (!edge) return;
      leave(*edge);
      if (!follow(*edge)) return;
    }
    anchor();
  }
}

KinkMinimum KinkSimplex::minimum() const {
  KinkMinimum result{predictor_, slopes()};
  const Vector subgradients = pinned_subgradients(blas::transpose_multiply_vector(basis_, result.gradient));
  for (Index k = 0; k < subgradients.size(); ++k) {
    const Index i = pinned_[static_cast<std::size_t>(k)];
    const Index kink = piece_[static_cast<std::size_t>(i)];
    result.gradient[i] = std::clamp(subgradients[k], slope_(i, kink), slope_(i, kink + 1));
  }
  // A row that is at a kink up to rounding is put there exactly, so that its subgradient may lie between
  // slopes.
  for (Index i = 0; i < predictor_.size(); ++i) {
    for (Index k = 0; k < position_.cols(); ++k) {
      if (std::abs(predictor_[i] - position_(i, k)) <= tie_) result.linear_predictor[i] = position_(i, k);
    }
  }
  return result;
}

}  // namespace

KinkMinimum minimum_between_kinks(const Kinks& kinks, const Vector& weights, const Vector& offset,
                                  const Matrix& basis) {
  KinkSimplex simplex(kinks, weights, offset, basis);
  simplex.run();
  return simplex.minimum();
}

}  // namespace alo
