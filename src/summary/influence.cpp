// SPDX-License-Identifier: MIT
#include "summary/influence.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "alo/registry.hpp"

namespace alo::report {

namespace {

Vector held_out_residuals(const Problem& problem, const Vector& predictor) {
  const Loss& loss = problem.loss();
  const Vector& y = problem.data().response;
  if (residual_kind(loss) == ResidualKind::difference) return y - loss.mean(predictor);
  if (residual_kind(loss) == ResidualKind::shortfall) {
    return y.array() * (1.0 - y.array() * predictor.array()).max(0.0);
  }
  Vector root = (2 * (loss.value(predictor, y) - loss.minimum(y)).array()).max(0.0).sqrt();
  switch (loss.response_kind()) {
    case ResponseKind::number:
      return root.array() * (y - loss.mean(predictor)).array().sign();
    case ResponseKind::two_classes:
      return root.array() * y.array();
    case ResponseKind::classes:
      break;
  }
  return root;
}

}  // namespace

ResidualKind residual_kind(const Loss& loss) {
  const std::vector<Metric> metrics = metrics_of(loss);
  const bool is_likelihood = std::find(metrics.begin(), metrics.end(), Metric::deviance) != metrics.end();
  if (is_likelihood) return ResidualKind::deviance;
  return loss.response_kind() == ResponseKind::number ? ResidualKind::difference : ResidualKind::shortfall;
}

std::string residual_words(const Loss& loss) {
  switch (residual_kind(loss)) {
    case ResidualKind::difference:
      return "residual";
    case ResidualKind::deviance:
      return "deviance residual";
    case ResidualKind::shortfall:
      break;
  }
  return "shortfall of the margin";
}

std::vector<RowInfluence> row_influences(const Problem& problem, const TuneResult& result) {
  std::vector<RowInfluence> influences;
  const std::optional<Selected>& chosen = result.chosen();
  const PathPoint* point = chosen ? &chosen->point : result.path.size() == 1 ? &result.path.front() : nullptr;
  const Index outputs = problem.outputs();
  if (!point || !point->rows || point->rows->alo.size() != problem.rows() * outputs) return influences;
  const RowValues& rows = *point->rows;
  const Vector residual = held_out_residuals(problem, rows.alo);
  const Matrix shift = by_output(rows.fitted, outputs) - by_output(rows.alo, outputs);
  for (Index i = 0; i < problem.rows(); ++i) {
    RowInfluence influence;
    influence.row = i;
    influence.leverage = i < rows.leverage.size() ? rows.leverage[i] : 0.0;
    influence.defined = shift.row(i).allFinite() && std::isfinite(residual[i]);
    influence.residual = influence.defined ? residual[i] : 0.0;
    if (influence.defined) influence.shift = outputs == 1 ? shift(i, 0) : shift.row(i).norm();
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
