// SPDX-License-Identifier: MIT
#include "signals/chain.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

namespace alo {

namespace {

// Sets the centre, the largest |y| and the bound |u_k| <= (sum of w) (max y - min y).
void measure(Chain& chain, const VectorView& signal, const VectorView& weights) {
  double sum = 0.0;
  double weight = 0.0;
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (Index i = 0; i < signal.size(); ++i) {
    if (weights[i] == 0.0) continue;
    sum += weights[i] * signal[i];
    weight += weights[i];
    low = std::min(low, signal[i]);
    high = std::max(high, signal[i]);
  }
  if (weight == 0.0) return;
  chain.center = sum / weight;
  chain.enough = 2.0 * weight * (high - low);
  chain.largest = std::max(std::abs(low), std::abs(high));
}

// One piece for each run of equal neighbours. These are the blocks at lambda = 0, which only merge.
Chain make_chain(const VectorView& signal, const VectorView& weights) {
  Chain chain;
  chain.rows = signal.size();
  measure(chain, signal, weights);
  chain.first.reserve(signal.size());
  chain.pieces.reserve(signal.size());
  double last = 0.0;
  for (Index i = 0; i < signal.size(); ++i) {
    const double weight = weights[i];
    if (weight == 0.0) continue;
    const double value = signal[i];
    if (!chain.pieces.empty() && value == last) {
      ChainPiece& piece = chain.pieces.back();
      piece.weight += weight;
      piece.sum = piece.weight * (value - chain.center);
    } else {
      chain.first.push_back(chain.pieces.empty() ? 0 : i);
      chain.pieces.push_back({weight * (value - chain.center), weight});
      last = value;
    }
  }
  return chain;
}

// Values of two runs are equal if they differ by no more than this share of the numbers that they are
// computed from (the largest |y|, and the bends over the weight). Each is a sum and a quotient, good to a few
// units of the last place. At a tenth runs stay apart by rounding, and leave-one-out counts a jump that is
// none; at ten times jumps of 2e-14 of the signal are lost.
constexpr double tie_share = 8.0 * std::numeric_limits<double>::epsilon();

// A stretch of the string between two bends: its rows, and the bends at its ends, lambda times their sign.
struct Run {
  Index first;
  ChainPiece piece;
  double left;
  double right;
  double value = 0.0;
  double rounding = 0.0;

