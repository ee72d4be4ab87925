// SPDX-License-Identifier: MIT
#include "solvers/kinked/homotopy/kink_homotopy.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "certificate/null_fit.hpp"
#include "linalg/parallel.hpp"
#include "linalg/special_values.hpp"
#include "linalg/tolerances.hpp"
#include "problem/separable.hpp"
#include "solvers/kinked/homotopy/kink_start.hpp"

namespace alo {

namespace {

using End = HeldOutRowWalked::End;

// All rows are coordinates of the tableau up to the first number of rows, and up to the second (128 MB) where
// there are at most rows_per_column rows per column. Otherwise near_rows and one row in a hundred join the
// pinned ones. Rows whose walk meets a kink of another row walk again with it, at most `rounds` times, then
// they are refitted. Only speed and memory depend on these.
constexpr Index few_rows = 500;
constexpr Index most_rows = 4000;
constexpr Index rows_per_column = 3;
constexpr Index near_rows = 300;
// Where few rows are held out, fewer than one in rows_per_held_out, the kernel of all rows costs more than it
// saves, unless rows are so few that it takes microseconds; then least_near rows and near_per_held_out for
// each of those join the pinned ones.
constexpr Index rows_per_held_out = 8;
constexpr Index fewest_rows = 100;
constexpr Index least_near = 50;
constexpr Index near_per_held_out = 10;
constexpr int rounds = 10;
// Rows walk in chunks that share matrix products; in one chunk of 16 the row with most knots is certified.
constexpr std::size_t rows_at_once = 64;
constexpr std::size_t chunks_per_certificate = 16;

}  // namespace

bool has_kink_walks(const Problem& problem) {
  return problem.loss().has_kinks() && is_ridge(problem);
}

Index kink_walk_coordinates(Index rows, Index columns, Index pinned, Index held_out) {
  const bool many = rows <= fewest_rows || held_out * rows_per_held_out >= rows;
  const bool all = rows <= few_rows || (rows <= most_rows && rows <= rows_per_column * columns);
  if (many && all) return rows;
  const Index near = near_rows + rows / 100;
  return std::min(rows, pinned + std::min(near, least_near + near_per_held_out * held_out));
}

KinkHomotopy::KinkHomotopy(const Problem& problem, const ExactOptions& options)
    : problem_(problem),
      options_(options),
      share_(problem.removed_share()),
      rows_(problem),
      kinks_(row_kinks(problem.loss(), problem.data().response, problem.data().weights)) {
  const Vector weighted = (problem.data().weights.array() > 0.0).cast<double>();
  free_ = blas::orthonormal_basis(weighted.asDiagonal() * unpenalized_columns(problem, null_lambda),
                                  tolerances::column_rank);
  feature_norms_.resize(problem.rows());
  std::vector<Index> part;
  for (Index i = 0; i < problem.rows(); ++i) {
    part.push_back(i);
    if (part.size() < rows_at_once && i + 1 < problem.rows()) continue;
    feature_norms_(part) = rows_.gather(part).colwise().squaredNorm();
    part.clear();
  }
  const double trace = feature_norms_.sum();
  free_weight_ = free_.cols() > 0 && trace > 0.0 ? trace / static_cast<double>(free_.cols()) : 1.0;
  feature_norms_ = (feature_norms_ + free_weight_ * free_.rowwise().squaredNorm()).cwiseSqrt();
}

std::vector<Index> KinkHomotopy::walk_all(const Fit& fit, const std::vector<Index>& rows, bool first_piece,
                                          const Listener& listener) {
  Start start = begin(fit);
  if (!is_loose(start)) return walk_from(std::move(start), rows, first_piece, listener);
  return first_piece ? rows : walk_leaning(start, rows, listener);
}

// Where no row is pinned, as for balanced classes at a large lambda, c may be anywhere between two ends. As
// soon as |g_i| shrinks, F'g = 0 demands that another g_j moves too, so c goes to one of the ends, where a
// row is pinned: to the upper end if F_i g_i > 0, since a row that is met on the way up in F_j c can only
// increase F_j g_j. The walks start from there. Without a row of g_i = 0 the fit remains optimal and c is as
// free as before; such rows are left to refits, which know where to put it.
std::vector<Index> KinkHomotopy::walk_leaning(const Start& loose, const std::vector<Index>& rows,
                                              const Listener& listener) {
  std::vector<Index> left;
  for (const double way : {-1.0, 1.0}) {
    std::vector<Index> own;
    for (const Index i : rows) {
      if (way * free_(i, 0) * loose.subgradient[i] > 0.0) own.push_back(i);
    }
    if (own.empty()) continue;
    Start start = loose;
    if (lean(start, way)) own = walk_from(std::move(start), std::move(own), false, listener);
    left.insert(left.end(), own.begin(), own.end());
  }
  for (const Index i : rows) {
    if (free_(i, 0) * loose.subgradient[i] == 0.0) left.push_back(i);
  }
  return left;
}

std::vector<Index> KinkHomotopy::walk_from(Start start, std::vector<Index> rows, bool first_piece,
                                           const Listener& listener) {
  choose_rows(start, static_cast<Index>(rows.size()));
  for (int round = 0; round < rounds && !rows.empty(); ++round) {
    if (!make_tableau(start)) break;
    std::vector<Index> again;
    std::vector<Index> outside;
    bool stopped = false;
    parallel_for((rows.size() + rows_at_once - 1) / rows_at_once, options_.threads,
                 [&](std::size_t c, std::mutex& mutex) {
                   {
                     const std::scoped_lock lock(mutex);
                     if (stopped) return;
                   }
                   const std::size_t first = c * rows_at_once;
                   const std::span part = std::span<const Index>(rows).subspan(
                       first, std::min(rows_at_once, rows.size() - first));
                   const Chunk chunk =
                       walk_rows(start, part, first_piece, !first_piece && c % chunks_per_certificate == 0);
                   const std::scoped_lock lock(mutex);
                   stopped = !listener(part, chunk);
                   outside.insert(outside.end(), chunk.outside.begin(), chunk.outside.end());
                   for (std::size_t m = 0; m < part.size(); ++m) {
                     if (chunk.met_outside[m] != 0) again.push_back(part[m]);
                   }
                 });
    rows = std::move(again);
    if (stopped || first_piece) return {};
    std::sort(outside.begin(), outside.end());
    outside.erase(std::unique(outside.begin(), outside.end()), outside.end());
    start.order.insert(start.order.end(), outside.begin(), outside.end());
    std::sort(rows.begin(), rows.end());
  }
  return rows;
}

KinkHomotopy::Result KinkHomotopy::run(const Fit& fit, const std::vector<Index>& rows,
                                       const std::function<bool(Index)>& progress) {
  Result result;
  result.linear_predictor = Vector::Constant(problem_.rows(), undefined);
  std::vector<Index> left = walk_all(fit, rows, false, [&](std::span<const Index> part, const Chunk& chunk) {
    Index finished = 0;
    for (std::size_t m = 0; m < part.size(); ++m) {
      if (chunk.met_outside[m] != 0) continue;
      ++finished;
      if (chunk.walked[m].end == End::arrived) {
        const HeldOutRowWalked& walked = chunk.walked[m];
        result.linear_predictor[part[m]] = walked.predictor;
        if (!std::isnan(walked.low)) result.intervals.push_back({part[m], walked.low, walked.high});
      } else {
        result.unsure.push_back(part[m]);
      }
    }
    result.missed += chunk.missed;
    return progress(finished);
  });
  if (!left.empty()) progress(static_cast<Index>(left.size()));
  result.unsure.insert(result.unsure.end(), left.begin(), left.end());
  std::sort(result.unsure.begin(), result.unsure.end());
  return result;
}

std::vector<std::optional<bool>> KinkHomotopy::certify(const Fit& fit) {
  std::vector<std::optional<bool>> certified(static_cast<std::size_t>(problem_.rows()));
  std::vector<Index> rows(certified.size());
  std::iota(rows.begin(), rows.end(), Index{0});
  walk_all(fit, rows, true, [&](std::span<const Index> part, const Chunk& chunk) {
    for (std::size_t m = 0; m < part.size(); ++m) {
      if (chunk.walked[m].end == End::failed) continue;
      certified[static_cast<std::size_t>(part[m])] =
          chunk.walked[m].end == End::arrived && chunk.met_outside[m] == 0;
    }
    return true;
  });
  return certified;
}

}  // namespace alo
