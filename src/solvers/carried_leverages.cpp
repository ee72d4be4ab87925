// SPDX-License-Identifier: MIT
#include "solvers/carried_leverages.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/blas.hpp"

namespace alo {

namespace {

// When the leverages' sum is off by more than this share they are computed anew.
constexpr double drift = 1e-10;
constexpr double rank_tolerance = 1e-10;

// Changes that wait for one product: few enough that it stays in the cache, or, where the design
// does not, enough to be worth the copy of the active columns.
constexpr Index cached_design = 2'000'000;
constexpr std::size_t few_waiting = 64;
constexpr std::size_t many_waiting = 256;

}  // namespace

CarriedLeverages::CarriedLeverages(std::shared_ptr<const ScaledColumns> columns)
    : columns_(std::move(columns)),
      most_waiting_(columns_->stored_entries() < cached_design ? few_waiting : many_waiting) {
  restart();
}

void CarriedLeverages::restart() {
  leverages_ = columns_->free_leverages();
  waiting_.clear();
  is_used_.clear();
  signs_.clear();
  marks_.clear();
  marks_done_ = 0;
}

void CarriedLeverages::note(const KnotWalk& walk, const std::vector<Index>& working, Index k,
                            const VectorView& u) {
  if (signs_.size() == most_waiting_) apply(working);
  const bool enters = !walk.is_active(k);
  Vector direction = Vector::Zero(walk.size());
  is_used_.resize(working.size(), 0);
  is_used_[static_cast<std::size_t>(k)] = 1;
  for (const Index i : walk.active_coordinates()) {
    direction[i] = -u[i];
    is_used_[static_cast<std::size_t>(i)] = 1;
  }
  if (enters) direction[k] = 1.0;
  direction /= std::sqrt(std::abs(u[k]) * columns_->unit());
  waiting_.push_back(std::move(direction));
  signs_.push_back(enters ? 1.0 : -1.0);
}

std::size_t CarriedLeverages::mark(const KnotWalk& walk, const std::vector<Index>& working, double trace) {
  Mark mark{signs_.size(), trace, {}, {}};
  for (const Index k : walk.active_coordinates()) {
    mark.active.push_back(working[static_cast<std::size_t>(k)]);
  }
  marks_.push_back(std::move(mark));
  return marks_.size() - 1;
}

void CarriedLeverages::apply(const std::vector<Index>& working) {
  const auto count = static_cast<Index>(signs_.size());
  std::vector<Index> rows;
  std::vector<Index> involved;
  for (std::size_t k = 0; k < is_used_.size(); ++k) {
    if (is_used_[k] == 0) continue;
    rows.push_back(static_cast<Index>(k));
    involved.push_back(working[k]);
  }
  Matrix directions = Matrix::Zero(static_cast<Index>(rows.size()), count);
  for (Index c = 0; c < count; ++c) {
    const Vector& direction = waiting_[static_cast<std::size_t>(c)];
    for (std::size_t r = 0; r < rows.size() && rows[r] < direction.size(); ++r) {
      directions(static_cast<Index>(r), c) = direction[rows[r]];
    }
  }
  const Matrix gained = columns_->multiply(involved, directions);
  for (Index c = 0; c <= count; ++c) {
    while (marks_done_ < marks_.size() && marks_[marks_done_].after == static_cast<std::size_t>(c)) {
      marks_[marks_done_++].leverages = leverages_;
    }
    if (c < count) leverages_ += signs_[static_cast<std::size_t>(c)] * gained.col(c).cwiseAbs2();
  }
  waiting_.clear();
  is_used_.clear();
  signs_.clear();
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

std::vector<Vector> CarriedLeverages::take(const std::vector<Index>& working, const Vector& ridge) {
  apply(working);
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
