// SPDX-License-Identifier: MIT
#include <nlohmann/json.hpp>

#include "alo/model.hpp"

namespace alo {

namespace {

std::string name_of(SlopeShape shape) {
  for (const auto& [name, value] : slope_shapes()) {
    if (value == shape) return name;
  }
  return {};
}

void add_structure(const ModelSettings& settings, const Model& model, nlohmann::json& json) {
  const std::string penalty = model.problem.penalty().name();
  const ModelParameters& parameters = model.parameters;
  if (penalty == "trend-filter") json["order"] = parameters.order;
  if (penalty == "generalized-lasso") json["penalty_rows"] = parameters.penalty_matrix.rows();
  if (settings.grid) json["grid"] = {settings.grid->first, settings.grid->second};
  if (parameters.edges) json["edges"] = parameters.edges->size();
  if (parameters.sparse > 0) json["sparse"] = parameters.sparse;
  if (!parameters.groups.empty()) json["groups"] = parameters.groups;
  if (parameters.slope_q) {
    json["slope_shape"] = name_of(parameters.slope_shape);
    json["slope_q"] = *parameters.slope_q;
  }
  if (const auto& shape = parameters.shape) json["shape"] = {shape->rows, shape->columns};
  if (parameters.smoothing) json["smoothing"] = *parameters.smoothing;
  switch (settings.design) {
    case DesignKind::columns:
      break;
    case DesignKind::identity:
      json["design"] = "identity";
      break;
    case DesignKind::triplets:
      json["design"] = "triplets";
      break;
    case DesignKind::rank_one:
      json["design"] = "rank-one";
  }
}

}  // namespace

std::string parameters_json(const ModelSettings& settings, const Model& model) {
  nlohmann::json json = nlohmann::json::object();
  const std::string penalty = penalty_name(settings);
  if (settings.ridge) {
    json["ridge"] = *settings.ridge;
  } else if (penalty == "elastic-net" || penalty == "sparse-group-lasso") {
    json["mix"] = model.parameters.mix;
  }
  if (model.parameters.delta) json["delta"] = *model.parameters.delta;
  if (model.parameters.quantile) json["quantile"] = *model.parameters.quantile;
  if (model.parameters.epsilon) json["epsilon"] = *model.parameters.epsilon;
  add_structure(settings, model, json);
  if (const auto& source = model.problem.data().kernel) {
    json["kernel"] = to_string(source->kernel.kind);
    if (source->kernel.gamma) json["gamma"] = *source->kernel.gamma;
    if (source->kernel.kind == KernelKind::polynomial) {
      json["degree"] = source->kernel.degree;
      json["coef0"] = source->kernel.coef0;
    }
  }
  const Vector& weights = model.parameters.penalty_weights;
  if (weights.size() > 0) json["penalty_weights"] = std::vector<double>(weights.begin(), weights.end());
  return json.dump();
}

}  // namespace alo
