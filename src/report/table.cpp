// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "alo/report.hpp"
#include "figures/thinning.hpp"
#include "summary/format.hpp"
#include "summary/matrix.hpp"
#include "summary/parts.hpp"
#include "summary/words.hpp"

namespace alo {
namespace {

using report::readable;
using report::readable_short;

// The width of a terminal in characters, and the number of lambdas in the table, so that it fits into 24
// lines.
constexpr std::size_t screen_width = 80;
constexpr std::size_t shown_rows = 13;

constexpr std::string_view bold = "\x1b[1m";
constexpr std::string_view green = "\x1b[32m";
constexpr std::string_view red = "\x1b[31m";
constexpr std::string_view plain = "\x1b[0m";

struct TableRow {
  const PathPoint* point = nullptr;
  BestEstimate risk;
  Estimate alo, kfold;
  std::string mark;
  bool chosen = false;
};

struct Column {
  std::string title;
  bool optional = false;  // may be left out on a narrow screen
  std::vector<std::string> cells;
};

Estimate estimate_at(const std::vector<Estimate>& values, std::size_t at) {
  return at < values.size() ? values[at] : Estimate{};
}

std::string mark_of(const TuneResult& result, double lambda) {
  const bool minimum = result.minimum && result.minimum->choice.lambda == lambda;
  const bool one_se = result.one_se && result.one_se->choice.lambda == lambda;
  if (minimum && one_se) return "<- min, 1se";
  return minimum ? "<- min" : one_se ? "<- 1se" : "";
}

bool is_chosen(const TuneResult& result, double lambda) {
  return result.chosen() && result.chosen()->choice.lambda == lambda;
}

// Inserts the chosen lambdas between grid values as rows of their own.
void insert_off_grid(const TuneResult& result, std::vector<TableRow>& rows) {
  for (const auto* selected : {&result.minimum, &result.one_se}) {
    if (!*selected || (*selected)->choice.index) continue;
    const double lambda = (*selected)->choice.lambda;
    const auto place = std::find_if(rows.begin(), rows.end(),
                                    [&](const TableRow& row) { return row.point->fit.lambda <= lambda; });
    if (place != rows.end() && place->point->fit.lambda == lambda) continue;
    TableRow row;
    row.point = &(*selected)->point;
    row.risk = {(*selected)->choice.risk, (*selected)->kind, (*selected)->error};
    row.alo = estimate_at((*selected)->alo, 0);
    row.mark = mark_of(result, lambda);
    row.chosen = is_chosen(result, lambda);
    rows.insert(place, std::move(row));
  }
}

std::vector<TableRow> table_rows(const TuneResult& result) {
  std::vector<TableRow> rows;
  const RiskCurve* curve = report::choosing_curve(result);
  for (const std::size_t at : report::interesting_points(result, shown_rows)) {
    const PathPoint& point = result.path[at];
    TableRow row;
    row.point = &point;
    if (curve) {
      if (at < curve->estimate.size()) row.risk = curve->estimate[at];
      row.alo = estimate_at(curve->alo, at);
      row.kfold = estimate_at(curve->kfold, at);
    }
    row.mark = mark_of(result, point.fit.lambda);
    row.chosen = is_chosen(result, point.fit.lambda);
    rows.push_back(std::move(row));
  }
  insert_off_grid(result, rows);
  return rows;
}

std::string risk_text(const Estimate& estimate, int digits = 5) {
  if (estimate.mean) return readable(*estimate.mean, digits);
  return estimate.undefined > 0 ? "undefined" : "";
}

std::vector<Column> table_columns(const Problem& problem, const TuneResult& result,
                                  const std::vector<TableRow>& rows) {
  const RiskCurve* curve = report::choosing_curve(result);
  const std::string metric = curve ? std::string(to_string(curve->metric)) : "risk";
  std::vector<Column> columns;
  const auto add = [&](std::string title, bool optional, auto cell) {
    Column column{std::move(title), optional, {}};
    for (const TableRow& row : rows) column.cells.push_back(cell(row));
    columns.push_back(std::move(column));
  };
  add("lambda", false, [](const TableRow& row) { return readable(row.point->fit.lambda); });
  add("df", false, [](const TableRow& row) { return readable(row.point->degrees_of_freedom, 3); });
  if (report::matrix_shape(problem)) {
    add("rank", false, [&problem](const TableRow& row) {
      return std::to_string(report::singular_values(problem, row.point->fit).size());
    });
  } else if (report::has_coefficients(problem)) {
    add("nonzero", true, [](const TableRow& row) { return std::to_string(row.point->nonzero); });
    if (const auto parts = rows.empty() ? std::nullopt : report::parts_of(problem, rows.front().point->fit)) {
      add(parts->title, true, [&problem](const TableRow& row) {
        const auto own = report::parts_of(problem, row.point->fit);
        return own ? std::to_string(own->count) : std::string();
      });
    }
  } else {
    add("support", true,
        [](const TableRow& row) { return std::to_string(report::support_rows(row.point->fit)); });
  }
  add(metric, false, [](const TableRow& row) { return risk_text(row.risk); });
  add("+- se", false, [](const TableRow& row) { return row.risk.se ? readable(*row.risk.se, 3) : ""; });
  if (curve && report::has_kinds(*curve)) {
    add("by", false, [](const TableRow& row) { return std::string(to_string(row.risk.kind)); });
  }
  if (curve && report::has_better_than_alo(*curve)) {
    add("ALO", true, [](const TableRow& row) { return risk_text(row.alo); });
  }
  if (curve && !curve->kfold.empty()) {
    add("k-fold", false, [](const TableRow& row) { return risk_text(row.kfold); });
  }
  add("gap", true, [](const TableRow& row) {
    const auto& gap = row.point->fit.certificate.gap;
    return gap ? fmt::format("{:.0e}", *gap) : std::string();
  });
  return columns;
}

std::size_t width_of(const Column& column) {
  std::size_t width = column.title.size();
  for (const std::string& cell : column.cells) width = std::max(width, cell.size());
  return width + 2;
}

// Removes optional columns, the last first, until the table fits the screen.
void fit_screen(std::vector<Column>& columns, std::size_t mark_width) {
  const auto total = [&] {
    std::size_t sum = mark_width;
    for (const Column& column : columns) sum += width_of(column);
    return sum;
  };
  while (total() > screen_width) {
    const auto last =
        std::find_if(columns.rbegin(), columns.rend(), [](const Column& c) { return c.optional; });
    if (last == columns.rend()) return;
    columns.erase(std::next(last).base());
  }
}

void append_rows(const Problem& problem, const TuneResult& result, bool color, std::string& out) {
  const std::vector<TableRow> rows = table_rows(result);
  std::vector<Column> columns = table_columns(problem, result, rows);
  std::size_t mark_width = 0;
  for (const TableRow& row : rows)
    mark_width = std::max(mark_width, row.mark.empty() ? 0 : row.mark.size() + 2);
  fit_screen(columns, mark_width);
  for (const Column& column : columns) out += fmt::format("{:>{}}", column.title, width_of(column));
  out += '\n';
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const bool emphasized = color && rows[k].chosen;
    if (emphasized) out += bold;
    for (const Column& column : columns) out += fmt::format("{:>{}}", column.cells[k], width_of(column));
    if (!rows[k].mark.empty()) out += "  " + rows[k].mark;
    if (emphasized) out += plain;
    out += '\n';
  }
}

void append_wrapped(const std::string& text, std::string_view indent, std::string& out) {
  for (const std::string& line : report::wrap(text, screen_width, indent)) out += line + '\n';
}

std::string outer_sentence(const TuneResult& result) {
  if (!result.outer || result.outer->risk.empty()) return report::outer_sentence(result);
  const OuterRisk& outer = *result.outer;
  const Estimate& risk = outer.risk.front();
  std::string text =
      fmt::format("Tuned and judged on {} outer folds: {} {}", outer.folds, to_string(outer.metrics.front()),
                  risk.mean ? readable_short(*risk.mean, 5) : "undefined");
  if (risk.se) text += fmt::format(" +- {}", readable_short(*risk.se, 3));
  return text + ".";
}

std::string choice_sentence(const Problem& problem, const TuneResult& result) {
  const auto& chosen = result.chosen();
  const RiskCurve* curve = report::choosing_curve(result);
  if (!chosen || !curve) return "";
  const Choice& choice = chosen->choice;
  std::string text = fmt::format("Chosen ({}): lambda = {}", report::rule_name(result.rule),
                                 readable_short(choice.lambda, 6));
  if (choice.risk.mean) {
    text += fmt::format(", {} {}", to_string(curve->metric), readable_short(*choice.risk.mean, 5));
    if (choice.risk.se) text += fmt::format(" +- {}", readable_short(*choice.risk.se, 3));
    if (result.rule == Rule::minimum && result.path.size() > 1) {
      text += fmt::format(", the best of {}", result.path.size());
    }
  }
  return text + "; " + report::count_words(problem, chosen->point) + ".";
}

}  // namespace

std::string render_table(const Problem& problem, const TuneResult& result, bool color,
                         const Wording& wording) {
  std::string out;
  append_wrapped(fmt::format("{}; {}{}{}", report::size_words(problem, "x"), report::model_words(problem),
                             problem.intercept() ? ", intercept" : ", no intercept",
                             report::is_standardized(problem) ? ", standardised columns" : ""),
                 "  ", out);
  append_wrapped("Minimised: " + problem.describe(), "  ", out);
  append_rows(problem, result, color, out);
  append_wrapped(report::attempts_sentence(result), "  ", out);
  append_wrapped(report::path_end_sentence(result), "  ", out);
  const std::string chooser = report::chooser_sentence(result);
  append_wrapped(choice_sentence(problem, result) + (chooser.empty() ? "" : " " + chooser), "  ", out);
  append_wrapped(outer_sentence(result), "  ", out);
  std::string verdict = report::verdict_headline(result);
  for (const std::string& sentence : report::verdict_reasons(result, wording)) verdict += " " + sentence;
  const bool good = result.verdict.reliable && result.chosen();
  if (color) out += good ? green : red;
  append_wrapped(verdict, "  ", out);
  if (color) out += plain;
  return out;
}

}  // namespace alo
