// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <rapidcheck.h>

#include "alo/path.hpp"
#include "alo/problem.hpp"
#include "alo/registry.hpp"
#include "certificate/null_fit.hpp"

namespace alo::testing_support {

// Numbers turned into a response that a loss takes, the larger ones becoming larger: labels of which
// both occur, counts from 0 to some dozens, positive numbers, three classes of which each occurs (of three
// rows or more), numbers with heavy tails.
inline Vector in_domain(const std::string& loss, const Vector& numbers) {
  const Vector centered = numbers.array() - numbers.mean();
  const Vector z =
      centered / std::max(1e-300, centered.norm() / std::sqrt(static_cast<double>(numbers.size())));
  if (loss == "logistic" || loss == "probit" || loss == "squared-hinge" || loss == "hinge") {
    return z.unaryExpr([](double value) { return value > 0.0 ? 1.0 : -1.0; });
  }
  if (loss == "poisson") return (1.0 + z.array()).exp().round();
  if (loss == "gamma") return z.array().exp();
  if (loss == "multinomial") {
    return z.unaryExpr(
        [&](double value) { return static_cast<double>(3 * (z.array() < value).count() / z.size()); });
  }
  if (loss == "huber" || loss == "pseudo-huber") return z.array() + z.array().cube();
  return numbers;
}

inline const std::vector<std::string>& smooth_losses() {
  static const std::vector<std::string> names = {"logistic",      "poisson", "huber",  "pseudo-huber",
                                                 "squared-hinge", "gamma",   "probit", "multinomial"};
  return names;
}

inline const std::vector<std::string>& kinked_losses() {
  static const std::vector<std::string> names = {"hinge", "absolute", "quantile", "epsilon-insensitive"};
  return names;
}

// A random regression problem, reproducible from these numbers.
struct RandomProblem {
  std::string loss = "squared";
  double delta = 0.5;  // of the Huber losses; the residuals are of the order of one
  unsigned seed = 1;
  Index rows = 20;
  Index columns = 8;
  std::string penalty = "lasso";
  double mix = 0.5;
  std::optional<double> ridge;  // elastic net: a fixed ridge part in place of the mix
  bool intercept = true;
  bool standardize = true;
  bool weights = false;    // importance weights in (0.2, 3)
  bool frequency = false;  // copies 1, 2 or 3
  bool offset = false;
  bool penalty_weights = false;
  bool sparse = false;
  double lambda_share = 0.1;  // of lambda_start

  Dataset dataset() const {
    std::mt19937 generator(seed);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform;
    Matrix x(rows, columns);
    for (Index j = 0; j < columns; ++j) {
      const double location = 3.0 * normal(generator);
      const double spread = std::exp(normal(generator));
      for (Index i = 0; i < rows; ++i) x(i, j) = location + spread * normal(generator);
    }
    if (sparse) x = x.unaryExpr([&](double value) { return uniform(generator) < 0.4 ? value : 0.0; });
    Vector y(rows);
    for (Index i = 0; i < rows; ++i) {
      y[i] = 2.0 + 2.0 * normal(generator);
      for (Index j = 0; j < std::min<Index>(columns, 4); ++j) y[i] += x(i, j) * (j % 2 == 0 ? 1.0 : -0.5);
    }
    Dataset data =
        make_dataset(sparse ? Design(SparseMatrix(x.sparseView())) : Design(x), in_domain(loss, y));
    for (Index i = 0; i < rows; ++i) {
      if (weights) data.weights[i] = 0.2 + 2.8 * uniform(generator);
      if (frequency) data.weights[i] = 1.0 + std::floor(3.0 * uniform(generator));
      if (offset) data.offset[i] = normal(generator);
    }
    if (frequency) data.weight_kind = WeightKind::frequency;
    return data;
  }

  Penalty make_penalty_model() const {
    ModelParameters parameters;
    parameters.mix = mix;
    parameters.ridge = ridge;
    if (penalty_weights) {
      parameters.penalty_weights = Vector::Ones(columns);
      std::mt19937 generator(seed + 7);
      std::uniform_real_distribution<double> uniform(0.3, 2.0);
      for (Index j = 0; j < columns; ++j) parameters.penalty_weights[j] = uniform(generator);
      if (columns > 2) parameters.penalty_weights[1] = 0.0;
      if (columns > 4) parameters.penalty_weights[3] = std::numeric_limits<double>::infinity();
    }
    return make_penalty(penalty, parameters);
  }

