// SPDX-License-Identifier: MIT
#pragma once

#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "alo/penalties/group_lasso.hpp"
#include "alo/penalties/slope.hpp"
#include "alo/penalties/sparse_group_lasso.hpp"
#include "alo/problem.hpp"
#include "alo/registry.hpp"

namespace alo::golden {

inline Vector to_vector(const nlohmann::json& list) {
  if (list.is_number()) return Vector::Constant(1, list.get<double>());
  const auto values = list.get<std::vector<double>>();
  return Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
}

inline Matrix to_matrix(const nlohmann::json& rows) {
  Matrix matrix(static_cast<Index>(rows.size()), static_cast<Index>(rows.at(0).size()));
  for (Index i = 0; i < matrix.rows(); ++i) matrix.row(i) = to_vector(rows.at(static_cast<std::size_t>(i)));
  return matrix;
}

// A list of numbers, or of rows of K numbers: output after output.
inline Vector by_outputs(const nlohmann::json& list) {
  return list.at(0).is_array() ? Vector(to_matrix(list).reshaped()) : to_vector(list);
}

// The names of the losses that differ.
inline std::string name_of(const std::string& loss) {
  if (loss == "abs") return "absolute";
  if (loss == "pinball") return "quantile";
  if (loss == "svr") return "epsilon-insensitive";
  return loss;
}

// A problem with fit, approximate and exact leave-one-out answers from an independent
// implementation (tests/golden/README.md).
struct Fixture {
  nlohmann::json json;
  double lambda = 0.0;
  Vector beta, alo, loo, fitted, leverage, intercept;

  static bool is_structured(const std::string& penalty) {
    return penalty == "group" || penalty == "slope" || penalty == "nuclear" || penalty == "unitary";
  }
  // Of coefficients that are a matrix.
  Penalty matrix_penalty() const {
    const nlohmann::json& penalty = json.at("penalty");
    const auto shape = json.at("extra").at("shape").get<std::vector<Index>>();
    ModelParameters parameters;
    parameters.shape = MatrixShape{shape.at(0), shape.at(1)};
    if (penalty.at("name") == "nuclear") return make_penalty("nuclear", parameters);
    if (penalty.at("r") == "square") return make_penalty("frobenius", parameters);
    parameters.smoothing = penalty.at("eps");
    return make_penalty("schatten", parameters);
  }
  Penalty structured_penalty() const {
    if (json.at("extra").contains("shape")) return matrix_penalty();
    if (json.at("penalty").at("name") == "slope") {
      return Slope(to_vector(json.at("extra").at("slope_sequence")));
    }
    auto groups = json.at("extra").at("groups").get<std::vector<Index>>();
    if (!json.at("penalty").contains("l1_ratio")) return GroupLasso(std::move(groups));
    return SparseGroupLasso(std::move(groups), json.at("penalty").at("l1_ratio"));
  }

  Problem problem() const {
    Dataset data = make_dataset(Design(to_matrix(json.at("X"))), to_vector(json.at("y")));
    if (!json.at("weights").is_null()) data.weights = to_vector(json.at("weights"));
    ModelParameters parameters;
    if (json.at("extra").is_object() && json.at("extra").contains("penalty_factors")) {
      parameters.penalty_weights = to_vector(json.at("extra").at("penalty_factors"));
    }
    const nlohmann::json& loss = json.at("loss");
    if (loss.contains("delta")) parameters.delta = loss.at("delta");
    if (loss.contains("classes")) parameters.classes = loss.at("classes");
    if (loss.contains("tau")) parameters.quantile = loss.at("tau");
    if (loss.contains("eps")) parameters.epsilon = loss.at("eps");
    std::string penalty = json.at("penalty").at("name");
    if (penalty == "l1") penalty = "lasso";
    if (penalty == "l2") penalty = "ridge";
    if (penalty == "rkhs") {
      penalty = "ridge";
      data = with_kernel(std::move(data),
                         {KernelKind::rbf, json.at("penalty").at("gamma").get<double>(), 3, 0.0});
    }
    if (penalty == "genlasso") {
      penalty = "generalized-lasso";
      parameters.penalty_matrix = to_matrix(json.at("extra").at("D")).sparseView();
    }
    if (penalty == "enet") {
      penalty = "elastic-net";
      parameters.mix = json.at("penalty").at("l1_ratio");
    }
    return {std::move(data),
            make_loss(name_of(loss.at("name")), parameters),
            is_structured(penalty) ? structured_penalty() : make_penalty(penalty, parameters),
            {.intercept = json.at("intercept"), .standardize = false}};
  }
};

inline Fixture load(const std::string& name) {
  std::ifstream file(std::string(ALO_SOURCE_DIR) + "/tests/golden/" + name + ".json");
  if (!file) throw std::runtime_error("no fixture " + name);
  Fixture fixture;
  fixture.json = nlohmann::json::parse(file);
  fixture.lambda = fixture.json.at("lambda");
  // A kernel has no coefficients.
  if (fixture.json.contains("beta")) fixture.beta = by_outputs(fixture.json.at("beta"));
  fixture.alo = by_outputs(fixture.json.at("alo"));
  fixture.loo = by_outputs(fixture.json.at("loo"));
  fixture.fitted = by_outputs(fixture.json.at("fitted"));
  // Several outputs: no one leverage of a row.
  if (fixture.json.contains("leverage")) fixture.leverage = to_vector(fixture.json.at("leverage"));
  fixture.intercept = to_vector(fixture.json.at("b0"));
  return fixture;
}

}  // namespace alo::golden
