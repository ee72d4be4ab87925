// SPDX-License-Identifier: MIT
#include "summary/words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "problem/signal.hpp"
#include "summary/format.hpp"
#include "summary/matrix.hpp"
#include "summary/parts.hpp"

namespace alo::report {

std::string_view rule_name(Rule rule) {
  return rule == Rule::minimum ? "min" : rule == Rule::one_se ? "1se" : "1se-paired";
}

std::string_view choose_name(ChooseBy choose) {
  switch (choose) {
    case ChooseBy::automatic:
      return "auto";
    case ChooseBy::alo:
      return "alo";
    case ChooseBy::exact:
      return "exact";
    case ChooseBy::kfold:
      return "kfold";
  }
  return "";
}

std::string_view search_name(Search search) {
  return search == Search::grid ? "grid" : "exact";
}

std::string_view metric_words(Metric metric) {
  switch (metric) {
    case Metric::mse:
      return "mean squared error";
    case Metric::mae:
      return "mean absolute error";
    case Metric::r2:
      return "R\u00b2";
    case Metric::deviance:
      return "mean deviance";
    case Metric::logloss:
      return "log loss";
    case Metric::misclassification:
      return "misclassification rate";
    case Metric::brier:
      return "Brier score";
    case Metric::auc:
      return "AUC";
    case Metric::auc_recentred:
      return "AUC (intercepts re-centred)";
    case Metric::hinge:
      return "hinge loss";
    case Metric::huber:
      return "Huber loss";
    case Metric::pinball:
      return "pinball loss";
    case Metric::epsilon_insensitive:
      return "\u03b5-insensitive loss";
  }
  return to_string(metric);
}

std::string model_words(const Problem& problem) {
  return fmt::format("{} with {} loss{}", problem.penalty().name(), problem.loss().name(),
                     has_coefficients(problem) ? "" : " and " + describe(problem.data().kernel->kernel));
}

std::string size_words(const Problem& problem, std::string_view times) {
  if (is_signal(problem)) return fmt::format("a signal of {} rows", problem.rows());
  const auto counted = [](Index count, std::string_view one) {
    return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
  };
  const auto& kernel = problem.data().kernel;
  const Index columns = kernel ? kernel->columns.columns() : problem.columns();
  const auto shape = matrix_shape(problem);
  const auto& source = problem.data().matrix;
  if (source && source->kind == MatrixRows::entries && shape) {
    return fmt::format("{} of the entries of a {} {} {} matrix", problem.rows(), shape->rows, times,
                       shape->columns);
  }
  return fmt::format("{} {} {}{}", counted(problem.rows(), "row"), times, counted(columns, "column"),
                     shape ? fmt::format(", a {} {} {} matrix", shape->rows, times, shape->columns) : "");
}

std::string count_words(Index nonzero, Index terms) {
  return fmt::format("{} of {} coefficient{} {} not zero", nonzero, terms, terms == 1 ? "" : "s",
                     nonzero == 1 ? "is" : "are");
}

bool has_coefficients(const Problem& problem) {
  return !problem.data().kernel.has_value();
}

Index support_rows(const Fit& fit) {
  return (fit.subgradient.array() != 0.0).count();
}

std::vector<std::string> data_columns(const Problem& problem) {
  const Dataset& data = problem.data();
  if (data.kernel) return data.kernel->column_names;
  if (!data.matrix) return data.column_names;
  std::vector<std::string> names;
  names.reserve(static_cast<std::size_t>(data.columns()));
  for (Index j = 0; j < data.columns(); ++j) names.push_back(data.column_name(j));
  return names;
}

bool is_standardized(const Problem& problem) {
  const auto& kernel = problem.data().kernel;
  return problem.standardize() || (kernel && kernel->columns.scale().size() > 0);
}

std::string count_words(const Problem& problem, const PathPoint& point) {
  if (is_signal(problem)) {
    const std::string degrees = readable_short(point.degrees_of_freedom, 4);
    return fmt::format("its {} values have {} degree{} of freedom", problem.rows(), degrees,
                       degrees == "1" ? "" : "s");
  }
  if (const auto shape = matrix_shape(problem)) {
    return fmt::format("the {} x {} matrix of coefficients has rank {}", shape->rows, shape->columns,
                       singular_values(problem, point.fit).size());
  }
  if (has_coefficients(problem)) {
    const auto parts = parts_of(problem, point.fit);
    return count_words(point.nonzero, term_count(problem)) +
           (parts && point.nonzero > 0 ? ", " + parts->words : "");
  }
  const Index support = support_rows(point.fit);
  return fmt::format("{} of {} rows {}", support, problem.rows(),
                     support == 1 ? "is a support vector" : "are support vectors");
}

const RiskCurve* choosing_curve(const TuneResult& result) {
  return result.risk.empty() ? nullptr : &result.risk.front();
}

bool is_proved(const std::optional<Selected>& selected) {
  return selected && !selected->exact.empty() && selected->exact.front().mean;
}

const Estimate& best_risk(const Selected& selected) {
  const bool known = !selected.exact.empty() && selected.exact.front().mean;
  return known ? selected.exact.front() : selected.choice.risk;
}

bool has_better_than_alo(const RiskCurve& curve) {
  for (std::size_t k = 0; k < curve.estimate.size(); ++k) {
    if (curve.estimate[k].mean != curve.alo[k].mean) return true;
  }
  return false;
}

bool has_kinds(const RiskCurve& curve) {
  return std::any_of(curve.estimate.begin(), curve.estimate.end(), [&](const BestEstimate& estimate) {
    return estimate.kind != curve.estimate.front().kind;
  });
}

bool same_choice(const TuneResult& result) {
  return result.minimum && result.one_se && result.minimum->choice.lambda == result.one_se->choice.lambda;
}

WorstCertificate worst_certificate(const TuneResult& result) {
  WorstCertificate worst;
  for (const PathPoint& point : result.path) {
    const Certificate& certificate = point.fit.certificate;
    if (certificate.gap) {
      worst.gap = std::max(worst.gap, *certificate.gap);
      worst.has_gap = true;
    }
    worst.kkt = std::max(worst.kkt, certificate.kkt);
    worst.missed += is_certified(point.fit.status) ? 0 : 1;
  }
  return worst;
}

std::vector<std::string> class_labels(const Problem& problem) {
  if (!problem.data().classes.empty()) return problem.data().classes;
  std::vector<std::string> labels;
  switch (problem.loss().response_kind()) {
    case ResponseKind::number:
      break;
    case ResponseKind::two_classes:
      labels = {"-1", "+1"};
      break;
    case ResponseKind::classes:
      for (Index k = 0; k < problem.outputs(); ++k) labels.push_back(std::to_string(k));
  }
  return labels;
}

Index class_of(const Problem& problem, Index row) {
  const double response = problem.data().response[row];
  if (problem.loss().response_kind() == ResponseKind::two_classes) return response > 0 ? 1 : 0;
  return static_cast<Index>(response);
}

Index term_count(const Problem& problem) {
  return problem.columns() * problem.outputs();
}

std::string term_name(const Problem& problem, Index term) {
  std::string column = problem.data().column_name(term % problem.columns());
  if (problem.outputs() == 1) return column;
  return fmt::format("{} ({})", column,
                     class_labels(problem)[static_cast<std::size_t>(term / problem.columns())]);
}

double scaled_coefficient(const Problem& problem, const Fit& fit, Index term) {
  return fit.coefficients[term] * (problem.standardize() ? problem.scale()[term % problem.columns()] : 1.0);
}

bool is_signal(const Problem& problem) {
  return problem.loss().response_kind() == ResponseKind::number && !problem.data().kernel &&
         !matrix_shape(problem) && is_identity(problem.data().design);
}

std::string method_words(const Fit& fit) {
  return fit.attempt == 1 ? fit.method : fmt::format("{}, attempt {}", fit.method, fit.attempt);
}

std::string attempts_sentence(const TuneResult& result) {
  const auto again = std::count_if(result.path.begin(), result.path.end(),
                                   [](const PathPoint& point) { return point.fit.attempt > 1; });
  if (again == 0) return "";
  return fmt::format("{} of {} fits missed the certificate at first and {} found in another way.", again,
                     result.path.size(), again == 1 ? "was" : "were");
}

std::string say(const Message& message, const Wording& wording) {
  return wording ? wording(message) : message.text;
}

std::vector<std::string> say_all(const std::vector<Message>& messages, const Wording& wording) {
  std::vector<std::string> sentences;
  for (const Message& message : messages) sentences.push_back(say(message, wording));
  return sentences;
}

}  // namespace alo::report
