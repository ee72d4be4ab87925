// SPDX-License-Identifier: MIT
// The lasso with 300 rows and 600 columns where the assumptions of the paper's theory fail.
#include "experiment.hpp"

#include <fmt/format.h>

#include "alo/losses/squared.hpp"
#include "alo/penalties/lasso.hpp"
#include "cases.hpp"
#include "linear_model.hpp"
#include "plain.hpp"

namespace paper {

namespace {

constexpr double correlation = 0.8;

struct Setting {
  std::string name;
  std::string title;
  void (*change)(Simulation&);
};

// The Toeplitz matrix as printed is correlation^(|i - j| + 1), that is `correlation` times the one with unit
// diagonal.
const std::vector<Setting> settings = {
    {"misspecified", "Misspecified", [](Simulation& s) { s.signed_root = true; }},
    {"heavy-tails", "Heavy tails", [](Simulation& s) { s.heavy_tails = true; }},
    {"correlated-printed", "Correlated, as printed",
     [](Simulation& s) {
       s.correlation = correlation;
       s.design_variance *= correlation;
     }},
    {"correlated-unit", "Correlated, unit diagonal", [](Simulation& s) { s.correlation = correlation; }},
};

// glmnet's lambda, which multiplies a mean, times the number of rows.
std::vector<double> grid(bool quick) {
  return falling(300 * 3.16e-2, 300 * 3.16e-3, quick ? 9 : 25);
}

Simulation simulation_of(const Setting& setting, alo::Index effects, std::uint64_t seed) {
  Simulation simulation;
  simulation.rows = 300;
  simulation.columns = 600;
  simulation.effects = effects;
  simulation.design_variance = 1.0 / static_cast<double>(effects);
  simulation.seed = seed;
  setting.change(simulation);
  return simulation;
}

Json run_unit(const Simulation& simulation, const Context& context) {
  Simulated simulated = simulate(simulation);
  const alo::Problem problem =
      compare::plain_problem(std::move(simulated.data), alo::SquaredLoss{}, alo::Lasso{});
  CurveOptions options;
  options.lambdas = grid(context.quick);
  options.metrics = {alo::Metric::mse};
  options.threads = context.threads;
  return trace(problem, options);
}

}  // namespace

Outcome figure_2b(Context& context) {
  const std::vector<alo::Index> effects =
      context.quick ? std::vector<alo::Index>{60} : std::vector<alo::Index>{60, 30};
  const std::uint64_t seeds = context.quick ? 1 : 10;
  context.records.begin("figure-2b", settings.size() * effects.size() * seeds);
  Outcome outcome;
  Table table = agreement_table("agreement", {"setting", "k"});
  Table reasons = leverage_table("leverage", {"setting", "k"});
  Agreements all;
  for (const alo::Index k : effects) {
    std::vector<Panel> panels;
    for (const Setting& setting : settings) {
      const Case one{fmt::format("{}-k{}", setting.name, k), setting.title,
                     [&](std::uint64_t seed) { return run_unit(simulation_of(setting, k, seed), context); }};
      const CaseResult result = run_case(context, one, seeds);
      const Agreements agreements = result.agreements("mse");
      panels.push_back(result.panel(setting.title, "mse"));
      add_line(table, {setting.title, fmt::format("{}", k)}, agreements);
      add_leverage_lines(reasons, {setting.title, fmt::format("{}", k)}, result, "mse");
      all.add(agreements);
    }
    outcome.figures.push_back(
        {fmt::format("k{}.svg", k),
         draw_panels(panels, {"Figure 2b", "Held-out mean squared error against lambda in four settings.",
                              "λ", "Held-out mean squared error", fmt::format("figure-2b-{}", k)}),
         fmt::format("Lasso, {} nonzero coefficients, first seed.", k)});
  }
  outcome.tables.push_back(std::move(table));
  outcome.tables.push_back(std::move(reasons));
  add_claims(outcome, "Lasso", all);
  return outcome;
}

}  // namespace paper
