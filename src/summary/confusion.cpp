// SPDX-License-Identifier: MIT
#include "summary/confusion.hpp"

#include "alo/classes.hpp"
#include "summary/words.hpp"

namespace alo::report {
std::optional<Confusion> find_confusion(const Problem& problem, const std::optional<Selected>& selected) {
  const ResponseKind kind = problem.loss().response_kind();
  if (kind == ResponseKind::number || !selected || !selected->point.rows) return std::nullopt;
  const RowValues& rows = *selected->point.rows;
  const Index size = problem.rows() * problem.outputs();
  const bool exact = rows.exact.size() == size && rows.exact.allFinite();
  if (!exact && rows.alo.size() != size) return std::nullopt;
  Confusion confusion;
  confusion.exact = exact;
  const auto labels = static_cast<Index>(class_labels(problem).size());
  confusion.counts.setZero(labels, labels);
  const std::vector<Index> predicted =
      predicted_classes(kind, exact ? rows.exact : rows.alo, problem.outputs());
  const Dataset& data = problem.data();
  for (Index i = 0; i < problem.rows(); ++i) {
    if (!(data.weights[i] > 0)) continue;
    const Index copies = data.weight_kind == WeightKind::frequency ? static_cast<Index>(data.weights[i]) : 1;
    const Index found = predicted[static_cast<std::size_t>(i)];
    if (found < 0) {
      confusion.undefined += copies;
    } else {
      confusion.counts(class_of(problem, i), found) += copies;
    }
  }
  return confusion;
}

}  // namespace alo::report
