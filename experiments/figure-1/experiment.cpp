// SPDX-License-Identifier: MIT
// The lasso on a large independent design: five folds, ALO, and the error outside the sample.
#include "experiment.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

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
  simulation.rows = quick ? 500 : 5000;
  simulation.columns = quick ? 400 : 4000;
  simulation.effects = quick ? 100 : 1000;
  simulation.design_variance = 1.0 / static_cast<double>(simulation.effects);
  simulation.seed = seed;
  return simulation;
}

alo::Problem problem_of(Simulated& simulated) {
  return compare::plain_problem(std::move(simulated.data), alo::SquaredLoss{}, alo::Lasso{});
}

std::vector<double> grid(const alo::Problem& problem, bool quick) {
  const double start = alo::lambda_start(problem);
  return falling(0.5 * start, 0.02 * start, quick ? 15 : 40);
}

// The columns are independent with variance v, so that the error of a new row is the variance of the noise
// plus v |b - beta|^2.
Json run_unit(const Simulation& simulation, const Context& context) {
  Simulated simulated = simulate(simulation);
  const alo::Vector truth = simulated.coefficients;
  const alo::Problem problem = problem_of(simulated);
  CurveOptions options;
  options.lambdas = grid(problem, context.quick);
  options.metrics = {alo::Metric::mse};
  options.folds = 5;
  options.exact = false;
  options.timed = false;
  options.threads = context.threads;
  options.truth = [&](const alo::Fit& fit) {
    return simulation.noise_variance + simulation.design_variance * (fit.coefficients - truth).squaredNorm();
  };
  return trace(problem, options);
}

// Computes ALO and exact leave-one-out at every fifth lambda.
Json run_exact(const Simulation& simulation, const Context& context) {
  Simulated simulated = simulate(simulation);
  const alo::Problem problem = problem_of(simulated);
  const std::vector<double> all = grid(problem, context.quick);
  CurveOptions options;
  for (std::size_t k = 2; k < all.size(); k += 5) options.lambdas.push_back(all[k]);
  options.metrics = {alo::Metric::mse};
  options.threads = context.threads;
  return trace(problem, options);
}

// A mean over the seeds and its standard error.
struct Mean {
  double value = 0, error = 0;
  double in_errors() const { return value / error; }
};

Mean mean_of(const std::vector<double>& values) {
  const auto count = static_cast<double>(values.size());
  Mean mean{std::accumulate(values.begin(), values.end(), 0.0) / count};
  for (const double value : values) mean.error += (value - mean.value) * (value - mean.value);
  mean.error = std::sqrt(mean.error / (count - 1) / count);
  return mean;
}

// The relative difference of an estimate from the error outside the sample.
struct Bias {
  Agreements agreements;
  std::vector<double> leans;  // one per seed: the mean over the grid of estimate / truth - 1
};

Bias bias_of(const CaseResult& result, const std::string& method) {
  Bias bias;
  for (const Json& record : result.records) {
    const std::vector<double> values = numbers(record["mse"][method]), truth = numbers(record["truth"]);
    bias.agreements.seeds.push_back(agreement({values, truth}));
    double sum = 0;
    for (std::size_t k = 0; k < truth.size(); ++k) sum += values[k] / truth[k] - 1;
    bias.leans.push_back(sum / static_cast<double>(truth.size()));
  }
  return bias;
}

Table bias_table(const Bias& alo, const Bias& folds) {
  Table table{
      "bias",
      {{"estimate", "mean of estimate ÷ truth − 1", "seeds", "mean over λ", "largest", "at its choice, mean",
        "largest", "steps apart, most", "true error above its smallest, largest"},
       {},
       false},
      false,
      "Both estimates beside the error outside the sample: |estimate − truth| ÷ truth over the grid "
      "and at its choice."};
  for (const Bias* one : {&alo, &folds}) {
    const Mean lean = mean_of(one->leans);
    const Agreements& all = one->agreements;
    table.cells.rows.push_back(
        {one == &alo ? "ALO" : "5 folds",
         fmt::format("{:+.2f} ± {:.2f} %", 100 * lean.value, 100 * lean.error),
         fmt::format("{}", all.seeds.size()), percent(all.mean(&Agreement::mean)),
         percent(all.largest(&Agreement::largest)), percent(all.mean(&Agreement::at_choice)),
         percent(all.largest(&Agreement::at_choice)), fmt::format("{}", all.most_steps()),
         percent(all.largest(&Agreement::regret))});
  }
  return table;
}

}  // namespace

