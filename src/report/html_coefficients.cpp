// SPDX-License-Identifier: MIT
// Coefficients at the chosen lambda, or what stands for them.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "figures/grid_figure.hpp"
#include "figures/matrix_figure.hpp"
#include "figures/signal_figure.hpp"
#include "report/html_parts.hpp"
#include "summary/format.hpp"
#include "summary/matrix.hpp"
#include "summary/parts.hpp"
#include "summary/words.hpp"

namespace alo::report {

namespace {

// Rows of the table of coefficients; coefficients.csv has all of them.
constexpr std::size_t coefficient_rows = 50;

// The columns with a nonzero coefficient, the largest effect first.
std::vector<Index> columns_by_effect(const Problem& problem, const Fit& fit) {
  Vector effect = Vector::Zero(problem.columns());
  for (Index term = 0; term < fit.coefficients.size(); ++term) {
    double& largest = effect[term % problem.columns()];
    largest = std::max(largest, std::abs(scaled_coefficient(problem, fit, term)));
  }
  std::vector<Index> order;
  for (Index j = 0; j < problem.columns(); ++j) {
    if (effect[j] > 0) order.push_back(j);
  }
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return effect[a] > effect[b]; });
  return order;
}

void add_columns(Page& page, const Problem& problem, const TuneResult& result) {
  const auto& chosen = result.chosen();
  if (!chosen) return;
  const Fit& fit = chosen->point.fit;
  const std::vector<Index> order = columns_by_effect(problem, fit);
  // With several outputs there is one cell for each, and effects would double the width of the table.
  const bool with_effect = problem.standardize() && problem.outputs() == 1;
  const int digits = problem.outputs() == 1 ? 5 : 3;
  page.heading("Coefficients at the chosen \u03bb");
  PageTable table;
  table.header = {"column"};
  if (problem.outputs() == 1) {
    table.header.emplace_back("coefficient");
  } else {
    for (const std::string& label : class_labels(problem)) table.header.push_back(label);
  }
  if (with_effect) table.header.emplace_back("\u00d7 sd of column");
  const bool with_group = group_number(problem, 0).has_value();
  if (with_group) table.header.emplace_back("group");
  if (problem.intercept()) {
    table.rows.push_back({"(intercept)"});
    for (const double intercept : fit.intercept) table.rows.back().push_back(readable(intercept, digits));
    if (with_effect) table.rows.back().emplace_back();
    if (with_group) table.rows.back().emplace_back();
  }
  const auto coefficients = by_output(fit.coefficients, problem.outputs());
  for (std::size_t k = 0; k < std::min(order.size(), coefficient_rows); ++k) {
    const Index j = order[k];
    table.rows.push_back({problem.data().column_name(j)});
    for (const double value : coefficients.row(j)) {
      table.rows.back().push_back(value == 0 ? "0" : readable(value, digits));
    }
    if (with_effect) {
      table.rows.back().push_back(readable(scaled_coefficient(problem, fit, j), 4));
    }
    if (with_group) table.rows.back().push_back(std::to_string(*group_number(problem, j)));
  }
  page.table(table);
  std::string note = order.size() > coefficient_rows
                         ? fmt::format("The {} largest of {}. ", coefficient_rows, order.size())
                         : "";
  const Index zeros = problem.columns() - static_cast<Index>(order.size());
  if (zeros > 0) {
    note += fmt::format("{} more {} exactly zero{}. ", zeros, zeros == 1 ? "is" : "are",
                        problem.outputs() == 1 ? "" : " in every class");
  }
  if (with_group) note += "Groups are counted from 1, in the order in which they begin. ";
  page.paragraph(note + "All of them: coefficients.csv.", "quiet");
}

void add_paths(Page& page, const Problem& problem, const TuneResult& result) {
  page.heading("Coefficient paths");
  page.figure(render_paths_svg(problem, result),
              problem.standardize()
                  ? "Each coefficient times the standard deviation of its column, so that sizes compare."
                  : "Each coefficient on its own scale.");
}

void add_signal(Page& page, const Problem& problem, const TuneResult& result) {
  page.heading("The signal and its fit");
  page.figure(
      render_signal_svg(problem, result),
      grid_shape(problem)
          ? "The response, and the fit at the chosen \u03bb, in one scale of grey, the first row of the "
            "grid on top. Its values: coefficients.csv."
          : "Dots: the response of every row, in order. Line: the fit at the chosen \u03bb. Its values: "
            "coefficients.csv.");
}

void add_matrix(Page& page, const Problem& problem, const TuneResult& result) {
  // Singular values in the text; two lines of the page.
  constexpr Index shown = 12;
  const auto& chosen = result.chosen();
  if (!chosen) return;
  const Vector values = singular_values(problem, chosen->point.fit);
  page.heading("Matrix of coefficients");
  page.figure(render_matrix_svg(problem, result),
              fmt::format("The coefficients at the chosen \u03bb, row by row{}. Their values: "
                          "coefficients.csv.",
                          problem.intercept() ? ", without the intercept" : ""));
  std::vector<std::string> largest;
  for (const double value : values.head(std::min(values.size(), shown))) {
    largest.push_back(readable_short(value, 4));
  }
  page.paragraph(values.size() == 0
                     ? "Its rank is 0: every coefficient is zero."
                     : fmt::format("Its rank is {}. Singular values: {}{}.", values.size(),
                                   fmt::join(largest, ", "), values.size() > shown ? ", \u2026" : ""));
}

}  // namespace

void add_coefficients(Page& page, const Problem& problem, const TuneResult& result) {
  if (is_signal(problem)) {
    add_signal(page, problem, result);
  } else if (matrix_shape(problem)) {
    add_matrix(page, problem, result);
  } else if (has_coefficients(problem)) {
    add_columns(page, problem, result);
    add_paths(page, problem, result);
  }
}

}  // namespace alo::report
