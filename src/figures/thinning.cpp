// SPDX-License-Identifier: MIT
#include "figures/thinning.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <set>
#include <unordered_set>

namespace alo::report {
namespace {

// The position of a chosen lambda on the path; for one between grid values, the next larger grid value.
std::size_t position(const TuneResult& result, const Choice& choice) {
  if (choice.index) return static_cast<std::size_t>(*choice.index);
  std::size_t at = 0;
  while (at + 1 < result.path.size() && result.path[at + 1].fit.lambda >= choice.lambda) ++at;
  return at;
}

}  // namespace

std::vector<std::size_t> evenly_spread(std::size_t size, std::size_t count) {
  std::vector<std::size_t> picked;
  if (size == 0) return picked;
  if (size <= count || count < 2) {
    picked.resize(count < 2 ? 1 : size);
    std::iota(picked.begin(), picked.end(), std::size_t{0});
    return picked;
  }
  for (std::size_t k = 0; k < count; ++k) picked.push_back((k * (size - 1) + (count - 1) / 2) / (count - 1));
  return picked;
}

std::vector<std::size_t> interesting_points(const TuneResult& result, std::size_t count) {
  const std::size_t size = result.path.size();
  if (size <= count) return evenly_spread(size, count);
  std::set<std::size_t> kept = {0, size - 1};
  std::size_t low = 0;
  std::size_t high = size - 1;
  if (result.minimum && result.one_se) {
    const std::size_t minimum = position(result, result.minimum->choice);
    const std::size_t one_se = position(result, result.one_se->choice);
    kept.insert(minimum);
    kept.insert(one_se);
    low = std::min(minimum, one_se);
    high = std::max(minimum, one_se);
    const std::size_t margin = std::max<std::size_t>(count, high - low);
    low = low > margin ? low - margin : 0;
    high = std::min(size - 1, high + margin);
  }
  const std::size_t room = count > kept.size() ? count - kept.size() : 2;
  for (const std::size_t k : evenly_spread(high - low + 1, room)) kept.insert(low + k);
  return {kept.begin(), kept.end()};
}

std::vector<std::size_t> thin_points(const std::vector<double>& x, const std::vector<double>& y,
                                     std::size_t limit) {
  std::vector<std::size_t> kept(x.size());
  std::iota(kept.begin(), kept.end(), std::size_t{0});
  for (double cell = 1.0; kept.size() > limit; cell *= 1.25) {
    std::unordered_set<std::uint64_t> taken;
    std::vector<std::size_t> next;
    for (const std::size_t i : kept) {
      const auto column = static_cast<std::uint32_t>(static_cast<std::int32_t>(std::floor(x[i] / cell)));
      const auto row = static_cast<std::uint32_t>(static_cast<std::int32_t>(std::floor(y[i] / cell)));
      if (taken.insert((std::uint64_t{column} << 32U) | row).second) next.push_back(i);
    }
    kept = std::move(next);
  }
  return kept;
}

}  // namespace alo::report
