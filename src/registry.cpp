// SPDX-License-Identifier: MIT
#include "alo/registry.hpp"

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
#include "alo/penalties/elastic_net.hpp"
#include "alo/penalties/frobenius.hpp"
#include "alo/penalties/generalized_lasso.hpp"
#include "alo/penalties/group_lasso.hpp"
#include "alo/penalties/lasso.hpp"
#include "alo/penalties/nuclear.hpp"
#include "alo/penalties/ridge.hpp"
#include "alo/penalties/schatten.hpp"
#include "alo/penalties/slope.hpp"
#include "alo/penalties/sparse_group_lasso.hpp"

namespace alo {

namespace {

enum class LossParameter { none, delta, quantile, epsilon, classes };

struct LossEntry {
  ModelEntry entry;
  ResponseKind kind;
  std::vector<Metric> metrics;  // that fit it, the default first
  LossParameter parameter;
  Loss (*make)(const ModelParameters&);
};

struct PenaltyEntry {
  ModelEntry entry;
  Penalty (*make)(const ModelParameters&);
};

double needed_delta(const ModelParameters& given, std::string_view loss) {
  if (!given.delta) {
    throw InvalidArgument(fmt::format(
        "the {} loss needs its delta, the residual up to which rows count by their square", loss));
  }
  return *given.delta;
}

Index needed_columns(const ModelParameters& given, std::string_view penalty) {
  if (given.columns > 0) return given.columns;
  throw InvalidArgument(fmt::format("the {} penalty needs the number of coefficients", penalty));
}

const std::vector<Index>& needed_groups(const ModelParameters& given, std::string_view penalty) {
  if (!given.groups.empty()) return given.groups;
  throw InvalidArgument(fmt::format("the {} penalty needs the group of every coefficient", penalty));
}

MatrixShape needed_shape(const ModelParameters& given, std::string_view penalty) {
  if (given.shape) return *given.shape;
  throw InvalidArgument(fmt::format("the {} penalty needs the shape of the matrix of coefficients", penalty));
}

// One factor per group, from one per coefficient.
Vector group_factors(const std::vector<Index>& groups, const Vector& weights) {
  const auto count = static_cast<Index>(groups.size());
  if (weights.size() == 0) return {};
  if (weights.size() != count) {
    throw InvalidData(fmt::format("there are {} penalty weights for {} coefficients", weights.size(), count));
  }
  Vector factors(*std::max_element(groups.begin(), groups.end()) + 1);
  std::vector<Index> first(static_cast<std::size_t>(factors.size()), -1);
  for (Index j = 0; j < count; ++j) {
    const Index group = groups[static_cast<std::size_t>(j)];
    Index& member = first[static_cast<std::size_t>(group)];
    if (member < 0) {
      member = j;
      factors[group] = weights[j];
    } else if (weights[j] != factors[group]) {
      throw InvalidData(fmt::format(
          "coefficients {} and {} are in one group but have penalty weights {} and {}; a group has one",
          member + 1, j + 1, factors[group], weights[j]));
    }
  }
  return factors;
}

Vector slope_sequence(const ModelParameters& given) {
  if (given.penalty_weights.size() > 0) return given.penalty_weights;
  const Index columns = needed_columns(given, "slope");
  const double q = given.slope_q.value_or(default_slope_q(given.slope_shape, columns));
  switch (given.slope_shape) {
    case SlopeShape::benjamini_hochberg:
      break;
    case SlopeShape::oscar:
      return oscar_sequence(columns, q);
    case SlopeShape::linear:
      return linear_sequence(columns, q);
  }
  return benjamini_hochberg_sequence(columns, q);
}

constexpr double default_quantile = 0.5;
constexpr double default_epsilon = 0.1;

// The one table of models that every front end reads.
const std::vector<LossEntry>& loss_table() {
  static const std::vector<Metric> of_numbers = {Metric::mse, Metric::mae, Metric::r2};
  static const std::vector<Metric> of_means = {Metric::deviance, Metric::mse, Metric::mae, Metric::r2};
  static const std::vector<Metric> of_residuals = {Metric::huber, Metric::mae, Metric::mse, Metric::r2};
  static const std::vector<Metric> of_medians = {Metric::mae, Metric::mse, Metric::r2};
  static const std::vector<Metric> of_quantiles = {Metric::pinball, Metric::mae};
  static const std::vector<Metric> of_tubes = {Metric::epsilon_insensitive, Metric::mae, Metric::mse,
                                               Metric::r2};
  static const std::vector<Metric> of_probabilities = {
      Metric::deviance,      Metric::logloss, Metric::misclassification, Metric::brier, Metric::auc,
      Metric::auc_recentred, Metric::hinge};
  static const std::vector<Metric> of_many_probabilities = {Metric::deviance, Metric::logloss,
                                                            Metric::misclassification, Metric::brier};
  // No likelihood, so no deviance; the share of wrong classes is a step function of the fit, too coarse
  // to choose lambda by; the hinge is the metric nearest to what is minimised.
  static const std::vector<Metric> of_margins = {Metric::hinge, Metric::misclassification, Metric::auc,
                                                 Metric::auc_recentred};
  static const std::vector<LossEntry> table = {
      {{"squared", "half the squared residual; for a numeric response", true},
       ResponseKind::number,
       of_numbers,
       LossParameter::none,
       [](const ModelParameters&) { return Loss(SquaredLoss{}); }},
      {{"logistic", "log(1 + exp(-y u)); for two classes", true},
       ResponseKind::two_classes,
       of_probabilities,
       LossParameter::none,
       [](const ModelParameters&) { return Loss(LogisticLoss{}); }},
      {{"poisson", "exp(u) - y u; for counts, with a log link", true},
       ResponseKind::number,
       of_means,
       LossParameter::none,
       [](const ModelParameters&) { return Loss(PoissonLoss{}); }},
      {{"huber", "squared up to --delta, then linear; for a numeric response with outliers", true},
       ResponseKind::number,
       of_residuals,
       LossParameter::delta,
       [](const ModelParameters& given) { return Loss(HuberLoss(needed_delta(given, "huber"))); }},
      {{"pseudo-huber", "huber with a smooth bend at --delta", true},
       ResponseKind::number,
       of_residuals,
       LossParameter::delta,
       [](const ModelParameters& given) {
         return Loss(PseudoHuberLoss(needed_delta(given, "pseudo-huber")));
       }},
      {{"squared-hinge", "max(0, 1 - y u)^2 / 2; for two classes, a smooth support vector machine", true},
       ResponseKind::two_classes,
       of_margins,
       LossParameter::none,
       [](const ModelParameters&) { return Loss(SquaredHingeLoss{}); }},
      {{"gamma", "u + y exp(-u); for positive numbers, with a log link", true},
       ResponseKind::number,
       of_means,
       LossParameter::none,
       [](const ModelParameters&) { return Loss(GammaLoss{}); }},
      {{"probit", "-log Phi(y u), Phi the normal distribution; for two classes", true},
       ResponseKind::two_classes,
       of_probabilities,
       LossParameter::none,
       [](const ModelParameters&) { return Loss(ProbitLoss{}); }},
      {{"hinge", "max(0, 1 - y u); for two classes, the support vector machine", true},
       ResponseKind::two_classes,
       of_margins,
       LossParameter::none,
       [](const ModelParameters&) { return Loss(HingeLoss{}); }},
      {{"absolute", "the size of the residual; for a numeric response, its median", true},
       ResponseKind::number,
       of_medians,
       LossParameter::none,
       [](const ModelParameters&) { return Loss(AbsoluteLoss{}); }},
      {{"quantile", "the size of the residual, one side weighted more; for the --quantile of a number", true},
       ResponseKind::number,
       of_quantiles,
       LossParameter::quantile,
       [](const ModelParameters& given) {
         return Loss(QuantileLoss(given.quantile.value_or(default_quantile)));
       }},
      {{"epsilon-insensitive", "max(0, |y - u| - epsilon); for a number, support vector regression", true},
       ResponseKind::number,
       of_tubes,
       LossParameter::epsilon,
       [](const ModelParameters& given) {
         return Loss(EpsilonInsensitiveLoss(given.epsilon.value_or(default_epsilon)));
       }},
      {{"multinomial", "log of the sum of exp(u_k), minus u of the class; for more than two classes", true},
       ResponseKind::classes,
       of_many_probabilities,
       LossParameter::classes,
       [](const ModelParameters& given) { return Loss(MultinomialLoss(given.classes)); }},
  };
  return table;
}

const std::vector<PenaltyEntry>& penalty_table() {
  static const std::vector<PenaltyEntry> table = {
      {{"ridge", "half the sum of squared coefficients", true},
       [](const ModelParameters& given) { return Penalty(Ridge(given.penalty_weights)); }},
      {{"lasso", "sum of absolute coefficients; many become exactly zero", true},
       [](const ModelParameters& given) { return Penalty(Lasso(given.penalty_weights)); }},
      {{"elastic-net", "a mix of lasso and ridge (--mix), or a lasso with a fixed ridge part (--ridge)",
        true},
       [](const ModelParameters& given) {
         return Penalty(given.ridge ? ElasticNet::with_fixed_ridge(*given.ridge, given.penalty_weights)
                                    : ElasticNet(given.mix, given.penalty_weights));
       }},
      {{"generalized-lasso", "sum of absolute values of D b, D the --penalty-matrix", false},
       [](const ModelParameters& given) {
         if (given.penalty_matrix.cols() == 0) {
           throw InvalidArgument("the generalized-lasso penalty needs its matrix");
         }
         return Penalty(GeneralizedLasso::recognize(given.penalty_matrix));
       }},
      {{"fused-lasso", "sum of absolute differences of neighbours; coefficients are constant in blocks",
        false},
       [](const ModelParameters& given) {
         const Index columns = needed_columns(given, "fused-lasso");
         if (!given.edges && given.sparse == 0.0) {
           return Penalty(GeneralizedLasso::differences(columns, 1, "fused-lasso"));
         }
         return Penalty(GeneralizedLasso::on_graph(
             columns, given.edges ? *given.edges : edges_of_grid(1, columns), given.sparse));
       }},
      {{"trend-filter", "absolute differences of order --order; coefficients are polynomials in pieces",
        false},
       [](const ModelParameters& given) {
         const Index columns = needed_columns(given, "trend-filter");
         return Penalty(GeneralizedLasso::differences(columns, given.order, "trend-filter"));
       }},
      {{"wavelet", "sum of absolute Haar details: differences between means of neighbouring intervals",
        false},
       [](const ModelParameters& given) {
         return Penalty(GeneralizedLasso::haar(needed_columns(given, "wavelet")));
       }},
      {{"group-lasso", "sizes of --groups of coefficients; groups become zero as one", true},
       [](const ModelParameters& given) {
         const std::vector<Index>& groups = needed_groups(given, "group-lasso");
         return Penalty(GroupLasso(groups, group_factors(groups, given.penalty_weights)));
       }},
      {{"sparse-group-lasso", "a mix (--mix) of lasso and group-lasso: few groups, few coefficients in each",
        true},
       [](const ModelParameters& given) {
         const std::vector<Index>& groups = needed_groups(given, "sparse-group-lasso");
         return Penalty(SparseGroupLasso(groups, given.mix, group_factors(groups, given.penalty_weights)));
       }},
      {{"slope", "absolute coefficients, the larger ones weighted more; correlated ones become equal", true},
       [](const ModelParameters& given) { return Penalty(Slope(slope_sequence(given))); }},
      {{"nuclear", "sum of the singular values of the matrix of coefficients (--shape); fits of low rank",
        false},
       [](const ModelParameters& given) { return Penalty(NuclearNorm(needed_shape(given, "nuclear"))); }},
      {{"schatten", "the nuclear norm, rounded off near zero over a length --smoothing", false},
       [](const ModelParameters& given) {
         if (!given.smoothing) throw InvalidArgument("the schatten penalty needs its smoothing");
         return Penalty(Schatten(needed_shape(given, "schatten"), *given.smoothing));
       }},
      {{"frobenius", "half the sum of squares of the matrix of coefficients (--shape): the ridge penalty",
        false},
       [](const ModelParameters& given) { return Penalty(Frobenius(needed_shape(given, "frobenius"))); }},
  };
  return table;
}

template <class Table>
const typename Table::value_type& find(const Table& table, std::string_view kind, std::string_view name) {
  std::vector<std::string> known;
  for (const auto& row : table) {
    if (row.entry.name == name) return row;
    known.push_back(row.entry.name);
  }
  const auto near = nearest_name(name, known);
  throw InvalidArgument(fmt::format("there is no {} called '{}' in this version{}; available: {}", kind, name,
                                    near ? fmt::format(" (did you mean '{}'?)", *near) : "",
                                    fmt::join(known, ", ")));
}

// Insertions, deletions, substitutions and swaps of neighbours that turn one word into the other.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        cost[i][j] = i + j;
        continue;
      }
      const std::size_t substitute = cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, substitute});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  }
  return cost[a.size()][b.size()];
}

