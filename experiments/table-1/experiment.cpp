// SPDX-License-Identifier: MIT
// Times of one lasso path, of ALO along it and of exact leave-one-out, beside glmnet.
#include "experiment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "alo/leave_one_out.hpp"
#include "alo/losses/squared.hpp"
#include "alo/path.hpp"
#include "alo/penalties/lasso.hpp"
#include "cases.hpp"
#include "glmnet.hpp"
#include "plain.hpp"
#include "simulate.hpp"
#include "stopwatch.hpp"
#include "summary/format.hpp"

namespace paper {

namespace {

// The number of calls of each method, in turn with the others; the fastest counts.
constexpr int calls = 5;
// The number of rows for which exact leave-one-out is compared with a fit of the data without the row.
constexpr alo::Index refits = 5;

struct Size {
  alo::Index rows = 0, columns = 0;
  std::string title() const { return fmt::format("{} × {}", rows, columns); }
};

// The mean and its standard error.
std::pair<double, double> mean_and_error(const std::vector<double>& values) {
  const auto count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {mean, std::sqrt(squares / (count - 1) / count)};
}

// Times the paths of all methods in turn; the fastest call of each counts.
void time_paths(const alo::Problem& problem, const std::vector<double>& lambdas, Glmnet* glmnet,
                Json& record) {
  const double never = std::numeric_limits<double>::infinity();
  PathSeconds best{never, never};
  double peer = never;
  for (int call = 0; call < calls; ++call) {
    const PathSeconds seconds = time_path(problem, lambdas, 1);
    best = {std::min(best.fit, seconds.fit), std::min(best.fit_and_alo, seconds.fit_and_alo)};
    if (glmnet) peer = std::min(peer, glmnet->fit("1e-7"));
  }
  record["fit"] = best.fit;
  record["fit and ALO"] = best.fit_and_alo;
  record["glmnet"] = alo::report::number(peer);
}

Json run_unit(const Size& size, std::uint64_t seed, Glmnet* glmnet) {
  compare::Simulation simulation;
  simulation.rows = size.rows;
  simulation.columns = size.columns;
  simulation.effects = std::min(size.rows, size.columns) / 2;
  simulation.seed = seed;
  const alo::Problem problem =
      compare::plain_problem(compare::simulate_dense(simulation, 0.8), alo::SquaredLoss{}, alo::Lasso{});
  const std::vector<double> lambdas = alo::lambda_grid(problem, {50, std::pow(10.0, -2.5)});
  if (glmnet) glmnet->load(problem.data(), lambdas);
  Json record;
  time_paths(problem, lambdas, glmnet, record);

  const alo::Path path = alo::fit_path(problem, lambdas);
  std::vector<alo::Index> rows(static_cast<std::size_t>(size.rows));
  std::iota(rows.begin(), rows.end(), alo::Index{0});
  alo::ExactLeaveOneOut exact;
  record["exact"] = compare::seconds_of([&] { exact = alo::exact_leave_one_out(problem, path.fits, rows); });

  std::vector<double> seconds;
  double distance = 0;
  for (alo::Index k = 0; k < refits; ++k) {
    const alo::Index row = (2 * k + 1) * size.rows / (2 * refits);
    const alo::Problem rest = compare::without_row(problem, row);
    alo::Path refitted;
    seconds.push_back(compare::seconds_of([&] { refitted = alo::fit_path(rest, lambdas); }));
    for (std::size_t l = 0; l < lambdas.size(); ++l) {
      const double prediction = problem.data().design.row(row).dot(refitted.fits[l].coefficients);
      distance = std::max(distance, std::abs(prediction - exact.values[l].linear_predictor[row]));
    }
  }
  const auto [mean, error] = mean_and_error(seconds);
  record["refits"] = mean * static_cast<double>(size.rows);
  record["refits error"] = error * static_cast<double>(size.rows);
  record["exact to refits"] = distance;
  return record;
}

std::string milliseconds(double seconds) {
  return alo::report::readable_short(1e3 * seconds, 3);
}

// The medians over the seeds of the times, and of their ratios in each seed.
struct Line {
  std::vector<Json> records;

