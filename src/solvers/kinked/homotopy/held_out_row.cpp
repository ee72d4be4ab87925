// SPDX-License-Identifier: MIT
#include "solvers/kinked/homotopy/held_out_row.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "linalg/special_values.hpp"
#include "linalg/tolerances.hpp"

namespace alo {

namespace {

// A free row k depends on the pinned ones if T_kk is below tableau_pivot times G_kk. Without a pinned row k
// the others do not determine c if -T_kk is below tableau_pivot / G_kk.
using tolerances::tableau_pivot;
// A subgradient within this share of the largest slope from a slope is at it: the rounding of a walk, whose
// tableau keeps ten digits. At a tenth fits without the row that are not unique may be taken for unique; at
// ten times more rows are refitted.
constexpr double slope_slack = 1e-9;
// Slopes sum to zero up to this share of the sum of their sizes: the rounding of some thousand of them. At a
// tenth fits without the row whose intercept is free are refitted; at ten times the pinned row that holds the
// intercept by a subgradient so near to a slope is set free.
constexpr double sum_rounding = 1e-12;

using End = HeldOutRowWalked::End;

class RowPath {
 public:
  RowPath(const HeldOutRow& row, const VectorView& scale, KinkWalk& walk, OwnPivots& pivots, bool first_piece)
      : row_(row),
        scale_(scale),
        walk_(walk),
        pivots_(pivots),
        first_piece_(first_piece),
        subgradient_(row.subgradient),
        predictor_(row.predictor),
        piece_(row.number) {}

  HeldOutRowWalked run(const VectorView& direction, double gain);

 private:
  // A step of the walk returns how the walk ends, or nothing if it goes on.
  using Step = std::optional<End>;

  bool aim();
  Step leave_kink();
  End drive();
  Step cross(const KinkWalk::Knot& knot);
  Step exchange(const KinkWalk::Knot& knot, const Vector& column);
  Step move_free(Vector move, double own_rate, Index k);
  void pivot(Index k, const Vector& column, bool enters);
  double own_kink_distance(double rate) const;
  bool ends_at_own_kink();
  bool is_last(Index k, const Vector& column) const { return -column[k] * scale_[k] <= tableau_pivot; }
  bool is_at_slope() const;
  bool is_unique() const;
  bool is_balanced() const;
  End end_in_the_middle();

