// SPDX-License-Identifier: MIT
// What the paper does not have: the minimum between the values of a grid, where ALO fails and what tells, and
// how few exact rows repair it.
#include "experiment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "alo/losses/squared.hpp"
#include "alo/path.hpp"
#include "alo/penalties/lasso.hpp"
#include "alo/select.hpp"
#include "cases.hpp"
#include "linear_model.hpp"
#include "panels.hpp"
#include "plain.hpp"
#include "violation.hpp"

namespace paper {

namespace {

using alo::Index;
using alo::Vector;

Simulation lasso_simulation(std::uint64_t seed, bool quick) {
  Simulation simulation;
  simulation.rows = quick ? 80 : 150;
  simulation.columns = quick ? 160 : 300;
  simulation.effects = 30;
  simulation.design_variance = 1.0 / 30;
  simulation.seed = seed;
  return simulation;
}

double mean_square(const Vector& response, const Vector& predictions) {
  return (response - predictions).squaredNorm() / static_cast<double>(response.size());
}

// Compares the minimum of ALO over the whole path with those on grids.
Json run_search(std::uint64_t seed, bool quick, const std::vector<int>& counts) {
  const Simulation simulation = lasso_simulation(seed, quick);
  Simulated simulated = simulate(simulation);
  const Vector truth = simulated.coefficients;
  const alo::Problem problem =
      compare::plain_problem(std::move(simulated.data), alo::SquaredLoss{}, alo::Lasso{});
  const double start = alo::lambda_start(problem), end = 0.05 * start;
  const auto error_at = [&](double lambda) {
    const alo::Fit fit = alo::fit_path(problem, {lambda}).fits.front();
    return simulation.noise_variance + simulation.design_variance * (fit.coefficients - truth).squaredNorm();
  };
  const alo::Choice best = alo::choose_on_segments(problem, alo::Metric::mse, end).value().minimum;
  Json record = {
      {"continuous", {{"lambda", best.lambda}, {"risk", *best.risk.mean}, {"error", error_at(best.lambda)}}}};
  for (const int count : counts) {
    const std::vector<double> lambdas = falling(start, end, count);
    std::vector<alo::Estimate> risks;
    for (const alo::Fit& fit : alo::fit_path(problem, lambdas).fits) {
      risks.push_back(
          alo::estimate_risk(problem, alo::Metric::mse, alo::approximate_leave_one_out(problem, fit)));
    }
    const alo::Choice chosen = alo::choose_on_grid(alo::Metric::mse, lambdas, risks).value().minimum;
    record[fmt::format("grid {}", count)] = {
        {"lambda", chosen.lambda}, {"risk", *chosen.risk.mean}, {"error", error_at(chosen.lambda)}};
  }
  return record;
}

// The risk when the rows that come first in `order` take their exact leave-one-out predictions.
double repaired(const Vector& response, const Vector& alo, const Vector& exact,
                const std::vector<Index>& order, double share) {
  Vector mixed = alo;
  const auto count = static_cast<std::size_t>(std::ceil(share * static_cast<double>(order.size())));
  for (std::size_t k = 0; k < count; ++k) mixed[order[k]] = exact[order[k]];
  return mean_square(response, mixed);
}

// The share of the sum of |difference of the squared errors| that the first tenth of the rows in `order`
// carries. The differences of the risks have both signs and may cancel; this sum does not.
double share_of_tenth(const Vector& response, const Vector& alo, const Vector& exact,
                      const std::vector<Index>& order) {
  const Vector difference = ((response - alo).cwiseAbs2() - (response - exact).cwiseAbs2()).cwiseAbs();
  const auto count = static_cast<std::size_t>(std::ceil(0.1 * static_cast<double>(order.size())));
  const std::vector<Index> tenth(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count));
  return difference(tenth).sum() / difference.sum();
}

std::vector<Index> by_falling(const Vector& values) {
  std::vector<Index> order(static_cast<std::size_t>(values.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return values[a] > values[b]; });
  return order;
}

// Measures at one lambda how far ALO is from exact leave-one-out, what indicates it, and what repairs it.
Json diagnose(const alo::Problem& problem, const alo::Fit& fit, const Vector& exact) {
  const alo::LeaveOneOut alo = alo::approximate_leave_one_out(problem, fit);
  const Vector& response = problem.data().response;
  const Vector amount = violation(problem, fit);
  const Vector step = (alo.linear_predictor - fit.linear_predictor).cwiseAbs();
  const Vector distance = (alo.linear_predictor - exact).cwiseAbs();
  // Differences of certified rows are rounding errors, whose order means nothing.
  const Vector visible = (distance.array() > 1e-10).select(distance, 0.0);
  const auto certified = alo::certify_rows(problem, fit);
  const auto proved = std::count(certified.begin(), certified.end(), std::optional<bool>(true));
  double worst_certified = 0;
  for (Index i = 0; i < distance.size(); ++i) {
    if (certified[static_cast<std::size_t>(i)] == std::optional<bool>(true))
      worst_certified = std::max(worst_certified, distance[i]);
  }
  const std::vector<Index> order = by_falling(amount.cwiseProduct(step));
  return {{"nonzero", (fit.coefficients.array() != 0.0).count()},
          {"leverage", alo.leverage.maxCoeff()},
          {"certified", static_cast<double>(proved) / static_cast<double>(distance.size())},
          {"worst certified", worst_certified},
          {"violation", amount.mean()},
          {"alo", mean_square(response, alo.linear_predictor)},
          {"exact", mean_square(response, exact)},
          {"share of tenth", share_of_tenth(response, alo.linear_predictor, exact, order)},
          {"tenth repaired", repaired(response, alo.linear_predictor, exact, order, 0.1)},
          {"fifth repaired", repaired(response, alo.linear_predictor, exact, order, 0.2)},
          {"rank violation", rank_correlation(amount, visible)},
          {"rank step", rank_correlation(step, visible)},
          {"rank leverage", rank_correlation(alo.leverage, visible)}};
}

Json run_failure(std::uint64_t seed, bool quick, const std::vector<double>& shares) {
  const alo::Problem problem =
      compare::plain_problem(simulate(lasso_simulation(seed, quick)).data, alo::SquaredLoss{}, alo::Lasso{});
  std::vector<double> lambdas;
  for (const double share : shares) lambdas.push_back(share * alo::lambda_start(problem));
  const alo::Path path = alo::fit_path(problem, lambdas);
  std::vector<Index> rows(static_cast<std::size_t>(problem.rows()));
  std::iota(rows.begin(), rows.end(), Index{0});
  const alo::ExactLeaveOneOut exact = alo::exact_leave_one_out(problem, path.fits, rows);
  Json record = Json::array();
  for (std::size_t k = 0; k < lambdas.size(); ++k) {
    record.push_back(diagnose(problem, path.fits[k], exact.values[k].linear_predictor));
  }
  return record;
}

struct Spread {
  double low = std::numeric_limits<double>::infinity(), high = -low, sum = 0;
  int count = 0;
  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
    sum += value;
    ++count;
  }
  double mean() const { return sum / count; }
  std::string text() const { return fmt::format("{:.2f} .. {:.2f}", low, high); }
};

