// SPDX-License-Identifier: MIT
#include <string>
#include <vector>

#include <fmt/format.h>

#include "alo/report.hpp"
#include "report/coefficient_limit.hpp"
#include "summary/format.hpp"
#include "summary/words.hpp"

namespace alo {
namespace {

using report::csv_field;
using report::shortest;

void add_row(const std::vector<std::string>& cells, std::string& out) {
  for (std::size_t k = 0; k < cells.size(); ++k) {
    if (k > 0) out += ',';
    out += cells[k];
  }
  out += '\n';
}

std::string optional_number(const std::optional<double>& value) {
  return value ? shortest(*value) : std::string();
}

std::string mark(const TuneResult& result, std::size_t at) {
  const auto is_at = [&](const std::optional<Selected>& selected) {
    return selected && selected->choice.index && *selected->choice.index == static_cast<Index>(at);
  };
  const bool minimum = is_at(result.minimum);
  const bool one_se = is_at(result.one_se);
  if (minimum && one_se) return "min 1se";
  return minimum ? "min" : one_se ? "1se" : "";
}

std::vector<std::string> risk_header(const TuneResult& result, bool has_coefficients) {
  std::vector<std::string> cells = {"lambda",       "chosen", "df",  has_coefficients ? "nonzero" : "support",
                                    "max_leverage", "gap",    "kkt", "status"};
  for (const RiskCurve& curve : result.risk) {
    const std::string metric(to_string(curve.metric));
    const auto add_way = [&](const std::string& way, const std::vector<Estimate>& values) {
      if (values.empty()) return;
      cells.push_back(fmt::format("{}_{}", metric, way));
      cells.push_back(fmt::format("{}_{}_se", metric, way));
    };
    add_way("alo", curve.alo);
    cells.insert(cells.end(), {metric + "_estimate", metric + "_estimate_se", metric + "_estimate_kind"});
    add_way("exact", curve.exact);
    add_way("kfold", curve.kfold);
  }
  return cells;
}

// The text of a coefficient; empty where there is no fit, or one without coefficients.
std::string coefficient_text(const Fit* fit, bool is_intercept, Index at) {
  if (!fit) return "";
  const Vector& values = is_intercept ? fit->intercept : fit->coefficients;
  return at < values.size() ? shortest(values[at]) : "";
}

}  // namespace

std::string render_risk_csv(const Problem& problem, const TuneResult& result) {
  std::string out;
  const bool has_coefficients = report::has_coefficients(problem);
  add_row(risk_header(result, has_coefficients), out);
  for (std::size_t at = 0; at < result.path.size(); ++at) {
    const PathPoint& point = result.path[at];
    const Fit& fit = point.fit;
    std::vector<std::string> cells = {
        shortest(fit.lambda),
        mark(result, at),
        shortest(point.degrees_of_freedom),
        std::to_string(has_coefficients ? point.nonzero : report::support_rows(fit)),
        shortest(point.max_leverage),
        optional_number(fit.certificate.gap),
        shortest(fit.certificate.kkt),
        std::string(to_string(fit.status))};
    for (const RiskCurve& curve : result.risk) {
      const auto add_way = [&](const std::vector<Estimate>& values) {
        if (values.empty()) return;
        const Estimate estimate = at < values.size() ? values[at] : Estimate{};
        cells.push_back(optional_number(estimate.mean));
        cells.push_back(optional_number(estimate.se));
      };
      add_way(curve.alo);
      const BestEstimate best = at < curve.estimate.size() ? curve.estimate[at] : BestEstimate{};
      cells.insert(cells.end(),
                   {optional_number(best.mean), optional_number(best.se), std::string(to_string(best.kind))});
      add_way(curve.exact);
      add_way(curve.kfold);
    }
    add_row(cells, out);
  }
  return out;
}

std::string render_coefficients_csv(const Problem& problem, const TuneResult& result,
                                    const ReportContext& context) {
  const Index outputs = problem.outputs();
  std::vector<const Fit*> fits;  // a null pointer stands for an empty column
  std::vector<std::string> header = {"term"};
  if (outputs > 1) header.emplace_back("class");
  const std::size_t names = header.size();
  header.insert(header.end(), {"min", "1se"});
  fits.push_back(result.minimum ? &result.minimum->point.fit : nullptr);
  fits.push_back(result.one_se ? &result.one_se->point.fit : nullptr);
  if (report::has_path_coefficients(problem, result, context)) {
    for (const PathPoint& point : result.path) {
      header.push_back(shortest(point.fit.lambda));
      fits.push_back(&point.fit);
    }
  }
  std::string out;
  add_row(header, out);
  std::vector<std::string> cells(header.size());
  const std::vector<std::string> labels = report::class_labels(problem);
  for (Index j = problem.intercept() ? -1 : 0; j < problem.columns(); ++j) {
    cells[0] = j < 0 ? "(intercept)" : csv_field(problem.data().column_name(j));
    for (Index output = 0; output < outputs; ++output) {
      if (outputs > 1) cells[1] = csv_field(labels[static_cast<std::size_t>(output)]);
      const Index term = j + output * problem.columns();
      for (std::size_t k = 0; k < fits.size(); ++k) {
        cells[k + names] = coefficient_text(fits[k], j < 0, j < 0 ? output : term);
      }
      add_row(cells, out);
    }
  }
  return out;
}

}  // namespace alo