Outcome figure_1(Context& context) {
  const std::uint64_t seeds = 5;
  context.records.begin("figure-1", 2 * seeds);
  const Case one{"lasso", "Lasso",
                 [&](std::uint64_t seed) { return run_unit(simulation_of(seed, context.quick), context); }};
  const CaseResult result = run_case(context, one, seeds);
  const Case exactly{"exact", "Lasso", [&](std::uint64_t seed) {
                       return run_exact(simulation_of(seed, context.quick), context);
                     }};
  const CaseResult exact = run_case(context, exactly, seeds);
  Outcome outcome;
  const Bias alo = bias_of(result, "alo"), folds = bias_of(result, "kfold");
  const Json& first = result.records.front();
  const std::vector<double> lambdas = numbers(first["lambda"]);
  const Simulation simulation = simulation_of(first_seed, context.quick);
  const Json& exactly_first = exact.records.front();
  const auto place = [](const Json& risk) { return risk["default"]["place"].get<std::size_t>(); };
  const std::vector<double> few = numbers(exactly_first["lambda"]),
                            exact_risk = numbers(exactly_first["mse"]["exact"]),
                            alo_risk = numbers(first["mse"]["alo"]);
  const Panel panel{fmt::format("{} × {}", simulation.rows, simulation.columns),
                    {{"5 folds", "kfold", lambdas, numbers(first["mse"]["kfold"]), false},
                     {"ALO", "alo", lambdas, alo_risk, false},
                     {"error outside the sample", "c3", lambdas, numbers(first["truth"]), false},
                     {"exact leave-one-out", "exact", few, exact_risk, true}},
                    false,
                    {{"ALO's choice", Mark::triangle, lambdas[place_of_smallest(alo_risk)]},
                     {"exact's choice, of eight λ", Mark::diamond, few[place_of_smallest(exact_risk)]},
                     {"default choice", Mark::square, lambdas[place(first["mse"])]}}};
  outcome.figures.push_back(
      {"risk.svg",
       draw_panels({panel}, {"Figure 1", "Five folds, ALO and the error outside the sample against lambda.",
                             "Mean squared error", "figure-1"}),
       "Five folds lie above the error outside the sample; ALO, on exact leave-one-out, near it. First "
       "seed."});
  outcome.tables.push_back(bias_table(alo, folds));
  CurveTables tables({"rows × columns"});
  const Agreements beside_exact = exact.agreements("mse");
  tables.add({panel.title}, beside_exact);
  tables.move_to(outcome);
  const std::string where = "lasso, " + panel.title;
  // A difference of more than three standard errors over the seeds is not chance.
  std::vector<double> above = folds.leans;
  for (std::size_t k = 0; k < above.size(); ++k) above[k] -= alo.leans[k];
  const auto mean_text = [](const std::string& name, const Mean& mean) {
    return fmt::format("{} is {:+.1f} % on average; that ÷ its standard error over the seeds", name,
                       100 * mean.value);
  };
  outcome.claims.push_back(
      {"five folds overstate the error",
       where,
       {mean_text("5 folds ÷ error outside the sample − 1, less that of ALO,", mean_of(above)),
        mean_of(above).in_errors(), 3, true}});
  outcome.claims.push_back({"ALO does not",
                            where,
                            {mean_text("ALO ÷ error outside the sample − 1", mean_of(alo.leans)),
                             mean_of(alo.leans).in_errors(), 3}});
  add_claims(outcome, where, Width::tall, beside_exact);
  return outcome;
}

}  // namespace paper