void add_search(Context& context, std::uint64_t seeds, Outcome& outcome) {
  const std::vector<int> counts = {10, 25, 50, 100, 400};
  std::vector<Json> records;
  for (std::uint64_t seed = first_seed; seed < first_seed + seeds; ++seed) {
    records.push_back(context.records.get(fmt::format("search-seed{}", seed),
                                          [&] { return run_search(seed, context.quick, counts); }));
  }
  Table table{"search",
              {{"values of λ", "ALO's risk above the continuous minimum, mean", "largest",
                "error outside the sample ÷ that at the continuous minimiser, mean", "smallest .. largest"},
               {},
               false},
              false,
              "Grids beside the minimum over all λ."};
  double below = 0;
  for (const int count : counts) {
    Spread risk, error;
    for (const Json& record : records) {
      const Json& grid = record[fmt::format("grid {}", count)];
      const Json& best = record["continuous"];
      risk.add(number(grid["risk"]) / number(best["risk"]) - 1);
      error.add(number(grid["error"]) / number(best["error"]));
    }
    below = std::max(below, -risk.low);
    table.cells.rows.push_back({fmt::format("{}", count), percent(risk.mean()), percent(risk.high),
                                fmt::format("{:.4f}", error.mean()),
                                fmt::format("{:.3f} .. {:.3f}", error.low, error.high)});
  }
  outcome.tables.push_back(std::move(table));
  outcome.checks.push_back(
      {"no grid finds a smaller risk than the continuous search, by so much at most, as a share", below,
       1e-9});
}

