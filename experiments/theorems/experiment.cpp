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
#include "formulas.hpp"
#include "nonsmooth.hpp"
#include "panels.hpp"
#include "plain.hpp"
#include "simulate.hpp"
#include "smooth_fit.hpp"

namespace paper {

namespace {

using alo::Index;

// A way of smoothing kinks with a width h.
struct Smoothing {
  std::string name, title;
  Jet (*absolute)(double b, double h);
  Jet (*positive_part)(double t, double h);
};
const std::vector<Smoothing> smoothings = {
    {"usual", "softplus, square roots", root_absolute, soft_positive_part},
    {"kernel", "compact kernel", kernel_absolute, kernel_positive_part}};

Jet squared_loss(double u, double y) {
  return {(u - y) * (u - y) / 2, u - y, 1};
}

SmoothModel smooth_hinge(const Smoothing& smoothing, double h, double lambda) {
  return {
      [part = smoothing.positive_part, h](double u, double y) {
        const Jet jet = part(1 - y * u, h);
        return Jet{jet.value, -y * jet.slope, jet.curvature};
      },
      [lambda](const alo::Vector& coefficients) {
        return separable([&](double b) { return Jet{lambda * b * b / 2, lambda * b, lambda}; }, coefficients);
      }};
}

SmoothModel smooth_lasso(const Smoothing& smoothing, double h, double lambda) {
  const auto term = [absolute = smoothing.absolute, h, lambda](double b) {
    const Jet jet = absolute(b, h);
    return Jet{lambda * jet.value, lambda * jet.slope, lambda * jet.curvature};
  };
  return {squared_loss, [term](const alo::Vector& coefficients) { return separable(term, coefficients); }};
}

// Matrices of 5 x 6 and 10 x 12.
alo::MatrixShape shape_of(Index columns) {
  const Index rows = columns == 30 ? 5 : 10;
  return {rows, columns / rows};
}

SmoothModel smooth_matrix(const Smoothing& smoothing, double h, double lambda) {
  return {squared_loss, [absolute = smoothing.absolute, h, lambda](const alo::Vector& coefficients) {
            return spectral(absolute, h, lambda, shape_of(coefficients.size()), coefficients);
          }};
}

struct Limit {
  std::string name, title;
  std::string loss;  // of the simulation
  double lambda = 1;
  SmoothModel (*smooth)(const Smoothing& smoothing, double h, double lambda);
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
alo::Vector smoothed_alo(const SmoothModel& model, const alo::Problem& problem, alo::Vector& start) {
  const alo::Dataset& data = problem.data();
  return alo::hold_out_dual(minimize(model, data.design.dense_values(), data.response, start))
      .linear_predictor;
}

// The largest difference over the rows between ALO of the smoothed model and of its limit, for falling h.
Json run_limit(const Limit& limit, const Smoothing& smoothing, Index columns, std::uint64_t seed,
               const std::vector<double>& widths) {
  const alo::Problem problem = limit_problem(limit, 80, columns, seed);
  const alo::Fit fit = alo::fit_path(problem, {limit.lambda}).fits.front();
  const alo::Vector goal = alo::approximate_leave_one_out(problem, fit).linear_predictor;
  alo::Vector coefficients = alo::Vector::Zero(columns);
  std::vector<double> errors;
  for (const double h : widths) {
    const alo::Vector values = smoothed_alo(limit.smooth(smoothing, h, limit.lambda), problem, coefficients);
    errors.push_back((values - goal).cwiseAbs().maxCoeff());
  }
  return {{"width", list(widths)},
          {"error", list(errors)},
          {"move", (goal - fit.linear_predictor).cwiseAbs().maxCoeff()}};
}

// The largest error over the seeds at each width, as a share of the largest move.
std::vector<double> worst_errors(Context& context, const Limit& limit, const Smoothing& smoothing,
                                 Index columns, std::uint64_t seeds, const std::vector<double>& widths) {
  std::vector<double> worst(widths.size(), 0);
  for (std::uint64_t seed = first_seed; seed < first_seed + seeds; ++seed) {
    const Json record =
        context.records.get(fmt::format("limit-{}-{}-{}-seed{}", limit.name, smoothing.name, columns, seed),
                            [&] { return run_limit(limit, smoothing, columns, seed, widths); });
    const std::vector<double> errors = numbers(record["error"]);
    for (std::size_t k = 0; k < errors.size(); ++k)
      worst[k] = std::max(worst[k], errors[k] / number(record["move"]));
  }
  return worst;
}

void add_limits(Context& context, std::uint64_t seeds, Outcome& outcome) {
  const std::vector<double> widths = falling(1, 1e-6, 25);
  Table table{"limits",
              {{"smoothing", "h"}, {}, false},
              false,
              "Smoothed models: largest distance over rows and seeds to the limit, as a share of the largest "
              "move."};
  for (const Smoothing& smoothing : smoothings) {
    for (std::size_t k = 0; k < widths.size(); k += 4)
      table.cells.rows.push_back({smoothing.title, fmt::format("{:.1e}", widths[k])});
  }
  const std::size_t lines = table.cells.rows.size() / smoothings.size();
  std::vector<Panel> panels;
  for (const Limit& limit : limits) {
    Panel panel{limit.title, {}, true};
    for (const Index columns : {Index{30}, Index{120}}) {
      const std::string title = fmt::format("{}, 80 × {}", limit.title, columns);
      table.cells.header.push_back(title);
      for (std::size_t s = 0; s < smoothings.size(); ++s) {
        const std::vector<double> worst = worst_errors(context, limit, smoothings[s], columns, seeds, widths);
        for (std::size_t k = 0; k < widths.size(); k += 4)
          table.cells.rows[s * lines + k / 4].push_back(fmt::format("{:.1e}", worst[k]));
        panel.series.push_back({fmt::format("80 × {}, {}", columns, smoothings[s].title),
                                fmt::format("c{}{}", columns == 30 ? 0 : 1, s == 0 ? "" : " dashed"), widths,
                                worst, false});
        // Convergence of first order gives a hundredth; of order one half it would be a tenth.
        outcome.claims.push_back(
            {"the formula for kinks is the limit of the smoothed one",
             title + ", " + smoothings[s].title,
             {"error at h = 1e-6 ÷ error at h = 1e-4", worst.back() / worst[worst.size() - 9], 0.1}});
      }
    }
    panels.push_back(std::move(panel));
  }
  outcome.tables.push_back(std::move(table));
  outcome.figures.push_back(
      {"limits.svg",
       draw_panels(panels,
                   {"Smoothed formulas tend to the formulas for kinks",
                    "Largest error of a held-out prediction against the width of the smoothing.",
                    "Error ÷ largest move", "theorems", "Width h of the smoothing (log scale)", false}),
       "ALO of a smoothed model tends to ALO of the model with kinks; worst row of all seeds."});
}

}  // namespace

Outcome theorems(Context& context) {
  const std::uint64_t seeds = context.quick ? 1 : 5;
  const std::size_t smoothed = 2 * limits.size() * smoothings.size() * seeds;
  context.records.begin("theorems", formula_units() + smoothed + nonsmooth_units(seeds));
  Outcome outcome;
  add_formulas(context, seeds, outcome);
  add_limits(context, seeds, outcome);
  add_nonsmooth(context, seeds, outcome);
  return outcome;
}

}  // namespace paper
