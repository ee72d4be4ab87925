// SPDX-License-Identifier: MIT
#include "completion/completion_hat.hpp"

#include <algorithm>
#include <limits>

#include "alo/error.hpp"
#include "completion/eliminated_system.hpp"
#include "completion/probed_hat.hpp"

namespace alo {

namespace {

double kept_size(const CompletionData& data, Index rank) {
  return static_cast<double>(std::min(data.rows, data.columns)) * static_cast<double>(rank);
}

CompletionData transposed(CompletionData data) {
  std::swap(data.rows, data.columns);
  std::swap(data.row, data.column);
  return data;
}

CompletionHat exact_hat(const FactoredLoss& loss, const FactoredLoss::Point& point, double lambda) {
  EliminatedSystem system(loss, point, lambda);
  CompletionHat result;
  result.defined = system.invert();
  result.hat = result.defined
                   ? system.hat()
                   : Vector::Constant(loss.entries().size(), std::numeric_limits<double>::quiet_NaN());
  return result;
}

}  // namespace

CompletionHat completion_hat(const CompletionData& data, const Loss& loss, bool intercept,
                             const CompletionFit& fit, const CompletionHatOptions& options) {
  if (options.method == CompletionHatMethod::probes && options.probes < 2) {
    throw InvalidArgument("a standard error takes two probes or more");
  }
  const bool turn = data.columns > data.rows;  // the longer side is eliminated
  const FactoredLoss factored(turn ? transposed(data) : data, loss, intercept);
  const FactoredLoss::Point point =
      factored.at(turn ? fit.v : fit.u, fit.sigma, turn ? fit.u : fit.v, fit.intercept);
  CompletionHat result;
  if (fit.rank() == 0) {
    const double total = intercept ? factored.curvature(point).sum() : 0.0;
    result.hat = Vector::Constant(data.response.size(), total > 0.0 ? 1.0 / total : 0.0);
    return result;
  }
  result = options.method == CompletionHatMethod::exact ? exact_hat(factored, point, fit.lambda)
                                                        : probed_hat(factored, point, fit.lambda, options);
  result.hat = factored.entries().as_given(result.hat);
  return result;
}

double exact_hat_operations(const CompletionData& data, Index rank) {
  const double size = kept_size(data, rank);
  const double entries = static_cast<double>(data.row.size());
  // Every pair of entries in a row takes two products of m x m blocks. The number of pairs is that of rows
  // with equally many entries.
  const double pairs = entries * (entries / static_cast<double>(std::max(data.rows, data.columns)));
  const double block = static_cast<double>(rank) * static_cast<double>(rank);
  return size * size * size + 2.0 * pairs * block * static_cast<double>(rank);
}

double exact_hat_bytes(const CompletionData& data, Index rank) {
  const double size = kept_size(data, rank);
  const double block = static_cast<double>(rank) * static_cast<double>(rank);
  return 8.0 * (size * size + static_cast<double>(data.row.size()) * block);
}

}  // namespace alo
