// SPDX-License-Identifier: MIT
#include "problem/signal.hpp"

#include <algorithm>
#include <cmath>

namespace alo {

bool is_identity(const Design& design) {
  const bool centered = design.center().size() > 0 && !design.center().isZero(0.0);
  const bool scaled = design.scale().size() > 0 && !(design.scale().array() == 1.0).all();
  if (design.rows() != design.columns() || centered || scaled) return false;
  if (!design.is_sparse()) {
    for (Index j = 0; j < design.columns(); ++j) {
      if (design.dense_values().col(j) != Vector::Unit(design.rows(), j)) return false;
    }
    return true;
  }
  const SparseMap& values = design.sparse_values();
  for (Index j = 0; j < values.cols(); ++j) {
    const SparseMap::InnerIterator entry(values, j);
    if (!entry || entry.row() != j || entry.value() != 1.0) return false;
  }
  return design.stored_entries() == design.rows();
}

const AnalysisOperator* signal_operator(const Problem& problem) {
  const AnalysisOperator* analysis = problem.penalty().analysis();
  return analysis != nullptr && is_identity(problem.design()) ? analysis : nullptr;
}

PredictionRanges signal_ranges(const Problem& problem, const Vector& predictor) {
  const AnalysisOperator* analysis = signal_operator(problem);
  if (analysis == nullptr || problem.outputs() > 1) return {};
  PredictionRanges ranges{predictor, predictor};
  const Vector& offset = problem.data().offset;
  const auto best = analysis->all_best_values(predictor - offset);
  for (Index i = 0; i < problem.rows(); ++i) {
    const auto [low, high] = best[static_cast<std::size_t>(i)];
    if (!std::isfinite(low) || !std::isfinite(high)) continue;
    ranges.low[i] = std::min(ranges.low[i], offset[i] + low);
    ranges.high[i] = std::max(ranges.high[i], offset[i] + high);
  }
  return ranges;
}

}  // namespace alo
