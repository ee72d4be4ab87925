// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <utility>
#include <vector>

#include "alo/types.hpp"
#include "linalg/blas.hpp"
#include "linalg/parallel.hpp"

// Algorithms for many rows are passes over them. A pass visits every row once, a block of consecutive rows at
// a time, and all that it finds out about the rows together are sums over the blocks. So the numbers of a
// block stay in the cache from the first operation to the last, threads need nothing from each other, and a
// pass does not care where the rows are kept.
namespace alo {

// Rows first, ..., first + count - 1.
struct RowBlock {
  Index first = 0;
  Index count = 0;
};

// How the rows are divided: one run of blocks for each thread that BLAS may use. A run has at least this many
// blocks, because a thread that is started for less costs more than it saves. Only the speed depends on it.
inline std::size_t row_runs(Index rows, Index at_once) {
  constexpr Index least_blocks = 4;
  const Index most = rows / std::max<Index>(1, at_once) / least_blocks;
  return static_cast<std::size_t>(std::clamp<Index>(most, 1, std::max(1, blas::threads())));
}

// The sum over blocks of `at_once` rows: add(block, sums) adds what a block has to sums that began as `zero`.
// Every run has sums of its own, and they are added up by += in the order of the rows, so that the result
// depends on the number of threads in its last digits and on nothing else.
template <class Sums, class Add>
Sums pass_over_rows(Index rows, Index at_once, const Sums& zero, const Add& add) {
  const std::size_t runs = row_runs(rows, at_once);
  std::vector<Sums> sums(runs, zero);
  const auto visit = [&](std::size_t run) {
    const auto end_of = [&](std::size_t k) {
      return rows * static_cast<Index>(k) / static_cast<Index>(runs);
    };
    const Index end = end_of(run + 1);
    for (Index first = end_of(run); first < end; first += at_once) {
      add(RowBlock{first, std::min(at_once, end - first)}, sums[run]);
    }
  };
  if (runs == 1) {
    visit(0);
  } else {
    parallel_for(runs, static_cast<int>(runs), [&](std::size_t run, std::mutex&) { visit(run); });
  }
  Sums total = std::move(sums.front());
  for (std::size_t run = 1; run < runs; ++run) total += sums[run];
  return total;
}

// The same where nothing is summed.
template <class Visit>
void for_each_row_block(Index rows, Index at_once, const Visit& visit) {
  pass_over_rows(rows, at_once, 0, [&](const RowBlock& block, int&) { visit(block); });
}

}  // namespace alo