template <class Table>
std::vector<ModelEntry> entries(const Table& table) {
  std::vector<ModelEntry> result;
  for (const auto& row : table) result.push_back(row.entry);
  return result;
}

}  // namespace

const std::vector<ModelEntry>& losses() {
  static const std::vector<ModelEntry> result = entries(loss_table());
  return result;
}

const std::vector<ModelEntry>& penalties() {
  static const std::vector<ModelEntry> result = entries(penalty_table());
  return result;
}

double default_slope_q(SlopeShape shape, Index columns) {
  switch (shape) {
    case SlopeShape::benjamini_hochberg:
      break;
    case SlopeShape::oscar:
      return 1.0 / static_cast<double>(std::max<Index>(1, columns));
    case SlopeShape::linear:
      return 0.5;
  }
  return 0.1;
}

const ModelEntry& penalty_entry(std::string_view name) {
  return find(penalty_table(), "penalty", name).entry;
}

Loss make_loss(std::string_view name, const ModelParameters& parameters) {
  return find(loss_table(), "loss", name).make(parameters);
}

Penalty make_penalty(std::string_view name, const ModelParameters& parameters) {
  return find(penalty_table(), "penalty", name).make(parameters);
}

ResponseKind response_kind(std::string_view loss) {
  return find(loss_table(), "loss", loss).kind;
}

