// SPDX-License-Identifier: MIT
// The paper's theorems in numbers: the primal and the dual formula are one, and formulas for kinks are limits
// of formulas for smooth functions.
#include "experiment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "alo/leave_one_out.hpp"
#include "alo/losses/hinge.hpp"
#include "alo/losses/squared.hpp"
#include "alo/path.hpp"
#include "alo/penalties/lasso.hpp"
#include "alo/penalties/nuclear.hpp"
#include "alo/penalties/ridge.hpp"
#include "alo/registry.hpp"
#include "cases.hpp"
#include "panels.hpp"
#include "plain.hpp"
#include "simulate.hpp"
#include "smooth_fit.hpp"

namespace paper {

namespace {

using alo::Index;

struct Smooth {
  std::string loss;
  std::string simulated;  // the loss that the response is drawn from
  double lambda = 1;
};

const std::vector<Smooth> smooth_losses = {{"squared", "squared", 5},
                                           {"logistic", "logistic", 1},
                                           {"probit", "logistic", 1},
                                           {"poisson", "poisson", 2},
                                           {"pseudo-huber", "squared", 5}};

// The largest difference of the two formulas, relative to the largest change of a prediction.
double distance_of_formulas(const Smooth& smooth, Index rows, Index columns, std::uint64_t seed) {
  compare::Simulation simulation;
  simulation.loss = smooth.simulated;
  simulation.rows = rows;
  simulation.columns = columns;
  simulation.effects = 10;
  simulation.seed = seed;
  alo::Dataset data = compare::simulate_dense(simulation, 0.0);
  alo::ModelParameters parameters;
  if (smooth.loss == "pseudo-huber") parameters.delta = 1.0;
  const alo::Problem problem =
      compare::plain_problem(std::move(data), alo::make_loss(smooth.loss, parameters), alo::Ridge{});
  const alo::Fit fit = alo::fit_path(problem, {smooth.lambda}).fits.front();
  const alo::Vector primal =
      alo::approximate_leave_one_out(problem, fit, alo::Framework::primal).linear_predictor;
  const alo::Vector dual =
      alo::approximate_leave_one_out(problem, fit, alo::Framework::dual).linear_predictor;
  return (primal - dual).cwiseAbs().maxCoeff() / (primal - fit.linear_predictor).cwiseAbs().maxCoeff();
}

// A smoothed hinge: h log(1 + exp((1 - y u) / h)) decreases to the hinge as h falls.
SmoothModel smooth_hinge(double h, double lambda) {
  return {
      [h](double u, double y) {
        const double t = (1 - y * u) / h;
        const double share = 1 / (1 + std::exp(-t));
        const double value = t > 0 ? t + std::log1p(std::exp(-t)) : std::log1p(std::exp(t));
        return Jet{h * value, -y * share, share * (1 - share) / h};
      },
      [lambda](const alo::Vector& coefficients) {
        return separable([&](double b) { return Jet{lambda * b * b / 2, lambda * b, lambda}; }, coefficients);
      }};
}

Jet squared_loss(double u, double y) {
  return {(u - y) * (u - y) / 2, u - y, 1};
}

// A smoothed absolute value: sqrt(b^2 + h^2) decreases to |b| as h falls.
SmoothModel smooth_lasso(double h, double lambda) {
  const auto absolute = [h, lambda](double b) {
    const double length = std::hypot(b, h);
    return Jet{lambda * length, lambda * b / length, lambda * (h / length) * (h / length) / length};
  };
  return {squared_loss,
          [absolute](const alo::Vector& coefficients) { return separable(absolute, coefficients); }};
}

// Matrices of 5 x 6 and 10 x 12.
alo::MatrixShape shape_of(Index columns) {
  const Index rows = columns == 30 ? 5 : 10;
  return {rows, columns / rows};
}

SmoothModel smooth_matrix(double h, double lambda) {
  return {squared_loss, [h, lambda](const alo::Vector& coefficients) {
            return smooth_nuclear(h, lambda, shape_of(coefficients.size()), coefficients);
          }};
}

struct Limit {
  std::string name, title;
  std::string loss;  // of the simulation
  double lambda = 1;
  SmoothModel (*smooth)(double h, double lambda);
};

const std::vector<Limit> limits = {{"hinge", "Hinge loss, ridge", "hinge", 2.0, smooth_hinge},
                                   {"lasso", "Squared loss, lasso", "squared", 40.0, smooth_lasso},
                                   {"nuclear", "Squared loss, nuclear norm", "squared", 40.0, smooth_matrix}};

alo::Problem limit_problem(const Limit& limit, Index rows, Index columns, std::uint64_t seed) {
  compare::Simulation simulation;
  simulation.loss = limit.loss;
  simulation.rows = rows;
  simulation.columns = columns;
  simulation.effects = 10;
  simulation.seed = seed;
  alo::Dataset data = compare::simulate_dense(simulation, 0.0);
  if (limit.name == "hinge") return compare::plain_problem(std::move(data), alo::HingeLoss{}, alo::Ridge{});
  if (limit.name == "lasso") return compare::plain_problem(std::move(data), alo::SquaredLoss{}, alo::Lasso{});
  return compare::plain_problem(std::move(data), alo::SquaredLoss{}, alo::NuclearNorm(shape_of(columns)));
}

// ALO of the smoothed model; `start` becomes its coefficients. The dual formula is used, because with more
// columns than rows the primal one divides by the curvatures of the penalty, which vanish with h.
alo::Vector smoothed_alo(const Limit& limit, const alo::Problem& problem, double h, alo::Vector& start) {
  const alo::Dataset& data = problem.data();
  return alo::hold_out_dual(
             minimize(limit.smooth(h, limit.lambda), data.design.dense_values(), data.response, start))
      .linear_predictor;
}

// The largest difference over the rows between ALO of the smoothed model and of its limit, for falling h.
Json run_limit(const Limit& limit, Index rows, Index columns, std::uint64_t seed,
               const std::vector<double>& widths) {
  const alo::Problem problem = limit_problem(limit, rows, columns, seed);
  const alo::Fit fit = alo::fit_path(problem, {limit.lambda}).fits.front();
  const alo::Vector goal = alo::approximate_leave_one_out(problem, fit).linear_predictor;
  alo::Vector coefficients = alo::Vector::Zero(columns);
  std::vector<double> errors;
  for (const double h : widths) {
    errors.push_back((smoothed_alo(limit, problem, h, coefficients) - goal).cwiseAbs().maxCoeff());
  }
  return {{"width", list(widths)},
          {"error", list(errors)},
          {"move", (goal - fit.linear_predictor).cwiseAbs().maxCoeff()}};
}

std::string short_number(double value) {
  return fmt::format("{:.1e}", value);
}

void add_formulas(Context& context, std::uint64_t seeds, Outcome& outcome) {
  Table table{"formulas",
              {{"loss, with a ridge", "rows × columns", "largest distance ÷ largest move"}, {}, false},
              false,
              "The primal and the dual formula: largest distance over rows and seeds."};
  double largest = 0;
  for (const Smooth& smooth : smooth_losses) {
    for (const Index columns : {Index{30}, Index{120}}) {
      double worst = 0;
      for (std::uint64_t seed = first_seed; seed < first_seed + seeds; ++seed) {
        const Json record = context.records.get(fmt::format("{}-{}-seed{}", smooth.loss, columns, seed), [&] {
          return Json{{"distance", distance_of_formulas(smooth, 80, columns, seed)}};
        });
        worst = std::max(worst, number(record["distance"]));
      }
      table.cells.rows.push_back({smooth.loss, fmt::format("80 × {}", columns), short_number(worst)});
      largest = std::max(largest, worst);
    }
  }
  outcome.tables.push_back(std::move(table));
  outcome.claims.push_back({"primal to dual, largest distance ÷ largest move", largest, 1e-8});
}

void add_limits(Context& context, std::uint64_t seeds, Outcome& outcome) {
  const std::vector<double> widths = falling(1, 1e-6, 25);
  Table table{"limits",
              {{"h"}, {}, false},
              false,
              "Smoothed models: largest distance over rows and seeds to the limit, as a share of the largest "
              "move."};
  for (std::size_t k = 0; k < widths.size(); k += 4) table.cells.rows.push_back({short_number(widths[k])});
  std::vector<Panel> panels;
  for (const Limit& limit : limits) {
    Panel panel{limit.title, {}, true};
    for (const Index columns : {Index{30}, Index{120}}) {
      std::vector<double> worst(widths.size(), 0);
      for (std::uint64_t seed = first_seed; seed < first_seed + seeds; ++seed) {
        const Json record = context.records.get(fmt::format("limit-{}-{}-seed{}", limit.name, columns, seed),
                                                [&] { return run_limit(limit, 80, columns, seed, widths); });
        const std::vector<double> errors = numbers(record["error"]);
        for (std::size_t k = 0; k < errors.size(); ++k) {
          worst[k] = std::max(worst[k], errors[k] / number(record["move"]));
        }
      }
      const std::string title = fmt::format("{}, 80 × {}", limit.title, columns);
      table.cells.header.push_back(title);
      for (std::size_t k = 0; k < widths.size(); k += 4)
        table.cells.rows[k / 4].push_back(short_number(worst[k]));
      panel.series.push_back(
          {fmt::format("80 × {}", columns), fmt::format("c{}", panel.series.size()), widths, worst, false});
      // Convergence of first order gives a hundredth; of order one half it would be a tenth.
      outcome.claims.push_back(
          {title + ": error at h = 1e-6 ÷ error at h = 1e-4", worst.back() / worst[worst.size() - 9], 0.1});
    }
    panels.push_back(std::move(panel));
  }
  outcome.tables.push_back(std::move(table));
  outcome.figures.push_back(
      {"limits.svg",
       draw_panels(panels, {"Smoothed formulas tend to the formulas for kinks",
                            "Largest error of a held-out prediction against the width of the smoothing.",
                            "Width h of the smoothing", "Error ÷ largest move", "theorems"}),
       "ALO of a smoothed model tends to ALO of the model with kinks; worst row of all seeds."});
}

}  // namespace

Outcome theorems(Context& context) {
  const std::uint64_t seeds = context.quick ? 1 : 5;
  context.records.begin("theorems", 2 * (smooth_losses.size() + limits.size()) * seeds);
  Outcome outcome;
  add_formulas(context, seeds, outcome);
  add_limits(context, seeds, outcome);
  return outcome;
}

}  // namespace paper
