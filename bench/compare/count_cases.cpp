// SPDX-License-Identifier: MIT
#include "count_cases.hpp"

#include <algorithm>
#include <cmath>

#include "alo/registry.hpp"
#include "simulate.hpp"

namespace compare {

namespace {

using alo::Index;

// Coefficients in a group of the group lasso.
constexpr Index group_size = 4;
// The rows of a coefficient matrix of a nuclear norm; the columns are the others.
constexpr Index matrix_rows = 6;

struct Models {
  std::string loss;
  std::string penalty;
};
struct Sizes {
  Index rows;
  Index columns;
};

void add(std::vector<CountCase>& cases, const std::vector<Models>& models, const std::vector<Sizes>& sizes) {
  for (const Models& model : models) {
    for (const Sizes& size : sizes) cases.push_back({model.loss, model.penalty, size.rows, size.columns});
  }
}

// The loss whose response simulate_dense() draws.
std::string drawn_loss(const std::string& loss) {
  if (loss == "hinge" || loss == "squared-hinge" || loss == "probit") return "logistic";
  return loss == "logistic" || loss == "poisson" ? loss : "squared";
}

// Three classes of about the same size, by the rank of a response.
alo::Vector classes_of(const alo::Vector& response) {
  alo::Vector sorted = response;
  std::sort(sorted.begin(), sorted.end());
  alo::Vector classes(response.size());
  for (Index i = 0; i < response.size(); ++i) {
    classes[i] = static_cast<double>(response[i] > sorted[response.size() / 3]) +
                 static_cast<double>(response[i] > sorted[2 * response.size() / 3]);
  }
  return classes;
}

// Steps of height one, every tenth of the length, with noise.
alo::Problem make_signal(const CountCase& one) {
  const alo::Dataset noise =
      simulate_dense({.loss = "squared", .rows = one.rows, .columns = 1, .effects = 1}, 0.0);
  alo::Vector response = 0.3 * noise.response;
  for (Index i = 0; i < one.rows; ++i) response[i] += static_cast<double>((10 * i / one.rows) % 3);
  if (drawn_loss(one.loss) == "logistic") {
    for (double& value : response) value = value > 1.0 ? 1.0 : -1.0;
  }
  alo::SparseMatrix identity(one.rows, one.rows);
  identity.setIdentity();
  alo::Dataset data = alo::make_dataset(alo::Design(std::move(identity)), std::move(response));
  alo::ModelParameters parameters;
  parameters.columns = one.rows;
  return {std::move(data),
          alo::make_loss(one.loss, parameters),
          alo::make_penalty(one.penalty, parameters),
          {false, false}};
}

}  // namespace

std::vector<CountCase> count_cases() {
  const std::vector<Sizes> small = {{40, 80}, {40, 40}, {60, 15}, {120, 8}, {100, 400}, {200, 60}};
  const std::vector<Sizes> tiny = {{40, 80}, {40, 40}, {60, 15}, {120, 8}};
  const std::vector<Sizes> middle = {{300, 1000}, {500, 500}, {1000, 100}, {2000, 40}};
  std::vector<CountCase> cases;
  add(cases, {{"squared", "lasso"}, {"squared", "elastic-net"}}, small);
  add(cases, {{"squared", "lasso"}, {"squared", "elastic-net"}}, middle);
  add(cases, {{"squared", "lasso"}}, {{5000, 500}, {20000, 50}, {10, 5000}});
  add(cases, {{"squared", "ridge"}}, small);
  add(cases, {{"squared", "ridge"}}, middle);
  add(cases, {{"logistic", "lasso"}, {"logistic", "elastic-net"}, {"logistic", "ridge"}}, small);
  add(cases, {{"logistic", "lasso"}, {"logistic", "ridge"}}, middle);
  add(cases, {{"poisson", "lasso"}, {"huber", "lasso"}, {"squared-hinge", "elastic-net"}}, small);
  add(cases, {{"multinomial", "lasso"}, {"multinomial", "ridge"}}, {{40, 80}, {60, 15}, {200, 60}});
  add(cases, {{"hinge", "ridge"}, {"absolute", "ridge"}, {"epsilon-insensitive", "ridge"}}, small);
  add(cases, {{"hinge", "ridge"}, {"quantile", "ridge"}}, {{300, 1000}, {1000, 300}, {4000, 40}});
  add(cases, {{"hinge", "elastic-net"}, {"quantile", "elastic-net"}, {"epsilon-insensitive", "elastic-net"}},
      tiny);
  add(cases, {{"hinge", "elastic-net"}, {"epsilon-insensitive", "elastic-net"}}, {{100, 200}, {300, 30}});
  add(cases, {{"squared", "slope"}, {"squared", "group-lasso"}, {"logistic", "group-lasso"}}, tiny);
  add(cases, {{"logistic", "slope"}, {"squared", "sparse-group-lasso"}}, tiny);
  add(cases, {{"squared", "slope"}, {"squared", "group-lasso"}, {"logistic", "slope"}},
      {{100, 200}, {300, 60}});
  add(cases, {{"squared", "nuclear"}}, {{60, 36}, {100, 60}, {200, 60}});
  add(cases, {{"squared", "fused-lasso"}, {"logistic", "fused-lasso"}, {"squared", "trend-filter"}},
      {{40, 80}, {60, 15}, {120, 8}, {200, 60}});
  add(cases, {{"squared", "fused-lasso"}, {"squared", "trend-filter"}}, {{100, 0}, {400, 0}, {2000, 0}});
  return cases;
}

std::vector<CountCase> quick_count_cases() {
  return {{"squared", "lasso", 100, 200},   {"squared", "ridge", 100, 200},
          {"logistic", "lasso", 100, 50},   {"hinge", "ridge", 100, 50},
          {"squared", "slope", 60, 15},     {"squared", "fused-lasso", 60, 15},
          {"hinge", "elastic-net", 60, 15}, {"squared", "fused-lasso", 100, 0}};
}

alo::Problem make_problem(const CountCase& one) {
  if (one.columns == 0) return make_signal(one);
  Simulation simulation;
  simulation.loss = drawn_loss(one.loss);
  simulation.rows = one.rows;
  simulation.columns = one.columns;
  simulation.effects = std::min<Index>({20, one.columns, one.rows / 4});
  alo::Dataset data = simulate_dense(simulation, 0.5);
  alo::ModelParameters parameters;
  parameters.columns = one.columns;
  if (one.loss == "multinomial") data = alo::make_dataset(std::move(data.design), classes_of(data.response));
  if (one.penalty.find("group") != std::string::npos) {
    for (Index j = 0; j < one.columns; ++j) parameters.groups.push_back(j / group_size);
  }
  if (one.penalty == "nuclear") parameters.shape = {matrix_rows, one.columns / matrix_rows};
  parameters = alo::with_defaults(one.loss, parameters, data);
  const bool standardize = alo::penalty_entry(one.penalty).standardize;
  return {std::move(data),
          alo::make_loss(one.loss, parameters),
          alo::make_penalty(one.penalty, parameters),
          {true, standardize}};
}

}  // namespace compare
