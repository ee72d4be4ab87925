// SPDX-License-Identifier: MIT
#include "solvers/quadratic/row_homotopy.hpp"

#include <algorithm>

#include "linalg/parallel.hpp"
#include "problem/separable.hpp"
#include "solvers/quadratic/row_start.hpp"

namespace alo {

namespace {

// Rows that meet a column outside the tableau walk again with it, at most `rounds` times, then they are
// refitted. Only the speed depends on it.
constexpr int rounds = 20;
// Rows walk in chunks that share matrix products; in one chunk of 16 the row with most knots is certified.
constexpr std::size_t rows_at_once = 64;
constexpr std::size_t chunks_per_certificate = 16;
// Columns that rows have met may be more than those that the tableau began with by this share of them, or by
// this number, a matrix of 2 MB. At ten times they could take a hundred times the memory.
constexpr Index share_of_met = 4;
constexpr Index few_met = 500;

void sort_and_unite(std::vector<Index>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

}  // namespace

bool has_knots(const Problem& problem) {
  const auto terms = problem.penalty().separable(problem.columns());
  return problem.loss().is_quadratic() && terms && has_absolute_values(*terms);
}

RowHomotopy::RowHomotopy(const Problem& problem, const ExactOptions& options)
    : problem_(problem),
      options_(options),
      share_(problem.removed_share()),
      columns_(problem, problem.data().weights),
      free_leverages_(columns_.free_leverages()),
      place_(static_cast<std::size_t>(columns_.count()), -1),
      is_sparse_(problem.design().is_sparse()) {}

// The active candidates, those that were met, and the nearest of the others, as far as `most` allows. False
// where there are too many of the first two.
bool RowHomotopy::choose_columns(Start& start, const std::vector<Index>& near, Index most) const {
  start.order.resize(static_cast<std::size_t>(start.active));
  start.order.insert(start.order.end(), start.met.begin(), start.met.end());
  if (static_cast<Index>(start.order.size()) > most) return false;
  const auto fixed = static_cast<std::ptrdiff_t>(start.order.size());
  for (const Index c : near) {
    if (static_cast<Index>(start.order.size()) == most) break;
    if (!std::binary_search(start.met.begin(), start.met.end(), c)) start.order.push_back(c);
  }
  std::sort(start.order.begin() + fixed, start.order.end());
  return true;
}

// Walks the rows once, and leaves those in `rows` that met a column outside the tableau, which join the
// columns that were met. False when `progress` says stop.
bool RowHomotopy::walk_once(Start& start, std::vector<Index>& rows, Result& result,
                            const std::function<bool(Index)>& progress) const {
  std::vector<Index> again;
  bool stopped = false;
  const std::size_t chunks = (rows.size() + rows_at_once - 1) / rows_at_once;
  parallel_for(chunks, options_.threads, [&](std::size_t c, std::mutex& mutex) {
    {
      const std::scoped_lock lock(mutex);
      if (stopped) return;
    }
    const std::size_t first = c * rows_at_once;
    const std::span part =
        std::span<const Index>(rows).subspan(first, std::min(rows_at_once, rows.size() - first));
    const Chunk chunk = walk_rows(start, part, c % chunks_per_certificate == 0);
    const std::scoped_lock lock(mutex);
    Index finished = 0;
    for (std::size_t m = 0; m < part.size(); ++m) {
      if (chunk.met_forgotten[m] != 0) {
        again.push_back(part[m]);
        continue;
      }
      ++finished;
      if (chunk.walked[m].sure) {
        result.linear_predictor[part[m]] = chunk.walked[m].prediction;
      } else {
        result.unsure.push_back(part[m]);
      }
    }
    result.missed += chunk.missed;
    start.met.insert(start.met.end(), chunk.forgotten.begin(), chunk.forgotten.end());
    stopped = !progress(finished);
  });
  sort_and_unite(again);
  sort_and_unite(start.met);
  rows = std::move(again);
  return !stopped;
}

RowHomotopy::Result RowHomotopy::run(const Fit& fit, const std::vector<Index>& rows,
                                     const std::function<bool(Index)>& progress) {
  Result result;
  result.linear_predictor = Vector::Constant(problem_.rows(), std::numeric_limits<double>::quiet_NaN());
  Start start = begin(fit);
  const std::vector<Index> near = near_columns(start, rows);
  const Index affordable = affordable_columns(rows.size());
  const Index most = start.active + affordable + std::max(few_met, affordable / share_of_met);
  std::vector<Index> todo = rows;
  for (int round = 0; round < rounds && !todo.empty(); ++round) {
    if (!choose_columns(start, near, most)) break;
    make_room(start.order, most);
    if (!store(start.order, [&] { return progress(0); })) return result;
    if (!make_tableau(start)) break;
    if (!walk_once(start, todo, result, progress)) return result;
  }
  if (!todo.empty()) progress(static_cast<Index>(todo.size()));
  result.unsure.insert(result.unsure.end(), todo.begin(), todo.end());
  std::sort(result.unsure.begin(), result.unsure.end());
  return result;
}

}  // namespace alo
