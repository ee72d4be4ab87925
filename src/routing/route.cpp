// SPDX-License-Identifier: MIT
// The one place that decides which method owns a problem.
#include <array>

#include <fmt/format.h>

#include "alo/error.hpp"
#include "problem/signal.hpp"
#include "solvers/generalized_lasso/methods.hpp"
#include "solvers/kinked/methods.hpp"
#include "solvers/method.hpp"
#include "solvers/proximal/methods.hpp"
#include "solvers/quadratic/methods.hpp"
#include "solvers/smooth/methods.hpp"

namespace alo {

namespace {

template <class AMethod>
const Method* the() {
  static const AMethod method;
  return &method;
}

// The table of methods from the special to the general: the first that suits a problem owns it.
const auto& methods() {
  static const std::array table = {
      // The generalised lasso.
      the<SignalMethod>(),
      the<ProximalSignalMethod>(),
      the<LassoCoordinatesMethod>(),
      the<TermsMethod>(),
      // Other penalties that are not separable.
      the<CompletionMethod>(),
      the<MatrixMethod>(),
      the<PatternMethod>(),
      // Separable penalties: losses with kinks, smooth ones, the squared loss.
      the<KernelMethod>(),
      the<TallMethod>(),
      the<AugmentedLagrangianMethod>(),
      the<RowSpaceMethod>(),
      the<NewtonMethod>(),
      the<SpectralRidgeMethod>(),
      the<LassoHomotopyMethod>(),
      the<ActiveSetMethod>(),
  };
  return table;
}

// Why no method for a penalty that is not separable takes this loss, and what to do.
std::string missing_method(const Loss& loss, const Penalty& penalty) {
  if (penalty.analysis() != nullptr) {
    return "its terms depend on each other, as the differences around a cycle of a graph do, and such terms "
           "take losses without kinks; with a chain, a tree, or any matrix of independent rows it takes this "
           "one too";
  }
  if (loss.outputs() > 1) {
    return "it takes losses with one prediction per row; with several classes choose ridge, lasso or "
           "elastic-net, or one class against the others";
  }
  if (loss.response_kind() == ResponseKind::two_classes) {
    return "it takes losses without kinks, as logistic and squared-hinge; ridge takes this one";
  }
  return "it takes losses without kinks, as squared and huber; ridge takes this one";
}

void check_signal_length(const Problem& problem, const Method& method) {
  const Index longest = method.longest_signal();
  if (problem.rows() <= longest) return;
  if (signal_operator(problem) == nullptr) return;
  throw InvalidArgument(
      fmt::format(
          "a signal of {} rows is too long for {} loss with a {} penalty, which takes {} at most "
          "here; of any length are fused-lasso without a sparse part and trend-filter, and with the "
          "squared loss, equal weights and no rows taken out by folds also wavelet and a sparse part; "
          "else take means of neighbouring rows",
          problem.rows(), problem.loss().name(), problem.penalty().name(), longest),
      {{Setting::sparse}, {Setting::folds}});
}

}  // namespace

const Method& route(const Problem& problem, const Vector& weights) {
  for (const Method* method : methods()) {
    if (!method->suits(problem, weights)) continue;
    check_signal_length(problem, *method);
    return *method;
  }
  throw InvalidArgument(fmt::format("there is no solver for {} loss with a {} penalty: {}",
                                    problem.loss().name(), problem.penalty().name(),
                                    missing_method(problem.loss(), problem.penalty())));
}

const Method& route(const Problem& problem) {
  return route(problem, problem.data().weights);
}

}  // namespace alo
