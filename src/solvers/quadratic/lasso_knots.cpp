// SPDX-License-Identifier: MIT
#include "solvers/quadratic/lasso_knots.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "linalg/blas.hpp"
#include "linalg/select.hpp"

namespace alo {

namespace {

// Gradients this close to their threshold, relative to it and to the largest gradient, are there.
constexpr double relative_slack = 1e-12;
constexpr double rounding_slack = 1e-14;
// Up to this many columns, and no more than rows, all of them enter the tableau at once.
constexpr Index whole_tableau = 1000;
// With a working set, thresholds fall by at most `longest_step` between stations and `longest_look`
// between looks at the other columns. When one of them is about to reach its threshold before the
// next look, all that would down to `look_ahead` join.
constexpr double longest_step = 0.85;
constexpr double longest_look = 0.78;
constexpr double look_ahead = 0.7;
constexpr double first_share = 0.7;
// Columns join so many at a time, or as many as make a copy of one part in eight of the design.
constexpr Index least_joining = 128;
constexpr Index joining_share = 8;
// After so many pivots, or when thresholds have fallen to this share, the state is compared with the data.
constexpr Index pivots_between_comparisons = 512;
constexpr double fall_between_comparisons = 0.03;
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

// Some at a time, so that their copy stays small beside the design.
void LassoKnots::join(std::span<const Index> candidates) {
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
    const Matrix between = tableau_.extend(std::move(cross), own, walk_.active());
    walk_.join(select(gradient_, next), -blas::transpose_multiply_vector(between, walk_.pull()), current_);
    working_.insert(working_.end(), next.begin(), next.end());
    for (const Index c : next) is_working_[static_cast<std::size_t>(c)] = 1;
  }
}

// Gradients at the stations, from the data: of every candidate, or of those outside the working
// set, with zeros for the others.
Matrix LassoKnots::gradients(const MatrixView& states, const MatrixView& fitted, bool of_all) const {
  if (fitted.cols() == 0) return {};
  Matrix residuals = -fitted;
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

// The gradient computed from the data replaces the one carried along; what it leaves of
// gradient = threshold on the active set is taken out by one solve with the tableau.
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
  if (error.size() > 0 && error.lpNorm<Eigen::Infinity>() > relative_slack * current_) {
    state -= tableau_.multiply(error);
    walk_.set_rates(-tableau_.multiply(walk_.pull()));
  }
  walk_.set_state(state);
  pivots_ = 0;
  compared_at_ = current_;
}

std::vector<Index> LassoKnots::late_columns(const VectorView& gradient, double threshold) const {
  const double bound = threshold * (1.0 + relative_slack) + rounding_slack * first_;
  std::vector<Index> late;
  for (Index j = 0; j < gradient.size(); ++j) {
    if (is_working_[static_cast<std::size_t>(j)] == 0 && std::abs(gradient[j]) > bound) late.push_back(j);
  }
  return late;
}

// Columns that, going on as between the last two looks, would reach their threshold by the time that
// it is `share` of what it is now.
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

// Once a column would reach its threshold before the next look, all that would a little later join.
void LassoKnots::join_ahead() {
  if (!is_whole() && !columns_ahead(longest_look).empty()) join(columns_ahead(look_ahead));
  threshold_before_ = 0.0;  // once a look
}

// Columns join that should have before. Those beyond the threshold by now start at one of their
// own, and one after the other is lowered to the common one.
void LassoKnots::bring_back(std::vector<Index> late) {
  const std::vector<Index> ahead = columns_ahead(look_ahead);
  late.insert(late.end(), ahead.begin(), ahead.end());
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
    const bool steps = looks && thresholds[next] < longest_step * at;
    at = steps ? longest_step * at : thresholds[next];
    if (looks && !stations.empty() && at < longest_look * current_) break;
    stations.push_back({at, steps ? std::nullopt : std::optional(next), {}, 0, {}});
    if (!steps) ++next;
  }
  return stations;
}

// The state should be compared with the data before the walk goes on.
bool LassoKnots::is_due() const {
  return pivots_ >= pivots_between_comparisons || current_ < fall_between_comparisons * compared_at_;
}

// Walks through the stations and notes them, to the first at which a comparison is due; those not
// reached are taken off. False when the monitor says stop.
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

// How many stations are right: all, or those before the first at which a column was missing. The
// missing ones of all stations are added to `late`.
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

// Looks at the other columns after a walk through stations that began at `previous`. Returns how many
// of them are right, whose solutions it stores; where that is not all, the columns that were missing have
// joined, and the walk stands at the first station that was wrong.
std::size_t LassoKnots::look(std::span<const Station> stations, double previous, bool may_go_back,
                             std::vector<Solution>& solutions) {
  Matrix states(size(), static_cast<Index>(stations.size()));
  for (std::size_t m = 0; m < stations.size(); ++m) states.col(static_cast<Index>(m)) = stations[m].state;
  // With a working set the gradients are wanted at all stations; else at the last, now and then.
  const bool compares = is_due();
  const bool looks = !is_whole();
  const Index looked = looks ? states.cols() : (compares ? 1 : 0);
  const Index fitted_count = columns_->free_rank() > 0 ? states.cols() : looked;
  Matrix fitted = Matrix::Zero(columns_->rows(), states.cols());
  fitted.rightCols(fitted_count) = columns_->fitted(working_, states.rightCols(fitted_count));
  const Matrix found = gradients(states.rightCols(looked), fitted.rightCols(looked), compares);

  std::vector<Index> late;
  const std::size_t right = looks && may_go_back ? count_right(stations, found, late) : stations.size();
  for (std::size_t m = 0; m < right; ++m) {
    if (!stations[m].wanted) continue;
    const auto column = static_cast<Index>(m);
    auto [coefficients, intercept] = columns_->solution(working_, states.col(column), fitted.col(column));
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
    thresholds.push_back(threshold < first_ * (1.0 - relative_slack) ? threshold : first_);
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