  const HeldOutRow& row_;
  const VectorView& scale_;
  KinkWalk& walk_;
  OwnPivots& pivots_;
  const bool first_piece_;
  double subgradient_;
  double predictor_;
  int piece_;            // of the row's own loss
  double target_ = 0.0;  // where g_i is to be, on this piece
  double side_ = 0.0;    // eta_i goes this way, g_i the other way
  Vector rates_;         // of the walk's state per unit of g_i: side T[:,i]
  double gain_ = 0.0;    // T_ii
  Index knots_ = 0;
  double low_ = undefined;
  double high_ = undefined;
};

// Sets the target of g_i. False where g_i is there already.
bool RowPath::aim() {
  if (row_.on_kink) {
    if (subgradient_ > row_.kept * row_.slope[piece_ + 1]) {
      ++piece_;
    } else if (subgradient_ >= row_.kept * row_.slope[piece_]) {
      return false;
    }
  }
  target_ = row_.kept * row_.slope[piece_];
  side_ = subgradient_ > target_ ? 1.0 : -1.0;
  return subgradient_ != target_;
}

// The distance until eta_i, moving at this rate, meets a kink of the remaining share of its row.
double RowPath::own_kink_distance(double rate) const {
  const Index kink = side_ > 0.0 ? piece_ : piece_ - 1;
  if (row_.kept == 0.0 || kink < 0 || kink >= row_.position.size() || !(rate > 0.0)) return infinity;
  return std::max(0.0, side_ * (row_.position[kink] - predictor_)) / rate;
}

// Moves to that kink. True where g_i is a subgradient of the remaining share there; otherwise eta_i goes on
// along the next piece.
bool RowPath::ends_at_own_kink() {
  predictor_ = row_.position[side_ > 0.0 ? piece_ : piece_ - 1];
  piece_ += side_ > 0.0 ? 1 : -1;
  target_ = row_.kept * row_.slope[piece_];
  return side_ * (subgradient_ - target_) <= 0.0;
}

// A pivot of the tableau at k: T[:,i] changes by -T[:,k] T_ki / T_kk, and its entry k to +-T_ki / T_kk.
void RowPath::pivot(Index k, const Vector& column, bool enters) {
  if (rates_.size() > 0) {
    const double share = rates_[k] / column[k];
    gain_ -= share * rates_[k];
    blas::add_multiple(rates_, -share, column);
    rates_[k] = enters ? share : -share;
  }
  pivots_.add(k, column, enters);
  if (!enters) walk_.lift_bars();
}

// Moves the unpenalised part c while g_i is constant, with eta_i moving at `own_rate`, until a free row meets
// a kink and is pinned. Row k is free already but still among the pivots of the tableau.
RowPath::Step RowPath::move_free(Vector move, double own_rate, Index k) {
  for (Index j = 0; j < walk_.size(); ++j) {
    if (walk_.is_pinned(j)) move[j] = 0.0;
  }
  walk_.lift_bars();
  while (true) {
    const KinkWalk::Knot knot = walk_.next(move);
    const double own = own_kink_distance(own_rate);
    const double distance = std::min(own, knot.distance);
    if (!std::isfinite(distance)) return End::failed;
    walk_.advance(move, distance);
    predictor_ += side_ * own_rate * distance;
    if (own <= knot.distance) {
      if (ends_at_own_kink()) return End::arrived;
      continue;
    }
    if (knot.at != k) {
      const Vector column = pivots_.column(knot.at);
      if (column[knot.at] <= tableau_pivot * scale_[knot.at]) return End::failed;
      pivot(knot.at, column, true);
    }
    walk_.pass(knot);
    ++knots_;
    return std::nullopt;
  }
}

// A pinned row without which c is not determined leaves its kink. Then c moves until another row is pinned in
// its place, or the row meets its next kink.
RowPath::Step RowPath::exchange(const KinkWalk::Knot& knot, const Vector& column) {
  const Index k = knot.at;
  const double way = knot.up ? 1.0 : -1.0;
  walk_.pass(knot);
  Vector move = way * column;
  move[k] = way;
  if (const Step end = move_free(std::move(move), std::abs(rates_[k]), k)) return end;
  if (walk_.is_pinned(k)) return std::nullopt;
  const Vector again = pivots_.column(k);
  if (is_last(k, again)) return End::failed;
  pivot(k, again, false);
  return std::nullopt;
}

// The row at the knot changes sides.
RowPath::Step RowPath::cross(const KinkWalk::Knot& knot) {
  const Index k = knot.at;
  const Vector column = pivots_.column(k);
  if (walk_.is_pinned(k)) {
    if (is_last(k, column)) return exchange(knot, column);
  } else if (column[k] <= tableau_pivot * scale_[k]) {
    walk_.bar(k);
    return std::nullopt;
  }
  pivot(k, column, !walk_.is_pinned(k));
  walk_.pass(knot);
  ++knots_;
  return std::nullopt;
}

// Sets the pinned row i free by a pivot, which replaces T[:,i] by -T[:,i] / T_ii and T_ii by -1 / T_ii.
RowPath::Step RowPath::leave_kink() {
  const Index i = row_.at;
  Vector column = pivots_.column(i);
  if (is_last(i, column)) {
    if (first_piece_) return End::met_wall;
    if (const Step end = move_free(side_ * column, 1.0, i)) return end;
    column = pivots_.column(i);
    if (is_last(i, column)) return End::failed;
  }
  gain_ = -1.0 / column[i];
  rates_ = side_ * gain_ * column;
  pivots_.add(i, column, false);
  walk_.lift_bars();
  return std::nullopt;
}

End RowPath::drive() {
  const Index patience = 100 + 4 * walk_.size();
  while (true) {
    const double arrival = side_ * (subgradient_ - target_);
    const double own = own_kink_distance(gain_);
    const KinkWalk::Knot knot = walk_.next(rates_);
    const double distance = std::min({arrival, own, knot.distance});
    if (!std::isfinite(distance) || knots_ > patience) return End::failed;
    walk_.advance(rates_, distance);
    predictor_ += side_ * gain_ * distance;
    subgradient_ -= side_ * distance;
    if (arrival <= distance) return End::arrived;
    const bool exchanges = own > distance && walk_.side(knot.at) == KinkWalk::Side::held;
    if (first_piece_ && !exchanges) return End::met_wall;
    if (own <= distance) {
      if (ends_at_own_kink()) return End::arrived;
      continue;
    }
    if (const Step end = cross(knot)) return *end;
  }
}

// False where a pinned row without which c is not determined has its subgradient at a slope: the row may as
// well be free, and c could move.
bool RowPath::is_unique() const {
  const double slack = slope_slack * walk_.largest_slope();
  for (Index k = 0; k < walk_.size(); ++k) {
    if (walk_.is_at_wall(k, slack) && is_last(k, pivots_.column(k))) return false;
  }
  return true;
}

// The same for the row itself, pinned with its remaining share: its subgradient is at a slope.
bool RowPath::is_at_slope() const {
  const double below = subgradient_ - row_.kept * row_.slope[row_.number];
  const double above = row_.kept * row_.slope[row_.number + 1] - subgradient_;
  return std::min(below, above) <= slope_slack * row_.slope.lpNorm<Eigen::Infinity>();
}

// Whether the subgradients of the fit without the row, none of which lies between two slopes, sum to zero.
bool RowPath::is_balanced() const {
  Vector g = walk_.subgradients();
  if (row_.at >= 0) g[row_.at] = 0.0;
  return std::abs(g.sum()) <= sum_rounding * g.lpNorm<1>();
}

// Where the one pinned row ends at a slope, as without a row of balanced classes, it may as well be free, and
// the intercept may be anywhere until the next row meets its kink: it is put in the middle, as fits put it.
// The slopes of the pieces, which are exact, tell whether the row is at a slope or near one. The pattern
// without a pinned row is another than that of the first piece of the path. Fails where anything else is not
// unique, or where no row bounds the intercept.
End RowPath::end_in_the_middle() {
  if (!row_.sees_intercept || row_.kept > 0.0) return End::failed;
  Index k = -1;
  for (Index j = 0; j < walk_.size(); ++j) {
    if (walk_.side(j) == KinkWalk::Side::held) return End::failed;
    if (!walk_.is_pinned(j)) continue;
    if (k >= 0) return End::failed;
    k = j;
  }
  if (k < 0) return End::failed;
  const Vector column = pivots_.column(k);
  if (!is_last(k, column)) return End::failed;
  const bool up = walk_.is_at_upper_wall(k);
  const double way = up ? 1.0 : -1.0;
  walk_.pass({0.0, k, up});
  walk_.lift_bars();
  if (!is_balanced()) return End::failed;
  Vector move = way * column;
  move[k] = way;
  if (row_.at >= 0) move[row_.at] = 0.0;
  const KinkWalk::Knot knot = walk_.next(move);
  if (knot.at < 0) return End::failed;
  if (first_piece_) return End::met_wall;
  const double half = 0.5 * knot.distance;
  walk_.advance(move, half);
  predictor_ += way * half;  // all rows move as row k does
  low_ = predictor_ - half;
  high_ = predictor_ + half;
  return End::arrived;
}

HeldOutRowWalked RowPath::run(const VectorView& direction, double gain) {
  const Index i = row_.at;
  const bool is_pinned = i >= 0 && walk_.is_pinned(i);
  Step end;
  if (!aim()) {
    const bool needed = is_pinned && is_at_slope() && is_last(i, pivots_.column(i));
    return {needed ? End::failed : End::arrived, predictor_, subgradient_, knots_};
  }
  if (first_piece_ && row_.on_kink && row_.kept > 0.0) {
    end = End::met_wall;  // the remaining share of the row does not hold it at its kink
  } else if (is_pinned) {
    end = leave_kink();
  } else {
    rates_ = side_ * direction;
    gain_ = gain;
  }
  if (!end) {
    if (i >= 0) {
      walk_.place(i, KinkWalk::Side::none, 0, 0.0, 0.0);
      rates_[i] = 0.0;
    }
    end = drive();
  }
  if (*end == End::arrived && !is_unique()) end = end_in_the_middle();
  return {*end, predictor_, subgradient_, knots_, low_, high_};
}

}  // namespace

HeldOutRowWalked hold_out(const HeldOutRow& row, const VectorView& direction, double gain,
                          const VectorView& scale, KinkWalk& walk, OwnPivots& pivots, bool first_piece) {
  return RowPath(row, scale, walk, pivots, first_piece).run(direction, gain);
}

}  // namespace alo
