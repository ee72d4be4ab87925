// SPDX-License-Identifier: MIT
// The curve of the risk, and the numbers of both choices.
#include <string>
#include <vector>

#include <fmt/format.h>

#include "figures/signal_figure.hpp"
#include "report/html_parts.hpp"
#include "summary/format.hpp"
#include "summary/matrix.hpp"
#include "summary/parts.hpp"
#include "summary/words.hpp"

namespace alo::report {

namespace {

std::string estimate_text(const Estimate& estimate) {
  if (!estimate.mean)
    return estimate.undefined > 0 ? fmt::format("undefined ({} rows)", estimate.undefined) : "-";
  std::string text = readable_short(*estimate.mean, 5);
  if (estimate.se) text += fmt::format(" \u00b1 {}", readable(*estimate.se, 2));
  return text;
}

// Adds a row to the table of key numbers: one cell for the minimum, one for the one-standard-error choice.
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
    const std::string metric(to_string(curve.metric));
    const auto on_path = [](const Selected& selected, const auto& values) -> Estimate {
      const auto& index = selected.choice.index;
      const bool known = index && *index < static_cast<Index>(values.size());
      return known ? Estimate(values[static_cast<std::size_t>(*index)]) : Estimate{};
    };
    if (m == 0) {
      add_pair(table, result, metric, [](const Selected& selected) {
        return fmt::format("{} ({})", estimate_text(selected.choice.risk), to_string(selected.kind));
      });
    } else {
      add_pair(table, result, metric,
               [&](const Selected& selected) { return estimate_text(on_path(selected, curve.estimate)); });
    }
    add_pair(table, result, metric + ", ALO",
             [&](const Selected& s) { return m < s.alo.size() ? estimate_text(s.alo[m]) : "-"; });
    // Where the first line is exact in both columns, this one would repeat it.
    const auto adds_exact = [](const std::optional<Selected>& selected) {
      return is_proved(selected) && selected->exact.front().mean != selected->choice.risk.mean;
    };
    if (adds_exact(result.minimum) || adds_exact(result.one_se)) {
      add_pair(table, result, metric + ", exact leave-one-out",
               [&](const Selected& s) { return m < s.exact.size() ? estimate_text(s.exact[m]) : "-"; });
    }
    if (!curve.kfold.empty()) {
      add_pair(table, result, metric + ", k-fold",
               [&](const Selected& selected) { return estimate_text(on_path(selected, curve.kfold)); });
    }
  }
}

}  // namespace

void add_risk(Page& page, const Problem& problem, const TuneResult& result) {
  page.heading("Risk along the path");
  const RiskCurve* curve = choosing_curve(result);
  std::string caption = "Leave-one-out estimate of the error on new rows, with a band of one standard error.";
  if (curve && !curve->exact.empty()) caption += " Circles: exact leave-one-out.";
  if (curve && has_kinds(*curve)) caption += " Elsewhere the approximation, corrected where it is in doubt.";
  if (curve && has_better_than_alo(*curve)) caption += " Grey: the approximation (ALO) alone.";
  if (curve && !curve->kfold.empty()) caption += " Dashes: k-fold cross validation.";
  page.figure(render_risk_svg(problem, result), caption);
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
  if (has_coefficients(problem)) {
    // A signal has as many coefficients as rows; its degrees of freedom say more.
    if (matrix_shape(problem)) {
      add_pair(table, result, "rank of the matrix", [&problem](const Selected& s) {
        return std::to_string(singular_values(problem, s.point.fit).size());
      });
    } else if (!is_signal(problem)) {
      add_pair(table, result, "coefficients not zero",
               [](const Selected& s) { return std::to_string(s.point.nonzero); });
      if (const auto parts = result.chosen() ? parts_of(problem, result.chosen()->point.fit) : std::nullopt) {
        add_pair(table, result, parts->name, [&problem](const Selected& s) {
          return std::to_string(parts_of(problem, s.point.fit)->count);
        });
      }
    }
  } else {
    add_pair(table, result, "support vectors",
             [](const Selected& s) { return std::to_string(support_rows(s.point.fit)); });
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

}  // namespace alo::report
