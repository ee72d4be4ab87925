// SPDX-License-Identifier: MIT
#include "solvers/quadratic/lasso_knots.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "linalg/blas.hpp"
#include "linalg/select.hpp"
#include "linalg/tolerances.hpp"

namespace alo {

namespace {

using tolerances::slope_rounding;
using tolerances::threshold_slack;
// Up to this many columns, and no more than rows, all of them enter the tableau at once (8 MB). Only the
// speed depends on it.
constexpr Index whole_tableau = 1000;
// With a working set, thresholds fall at most to the first share between stations, and to the second share
// between two computations of the gradients of the other columns. When one of these is predicted to reach its
// threshold before the next computation, all that would reach it by the third share join. The working set
// begins with the columns whose gradients are at least the last share of the largest. A column that was
// missed is found and the walk goes back, so only the speed depends on these; look_ahead < longest_look <
// longest_step.
constexpr double longest_step = 0.85;
constexpr double longest_look = 0.78;
constexpr double look_ahead = 0.7;
constexpr double first_share = 0.7;
// A tableau with more entries than the design takes more for each knot than a look does. Then the working set
// looks this share as far ahead, on a logarithmic scale, so that fewer columns wait in the tableau. Only the
// speed depends on it.
constexpr double near_horizon = 0.25;
// Columns join in groups of 128, or of as many as make a copy of one part in eight of the design. Only speed
// and memory depend on these.
constexpr Index least_joining = 128;
constexpr Index joining_share = 8;
// After this many pivots, or when thresholds have fallen to this share, the state is compared with the data
// and corrected. A pivot adds an error of some epsilon over its share, and the error is relative to the
// threshold at which it arose. At ten times the error can reach the tolerance of the certificate on badly
// conditioned designs, which no test has (all pass without any comparison); at a tenth products with the
// design take a large part of the time.
constexpr Index pivots_between_comparisons = 512;
constexpr double fall_between_comparisons = 0.03;
// A safeguard: how often a walk may go back for missed columns. Usually it never does. Fits that are wrong
// after that miss their certificates.
constexpr int correction_rounds = 50;

}  // namespace

LassoKnots::LassoKnots(const Problem& problem, const VectorView& weights, bool carry_leverages)
    : columns_(std::make_shared<const ScaledColumns>(problem, weights)), ridge_(columns_->ridge(0.0)) {
  if (carry_leverages) leverages_.emplace(columns_);
  restart();
}

void LassoKnots::restart() {
  const Index candidates = columns_->count();
  working_.clear();
  is_working_.assign(static_cast<std::size_t>(candidates), 0);
  tableau_ = {};
  walk_ = {};
  if (leverages_) leverages_->restart();
  rate_ = 1.0;
  pivots_ = 0;
  threshold_before_ = 0.0;
  gradient_ = columns_->transpose_multiply(columns_->target()) / columns_->unit();
  current_ = first_ = candidates == 0 ? 0.0 : gradient_.lpNorm<Eigen::Infinity>();
  compared_at_ = first_;
  const bool whole = candidates <= std::min(columns_->rows(), whole_tableau);
  if (!whole && columns_->is_small()) copies_.resize(columns_->rows(), candidates);
  std::vector<Index> first;
  for (Index j = 0; j < candidates; ++j) {
    if (whole || std::abs(gradient_[j]) >= first_share * current_) first.push_back(j);
  }
  join(first);
}

// Adds columns to the tableau, some at a time, so that their copy stays small beside the design.
void LassoKnots::join(std::span<const Index> candidates) {
  const bool is_first = size() == 0 && !columns_->is_sparse() && copies_.size() == 0;
  if (is_first) return begin_with(candidates);
  const auto at_once = static_cast<std::size_t>(
      std::max(least_joining, columns_->stored_entries() / (joining_share * columns_->rows())));
  while (!candidates.empty()) {
    const std::span next = candidates.first(std::min(at_once, candidates.size()));
    candidates = candidates.subspan(next.size());
    Matrix storage;
    const MatrixView fresh = columns_->view(next, storage);
    Matrix own = blas::gram(fresh) / columns_->unit();
    own.diagonal() += select(ridge_, next);
    Matrix cross = copies_.size() > 0 ? blas::transpose_multiply(copies_.leftCols(size()), fresh)
                                      : columns_->transpose_multiply(working_, fresh);
    cross /= columns_->unit();
    if (copies_.size() > 0) copies_.middleCols(size(), fresh.cols()) = fresh;
    add_to_tableau(next, std::move(cross), own);
  }
}

// The first columns of a dense design that is not copied, in one pass over its rows.
void LassoKnots::begin_with(std::span<const Index> candidates) {
  Matrix own = columns_->gram(candidates) / columns_->unit();
  own.diagonal() += select(ridge_, candidates);
  add_to_tableau(candidates, Matrix(0, own.cols()), own);
}

void LassoKnots::add_to_tableau(std::span<const Index> candidates, Matrix cross, const Matrix& own) {
  const Matrix between = tableau_.extend(std::move(cross), own, walk_.active());
  walk_.join(select(gradient_, candidates), -blas::transpose_multiply_vector(between, walk_.pull()),
             current_);
  working_.insert(working_.end(), candidates.begin(), candidates.end());
  for (const Index c : candidates) is_working_[static_cast<std::size_t>(c)] = 1;
}

// Gradients at the stations, computed from the data, of every candidate or only of those outside the working
// set; then the others are zero.
Matrix LassoKnots::gradients(const MatrixView& states, bool of_all) const {
  if (states.cols() == 0) return {};
  Matrix residuals = -columns_->fitted(working_, states);
  columns_->project_out_free(residuals);
  residuals.colwise() += columns_->target();
  std::vector<Index> chosen;
  for (Index j = 0; j < columns_->count(); ++j) {
    if (of_all || is_working_[static_cast<std::size_t>(j)] == 0) chosen.push_back(j);
  }
  const Matrix products = columns_->transpose_multiply(chosen, residuals) / columns_->unit();
  Matrix result = Matrix::Zero(columns_->count(), residuals.cols());
  for (Index m = 0; m < result.cols(); ++m) {
    for (std::size_t k = 0; k < chosen.size(); ++k) result(chosen[k], m) = products(static_cast<Index>(k), m);
    for (std::size_t k = 0; of_all && k < working_.size(); ++k) {
      result(working_[k], m) -= ridge_[working_[k]] * states(static_cast<Index>(k), m);
    }
  }
  return result;
}

// Replaces the updated gradients by those computed from the data, and removes the violation of
// gradient = threshold on the active set by one solve with the tableau (iterative refinement).
void LassoKnots::refine(const VectorView& gradient) {
  Vector state = walk_.state();
  Vector error = Vector::Zero(size());
  for (Index k = 0; k < size(); ++k) {
    const double exact = gradient[working_[static_cast<std::size_t>(k)]];
    if (walk_.is_active(k)) {
      error[k] = exact - walk_.signs()[k] * current_;
    } else {
      state[k] = exact;
    }
  }
  if (error.size() > 0 && error.lpNorm<Eigen::Infinity>() > threshold_slack * current_) {
    state -= tableau_.multiply(error);
    walk_.set_rates(-tableau_.multiply(walk_.pull()));
  }
  walk_.set_state(state);
  pivots_ = 0;
  compared_at_ = current_;
}

std::vector<Index> LassoKnots::late_columns(const VectorView& gradient, double threshold) const {
  const double bound = threshold * (1.0 + threshold_slack) + slope_rounding * first_;
  std::vector<Index> late;
  for (Index j = 0; j < gradient.size(); ++j) {
    if (is_working_[static_cast<std::size_t>(j)] == 0 && std::abs(gradient[j]) > bound) late.push_back(j);
  }
  return late;
}

// Columns outside the working set whose gradients, extrapolated linearly from the last two computations,
// would reach their threshold by the time that it is `share` of its present value.
std::vector<Index> LassoKnots::columns_ahead(double share) const {
  std::vector<Index> ahead;
  if (!(threshold_before_ > current_)) return ahead;
  const double fallen = threshold_before_ - current_;
  const double step = (1.0 - share) * current_ / fallen;
  for (Index j = 0; j < gradient_.size(); ++j) {
    if (is_working_[static_cast<std::size_t>(j)] != 0) continue;
    const double then = gradient_[j] + step * (gradient_[j] - gradient_before_[j]);
    if (std::abs(then) >= share * current_) ahead.push_back(j);
  }
  return ahead;
}

// How far a share of the present threshold is looked ahead.
double LassoKnots::ahead(double share) const {
  const bool is_wide = size() * size() > columns_->stored_entries();
  return is_wide ? std::pow(share, near_horizon) : share;
}

// When a column is predicted to reach its threshold before the next computation of gradients, it joins
// together with all that would reach theirs a little later.
void LassoKnots::join_ahead() {
  if (!is_whole() && !columns_ahead(ahead(longest_look)).empty()) join(columns_ahead(ahead(look_ahead)));
  threshold_before_ = 0.0;  // once a look
}

// Adds columns that should have joined before. A column that is already beyond the threshold starts at a
// threshold of its own, which is then lowered to the common one, column after column.
void LassoKnots::bring_back(std::vector<Index> late) {
  const std::vector<Index> next = columns_ahead(ahead(look_ahead));
  late.insert(late.end(), next.begin(), next.end());
  std::sort(late.begin(), late.end());
  late.erase(std::unique(late.begin(), late.end()), late.end());
  const Index before = size();
  join(late);
  for (Index k = before; k < size(); ++k) walk_.set_bar(k, LassoWalk::Bar::waits);
  rate_ = 0.0;
  for (Index k = before; k < size(); ++k) {
    walk_.set_bar(k, LassoWalk::Bar::none);
    const double excess = std::abs(walk_.state()[k]) - current_;
    if (excess <= 0.0) continue;
    walk_.set_threshold(k, current_ + excess);
    walk_.close_one(k);  // nothing moves until it enters
    walk_.set_rates(Vector::Zero(size()));
    lower(excess);
    walk_.set_threshold(k, current_);
  }
  threshold_before_ = 0.0;  // the gradient has changed since the look
}

// The next stations on the way through the thresholds, of which some are done.
std::vector<LassoKnots::Station> LassoKnots::plan(std::span<const double> thresholds,
                                                  std::size_t done) const {
  // The working set is complete long before thresholds are this small.
  const bool looks = !is_whole() && current_ > 1e-9 * first_;
  std::vector<Station> stations;
  double at = current_;
  for (std::size_t next = done; next < thresholds.size();) {
    const double step = ahead(longest_step);
    const bool steps = looks && thresholds[next] < step * at;
    at = steps ? step * at : thresholds[next];
    if (looks && !stations.empty() && at < ahead(longest_look) * current_) break;
    stations.push_back({at, steps ? std::nullopt : std::optional(next), {}, 0, {}});
    if (!steps) ++next;
  }
  return stations;
}

// True where the state should be compared with the data before the walk goes on.
bool LassoKnots::is_due() const {
  return pivots_ >= pivots_between_comparisons || current_ < fall_between_comparisons * compared_at_;
}

// Walks through the stations and notes their solutions, up to the first at which a comparison is due;
// stations that were not reached are removed from the list. False when the monitor says stop.
bool LassoKnots::walk_through(std::vector<Station>& stations, const Monitor& monitor) {
  for (std::size_t m = 0; m < stations.size(); ++m) {
    const bool stops = monitor.stop();
    if (stops || (m > 0 && is_due())) {
      stations.resize(m);
      return !stops;
    }
    go_to(stations[m].threshold);
    note(stations[m]);
  }
  return true;
}

// The number of stations whose solution is right: all, or those before the first at which a column was
// missing from the working set. The missing columns of all stations are added to `late`.
std::size_t LassoKnots::count_right(std::span<const Station> stations, const Matrix& gradients,
                                    std::vector<Index>& late) const {
  std::size_t right = stations.size();
  for (std::size_t m = stations.size(); m-- > 0;) {
    const auto missing = late_columns(gradients.col(static_cast<Index>(m)), stations[m].threshold);
    if (!missing.empty()) right = m;
    late.insert(late.end(), missing.begin(), missing.end());
  }
  return right;
}

// Computes the gradients of the columns outside the working set after a walk through stations that began at
// `previous`. Returns the number of stations that are right and stores their solutions. Where that is not
// all, the missing columns have joined, and the walk stands at the first station that was wrong.
std::size_t LassoKnots::look(std::span<const Station> stations, double previous, bool may_go_back,
                             std::vector<Solution>& solutions) {
  Matrix states(size(), static_cast<Index>(stations.size()));
  for (std::size_t m = 0; m < stations.size(); ++m) states.col(static_cast<Index>(m)) = stations[m].state;
  // With a working set gradients are needed at all stations; otherwise only at the last, when a comparison is
  // due.
  const bool compares = is_due();
  const bool looks = !is_whole();
  const Index looked = looks ? states.cols() : (compares ? 1 : 0);
  const Matrix found = gradients(states.rightCols(looked), compares);

  std::vector<Index> late;
  const std::size_t right = looks && may_go_back ? count_right(stations, found, late) : stations.size();
  for (std::size_t m = 0; m < right; ++m) {
    if (!stations[m].wanted) continue;
    const auto column = static_cast<Index>(m);
    auto [coefficients, intercept] = columns_->solution(working_, states.col(column));
    solutions[*stations[m].wanted] = {std::move(coefficients), intercept, {}};
  }
  if (visitor_) show_pieces(stations.first(right), leverages_->take(ridge_));
  if (looks) {
    const std::size_t last = std::min(right, stations.size() - 1);
    const auto column = static_cast<Index>(last);
    gradient_before_ = last > 0 ? Vector(found.col(column - 1)) : gradient_;
    threshold_before_ = last > 0 ? stations[last - 1].threshold : previous;
    gradient_ = found.col(column);
  }
  if (right < stations.size()) {
    go_to(stations[right].threshold);
    bring_back(std::move(late));
  } else if (compares) {
    refine(found.rightCols(1));
  }
  return right;
}

std::vector<LassoKnots::Solution> LassoKnots::solve(std::span<const double> lambdas, const Monitor& monitor) {
  // The path begins at the first knot itself, which rounding must not push it past.
  std::vector<double> thresholds;
  for (const double lambda : lambdas) {
    const double threshold = lambda / columns_->unit();
    thresholds.push_back(threshold < first_ * (1.0 - threshold_slack) ? threshold : first_);
  }
  if (!thresholds.empty() && thresholds.front() > current_) restart();
  std::vector<Solution> solutions(lambdas.size());
  std::vector<std::size_t> marks;
  bool goes_on = true;
  for (int round = 0; goes_on && marks.size() < lambdas.size();) {
    join_ahead();
    const double previous = current_;
    std::vector<Station> stations = plan(thresholds, marks.size());
    goes_on = walk_through(stations, monitor);
    if (stations.empty()) break;
    const std::size_t right = look(stations, previous, round < correction_rounds, solutions);
    if (right < stations.size()) ++round;
    for (const Station& station : std::span(stations).first(right)) {
      if (station.wanted) marks.push_back(station.mark);
    }
  }
  solutions.resize(marks.size());
  if (leverages_ && !visitor_) {
    std::vector<Vector> found = leverages_->take(ridge_);
    for (std::size_t k = 0; k < solutions.size(); ++k) solutions[k].leverages = std::move(found[marks[k]]);
  }
  return solutions;
}

}  // namespace alo
