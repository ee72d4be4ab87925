// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "alo/report.hpp"
#include "report/confusion.hpp"
#include "report/format.hpp"
#include "report/grid_figure.hpp"
#include "report/influence.hpp"
#include "report/json_text.hpp"
#include "report/matrix.hpp"
#include "report/matrix_figure.hpp"
#include "report/page.hpp"
#include "report/parts.hpp"
#include "report/signal_figure.hpp"
#include "report/words.hpp"

namespace alo {
namespace {

using report::Page;
using report::PageTable;
using report::readable;
using report::readable_short;

constexpr std::size_t coefficient_rows = 50;
constexpr std::size_t influence_rows = 10;

// Weighted variance of the response (divisor sum of w).
double response_variance(const Problem& problem) {
  const Dataset& data = problem.data();
  const double total = data.weights.sum();
  const double mean = data.weights.dot(data.response) / total;
  return data.weights.dot((data.response.array() - mean).square().matrix()) / total;
}

std::string what_was_chosen(const Problem& problem, const TuneResult& result, const Selected& chosen) {
  std::string text = fmt::format("The {} at \u03bb = {}", report::model_words(problem),
                                 readable_short(chosen.choice.lambda, 4));
  const RiskCurve* curve = report::choosing_curve(result);
  const bool larger = curve && larger_is_better(curve->metric);
  const std::string best = larger ? fmt::format("largest estimated {}", report::metric_words(curve->metric))
                                  : "smallest estimated error";
  text += result.rule == Rule::minimum
              ? fmt::format(", which has the {}", best)
              : fmt::format(", the most regularised fit within one standard error of the {}", best);
  return text + "; " + report::count_words(problem, chosen.point) + ".";
}

std::string percent(Index part, Index whole) {
  return whole == 0
             ? "-"
             : fmt::format("{:.1f}\u00a0%", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

// The expected error on a new row, in words and in the response's own units.
std::string what_to_expect(const Problem& problem, const TuneResult& result, const Selected& chosen) {
  const RiskCurve* curve = report::choosing_curve(result);
  const Estimate& estimate = report::best_risk(chosen);
  if (!curve || !estimate.mean) return "";
  const double risk = *estimate.mean;
  std::string text = fmt::format("On rows it has not seen, expect a {} of about {}",
                                 report::metric_words(curve->metric), readable_short(risk, 4));
  if (larger_is_better(curve->metric)) {
    text = fmt::format("On rows it has not seen, expect {} of about {}", report::metric_words(curve->metric),
                       readable_short(risk, 3));
  }
  if (estimate.se) text += fmt::format(" \u00b1 {} (one standard error)", readable_short(*estimate.se, 2));
  if (curve->metric == Metric::mse && risk >= 0) {
    text += fmt::format(": typically {} off in the units of {}", readable_short(std::sqrt(risk), 3),
                        problem.data().response_name);
    const double variance = response_variance(problem);
    if (variance > 0 && risk < variance) {
      text += fmt::format(", with {:.0f}\u00a0% of its variance explained", 100 * (1 - risk / variance));
    } else if (variance > 0) {
      text += ", which is no better than always predicting the mean";
    }
  }
  text += ".";
  if (const auto confusion = report::find_confusion(problem, result.chosen());
      confusion && confusion->total() > 0) {
    text += fmt::format(" Held-out rows get their right class in {} of cases.",
                        percent(confusion->correct(), confusion->total()));
  }
  return text;
}

void add_verdict(Page& page, const Problem& problem, const TuneResult& result) {
  std::vector<std::string> paragraphs;
  std::string headline = report::verdict_headline(result);
  if (const auto& chosen = result.chosen()) {
    headline = fmt::format(
        "\u03bb = {} chosen; {}", readable_short(chosen->choice.lambda, 4),
        result.verdict.reliable ? "the estimate can be relied on" : "do not rely on the estimate");
    paragraphs.push_back(what_was_chosen(problem, result, *chosen));
    paragraphs.push_back(what_to_expect(problem, result, *chosen));
  }
  std::string trust;
  for (const std::string& sentence : report::verdict_reasons(result))
    trust += (trust.empty() ? "" : " ") + sentence;
  paragraphs.push_back(trust);
  std::erase(paragraphs, std::string());
  page.verdict(result.chosen() && result.verdict.reliable ? "good" : "bad", headline, paragraphs);
}

void add_risk(Page& page, const Problem& problem, const TuneResult& result) {
  page.heading("Risk along the path");
  const RiskCurve* curve = report::choosing_curve(result);
  std::string caption =
      "Approximate leave-one-out (ALO) estimate of the error on new rows, with a band of one standard error.";
  if (curve && !curve->exact.empty())
    caption += " Circles: exact leave-one-out.";
  else if (report::is_proved(result.minimum) || report::is_proved(result.one_se))
    caption += " Diamonds: exact leave-one-out at the chosen \u03bb.";
  if (curve && !curve->kfold.empty()) caption += " Dashes: k-fold cross validation.";
  page.figure(render_risk_svg(problem, result), caption);
}

std::string estimate_text(const Estimate& estimate) {
  if (!estimate.mean)
    return estimate.undefined > 0 ? fmt::format("undefined ({} rows)", estimate.undefined) : "-";
  std::string text = readable_short(*estimate.mean, 5);
  if (estimate.se) text += fmt::format(" \u00b1 {}", readable(*estimate.se, 2));
  return text;
}

// A row of the key numbers: one cell for the minimum, one for the one-se choice.
template <class Cell>
void add_pair(PageTable& table, const TuneResult& result, std::string name, Cell cell) {
  const auto text = [&](const std::optional<Selected>& selected) {
    return selected ? cell(*selected) : std::string("-");
  };
  table.rows.push_back({std::move(name), text(result.minimum), text(result.one_se)});
}

void add_risk_rows(PageTable& table, const TuneResult& result) {
  for (std::size_t m = 0; m < result.risk.size(); ++m) {
    const RiskCurve& curve = result.risk[m];
    const auto add = [&](const std::string& way, const std::vector<Estimate>& values, bool use_choice) {
      if (values.empty()) return;
      add_pair(table, result, fmt::format("{}, {}", to_string(curve.metric), way),
               [&](const Selected& selected) {
                 if (use_choice) return estimate_text(selected.choice.risk);
                 const auto& index = selected.choice.index;
                 return index && *index < static_cast<Index>(values.size())
                            ? estimate_text(values[static_cast<std::size_t>(*index)])
                            : std::string("-");
               });
    };
    add("ALO", curve.alo, m == 0);
    if (report::is_proved(result.minimum) || report::is_proved(result.one_se)) {
      add_pair(table, result, fmt::format("{}, exact leave-one-out", to_string(curve.metric)),
               [&](const Selected& s) { return m < s.exact.size() ? estimate_text(s.exact[m]) : "-"; });
    }
    add("k-fold", curve.kfold, false);
  }
}

void add_key_numbers(Page& page, const Problem& problem, const TuneResult& result) {
  if (!result.minimum && !result.one_se) return;
  page.heading("Key numbers");
  PageTable table;
  const auto title = [&](Rule rule, const char* name) {
    return std::string(name) + (result.rule == rule ? " (chosen)" : "");
  };
  table.header = {"", title(Rule::minimum, "min"), title(Rule::one_se, "1 se")};
  add_pair(table, result, "\u03bb", [](const Selected& s) { return readable_short(s.choice.lambda, 6); });
  add_risk_rows(table, result);
  const bool has_kinks = problem.loss().has_kinks();
  add_pair(table, result, has_kinks ? "rows pinned to a kink" : "degrees of freedom",
           [](const Selected& s) { return readable_short(s.point.degrees_of_freedom, 4); });
  if (report::has_coefficients(problem)) {
    // Of a signal there are as many as rows, and the degrees of freedom say what they are worth.
    if (report::matrix_shape(problem)) {
      add_pair(table, result, "rank of the matrix", [&problem](const Selected& s) {
        return std::to_string(report::singular_values(problem, s.point.fit).size());
      });
    } else if (!report::is_signal(problem)) {
      add_pair(table, result, "coefficients not zero",
               [](const Selected& s) { return std::to_string(s.point.nonzero); });
      if (const auto parts =
              result.chosen() ? report::parts_of(problem, result.chosen()->point.fit) : std::nullopt) {
        add_pair(table, result, parts->name, [&problem](const Selected& s) {
          return std::to_string(report::parts_of(problem, s.point.fit)->count);
        });
      }
    }
  } else {
    add_pair(table, result, "support vectors",
             [](const Selected& s) { return std::to_string(report::support_rows(s.point.fit)); });
  }
  if (!has_kinks) {
    add_pair(table, result, "largest leverage",
             [](const Selected& s) { return readable_short(s.point.max_leverage, 3); });
  }
  add_pair(table, result, "duality gap", [](const Selected& s) {
    const auto& gap = s.point.fit.certificate.gap;
    return gap ? readable_short(*gap, 2) : std::string("-");
  });
  page.table(table);
  page.paragraph(
      "Risks are means over rows of the metric at the held-out prediction, \u00b1 one standard error.",
      "quiet");
}

// Counts of true and predicted classes.
void add_confusion(Page& page, const Problem& problem, const TuneResult& result) {
  const auto confusion = report::find_confusion(problem, result.chosen());
  if (!confusion || confusion->total() == 0) return;
  const std::vector<std::string> labels = report::class_labels(problem);
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

// Columns with a coefficient that is not zero, the largest effect first.
std::vector<Index> columns_by_effect(const Problem& problem, const Fit& fit) {
  Vector effect = Vector::Zero(problem.columns());
  for (Index term = 0; term < fit.coefficients.size(); ++term) {
    double& largest = effect[term % problem.columns()];
    largest = std::max(largest, std::abs(report::scaled_coefficient(problem, fit, term)));
  }
  std::vector<Index> order;
  for (Index j = 0; j < problem.columns(); ++j) {
    if (effect[j] > 0) order.push_back(j);
  }
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return effect[a] > effect[b]; });
  return order;
}

void add_coefficients(Page& page, const Problem& problem, const TuneResult& result) {
  const auto& chosen = result.chosen();
  if (!chosen) return;
  const Fit& fit = chosen->point.fit;
  const std::vector<Index> order = columns_by_effect(problem, fit);
  // With several outputs one cell for each; their size beside it would be one table too many.
  const bool with_effect = problem.standardize() && problem.outputs() == 1;
  const int digits = problem.outputs() == 1 ? 5 : 3;
  page.heading("Coefficients at the chosen \u03bb");
  PageTable table;
  table.header = {"column"};
  if (problem.outputs() == 1) {
    table.header.emplace_back("coefficient");
  } else {
    for (const std::string& label : report::class_labels(problem)) table.header.push_back(label);
  }
  if (with_effect) table.header.emplace_back("\u00d7 sd of column");
  const bool with_group = report::group_number(problem, 0).has_value();
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
      table.rows.back().push_back(readable(report::scaled_coefficient(problem, fit, j), 4));
    }
    if (with_group) table.rows.back().push_back(std::to_string(*report::group_number(problem, j)));
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
      report::render_signal_svg(problem, result),
      report::grid_shape(problem)
          ? "The response, and the fit at the chosen \u03bb, in one scale of grey, the first row of the "
            "grid on top. Its values: coefficients.csv."
          : "Dots: the response of every row, in order. Line: the fit at the chosen \u03bb. Its values: "
            "coefficients.csv.");
}

void add_matrix(Page& page, const Problem& problem, const TuneResult& result) {
  constexpr Index shown = 12;
  const auto& chosen = result.chosen();
  if (!chosen) return;
  const Vector values = report::singular_values(problem, chosen->point.fit);
  page.heading("Matrix of coefficients");
  page.figure(report::render_matrix_svg(problem, result),
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

// What the vertical axis of the leverage figure shows.
std::string residual_sentence(const Problem& problem) {
  const std::vector<std::string> labels = report::class_labels(problem);
  std::string text;
  switch (report::residual_kind(problem.loss())) {
    case report::ResidualKind::difference:
      return "residual is what the model misses when the row is left out";
    case report::ResidualKind::deviance:
      text = "deviance residual is the root of the row's deviance when it is left out";
      break;
    case report::ResidualKind::shortfall:
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
  const bool is_response = report::residual_kind(problem.loss()) == report::ResidualKind::difference;
  return is_response ? "fitted value minus held-out prediction" : "fitted minus held-out linear predictor";
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
  const std::vector<report::RowInfluence> rows = report::row_influences(problem, result);
  const std::vector<std::size_t> top = report::most_influential(rows, influence_rows);
  if (top.empty()) return;
  const std::vector<std::string> labels = report::class_labels(problem);
  PageTable table;
  table.header = {"row", report::residual_words(problem.loss()), "shift", ""};
  if (has_leverages) table.header.insert(table.header.begin() + 1, "leverage");
  if (!labels.empty()) table.header.insert(table.header.begin() + 1, "class");
  table.last_is_text = true;
  for (const std::size_t k : top) {
    const report::RowInfluence& row = rows[k];
    table.rows.push_back({std::to_string(row.row + 1), row.defined ? readable(row.residual, 4) : "-",
                          row.defined ? readable(row.shift, 4) : "-",
                          row.flag == RowFlag::none ? "" : std::string(to_string(row.flag))});
    auto& cells = table.rows.back();
    if (has_leverages) cells.insert(cells.begin() + 1, readable(row.leverage, 3));
    if (labels.empty()) continue;
    cells.insert(cells.begin() + 1, labels[static_cast<std::size_t>(report::class_of(problem, row.row))]);
  }
  page.paragraph(
      fmt::format("Rows with the largest influence. Shift: {}, which is how far a row moves its own fit.",
                  shift_sentence(problem)));
  page.table(table);
}

void add_warnings(Page& page, const Problem& problem, const TuneResult& result) {
  std::vector<std::string> items = result.warnings;
  items.insert(items.end(), problem.data().notes.begin(), problem.data().notes.end());
  if (items.empty()) return;
  page.heading("Warnings and notes");
  page.list(items);
}

// "order 2, sparse 0.5": the parameters that are one number or word.
std::string parameter_words(const ReportContext& context) {
  const report::Json parameters = report::parameters_object(context.parameters);
  std::string text;
  for (const auto& [name, value] : parameters.items()) {
    if (value.is_structured() || value.is_null()) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name,
                        value.is_string() ? value.get<std::string>() : value.dump());
  }
  return text;
}

void add_method(Page& page, const Problem& problem, const TuneResult& result, const ReportContext& context) {
  page.heading("How it was computed");
  const report::WorstCertificate worst = report::worst_certificate(result);
  std::string certificate = worst.has_gap
                                ? fmt::format("largest relative duality gap {}", readable_short(worst.gap, 2))
                                : fmt::format("largest optimality residual {}", readable_short(worst.kkt, 2));
  certificate += worst.missed == 0 ? "; every fit met its tolerance."
                                   : fmt::format("; {} fits missed their tolerance.", worst.missed);
  const Timing& time = result.timing;
  PageTable table;
  table.header = {"", ""};
  table.last_is_text = true;
  table.rows = {
      {"Minimised", problem.describe()},
      {"Path", fmt::format("{} values of \u03bb; search: {}; rule: {}", result.path.size(),
                           report::search_name(result.search), report::rule_name(result.rule))},
      {"Estimate",
       "approximate leave-one-out (ALO): one fit, then for each row the prediction of the fit without it"},
      {"Certificate", certificate},
      {"Time", fmt::format("fit {} s, ALO {} s, exact {} s, k-fold {} s", readable_short(time.fit_s, 2),
                           readable_short(time.alo_s, 2), readable_short(time.exact_s, 2),
                           readable_short(time.kfold_s, 2))},
      {"Seed", std::to_string(result.seed)},
      {"Version", "alo " ALO_VERSION}};
  const std::string parameters = parameter_words(context);
  if (!parameters.empty()) table.rows.insert(table.rows.begin() + 1, {"Parameters", parameters});
  page.table(table);
}

}  // namespace

std::string render_html(const Problem& problem, const TuneResult& result, const ReportContext& context) {
  Page page;
  add_verdict(page, problem, result);
  add_risk(page, problem, result);
  add_key_numbers(page, problem, result);
  add_confusion(page, problem, result);
  if (report::is_signal(problem)) {
    add_signal(page, problem, result);
  } else if (report::matrix_shape(problem)) {
    add_matrix(page, problem, result);
  } else if (report::has_coefficients(problem)) {
    add_coefficients(page, problem, result);
    add_paths(page, problem, result);
  }
  add_influence(page, problem, result);
  add_warnings(page, problem, result);
  add_method(page, problem, result, context);
  const std::string title = context.title.empty() ? std::string("Tuning report") : context.title;
  return page.document(title, fmt::format("{}, response {}; {}", report::size_words(problem, "\u00d7"),
                                          problem.data().response_name, report::model_words(problem)));
}

}  // namespace alo
