// SPDX-License-Identifier: MIT
#include <string>
#include <vector>

#include <fmt/format.h>

#include "alo/report.hpp"
#include "report/html_parts.hpp"
#include "report/json_text.hpp"
#include "summary/format.hpp"
#include "summary/words.hpp"

namespace alo {
namespace {

using report::Page;
using report::PageTable;
using report::readable_short;

void add_warnings(Page& page, const Problem& problem, const TuneResult& result, const Wording& wording) {
  std::vector<std::string> items = report::say_all(result.warnings, wording);
  items.insert(items.end(), problem.data().notes.begin(), problem.data().notes.end());
  if (items.empty()) return;
  page.heading("Warnings and notes");
  page.list(items);
}

// "order 2, sparse 0.5": the parameters that are a single number or word.
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
  const std::string end = report::path_end_sentence(result);
  PageTable table;
  table.header = {"", ""};
  table.last_is_text = true;
  table.rows = {
      {"Minimised", problem.describe()},
      {"Path", fmt::format("{} values of \u03bb; search: {}; rule: {}", result.path.size(),
                           report::search_name(result.search), report::rule_name(result.rule)) +
                   (end.empty() ? "" : ". " + end)},
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
  report::add_verdict(page, problem, result, context.wording);
  report::add_risk(page, problem, result);
  report::add_key_numbers(page, problem, result);
  report::add_confusion(page, problem, result);
  report::add_coefficients(page, problem, result);
  report::add_influence(page, problem, result);
  add_warnings(page, problem, result, context.wording);
  add_method(page, problem, result, context);
  const std::string title = context.title.empty() ? std::string("Tuning report") : context.title;
  return page.document(title, fmt::format("{}, response {}; {}", report::size_words(problem, "\u00d7"),
                                          problem.data().response_name, report::model_words(problem)));
}

}  // namespace alo