  Loss make_loss_model() const {
    ModelParameters parameters;
    parameters.delta = delta;
    parameters.classes = 3;
    if (loss == "quantile") parameters.quantile = 0.3;
    if (loss == "epsilon-insensitive") parameters.epsilon = 0.3;
    return make_loss(loss, parameters);
  }

  Problem problem() const { return problem(dataset()); }
  Problem problem(Dataset data) const {
    return {std::move(data), make_loss_model(), make_penalty_model(), {intercept, standardize}};
  }
};

inline std::ostream& operator<<(std::ostream& stream, const RandomProblem& p) {
  return stream << p.loss << " (delta " << p.delta << ") " << p.penalty << " seed " << p.seed << ' ' << p.rows
                << 'x' << p.columns << " mix " << p.mix << " ridge " << p.ridge.value_or(0.0)
                << (p.intercept ? " intercept" : "") << (p.standardize ? " standardize" : "")
                << (p.weights ? " weights" : "") << (p.frequency ? " frequency" : "")
                << (p.offset ? " offset" : "") << (p.penalty_weights ? " penalty-weights" : "")
                << (p.sparse ? " sparse" : "") << " lambda share " << p.lambda_share;
}

// A problem with every feature switched at random.
inline rc::Gen<RandomProblem> any_problem(std::vector<std::string> penalties,
                                          std::vector<std::string> losses = {"squared"}) {
  return rc::gen::exec([penalties, losses] {
    RandomProblem p;
    p.seed = *rc::gen::inRange(1u, 1000000u);
    p.rows = *rc::gen::inRange<Index>(6, 31);
    p.columns = *rc::gen::inRange<Index>(1, 41);
    p.penalty = *rc::gen::elementOf(penalties);
    p.mix = *rc::gen::element(0.2, 0.5, 0.9);
    if (*rc::gen::arbitrary<bool>()) p.ridge = *rc::gen::element(0.01, 1.0, 30.0);
    p.intercept = *rc::gen::arbitrary<bool>();
    p.standardize = *rc::gen::arbitrary<bool>();
    const int kind = *rc::gen::inRange(0, 3);
    p.weights = kind == 1;
    p.frequency = kind == 2;
    p.offset = *rc::gen::arbitrary<bool>();
    p.penalty_weights = *rc::gen::arbitrary<bool>();
    p.sparse = *rc::gen::arbitrary<bool>();
    p.lambda_share = *rc::gen::element(0.7, 0.3, 0.1, 0.03);
    if (losses.size() == 1) {
      p.loss = losses.front();
    } else {
      p.loss = *rc::gen::elementOf(losses);
      p.delta = *rc::gen::element(0.1, 0.5, 2.0);
    }
    return p;
  });
}

// False where what is not penalised fits the response without end: classes that it separates.
inline bool has_fit(const Problem& problem) {
  return null_fit(problem, problem.data().weights).attained;
}

// Enough rows for every fit of a path, few enough to refit.
inline RandomProblem medium_problem() {
  RandomProblem p;
  p.rows = 40;
  p.columns = 12;
  return p;
}

// The fit at one lambda, from nothing.
inline Fit fit_at(const Problem& problem, double lambda, const FitOptions& options = {}) {
  return fit_path(problem, {lambda}, options).fits.at(0);
}

// The numbers of a design, dense or sparse.
inline Matrix design_values(const Dataset& data) {
  return data.design.is_sparse() ? Matrix(data.design.sparse_values()) : data.design.dense_values();
}

inline double max_difference(const Vector& a, const Vector& b) {
  return a.size() == 0 ? 0.0 : (a - b).lpNorm<Eigen::Infinity>();
}

inline std::vector<Index> all_rows(const Problem& problem) {
  std::vector<Index> rows;
  for (Index i = 0; i < problem.rows(); ++i) rows.push_back(i);
  return rows;
}

inline std::vector<Index> all_columns(const Problem& problem) {
  std::vector<Index> columns;
  for (Index j = 0; j < problem.columns(); ++j) columns.push_back(j);
  return columns;
}

}  // namespace alo::testing_support
