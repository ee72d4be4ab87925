// SPDX-License-Identifier: MIT
// Rows when they are held out: their classes, their influence.
#include <string>
#include <vector>

#include <fmt/format.h>

#include "report/html_parts.hpp"
#include "summary/confusion.hpp"
#include "summary/format.hpp"
#include "summary/influence.hpp"
#include "summary/words.hpp"

namespace alo::report {

namespace {

// Rows of the table of influential rows; result.json has all of them.
constexpr std::size_t influence_rows = 10;

// A sentence on the vertical axis of the leverage figure.
std::string residual_sentence(const Problem& problem) {
  const std::vector<std::string> labels = class_labels(problem);
  std::string text;
  switch (residual_kind(problem.loss())) {
    case ResidualKind::difference:
      return "residual is what the model misses when the row is left out";
    case ResidualKind::deviance:
      text = "deviance residual is the root of the row's deviance when it is left out";
      break;
    case ResidualKind::shortfall:
      text = "shortfall is what the row lacks to the margin when it is left out";
  }
  if (labels.empty()) return text + ", above zero where the model predicts too little";
  if (labels.size() == 2 && problem.outputs() == 1) {
    text += fmt::format(", above zero for {} and below for {}", labels[1], labels[0]);
  }
  return text + "; a row far from zero is held to be of another class";
}

std::string shift_sentence(const Problem& problem) {
  if (problem.outputs() > 1) return "length of the fitted minus the held-out linear predictors";
  const bool is_response = residual_kind(problem.loss()) == ResidualKind::difference;
  return is_response ? "fitted value minus held-out prediction" : "fitted minus held-out linear predictor";
}

}  // namespace

void add_confusion(Page& page, const Problem& problem, const TuneResult& result) {
  const auto confusion = find_confusion(problem, result.chosen());
  if (!confusion || confusion->total() == 0) return;
  const std::vector<std::string> labels = class_labels(problem);
  page.heading("Classes when held out");
  PageTable table;
  table.header = {"class \u2193, predicted \u2192"};
  table.header.insert(table.header.end(), labels.begin(), labels.end());
  table.header.emplace_back("right");
  for (Index i = 0; i < confusion->counts.rows(); ++i) {
    table.rows.push_back({labels[static_cast<std::size_t>(i)]});
    for (const Index count : confusion->counts.row(i)) table.rows.back().push_back(std::to_string(count));
    table.rows.back().push_back(percent(confusion->counts(i, i), confusion->counts.row(i).sum()));
  }
  page.table(table);
  const Index largest = confusion->counts.rowwise().sum().maxCoeff();
  std::string text = fmt::format(
      "Every row by the fit without it ({}): {} of the classes are right; always naming the most frequent "
      "one would be right for {}.",
      confusion->exact ? "exact leave-one-out" : "ALO", percent(confusion->correct(), confusion->total()),
      percent(largest, confusion->total()));
  if (confusion->undefined > 0) {
    const bool one = confusion->undefined == 1;
    text += fmt::format(" {} {} no held-out prediction and {} not counted.", confusion->undefined,
                        one ? "row has" : "rows have", one ? "is" : "are");
  }
  page.paragraph(text, "quiet");
}

void add_influence(Page& page, const Problem& problem, const TuneResult& result) {
  const bool has_leverages = !problem.loss().has_kinks();
  page.heading(has_leverages ? "Rows and their leverage" : "Rows and their influence");
  page.figure(
      render_leverage_svg(problem, result),
      fmt::format("Every row at the chosen \u03bb. {}; the held-out {}. Numbers are rows, counted from 1.",
                  has_leverages ? "Leverage is the share of a row's own response in its fit"
                                : "Shift is how far a row moves its own fit",
                  residual_sentence(problem)));
  const std::vector<RowInfluence> rows = row_influences(problem, result);
  const std::vector<std::size_t> top = most_influential(rows, influence_rows);
  if (top.empty()) return;
  const std::vector<std::string> labels = class_labels(problem);
  PageTable table;
  table.header = {"row", residual_words(problem.loss()), "shift", ""};
  if (has_leverages) table.header.insert(table.header.begin() + 1, "leverage");
  if (!labels.empty()) table.header.insert(table.header.begin() + 1, "class");
  table.last_is_text = true;
  for (const std::size_t k : top) {
    const RowInfluence& row = rows[k];
    table.rows.push_back({std::to_string(row.row + 1), row.defined ? readable(row.residual, 4) : "-",
                          row.defined ? readable(row.shift, 4) : "-",
                          row.flag == RowFlag::none ? "" : std::string(to_string(row.flag))});
    auto& cells = table.rows.back();
    if (has_leverages) cells.insert(cells.begin() + 1, readable(row.leverage, 3));
    if (labels.empty()) continue;
    cells.insert(cells.begin() + 1, labels[static_cast<std::size_t>(class_of(problem, row.row))]);
  }
  page.paragraph(
      fmt::format("Rows with the largest influence. Shift: {}, which is how far a row moves its own fit.",
                  shift_sentence(problem)));
  page.table(table);
}

}  // namespace alo::report
