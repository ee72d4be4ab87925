// SPDX-License-Identifier: MIT
#include "cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace paper {

namespace {

// A risk that spans more than this factor is drawn on a logarithmic scale, on which its minimum stays
// visible.
constexpr double wide_range = 5;

bool spans_much(std::vector<double> risk, const std::vector<double>& other) {
  risk.insert(risk.end(), other.begin(), other.end());
  std::erase_if(risk, [](double value) { return !std::isfinite(value); });
  const auto [low, high] = std::minmax_element(risk.begin(), risk.end());
  return *low > 0 && *high > wide_range * *low;
}

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

void add_line(Table& table, std::vector<std::string> first_cells, const std::vector<std::string>& cells) {
  first_cells.insert(first_cells.end(), cells.begin(), cells.end());
  table.cells.rows.push_back(std::move(first_cells));
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

Agreements CaseResult::agreements(const std::string& metric, std::size_t skipped) const {
  Agreements agreements;
  for (const Json& record : records) {
    const Json& risk = record[metric];
    const auto values = [&](const Json& list) {
      const std::vector<double> all = numbers(list);
      return std::vector<double>(all.begin() + static_cast<std::ptrdiff_t>(skipped), all.end());
    };
    Curves curves{values(risk["alo"]), values(risk["exact"]), values(record["lambda"]), values(risk["error"]),
                  values(record["leverage"])};
    if (skipped == 0) curves.by_default = risk["default"]["place"].get<std::size_t>();
    agreements.seeds.push_back(agreement(curves));
  }
  return agreements;
}

double CaseResult::cost() const {
  std::vector<double> ratios;
  for (const Json& record : records) {
    ratios.push_back(number(record["seconds"]["fit and alo"]) / number(record["seconds"]["fit"]));
  }
  return median(std::move(ratios));
}

Panel CaseResult::panel(const std::string& title, const std::string& metric) const {
  const Json& record = records.front();
  const Json& risk = record[metric];
  const std::vector<double> lambdas = numbers(record["lambda"]), leverage = numbers(record["leverage"]),
                            alo = numbers(risk["alo"]), exact = numbers(risk["exact"]);
  const auto is_warned = [&](std::size_t k) { return k < leverage.size() && leverage[k] >= warned_leverage; };
  std::vector<double> trusted = alo, warned = alo;
  bool has_warning = false;
  for (std::size_t k = 0; k < lambdas.size(); ++k) {
    const double none = std::numeric_limits<double>::quiet_NaN();
    has_warning = has_warning || is_warned(k);
    if (is_warned(k)) trusted[k] = none;
    // The dashed line to a value with a warning starts at the neighbour of that value.
    if (!is_warned(k) && !is_warned(k + 1) && (k == 0 || !is_warned(k - 1))) warned[k] = none;
  }
  Panel panel{title, {{"ALO", "alo", lambdas, std::move(trusted), false}}, spans_much(alo, exact)};
  if (has_warning)
    panel.series.push_back({"leverage of 0.9 and more", "alo dashed", lambdas, std::move(warned), false});
  panel.series.push_back({"exact leave-one-out", "exact", lambdas, exact, true});
  panel.choices = {{"ALO's choice", Mark::triangle, lambdas[place_of_smallest(alo)]},
                   {"exact's choice", Mark::diamond, lambdas[place_of_smallest(exact)]},
                   {"default choice", Mark::square, lambdas[risk["default"]["place"].get<std::size_t>()]}};
  return panel;
}

CurveTables::CurveTables(const std::vector<std::string>& first_columns)
    : agreement_{"agreement", {first_columns, {}, false}}, choices_{"choices", {first_columns, {}, false}} {
  agreement_.caption =
      "ALO beside exact leave-one-out: |ALO − exact| ÷ exact over the grid and at ALO's choice; λ with a "
      "largest leverage of 0.9 and more.";
  choices_.caption = "What choosing by ALO and choosing by default cost, by exact leave-one-out.";
  const auto extend = [](Table& table, const std::vector<std::string>& names) {
    table.cells.header.insert(table.cells.header.end(), names.begin(), names.end());
  };
  extend(agreement_, agreement_header);
  extend(choices_, choice_header);
}

void CurveTables::add_agreement(const std::vector<std::string>& first_cells, const Agreements& agreements) {
  add_line(agreement_, first_cells, agreements.agreement_cells());
}

void CurveTables::add(const std::vector<std::string>& first_cells, const Agreements& agreements) {
  add_agreement(first_cells, agreements);
  add_line(choices_, first_cells, agreements.choice_cells());
}

void CurveTables::move_to(Outcome& outcome) {
  outcome.tables.push_back(std::move(agreement_));
  outcome.tables.push_back(std::move(choices_));
}

void add_follow_claim(Outcome& outcome, const std::string& where, Width width, const Agreements& agreements) {
  const auto share = [](const std::string& text, double value) {
    return Bound{text, value, alo::tolerated_share, false, true};
  };
  Claim follows{"ALO follows leave-one-out", where,
                share("mean difference", agreements.mean(&Agreement::mean))};
  if (width == Width::wide) {
    follows.text += ", but for very small λ";
    follows.measured =
        share("mean difference without very small λ", agreements.mean(&Agreement::mean_not_small));
    follows.weaker = share("from the best λ on", agreements.mean(&Agreement::mean_from_best));
  }
  outcome.claims.push_back(std::move(follows));
}

void add_default_check(Outcome& outcome, const std::string& where, const Agreements& agreements) {
  outcome.checks.push_back(
      {where + ": exact risk at the default choice above its smallest ÷ 5 % or a quarter of the standard "
               "error, largest of the seeds",
       agreements.largest(&Agreement::default_harm), 1});
}

void add_claims(Outcome& outcome, const std::string& where, Width width, const Agreements& agreements) {
  constexpr double rare = 0.05;
  add_follow_claim(outcome, where, width, agreements);
  outcome.claims.push_back({"choosing by ALO does not harm the tuning",
                            where,
                            {"exact risk at ALO's choice above its smallest, largest of the seeds",
                             agreements.largest(&Agreement::regret), harmful, false, true},
                            Bound{"seeds where it is more than 5 %",
                                  agreements.share_above(&Agreement::regret, harmful), rare, false, true}});
  add_default_check(outcome, where, agreements);
}

void add_cost_claim(Outcome& outcome, const std::string& where, double cost) {
  outcome.claims.push_back({"ALO costs less than twice the fit",
                            where,
                            {"a path with ALO ÷ the path, median of the seeds", cost, 2}});
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
