// SPDX-License-Identifier: MIT
#include "cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace paper {

namespace {

// The values of lambda whose largest leverage is in one band.
struct Band {
  double low = 0, high = 0;
  double count = 0, distance = 0, largest = 0, in_errors = 0, certified = 0;
};

std::vector<std::string> cells(const Band& band, double total) {
  return {band.high > 1 ? fmt::format("{} and more", band.low) : fmt::format("{} to {}", band.low, band.high),
          percent(band.count / total),
          std::isfinite(band.certified) ? percent(band.certified / band.count) : "–",
          percent(band.distance / band.count),
          percent(band.largest),
          fmt::format("{:.2f}", band.in_errors / band.count)};
}

}  // namespace

CaseResult run_case(Context& context, const Case& setting, std::uint64_t seeds) {
  CaseResult result;
  for (std::uint64_t seed = first_seed; seed < first_seed + seeds; ++seed) {
    result.records.push_back(
        context.records.get(fmt::format("{}-seed{}", setting.name, seed), [&] { return setting.run(seed); }));
  }
  return result;
}

Agreements CaseResult::agreements(const std::string& metric) const {
  Agreements agreements;
  for (const Json& record : records) {
    const Json& risk = record[metric];
    agreements.seeds.push_back(agreement(numbers(risk["alo"]), numbers(risk["exact"]), numbers(risk["error"]),
                                         numbers(record["leverage"])));
  }
  return agreements;
}

Panel CaseResult::panel(const std::string& title, const std::string& metric) const {
  const Json& record = records.front();
  const std::vector<double> lambdas = numbers(record["lambda"]), leverage = numbers(record["leverage"]);
  const auto is_warned = [&](std::size_t k) { return k < leverage.size() && leverage[k] >= warned_leverage; };
  std::vector<double> trusted = numbers(record[metric]["alo"]), warned = trusted;
  bool has_warning = false;
  for (std::size_t k = 0; k < lambdas.size(); ++k) {
    const double none = std::numeric_limits<double>::quiet_NaN();
    has_warning = has_warning || is_warned(k);
    if (is_warned(k)) trusted[k] = none;
    // The dashed line to a value with a warning starts at the neighbour of that value.
    if (!is_warned(k) && !is_warned(k + 1) && (k == 0 || !is_warned(k - 1))) warned[k] = none;
  }
  Panel panel{title, {{"ALO", "alo", lambdas, std::move(trusted), false}}, false};
  if (has_warning)
    panel.series.push_back({"with a warning", "alo dashed", lambdas, std::move(warned), false});
  panel.series.push_back({"exact leave-one-out", "exact", lambdas, numbers(record[metric]["exact"]), true});
  return panel;
}

Table agreement_table(const std::string& name, const std::vector<std::string>& first_columns) {
  Table table{name, {first_columns, {}, false}};
  table.caption =
      "ALO beside exact leave-one-out: |ALO − exact| ÷ exact over the grid and at ALO's choice, steps of the "
      "grid between the choices and what they cost, and λ that alo warns of.";
  table.cells.header.insert(table.cells.header.end(), agreement_header.begin(), agreement_header.end());
  return table;
}

void add_line(Table& table, std::vector<std::string> first_cells, const Agreements& agreements) {
  const std::vector<std::string> cells = agreements.cells();
  first_cells.insert(first_cells.end(), cells.begin(), cells.end());
  table.cells.rows.push_back(std::move(first_cells));
}

void add_claims(Outcome& outcome, const std::string& title, const Agreements& agreements) {
  outcome.claims.push_back(
      {title + ": distance of ALO ÷ standard error of leave-one-out, mean over the λ without a "
               "warning, largest of the seeds",
       agreements.worst_in_errors(), 1});
  outcome.claims.push_back({title + ": exact risk at ALO's choice above the smallest ÷ that standard error, "
                                    "largest of the seeds",
                            agreements.worst_regret_in_errors(), 2});
}

Table leverage_table(const std::string& name, const std::vector<std::string>& first_columns) {
  Table table{name, {first_columns, {}, false}};
  table.caption = "What the difference depends on: values of λ of all seeds by their largest leverage.";
  for (const char* column : {"largest leverage", "values of λ", "rows proved exact", "mean difference",
                             "largest difference", "mean ÷ standard error"}) {
    table.cells.header.emplace_back(column);
  }
  return table;
}

void add_leverage_lines(Table& table, const std::vector<std::string>& first_cells, const CaseResult& result,
                        const std::string& metric) {
  std::array<Band, 4> bands = {Band{0, 0.5}, Band{0.5, 0.7}, Band{0.7, warned_leverage},
                               Band{warned_leverage, 2}};
  double total = 0;
  for (const Json& record : result.records) {
    const std::vector<double> leverage = numbers(record["leverage"]), alo = numbers(record[metric]["alo"]),
                              exact = numbers(record[metric]["exact"]),
                              error = numbers(record[metric]["error"]),
                              certified = numbers(record["certified"]);
    for (std::size_t k = 0; k < leverage.size(); ++k) {
      const double distance = std::abs(alo[k] - exact[k]);
      if (!std::isfinite(distance) || !std::isfinite(leverage[k])) continue;
      Band& band =
          *std::find_if(bands.begin(), bands.end(), [&](const Band& one) { return leverage[k] < one.high; });
      ++total;
      ++band.count;
      band.distance += distance / exact[k];
      band.largest = std::max(band.largest, distance / exact[k]);
      band.in_errors += distance / error[k];
      band.certified += certified[k];
    }
  }
  for (const Band& band : bands) {
    if (band.count == 0) continue;
    std::vector<std::string> line = first_cells;
    for (std::string& cell : cells(band, total)) line.push_back(std::move(cell));
    table.cells.rows.push_back(std::move(line));
  }
}

}  // namespace paper
