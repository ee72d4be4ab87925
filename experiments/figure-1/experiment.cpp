// SPDX-License-Identifier: MIT
// The lasso on a large independent design: five folds, ALO, and the error outside the sample.
#include "experiment.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "alo/losses/squared.hpp"
#include "alo/path.hpp"
#include "alo/penalties/lasso.hpp"
#include "cases.hpp"
#include "linear_model.hpp"
#include "plain.hpp"

namespace paper {

namespace {

Simulation simulation_of(std::uint64_t seed, bool quick) {
  Simulation simulation;
  simulation.rows = quick ? 250 : 5000;
  simulation.columns = quick ? 200 : 4000;
  simulation.effects = quick ? 50 : 1000;
  simulation.design_variance = 1.0 / static_cast<double>(simulation.effects);
  simulation.seed = seed;
  return simulation;
}

// Columns are independent of variance v: the error of a new row is the noise's variance + v |b - beta|^2.
Json run_unit(const Simulation& simulation, const Context& context) {
  Simulated simulated = simulate(simulation);
  const alo::Vector truth = simulated.coefficients;
  const alo::Problem problem =
      compare::plain_problem(std::move(simulated.data), alo::SquaredLoss{}, alo::Lasso{});
  CurveOptions options;
  const double start = alo::lambda_start(problem);
  options.lambdas = falling(0.5 * start, 0.02 * start, context.quick ? 15 : 40);
  options.metrics = {alo::Metric::mse};
  options.folds = 5;
  options.exact = false;
  options.threads = context.threads;
  options.truth = [&](const alo::Fit& fit) {
    return simulation.noise_variance + simulation.design_variance * (fit.coefficients - truth).squaredNorm();
  };
  return trace(problem, options);
}

struct Bias {
  Agreement distance;  // to the error outside the sample
  double lean = 0;     // mean over the grid of estimate / truth - 1
};

Bias bias_of(const Json& record, const std::string& method) {
  const std::vector<double> values = numbers(record["mse"][method]);
  const std::vector<double> truth = numbers(record["truth"]);
  Bias bias{agreement(values, truth), 0};
  for (std::size_t k = 0; k < truth.size(); ++k) bias.lean += values[k] / truth[k] - 1;
  bias.lean /= static_cast<double>(truth.size());
  return bias;
}

}  // namespace

Outcome figure_1(Context& context) {
  const std::uint64_t seeds = 5;
  context.records.begin("figure-1", seeds);
  const Case one{"lasso", "Lasso",
                 [&](std::uint64_t seed) { return run_unit(simulation_of(seed, context.quick), context); }};
  const CaseResult result = run_case(context, one, seeds);
  Outcome outcome;
  Table table = agreement_table("bias", {"estimate", "mean of estimate ÷ truth − 1"});
  table.cells.header.back() = "true error above its smallest, largest";
  table.cells.header[5] = "at its choice, mean";
  std::vector<double> leans;
  Agreements of_alo;
  for (const std::string method : {"alo", "kfold"}) {
    Agreements agreements;
    double lean = 0;
    for (const Json& record : result.records) {
      const Bias bias = bias_of(record, method);
      agreements.seeds.push_back(bias.distance);
      lean += bias.lean / static_cast<double>(result.records.size());
    }
    leans.push_back(lean);
    if (method == "alo") of_alo = agreements;
    add_line(table, {method == "alo" ? "ALO" : "5 folds", fmt::format("{:+.2f} %", 100 * lean)}, agreements);
  }
  const Json& first = result.records.front();
  const std::vector<double> lambdas = numbers(first["lambda"]);
  const Simulation simulation = simulation_of(1, context.quick);
  const Panel panel{fmt::format("{} × {}", simulation.rows, simulation.columns),
                    {{"5 folds", "kfold", lambdas, numbers(first["mse"]["kfold"]), false},
                     {"ALO", "alo", lambdas, numbers(first["mse"]["alo"]), false},
                     {"error outside the sample", "exact", lambdas, numbers(first["truth"]), true}},
                    false};
  outcome.figures.push_back(
      {"risk.svg",
       draw_panels({panel}, {"Figure 1", "Five folds, ALO and the error outside the sample against lambda.",
                             "λ", "Mean squared error", "figure-1"}),
       "Five folds lie above the error outside the sample, ALO on it; first seed."});
  outcome.tables.push_back(std::move(table));
  outcome.claims = {
      {"ALO to the error outside the sample, mean relative difference over the grid, worst seed",
       of_alo.worst_mean(), context.quick ? 0.4 : 0.05},
      {"bias of five folds over the bias of ALO, both as means over grid and seeds",
       std::abs(leans[1]) / std::abs(leans[0]), context.quick ? 1.5 : 3, true},
  };
  return outcome;
}

}  // namespace paper
