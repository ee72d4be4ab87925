// SPDX-License-Identifier: MIT
#include "report/influence.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace alo::report {

std::vector<RowInfluence> row_influences(const Problem& problem, const TuneResult& result) {
  std::vector<RowInfluence> influences;
  const std::optional<Selected>& chosen = result.chosen();
  const PathPoint* point = chosen ? &chosen->point : result.path.size() == 1 ? &result.path.front() : nullptr;
  if (!point || !point->rows || point->rows->alo.size() != problem.rows()) return influences;
  const RowValues& rows = *point->rows;
  const Vector derivative = problem.loss().derivative(rows.alo, problem.data().response);
  for (Index i = 0; i < problem.rows(); ++i) {
    RowInfluence influence;
    influence.row = i;
    influence.leverage = i < rows.leverage.size() ? rows.leverage[i] : 0.0;
    influence.defined = std::isfinite(rows.alo[i]) && std::isfinite(derivative[i]);
    influence.residual = influence.defined ? -derivative[i] : 0.0;
    influence.shift = influence.defined ? rows.fitted[i] - rows.alo[i] : 0.0;
    const auto at = static_cast<std::size_t>(i);
    if (at < rows.flags.size()) influence.flag = rows.flags[at];
    influences.push_back(influence);
  }
  return influences;
}

std::vector<std::size_t> most_influential(const std::vector<RowInfluence>& rows, std::size_t count) {
  std::vector<std::size_t> order;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (!rows[k].defined || rows[k].shift != 0) order.push_back(k);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (rows[a].defined != rows[b].defined) return !rows[a].defined;
    return std::abs(rows[a].shift) > std::abs(rows[b].shift);
  });
  if (order.size() > count) order.resize(count);
  return order;
}

std::vector<std::size_t> highest_leverage(const std::vector<RowInfluence>& rows, std::size_t count) {
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  count = std::min(count, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(),
                    [&](std::size_t a, std::size_t b) {
                      return rows[a].leverage != rows[b].leverage ? rows[a].leverage > rows[b].leverage
                                                                  : a < b;
                    });
  order.resize(count);
  return order;
}

}  // namespace alo::report
