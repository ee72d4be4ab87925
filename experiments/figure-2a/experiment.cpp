// SPDX-License-Identifier: MIT
// Support vector machines, the fused lasso and the nuclear norm, each with fewer and with more columns than
// rows.
#include "experiment.hpp"

#include <fmt/format.h>

#include <cmath>

#include "alo/losses/hinge.hpp"
#include "alo/losses/squared.hpp"
#include "alo/penalties/generalized_lasso.hpp"
#include "alo/penalties/nuclear.hpp"
#include "alo/penalties/ridge.hpp"
#include "cases.hpp"
#include "linear_model.hpp"
#include "plain.hpp"
#include "simulate.hpp"

namespace paper {

namespace {

struct Size {
  alo::Index rows = 0, columns = 0;
  std::string title() const { return fmt::format("{} × {}", rows, columns); }
  std::string name(const std::string& model) const { return fmt::format("{}-{}x{}", model, rows, columns); }
};

// A support vector machine: X and b / 3 are standard normal, labels logistic; log lambda from 12 to 4.
Json run_machine(const Size& size, std::uint64_t seed, const Context& context) {
  compare::Simulation simulation;
  simulation.loss = "hinge";
  simulation.rows = size.rows;
  simulation.columns = size.columns;
  simulation.effect_variance = 9.0;
  simulation.seed = seed;
  const alo::Problem problem =
      compare::plain_problem(compare::simulate_dense(simulation, 0.0), alo::HingeLoss{}, alo::Ridge{});
  CurveOptions options;
  options.lambdas = falling(std::exp(12.0), std::exp(4.0), context.quick ? 13 : 40);
  options.metrics = {alo::Metric::hinge, alo::Metric::misclassification};
  options.threads = context.threads;
  return trace(problem, options);
}

Json run_fused(const Size& size, std::uint64_t seed, const Context& context) {
  Simulation simulation;
  simulation.rows = size.rows;
  simulation.columns = size.columns;
  simulation.design_variance = 0.05;
  simulation.jumps = 20;
  simulation.seed = seed;
  const alo::Problem problem =
      compare::plain_problem(simulate(simulation).data, alo::SquaredLoss{},
                             alo::GeneralizedLasso::differences(size.columns, 1, "fused-lasso"));
  const bool wide = size.columns > size.rows;
  CurveOptions options;
  options.lambdas = falling(wide ? 10 : 100, wide ? 0.1 : 0.01, context.quick ? 10 : wide ? 30 : 40);
  options.metrics = {alo::Metric::mse};
  options.threads = context.threads;
  return trace(problem, options);
}

// Of the nuclear norm the paper has thirty values of lambda from 50 on. These come before them, because the
// risk still falls there.
constexpr int larger_values = 9;

// Nuclear norm on square matrices of rank one: X is standard normal, the noise has variance 0.25.
Json run_nuclear(const Size& size, std::uint64_t seed, const Context& context) {
  const auto side = static_cast<alo::Index>(std::lround(std::sqrt(static_cast<double>(size.columns))));
  Simulation simulation;
  simulation.rows = size.rows;
  simulation.columns = size.columns;
  simulation.rank = 1;
  simulation.seed = seed;
  const alo::Problem problem =
      compare::plain_problem(simulate(simulation).data, alo::SquaredLoss{}, alo::NuclearNorm({side, side}));
  CurveOptions options;
  options.lambdas = falling(50 * std::pow(100, larger_values / 29.0), 0.5, context.quick ? 8 : 39);
  options.metrics = {alo::Metric::mse};
  options.threads = context.threads;
  return trace(problem, options);
}

struct Model {
  std::string name, title;
  std::vector<Size> full, quick;
  std::vector<std::pair<std::string, std::string>> metrics;  // with their words
  std::uint64_t seeds = 60;
  Json (*run)(const Size&, std::uint64_t, const Context&);
};

const std::vector<Model> models = {
    {"svm",
     "Support vector machine",
     {{300, 80}, {300, 600}},
     {{300, 80}, {300, 600}},
     {{"hinge", "hinge loss"}, {"misclassification", "misclassification"}},
     60,
     run_machine},
    {"fused",
     "Fused lasso",
     {{200, 100}, {200, 400}},
     {{200, 100}, {200, 400}},
     {{"mse", "mean squared error"}},
     60,
     run_fused},
    {"nuclear",
     "Nuclear norm",
     {{600, 400}, {200, 400}},
     {{100, 36}, {60, 36}},
     {{"mse", "mean squared error"}},
     5,  // exact leave-one-out is by refits here, a minute for each seed
     run_nuclear},
};

Figure figure_of(const Model& model, const std::string& metric, const std::string& words,
                 std::vector<Panel> panels) {
  return {fmt::format("{}-{}.svg", model.name, metric),
          draw_panels(panels, {model.title, "Held-out " + words + " against lambda, for two sizes of data.",
                               "Held-out " + words, "figure-2a-" + model.name + metric}),
          fmt::format("{}: {}, first seed.", model.title, words)};
}

// The lines of one model and size, and its claims; its panels are added to those of each metric.
void add_size(const Model& model, const Size& size, const CaseResult& result, bool quick, CurveTables& tables,
              Table& reasons, std::vector<std::vector<Panel>>& panels, Outcome& outcome) {
  const std::string where = fmt::format("{}, {}", model.title, size.title());
  const Width width = size.columns > size.rows ? Width::wide : Width::tall;
  for (std::size_t m = 0; m < model.metrics.size(); ++m) {
    const auto& [metric, words] = model.metrics[m];
    const Agreements agreements = result.agreements(metric);
    panels[m].push_back(result.panel(size.title(), metric));
    tables.add({model.title, size.title(), words}, agreements);
    if (model.name == "nuclear" && !quick) {
      tables.add_agreement({model.title + ", the paper's λ", size.title(), words},
                           result.agreements(metric, larger_values));
    }
    add_claims(outcome, model.metrics.size() > 1 ? where + ", " + words : where, width, agreements);
  }
  if (!quick) add_cost_claim(outcome, where, result.cost());
  // The rows of a support vector machine are pinned to a kink or have no curvature, so that leverages mean
  // nothing.
  if (model.name != "svm") {
    add_leverage_lines(reasons, {model.title, size.title()}, result, model.metrics.front().first);
  }
}

}  // namespace

Outcome figure_2a(Context& context) {
  const auto seeds_of = [&](const Model& model) { return context.quick ? 2 : model.seeds; };
  std::uint64_t units = 0;
  for (const Model& model : models) units += 2 * seeds_of(model);
  context.records.begin("figure-2a", units);
  Outcome outcome;
  CurveTables tables({"model", "rows × columns", "risk"});
  Table reasons = leverage_table("leverage", {"model", "rows × columns"});
  for (const Model& model : models) {
    std::vector<std::vector<Panel>> panels(model.metrics.size());
    for (const Size& size : context.quick ? model.quick : model.full) {
      const Case one{size.name(model.name), size.title(),
                     [&](std::uint64_t seed) { return model.run(size, seed, context); }};
      const CaseResult result = run_case(context, one, seeds_of(model));
      add_size(model, size, result, context.quick, tables, reasons, panels, outcome);
    }
    for (std::size_t m = 0; m < model.metrics.size(); ++m) {
      const auto& [metric, words] = model.metrics[m];
      outcome.figures.push_back(figure_of(model, metric, words, std::move(panels[m])));
    }
  }
  tables.move_to(outcome);
  outcome.tables.push_back(std::move(reasons));
  return outcome;
}

}  // namespace paper
