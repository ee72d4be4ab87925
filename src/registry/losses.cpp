// SPDX-License-Identifier: MIT
// The one table of losses that every front end reads, with the metrics that fit them.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "alo/error.hpp"
#include "alo/losses/absolute.hpp"
#include "alo/losses/epsilon_insensitive.hpp"
#include "alo/losses/gamma.hpp"
#include "alo/losses/hinge.hpp"
#include "alo/losses/huber.hpp"
#include "alo/losses/logistic.hpp"
#include "alo/losses/multinomial.hpp"
#include "alo/losses/poisson.hpp"
#include "alo/losses/probit.hpp"
#include "alo/losses/pseudo_huber.hpp"
#include "alo/losses/quantile.hpp"
#include "alo/losses/squared.hpp"
#include "alo/losses/squared_hinge.hpp"
#include "registry/table.hpp"

namespace alo {

namespace {

enum class LossParameter { none, delta, quantile, epsilon, classes };

struct LossEntry {
  ModelEntry entry;
  ResponseKind kind;
  std::vector<Metric> metrics;  // those that fit the loss, the default first
  LossParameter parameter;
  Loss (*make)(const ModelParameters&);
};

// The median, and the tube of scikit-learn's SVR (epsilon 0.1 in units of the response). Both are
// conventions: the user should choose epsilon by the noise of the response.
constexpr double default_quantile = 0.5;
constexpr double default_epsilon = 0.1;

template <class Model>
Loss plain(const ModelParameters&) {
  return Loss(Model{});
}
template <class Model>
Loss with_delta(const ModelParameters& given) {
  if (!given.delta) {
    throw InvalidArgument(
        fmt::format("the {} loss needs its delta, the residual up to which rows count by their square",
                    Model(1.0).name()));
  }
  return Loss(Model(*given.delta));
}

// The metrics that fit a kind of loss, the default first.
struct MetricLists {
  std::vector<Metric> of_numbers = {Metric::mse, Metric::mae, Metric::r2};
  std::vector<Metric> of_means = {Metric::deviance, Metric::mse, Metric::mae, Metric::r2};
  std::vector<Metric> of_residuals = {Metric::huber, Metric::mae, Metric::mse, Metric::r2};
  std::vector<Metric> of_medians = {Metric::mae, Metric::mse, Metric::r2};
  std::vector<Metric> of_quantiles = {Metric::pinball, Metric::mae};
  std::vector<Metric> of_tubes = {Metric::epsilon_insensitive, Metric::mae, Metric::mse, Metric::r2};
  std::vector<Metric> of_probabilities = {Metric::deviance, Metric::logloss, Metric::misclassification,
                                          Metric::brier,    Metric::auc,     Metric::auc_recentred,
                                          Metric::hinge};
  std::vector<Metric> of_many_probabilities = {Metric::deviance, Metric::logloss, Metric::misclassification,
                                               Metric::brier};
  // A loss of margins is not a likelihood, so that it has no deviance. The misclassification rate is a step
  // function of the fit, too coarse to choose lambda by. The hinge is the metric nearest to what is
  // minimised.
  std::vector<Metric> of_margins = {Metric::hinge, Metric::misclassification, Metric::auc,
                                    Metric::auc_recentred};
};

LossEntry row(const char* name, const char* help, ResponseKind kind, std::vector<Metric> metrics,
              Loss (*make)(const ModelParameters&), LossParameter parameter = LossParameter::none) {
  return {{name, help, true}, kind, std::move(metrics), parameter, make};
}

const std::vector<LossEntry>& loss_table() {
  static const MetricLists fitting;
  static const std::vector<LossEntry> table = {
      row("squared", "half the squared residual; for a numeric response", ResponseKind::number,
          fitting.of_numbers, plain<SquaredLoss>),
      row("logistic", "log(1 + exp(-y u)); for two classes", ResponseKind::two_classes,
          fitting.of_probabilities, plain<LogisticLoss>),
      row("poisson", "exp(u) - y u; for counts, with a log link", ResponseKind::number, fitting.of_means,
          plain<PoissonLoss>),
      row("huber", "squared up to a residual of delta, then linear; for a numeric response with outliers",
          ResponseKind::number, fitting.of_residuals, with_delta<HuberLoss>, LossParameter::delta),
      row("pseudo-huber", "huber with a smooth bend at delta", ResponseKind::number, fitting.of_residuals,
          with_delta<PseudoHuberLoss>, LossParameter::delta),
      row("squared-hinge", "max(0, 1 - y u)^2 / 2; for two classes, a smooth support vector machine",
          ResponseKind::two_classes, fitting.of_margins, plain<SquaredHingeLoss>),
      row("gamma", "u + y exp(-u); for positive numbers, with a log link", ResponseKind::number,
          fitting.of_means, plain<GammaLoss>),
      row("probit", "-log Phi(y u), Phi the normal distribution; for two classes", ResponseKind::two_classes,
          fitting.of_probabilities, plain<ProbitLoss>),
      row("hinge", "max(0, 1 - y u); for two classes, the support vector machine", ResponseKind::two_classes,
          fitting.of_margins, plain<HingeLoss>),
      row("absolute", "the size of the residual; for a numeric response, its median", ResponseKind::number,
          fitting.of_medians, plain<AbsoluteLoss>),
      row(
          "quantile", "the size of the residual, one side weighted more; for a quantile of a number",
          ResponseKind::number, fitting.of_quantiles,
          [](const ModelParameters& given) {
            return Loss(QuantileLoss(given.quantile.value_or(default_quantile)));
          },
          LossParameter::quantile),
      row(
          "epsilon-insensitive", "max(0, |y - u| - epsilon); for a number, support vector regression",
          ResponseKind::number, fitting.of_tubes,
          [](const ModelParameters& given) {
            return Loss(EpsilonInsensitiveLoss(given.epsilon.value_or(default_epsilon)));
          },
          LossParameter::epsilon),
      row(
          "multinomial", "log of the sum of exp(u_k), minus u of the class; for more than two classes",
          ResponseKind::classes, fitting.of_many_probabilities,
          [](const ModelParameters& given) { return Loss(MultinomialLoss(given.classes)); },
          LossParameter::classes),
  };
  return table;
}

}  // namespace

const std::vector<ModelEntry>& losses() {
  static const std::vector<ModelEntry> result = entries_of(loss_table());
  return result;
}

Loss make_loss(std::string_view name, const ModelParameters& parameters) {
  return find_row(loss_table(), "loss", name).make(parameters);
}

ResponseKind response_kind(std::string_view loss) {
  return find_row(loss_table(), "loss", loss).kind;
}

ModelParameters with_defaults(std::string_view loss, ModelParameters parameters, const Dataset& data) {
  switch (find_row(loss_table(), "loss", loss).parameter) {
    case LossParameter::none:
      break;
    case LossParameter::delta:
      if (!parameters.delta) parameters.delta = default_delta(data.response, data.weights);
      break;
    case LossParameter::quantile:
      if (!parameters.quantile) parameters.quantile = default_quantile;
      break;
    case LossParameter::epsilon:
      if (!parameters.epsilon) parameters.epsilon = default_epsilon;
      break;
    case LossParameter::classes:
      if (parameters.classes > 0) break;
      parameters.classes = data.classes.empty() ? static_cast<Index>(data.response.maxCoeff()) + 1
                                                : static_cast<Index>(data.classes.size());
      break;
  }
  return parameters;
}

Metric default_metric(std::string_view loss) {
  return find_row(loss_table(), "loss", loss).metrics.front();
}

Metric make_metric(std::string_view name) {
  std::vector<std::string> known;
  for (const Metric metric : all_metrics) {
    if (to_string(metric) == name) return metric;
    known.emplace_back(to_string(metric));
  }
  refuse_name("metric", name, known);
}

std::vector<Metric> metrics_of(const Loss& loss) {
  for (const LossEntry& row : loss_table()) {
    if (row.entry.name == loss.name()) return row.metrics;
  }
  switch (loss.response_kind()) {
    case ResponseKind::number:
      return {Metric::mse, Metric::mae, Metric::r2};
    case ResponseKind::two_classes:
      return {Metric::misclassification, Metric::auc, Metric::auc_recentred, Metric::hinge};
    case ResponseKind::classes:
      return {Metric::misclassification};
  }
  return {};
}

void check_metric(Metric metric, const Loss& loss) {
  const std::vector<Metric> fitting = metrics_of(loss);
  if (std::find(fitting.begin(), fitting.end(), metric) != fitting.end()) return;
  std::vector<std::string_view> names;
  for (const Metric one : fitting) names.push_back(to_string(one));
  throw InvalidArgument(fmt::format("the metric {} does not fit the {} loss; those that do: {}",
                                    to_string(metric), loss.name(), fmt::join(names, ", ")));
}

}  // namespace alo