  double of(const std::string& name) const { return ratio(name, ""); }
  double ratio(const std::string& name, const std::string& to) const {
    std::vector<double> values;
    for (const Json& record : records)
      values.push_back(number(record[name]) / (to.empty() ? 1.0 : number(record[to])));
    return median(values);
  }
};

std::vector<std::string> cells(const Size& size, const Line& line, bool has_glmnet) {
  const std::string none = "–";
  const auto seconds = [](double value) { return alo::report::readable_short(value, 3); };
  return {size.title(),
          milliseconds(line.of("fit")),
          milliseconds(line.of("fit and ALO")),
          fmt::format("{:.2f}", line.ratio("fit and ALO", "fit")),
          has_glmnet ? milliseconds(line.of("glmnet")) : none,
          has_glmnet ? fmt::format("{:.2f}", line.ratio("fit and ALO", "glmnet")) : none,
          seconds(line.of("exact")),
          fmt::format("{:.0f}", line.ratio("exact", "fit")),
          fmt::format("{} ± {}", seconds(line.of("refits")), seconds(line.of("refits error"))),
          fmt::format("{:.0f}", line.ratio("refits", "fit"))};
}

// A size, and the paper's seconds for it with their standard errors (Wang, Zhou, Lu, Maleki and Mirrokni
// 2018, Table 1): one fit of the path, ALO with that fit, and leave-one-out by refits.
struct PaperLine {
  Size size;
  std::string fit, alo, refits;
  double alo_to_fit = 0, refits_to_fit = 0;
};
const std::vector<PaperLine> paper_lines = {
    {{800, 200}, "0.035 ± 0.001", "0.060 ± 0.001", "27.52 ± 0.03", 1.71, 786},
    {{800, 400}, "0.13 ± 0.003", "0.21 ± 0.003", "107.4 ± 0.5", 1.62, 826},
    {{800, 800}, "0.56 ± 0.02", "0.77 ± 0.02", "437.9 ± 2.9", 1.38, 782},
    {{800, 1600}, "0.60 ± 0.01", "0.89 ± 0.01", "479 ± 2", 1.48, 798},
    {{200, 800}, "0.055 ± 0.002", "0.065 ± 0.001", "11.44 ± 0.049", 1.18, 208},
    {{400, 800}, "0.19 ± 0.006", "0.24 ± 0.001", "74.7 ± 0.5", 1.26, 393},
    {{1600, 800}, "0.76 ± 0.02", "1.20 ± 0.01", "1249 ± 3", 1.58, 1643}};
const std::vector<PaperLine> small_lines = {{{100, 50}, "–", "–", "–", 0, 0},
                                            {{50, 100}, "–", "–", "–", 0, 0}};

const std::vector<std::string> beside_header = {"n × p", "fit s: paper",
                                                "here",  "fit and ALO s: paper",
                                                "here",  "leave-one-out by refits s: paper",
                                                "here",  "ALO ÷ fit: paper",
                                                "here",  "refits ÷ fit: paper",
                                                "here",  "exact by following rows ÷ fit, here"};

std::vector<std::string> beside_cells(const PaperLine& paper, const Line& line) {
  const auto seconds = [](double value) { return alo::report::readable_short(value, 2); };
  const auto ratio = [](double value) { return fmt::format("{:.0f}", value); };
  return {paper.size.title(),
          paper.fit,
          seconds(line.of("fit")),
          paper.alo,
          seconds(line.of("fit and ALO")),
          paper.refits,
          seconds(line.of("refits")),
          fmt::format("{:.2f}", paper.alo_to_fit),
          fmt::format("{:.2f}", line.ratio("fit and ALO", "fit")),
          ratio(paper.refits_to_fit),
          ratio(line.ratio("refits", "fit")),
          ratio(line.ratio("exact", "fit"))};
}

const std::vector<std::string> table_header = {
    "n × p",       "fit ms", "fit and ALO ms",  "÷ fit", "glmnet fit ms", "fit and ALO ÷ glmnet",
    "exact LOO s", "÷ fit",  "LOO by refits s", "÷ fit"};
const std::vector<std::string> front_header = {"n × p", "path and ALO ÷ path", "path and ALO ÷ glmnet's path",
                                               "exact leave-one-out ÷ path", "by refits ÷ path"};

std::vector<std::string> front_cells(const Size& size, const Line& line, bool has_glmnet) {
  return {size.title(), fmt::format("{:.2f}", line.ratio("fit and ALO", "fit")),
          has_glmnet ? fmt::format("{:.2f}", line.ratio("fit and ALO", "glmnet")) : "–",
          fmt::format("{:.0f}", line.ratio("exact", "fit")),
          fmt::format("{:.0f}", line.ratio("refits", "fit"))};
}

}  // namespace

Outcome table_1(Context& context) {
  const std::vector<PaperLine>& papers = context.quick ? small_lines : paper_lines;
  const std::uint64_t seeds = context.quick ? 1 : 10;
  context.records.begin("table-1", papers.size() * seeds);
  Outcome outcome;
  // Small versions check equalities only; no time is compared with another package there.
  const std::unique_ptr<Glmnet> glmnet = context.quick ? nullptr : Glmnet::start(context.source);
  if (!glmnet && !context.quick) {
    outcome.skipped.push_back(
        "glmnet's column, as R with glmnet is not installed (script/bootstrap --peers)");
  }
  Table beside{"beside",
               {beside_header, {}, false},
               false,
               "The paper's seconds and ratios (its machine, glmnet for Matlab) beside ours."};
  Table table{"times", {table_header, {}, false}, false, "One thread; medians over the seeds."};
  Table front{"times", {front_header, {}, false}, true};
  double to_fit = 0, to_glmnet = 0, distance = 0, least_refits = std::numeric_limits<double>::infinity();
  for (const PaperLine& paper : papers) {
    const Size& size = paper.size;
    Line line;
    for (std::uint64_t seed = first_seed; seed < first_seed + seeds; ++seed) {
      line.records.push_back(context.records.get(fmt::format("{}x{}-seed{}", size.rows, size.columns, seed),
                                                 [&] { return run_unit(size, seed, glmnet.get()); }));
      distance = std::max(distance, number(line.records.back()["exact to refits"]));
    }
    const bool has_glmnet = std::isfinite(line.of("glmnet"));
    beside.cells.rows.push_back(beside_cells(paper, line));
    table.cells.rows.push_back(cells(size, line, has_glmnet));
    front.cells.rows.push_back(front_cells(size, line, has_glmnet));
    to_fit = std::max(to_fit, line.ratio("fit and ALO", "fit"));
    least_refits = std::min(least_refits, line.ratio("refits", "fit"));
    if (has_glmnet) to_glmnet = std::max(to_glmnet, line.ratio("fit and ALO", "glmnet"));
  }
  outcome.tables.push_back(std::move(beside));
  outcome.tables.push_back(std::move(table));
  outcome.tables.push_back(std::move(front));
  outcome.checks.push_back(
      {"largest difference of exact leave-one-out to a fit without the row", distance, 1e-8});
  if (context.quick) return outcome;
  const std::string where = "lasso, the seven sizes";
  outcome.claims.push_back({"ALO costs less than twice the fit",
                            where,
                            {"a path with ALO ÷ the path, largest of the sizes", to_fit, 2}});
  outcome.claims.push_back({"leave-one-out by refits costs hundreds of fits",
                            where,
                            {"refits ÷ fit, smallest of the sizes", least_refits, 100, true}});
  if (to_glmnet > 0)
    outcome.checks.push_back({"fit and ALO over glmnet's fit, largest of the sizes", to_glmnet, 1});
  return outcome;
}

}  // namespace paper
