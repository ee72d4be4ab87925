// SPDX-License-Identifier: MIT
#include "solvers/quadratic/carried_leverages.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/blas.hpp"

namespace alo {

namespace {

// The sum of the updated leverages may differ from the known trace of the hat matrix by this share of
// 1 + trace; beyond it they are computed anew. Every update adds an error of some epsilon divided by the
// pivot. At a tenth paths of some thousand knots recompute often; at ten times leverages with errors up to
// 1e-9 times the number of active columns pass.
constexpr double drift = 1e-10;
// The rank of the active columns (|R_kk| / |R_00|) when leverages are computed anew. The walk admits columns
// at relative distances from 1e-5 on (the root of tableau_pivot), so any value between 1e-13 (rounding) and
// 1e-7 keeps all active columns; a larger one would leave some out.
constexpr double rank_tolerance = 1e-10;
// Updates that are applied by one product. With copies of the columns at hand the product should stay in the
// cache; without, enough updates must share the copy that the product makes. Only the speed depends on these.
constexpr std::size_t few_waiting = 64;
constexpr std::size_t many_waiting = 256;
constexpr auto no_seat = static_cast<std::size_t>(-1);

}  // namespace

CarriedLeverages::CarriedLeverages(std::shared_ptr<const ScaledColumns> columns)
    : columns_(std::move(columns)),
      keeps_copies_(columns_->is_small()),
      most_waiting_(keeps_copies_ ? few_waiting : many_waiting) {
  restart();
}

void CarriedLeverages::restart() {
  leverages_ = columns_->free_leverages();
  seats_.clear();
  seated_.clear();
  unused_.clear();
  seat_of_.clear();
  if (keeps_copies_) copies_.resize(columns_->rows(), columns_->count());  // its pages are used as seats are
  waiting_.clear();
  signs_.clear();
  marks_.clear();
  marks_done_ = 0;
}

std::size_t CarriedLeverages::seat(Index coordinate, Index candidate) {
  std::size_t& found = seat_of_[static_cast<std::size_t>(coordinate)];
  if (found != no_seat) return found;
  if (unused_.empty()) {
    unused_.push_back(seats_.size());
    seats_.push_back({});
    seated_.push_back(0);
  }
  found = unused_.back();
  unused_.pop_back();
  seats_[found].coordinate = coordinate;
  seated_[found] = candidate;
  if (keeps_copies_) {
    copies_.col(static_cast<Index>(found)) = columns_->gather(std::span(&candidate, 1));
  }
  return found;
}

void CarriedLeverages::note(const LassoWalk& walk, const std::vector<Index>& working, Index k,
                            const VectorView& u) {
  if (signs_.size() == most_waiting_) apply();
  const bool enters = !walk.is_active(k);
  seat_of_.resize(working.size(), no_seat);
  const std::size_t own = seat(k, working[static_cast<std::size_t>(k)]);
  const double scale = 1.0 / std::sqrt(std::abs(u[k]) * columns_->unit());
  Vector direction(static_cast<Index>(seats_.size()));
  for (std::size_t m = 0; m < seats_.size(); ++m) {
    direction[static_cast<Index>(m)] = seats_[m].active ? -scale * u[seats_[m].coordinate] : 0.0;
  }
  if (enters) direction[static_cast<Index>(own)] = scale;
  seats_[own].active = enters;
  waiting_.push_back(std::move(direction));
  signs_.push_back(enters ? 1.0 : -1.0);
}

std::size_t CarriedLeverages::mark(const LassoWalk& walk, const std::vector<Index>& working, double trace) {
  Mark mark{signs_.size(), trace, {}, {}};
  for (const Index k : walk.active_coordinates()) {
    mark.active.push_back(working[static_cast<std::size_t>(k)]);
  }
  marks_.push_back(std::move(mark));
  return marks_.size() - 1;
}

void CarriedLeverages::apply() {
  const auto count = static_cast<Index>(signs_.size());
  const auto used = static_cast<Index>(seats_.size());
  Matrix directions(used, count);
  for (Index c = 0; c < count; ++c) {
    const Vector& direction = waiting_[static_cast<std::size_t>(c)];
    directions.col(c) << direction, Vector::Zero(used - direction.size());
  }
  const std::size_t first_mark = marks_done_;
  while (marks_done_ < marks_.size() && marks_[marks_done_].after <= signs_.size()) {
    marks_[marks_done_++].leverages.resize(columns_->rows());
  }
  for_each_row_block(columns_->rows(), columns_->rows_of_block(), [&](const RowBlock& rows) {
    const Matrix gained =
        keeps_copies_ ? blas::multiply(copies_.leftCols(used).middleRows(rows.first, rows.count), directions)
                      : columns_->multiply(rows, seated_, directions);
    auto leverages = leverages_.segment(rows.first, rows.count);
    std::size_t mark = first_mark;
    for (Index c = 0; c <= count; ++c) {
      for (; mark < marks_done_ && marks_[mark].after == static_cast<std::size_t>(c); ++mark) {
        marks_[mark].leverages.segment(rows.first, rows.count) = leverages;
      }
      if (c < count) leverages += signs_[static_cast<std::size_t>(c)] * gained.col(c).cwiseAbs2();
    }
  });
  waiting_.clear();
  signs_.clear();
  clear_seats();
}

// Frees the seats of columns that have left the active set; no update is waiting any more.
void CarriedLeverages::clear_seats() {
  for (std::size_t m = 0; m < seats_.size(); ++m) {
    std::size_t& place = seat_of_[static_cast<std::size_t>(seats_[m].coordinate)];
    if (seats_[m].active || place != m) continue;
    place = no_seat;
    unused_.push_back(m);
  }
}

void CarriedLeverages::rebuild(Mark& mark, const Vector& ridge) const {
  Matrix stacked = columns_->gather(mark.active);
  const Vector diagonal = ridge(mark.active) * columns_->unit();
  if ((diagonal.array() > 0.0).any()) {
    stacked.conservativeResize(stacked.rows() + stacked.cols(), Eigen::NoChange);
    stacked.bottomRows(stacked.cols()) = diagonal.cwiseSqrt().asDiagonal();
  }
  const Matrix basis = blas::orthonormal_basis(std::move(stacked), rank_tolerance);
  mark.leverages = columns_->free_leverages() + basis.topRows(columns_->rows()).rowwise().squaredNorm();
}

std::vector<Vector> CarriedLeverages::take(const Vector& ridge) {
  apply();
  std::vector<Vector> leverages;
  for (Mark& mark : marks_) {
    if (!(std::abs(mark.leverages.sum() - mark.trace) <= drift * (1.0 + mark.trace))) {
      rebuild(mark, ridge);
      if (&mark == &marks_.back()) leverages_ = mark.leverages;
    }
    leverages.push_back(std::move(mark.leverages));
  }
  marks_.clear();
  marks_done_ = 0;
  return leverages;
}

}  // namespace alo