ModelParameters with_defaults(std::string_view loss, ModelParameters parameters, const Dataset& data) {
  switch (find(loss_table(), "loss", loss).parameter) {
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
  return find(loss_table(), "loss", loss).metrics.front();
}

Metric make_metric(std::string_view name) {
  std::vector<std::string> known;
  for (const Metric metric : all_metrics) {
    if (to_string(metric) == name) return metric;
    known.emplace_back(to_string(metric));
  }
  const auto near = nearest_name(name, known);
  throw InvalidArgument(fmt::format("there is no metric called '{}' in this version{}; available: {}", name,
                                    near ? fmt::format(" (did you mean '{}'?)", *near) : "",
                                    fmt::join(known, ", ")));
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

std::optional<std::string> nearest_name(std::string_view word, const std::vector<std::string>& known) {
  const std::string* best = nullptr;
  std::size_t best_distance = 1 + std::max<std::size_t>(1, word.size() / 3);
  for (const std::string& name : known) {
    const bool begins = word.size() >= 3 && name.starts_with(word);
    const std::size_t distance = begins ? 1 : edit_distance(word, name);
    if (distance < best_distance) {
      best = &name;
      best_distance = distance;
    }
  }
  return best == nullptr ? std::nullopt : std::optional(*best);
}

}  // namespace alo