  void set_value(double largest) {
    value = (piece.sum + (right - left)) / piece.weight;
    rounding = tie_share * (largest + (std::abs(left) + std::abs(right)) / piece.weight);
  }
  // Whether its value differs from that of the run before it in the direction of the bend between them.
  bool parted_from(const Run& before) const {
    const double jump = value - before.value;
    const double along = left == 0.0 ? std::abs(jump) : std::copysign(1.0, left) * jump;
    return along > std::max(rounding, before.rounding);
  }
  void join(const Run& before) {
    first = before.first;
    piece.sum += before.piece.sum;
    piece.weight += before.piece.weight;
    left = before.left;
  }
};

// The runs between bends. A run whose value contradicts the bend before it is joined to the run before it,
// because rounding has made that bend.
void find_runs(const Chain& chain, const std::vector<StringRun>& bends, double radius,
               std::vector<Run>& runs) {
  runs.clear();
  Index begin = 0;
  double left = 0.0;
  for (const auto& [end, bend] : bends) {
    Run run{chain.first[begin], {0.0, 0.0}, left, bend * radius};
    for (Index k = begin; k < end; ++k) {
      run.piece.sum += chain.pieces[k].sum;
      run.piece.weight += chain.pieces[k].weight;
    }
    run.set_value(chain.largest);
    while (!runs.empty() && !run.parted_from(runs.back())) {
      run.join(runs.back());
      run.set_value(chain.largest);
      runs.pop_back();
    }
    runs.push_back(run);
    left = run.right;
    begin = end;
  }
}

// Makes the chain whose pieces are these runs; `merged` may be the chain itself.
void merge(const Chain& chain, const std::vector<Run>& runs, Chain& merged) {
  merged.rows = chain.rows;
  merged.center = chain.center;
  merged.enough = chain.enough;
  merged.largest = chain.largest;
  merged.pieces.resize(runs.size());
  merged.first.resize(runs.size());
  for (std::size_t k = 0; k < runs.size(); ++k) {
    merged.pieces[k] = runs[k].piece;
    merged.first[k] = runs[k].first;
  }
}

Blocks blocks_of(const Chain& chain, const std::vector<Run>& runs) {
  Blocks blocks;
  blocks.rows = chain.rows;
  if (chain.rows > 0 && runs.empty()) {
    blocks.first = {0};
    blocks.value = Vector::Zero(1);
    return blocks;
  }
  const Index count = static_cast<Index>(runs.size());
  blocks.first.resize(runs.size());
  blocks.value.resize(count);
  for (Index k = 0; k < count; ++k) {
    blocks.first[k] = runs[k].first;
    blocks.value[k] = chain.center + runs[k].value;
  }
  return blocks;
}

// The blocks of this share of the smallest lambda of a call are kept for later calls. Usual paths end above
// it, and with noise of size d the blocks of lambda have about (lambda / d)^2 rows, so that there are few of
// them. Only the speed depends on it.
constexpr double kept_share = 1e-4;

}  // namespace

Vector expand(const Blocks& blocks) {
  Vector values(blocks.rows);
  for (Index k = 0; k < blocks.count(); ++k) {
    values.segment(blocks.first[k], blocks.end(k) - blocks.first[k]).setConstant(blocks.value[k]);
  }
  return values;
}

ChainPath::ChainPath(const VectorView& signal, const VectorView& weights)
    : all_(make_chain(signal, weights)) {}

std::vector<Blocks> ChainPath::solve(std::span<const double> lambdas) {
  std::vector<Blocks> path(lambdas.size());
  std::vector<std::size_t> rising(lambdas.size());
  std::iota(rising.begin(), rising.end(), std::size_t{0});
  std::ranges::stable_sort(rising, std::less<>(), [&](std::size_t k) { return lambdas[k]; });
  TautString string;
  std::vector<Run> runs;
  const auto pull = [&](const Chain& chain, double lambda, Chain& merged) {
    const double radius = std::min(lambda, chain.enough);
    find_runs(chain, string.pull(chain.pieces, radius), radius, runs);
    merge(chain, runs, merged);
  };
  if (lambdas.size() > 1 && !is_kept(lambdas[rising.front()])) {
    kept_lambda_ = kept_share * lambdas[rising.front()];
    pull(all_, *kept_lambda_, kept_);
  }
  Chain last;
  for (const std::size_t k : rising) {
    const Chain& finer = k != rising.front() ? last : is_kept(lambdas[k]) ? kept_ : all_;
    pull(finer, lambdas[k], last);
    path[k] = blocks_of(last, runs);
  }
  return path;
}

std::vector<Blocks> solve_chain(const VectorView& signal, const VectorView& weights,
                                std::span<const double> lambdas) {
  return ChainPath(signal, weights).solve(lambdas);
}

Vector chain_prox(const VectorView& signal, double lambda) {
  return expand(solve_chain(signal, Vector::Ones(signal.size()), std::span(&lambda, 1)).front());
}

Vector chain_dual(const VectorView& signal, const VectorView& weights, const VectorView& values) {
  Vector dual(signal.size());
  long double sum = 0.0L;
  for (Index i = 0; i < signal.size(); ++i) {
    if (weights[i] > 0.0) sum += static_cast<long double>(weights[i]) * (signal[i] - values[i]);
    dual[i] = static_cast<double>(sum);
  }
  return dual;
}

std::pair<double, double> chain_interval(const VectorView& values, const VectorView& weights, Index row) {
  Index before = row;
  Index after = row;
  while (before > 0 && weights[before] == 0.0) --before;
  while (after + 1 < values.size() && weights[after] == 0.0) ++after;
  if (weights[before] == 0.0) before = after;  // no row with weight on that side
  if (weights[after] == 0.0) after = before;
  return {std::min(values[before], values[after]), std::max(values[before], values[after])};
}

}  // namespace alo
