// SPDX-License-Identifier: MIT
// The lasso with 300 rows and 600 columns where the assumptions of the paper's theory fail.
#include "experiment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "alo/losses/squared.hpp"
#include "alo/penalties/lasso.hpp"
#include "cases.hpp"
#include "heaviest_row.hpp"
#include "linear_model.hpp"
#include "plain.hpp"

namespace paper {

namespace {

// The correlation of neighbouring columns in the paper's Toeplitz design.
constexpr double correlation = 0.8;

struct Setting {
  std::string name;
  std::string title;
  void (*change)(Simulation&);
};

// The Toeplitz matrix printed in the paper is correlation^(|i - j| + 1), that is, `correlation` times the
// one with unit diagonal.
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

// All settings with a number of nonzero coefficients, on the columns as they are or standardised.
struct Variant {
  std::string name, title;
  alo::Index effects = 0;
  bool standardized = false;
  std::uint64_t seeds = 0;
};
// The paper says 60 in one place and 30 in another, and does not say whether glmnet standardised.
const std::vector<Variant> variants = {{"k60", "k = 60", 60, false, 60},
                                       {"k30", "k = 30", 30, false, 10},
                                       {"standardized", "k = 60, standardised columns", 60, true, 10}};

// The lambdas of glmnet, which multiply a mean, times the number of rows.
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

Json run_unit(const Simulation& simulation, bool standardized, const Context& context) {
  Simulated simulated = simulate(simulation);
  const alo::Problem problem(std::move(simulated.data), alo::SquaredLoss{}, alo::Lasso{},
                             {false, standardized});
  CurveOptions options;
  options.lambdas = grid(context.quick);
  options.metrics = {alo::Metric::mse};
  options.threads = context.threads;
  return trace(problem, options);
}

// The record and the position in the grid where ALO is furthest from exact leave-one-out.
struct Furthest {
  std::size_t record = 0, place = 0;
  double distance = -1;
};

Furthest furthest_of(const CaseResult& result) {
  Furthest furthest;
  for (std::size_t r = 0; r < result.records.size(); ++r) {
    const Json& risk = result.records[r]["mse"];
    const std::vector<double> alo = numbers(risk["alo"]), exact = numbers(risk["exact"]);
    for (std::size_t k = 0; k < alo.size(); ++k) {
      const double distance = std::abs(alo[k] / exact[k] - 1);
      if (distance > furthest.distance) furthest = {r, k, distance};
    }
  }
  return furthest;
}

Table heaviest_table() {
  return {"heaviest",
          {{"setting", "k", "seed", "λ", "ALO ÷ exact − 1", "without the row", "its noise ÷ deviation",
            "leverage", "residual", "held out by ALO", "exactly", "active columns", "enter", "leave"},
           {},
           false},
          false,
          "Where ALO is furthest from exact leave-one-out, of all seeds and λ of a setting: the row that "
          "carries most of it, and what leaving it out does."};
}

std::vector<std::string> heaviest_cells(const Json& record, std::uint64_t seed) {
  const auto signed_percent = [&](const char* name) {
    return fmt::format("{:+.1f} %", 100 * number(record[name]));
  };
  const auto fixed = [&](const char* name) { return fmt::format("{:.2f}", number(record[name])); };
  const auto count = [&](const char* name) { return fmt::format("{}", record[name].get<int>()); };
  return {fmt::format("{}", seed),
          fixed("lambda"),
          signed_percent("difference"),
          signed_percent("without it"),
          fmt::format("{:.1f}", number(record["noise"])),
          fixed("leverage"),
          fixed("residual"),
          fixed("alo"),
          fixed("exact"),
          count("active"),
          count("entered"),
          count("left")};
}

// The line of the heaviest row of a setting; returns the distance of its exact held-out prediction to a fit
// without it.
double add_heaviest(Context& context, const Setting& setting, const Variant& variant,
                    const CaseResult& result, Table& heaviest) {
  const Furthest furthest = furthest_of(result);
  const std::uint64_t seed = first_seed + furthest.record;
  const Json row = context.records.get(fmt::format("heaviest-{}-{}", setting.name, variant.name), [&] {
    return heaviest_row(simulation_of(setting, variant.effects, seed), grid(context.quick)[furthest.place]);
  });
  std::vector<std::string> line = {setting.title, fmt::format("{}", variant.effects)};
  for (std::string& cell : heaviest_cells(row, seed)) line.push_back(std::move(cell));
  heaviest.cells.rows.push_back(std::move(line));
  return number(row["exact to refit"]);
}

Figure figure_of(const Variant& variant, std::vector<Panel> panels) {
  return {variant.name + ".svg",
          draw_panels(panels, {"Figure 2b", "Held-out mean squared error against lambda in four settings.",
                               "Held-out mean squared error", "figure-2b-" + variant.name}),
          fmt::format("Lasso, {}, first seed.", variant.title)};
}

}  // namespace

Outcome figure_2b(Context& context) {
  const auto seeds_of = [&](const Variant& variant) { return context.quick ? 1 : variant.seeds; };
  std::uint64_t units = 0;
  for (const Variant& variant : variants)
    units += settings.size() * (seeds_of(variant) + (variant.standardized ? 0 : 1));
  context.records.begin("figure-2b", units);
  Outcome outcome;
  CurveTables tables({"setting", "variant"});
  Table reasons = leverage_table("leverage", {"setting", "variant"});
  Table heaviest = heaviest_table();
  double to_refit = 0;
  for (const Variant& variant : variants) {
    std::vector<Panel> panels;
    for (const Setting& setting : settings) {
      const Case one{
          fmt::format("{}-{}", setting.name, variant.name), setting.title, [&](std::uint64_t seed) {
            return run_unit(simulation_of(setting, variant.effects, seed), variant.standardized, context);
          }};
      const CaseResult result = run_case(context, one, seeds_of(variant));
      const Agreements agreements = result.agreements("mse");
      const std::string where = fmt::format("{}, {}", setting.title, variant.title);
      panels.push_back(result.panel(setting.title, "mse"));
      tables.add({setting.title, variant.title}, agreements);
      add_leverage_lines(reasons, {setting.title, variant.title}, result, "mse");
      add_claims(outcome, where, Width::wide, agreements);
      if (!context.quick && variant.effects == 60) add_cost_claim(outcome, where, result.cost());
      if (!variant.standardized)
        to_refit = std::max(to_refit, add_heaviest(context, setting, variant, result, heaviest));
    }
    outcome.figures.push_back(figure_of(variant, std::move(panels)));
  }
  tables.move_to(outcome);
  outcome.tables.push_back(std::move(reasons));
  outcome.tables.push_back(std::move(heaviest));
  outcome.checks.push_back(
      {"exact leave-one-out of the heaviest rows to a fit without them, largest", to_refit, 1e-8});
  return outcome;
}

}  // namespace paper