// Smallest and largest values over the seeds, one pair of curves each.
Figure repair_figure(const std::vector<double>& shares, const std::vector<Spread>& plain,
                     const std::vector<Spread>& tenth) {
  const auto curve = [&](const std::string& label, const std::string& style,
                         const std::vector<Spread>& spreads, double Spread::*end) {
    Series series{label, style, shares, {}, false};
    for (const Spread& spread : spreads) series.y.push_back(spread.*end);
    return series;
  };
  const std::string alo = "ALO: smallest and largest of the seeds",
                    repaired = "a tenth of the rows exact: the same";
  const Panel panel{"Risk ÷ exact leave-one-out",
                    {curve(alo, "alo", plain, &Spread::low), curve(alo, "alo", plain, &Spread::high),
                     curve(repaired, "c2", tenth, &Spread::low), curve(repaired, "c2", tenth, &Spread::high)},
                    true};
  return {"repair.svg",
          draw_panels({panel},
                      {"Repairing a tenth of the rows",
                       "The risk by ALO over the exact one, before and after: the range over the seeds.",
                       "Risk ÷ exact", "beyond", "λ ÷ largest λ (log scale, falling: less shrinkage →)"}),
          "Where ALO fails, and what exact leave-one-out of a tenth of the rows does."};
}

// Adds the means and ranges over the seeds at each lambda.
void add_failure(Context& context, std::uint64_t seeds, Outcome& outcome) {
  const std::vector<double> shares = {0.5, 0.35, 0.25, 0.15, 0.1, 0.07, 0.05, 0.03, 0.02};
  std::vector<Json> records;
  for (std::uint64_t seed = first_seed; seed < first_seed + seeds; ++seed) {
    records.push_back(context.records.get(fmt::format("failure-seed{}", seed),
                                          [&] { return run_failure(seed, context.quick, shares); }));
  }
  Table where{
      "failure",
      {{"λ ÷ λ_max", "nonzero, mean", "largest leverage", "rows certified, mean", "violation per row, mean",
        "ALO ÷ exact", "tenth of rows repaired", "fifth", "share of the differences in the tenth, mean"},
       {},
       false},
      false,
      "Where ALO fails, and risks with the worst rows replaced by exact ones; smallest .. largest of "
      "the seeds."};
  Table warnings{"warnings",
                 {{"λ ÷ λ_max", "violation", "size of the step", "leverage"}, {}, false},
                 false,
                 "What warns of a single row: rank correlation with its |ALO − exact|."};
  std::vector<Spread> plain, tenth;
  double certified = 0, least_share = 1, before = 0, after = 0;
  for (std::size_t k = 0; k < shares.size(); ++k) {
    const auto spread = [&](const std::string& name, const std::string& to) {
      Spread values;
      for (const Json& record : records)
        values.add(number(record[k][name]) / (to.empty() ? 1 : number(record[k][to])));
      return values;
    };
    where.cells.rows.push_back(
        {fmt::format("{}", shares[k]), fmt::format("{:.0f}", spread("nonzero", "").mean()),
         spread("leverage", "").text(), percent(spread("certified", "").mean()),
         fmt::format("{:.2f}", spread("violation", "").mean()), spread("alo", "exact").text(),
         spread("tenth repaired", "exact").text(), spread("fifth repaired", "exact").text(),
         percent(spread("share of tenth", "").mean())});
    warnings.cells.rows.push_back({fmt::format("{}", shares[k]), spread("rank violation", "").text(),
                                   spread("rank step", "").text(), spread("rank leverage", "").text()});
    plain.push_back(spread("alo", "exact"));
    tenth.push_back(spread("tenth repaired", "exact"));
    certified = std::max(certified, spread("worst certified", "").high);
    least_share = std::min(least_share, spread("share of tenth", "").mean());
    for (const Json& record : records) {
      before += std::abs(number(record[k]["alo"]) / number(record[k]["exact"]) - 1);
      after += std::abs(number(record[k]["tenth repaired"]) / number(record[k]["exact"]) - 1);
    }
  }
  outcome.tables.push_back(std::move(where));
  outcome.tables.push_back(std::move(warnings));
  outcome.figures.push_back(repair_figure(shares, plain, tenth));
  outcome.checks.push_back({"largest distance of a certified row to exact leave-one-out", certified, 1e-9});
  outcome.checks.push_back(
      {"share of the differences that the tenth of the rows carries, mean of the seeds, "
       "smallest of the λ",
       least_share, 0.5, true, true});
  outcome.checks.push_back(
      {"|risk ÷ exact − 1| with a tenth of the rows repaired ÷ before, means over λ and seeds",
       after / before, context.quick ? 0.9 : 0.5});
}

}  // namespace

Outcome beyond(Context& context) {
  const std::uint64_t seeds = context.quick ? 2 : 10;
  context.records.begin("beyond", 2 * seeds);
  Outcome outcome;
  add_search(context, seeds, outcome);
  add_failure(context, seeds, outcome);
  return outcome;
}

}  // namespace paper
