// SPDX-License-Identifier: MIT
#include <string>

#include "alo/error.hpp"
#include "alo/report.hpp"
#include "report/coefficient_limit.hpp"
#include "report/json_text.hpp"
#include "report/matrix_source.hpp"
#include "summary/confusion.hpp"
#include "summary/matrix.hpp"
#include "summary/words.hpp"

namespace alo {
namespace {

using report::by_row;
using report::dump;
using report::Json;
using report::number;
using report::numbers;
using report::parameters_object;
using report::say_all;

Json data_object(const Problem& problem, const ReportContext& context) {
  const Dataset& data = problem.data();
  const std::vector<std::string> columns = report::data_columns(problem);
  Json constant = Json::array();
  for (const Index j : data.kernel ? columns_left_out(*data.kernel) : problem.constant_columns()) {
    constant.push_back(columns[static_cast<std::size_t>(j)]);
  }
  Json object = {{"source", context.title},
                 {"rows", data.rows()},
                 {"columns", columns},
                 {"target", data.response_name},
                 {"classes", report::class_labels(problem)},
                 {"constant_columns", constant},
                 {"notes", data.notes}};
  if (data.matrix) object["matrix"] = report::matrix_object(*data.matrix);
  return object;
}

Json problem_object(const Problem& problem, const TuneResult& result, const ReportContext& context) {
  const RiskCurve* curve = report::choosing_curve(result);
  return {{"loss", problem.loss().name()},
          {"penalty", problem.penalty().name()},
          {"intercept", problem.intercept()},
          {"standardize", report::is_standardized(problem)},
          {"parameters", parameters_object(context.parameters)},
          {"metric", curve ? Json(std::string(to_string(curve->metric))) : Json(nullptr)},
          {"objective", problem.describe()}};
}

Json estimate_object(const Estimate& estimate) {
  return {{"mean", number(estimate.mean)}, {"se", number(estimate.se)}, {"undefined", estimate.undefined}};
}

Json best_object(const BestEstimate& estimate) {
  Json object = estimate_object(estimate);
  object["kind"] = std::string(to_string(estimate.kind));
  object["error"] = number(estimate.error);
  return object;
}

bool is_known(const Estimate& estimate) {
  return estimate.mean || estimate.undefined > 0;
}

// A way of holding out that was not computed at a lambda has no key.
Json risk_object(const TuneResult& result, std::size_t at) {
  Json object = Json::object();
  for (const RiskCurve& curve : result.risk) {
    Json ways = Json::object();
    if (at < curve.alo.size()) ways["alo"] = estimate_object(curve.alo[at]);
    if (at < curve.estimate.size()) ways["estimate"] = best_object(curve.estimate[at]);
    if (at < curve.exact.size() && is_known(curve.exact[at]))
      ways["exact"] = estimate_object(curve.exact[at]);
    if (at < curve.kfold.size()) ways["kfold"] = estimate_object(curve.kfold[at]);
    object[std::string(to_string(curve.metric))] = std::move(ways);
  }
  return object;
}

Json predictions_object(const RowValues& rows, Index outputs) {
  Json certified = Json::array();
  for (Index i = 0; i < rows.alo.size() / outputs; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const bool known = at < rows.certified.size() && rows.certified[at].has_value();
    certified.push_back(known ? Json(*rows.certified[at]) : Json(nullptr));
  }
  Json flags = Json::array();
  for (const RowFlag flag : rows.flags) {
    flags.push_back(flag == RowFlag::none ? std::string() : std::string(to_string(flag)));
  }
  Json object = {{"fitted", by_row(rows.fitted, outputs)}, {"alo", by_row(rows.alo, outputs)}};
  if (rows.exact.size() > 0) object["exact"] = by_row(rows.exact, outputs);
  if (rows.exact_low.size() > 0) {
    object["exact_low"] = numbers(rows.exact_low);
    object["exact_high"] = numbers(rows.exact_high);
  }
  object["leverage"] = numbers(rows.leverage);
  object["certified"] = std::move(certified);
  object["flags"] = std::move(flags);
  return object;
}

// With a kernel, the number of rows of the expansion takes the place of the coefficients.
void add_terms(const Problem& problem, const PathPoint& point, bool with_coefficients, Json& object) {
  if (!report::has_coefficients(problem)) {
    object["coefficients"] = nullptr;
    object["support"] = report::support_rows(point.fit);
    return;
  }
  object["coefficients"] =
      with_coefficients ? by_row(point.fit.coefficients, problem.outputs()) : Json(nullptr);
  object["nonzero"] = point.nonzero;
  if (report::matrix_shape(problem)) object["rank"] = report::singular_values(problem, point.fit).size();
}

void add_point(const Problem& problem, const PathPoint& point, bool with_coefficients, Json& object) {
  const Fit& fit = point.fit;
  object["intercept"] = by_row(fit.intercept, problem.outputs())[0];
  add_terms(problem, point, with_coefficients, object);
  object["df"] = number(point.degrees_of_freedom);
  object["max_leverage"] = number(point.max_leverage);
  object["gap"] = number(fit.certificate.gap);
  if (fit.hat_error > 0.0) object["leverage_error"] = number(fit.hat_error);
  object["kkt"] = number(fit.certificate.kkt);
  object["status"] = std::string(to_string(fit.status));
  object["method"] = report::method_words(fit);
}

Json path_array(const Problem& problem, const TuneResult& result, const ReportContext& context) {
  const bool with_coefficients = report::has_path_coefficients(problem, result, context);
  Json path = Json::array();
  for (std::size_t at = 0; at < result.path.size(); ++at) {
    const PathPoint& point = result.path[at];
    Json object = {{"lambda", number(point.fit.lambda)}};
    add_point(problem, point, with_coefficients, object);
    object["risk"] = risk_object(result, at);
    if (context.predictions && point.rows)
      object["predictions"] = predictions_object(*point.rows, problem.outputs());
    path.push_back(std::move(object));
  }
  return path;
}

Json index_value(const Choice& choice) {
  return choice.index ? Json(*choice.index) : Json(nullptr);
}

Json selected_object(const Problem& problem, const TuneResult& result,
                     const std::optional<Selected>& selected, const ReportContext& context) {
  if (!selected) return nullptr;
  const Choice& choice = selected->choice;
  Json object = {{"index", index_value(choice)},       {"lambda", number(choice.lambda)},
                 {"risk", number(choice.risk.mean)},   {"se", number(choice.risk.se)},
                 {"undefined", choice.risk.undefined}, {"kind", std::string(to_string(selected->kind))},
                 {"error", number(selected->error)}};
  for (std::size_t m = 0; m < selected->alo.size(); ++m) {
    object["alo"][std::string(to_string(result.risk[m].metric))] = estimate_object(selected->alo[m]);
  }
  for (std::size_t m = 0; m < selected->exact.size(); ++m) {
    object["exact"][std::string(to_string(result.risk[m].metric))] = estimate_object(selected->exact[m]);
  }
  add_point(problem, selected->point, true, object);
  if (report::matrix_shape(problem)) {
    object["singular_values"] = numbers(report::singular_values(problem, selected->point.fit));
  }
  if (context.predictions && selected->point.rows) {
    object["predictions"] = predictions_object(*selected->point.rows, selected->point.fit.intercept.size());
  }
  return object;
}

Json confusion_object(const report::Confusion& confusion) {
  Json counts = Json::array();
  for (Index i = 0; i < confusion.counts.rows(); ++i) {
    Json row = Json::array();
    for (const Index count : confusion.counts.row(i)) row.push_back(count);
    counts.push_back(std::move(row));
  }
  return {{"counts", std::move(counts)},
          {"undefined", confusion.undefined},
          {"method", confusion.exact ? "exact" : "alo"}};
}

Json selection_object(const Problem& problem, const TuneResult& result, const ReportContext& context) {
  const std::optional<Selected>& chosen = result.chosen();
  Json object = {{"rule", std::string(report::rule_name(result.rule))},
                 {"search", std::string(report::search_name(result.search))},
                 {"chosen_by", std::string(report::choose_name(result.chosen_by))},
                 {"index", chosen ? index_value(chosen->choice) : Json(nullptr)},
                 {"lambda", chosen ? number(chosen->choice.lambda) : Json(nullptr)},
                 {"min", selected_object(problem, result, result.minimum, context)},
                 {"one_se", selected_object(problem, result, result.one_se, context)}};
  const auto confusion = report::find_confusion(problem, chosen);
  if (confusion) object["confusion"] = confusion_object(*confusion);
  return object;
}

Json check_object(const Check& check, Index outputs) {
  return {{"lambda", number(check.lambda)},
          {"sample", check.rows.size()},
          {"rows", check.rows},
          {"alo", by_row(check.alo, outputs)},
          {"exact", by_row(check.exact, outputs)},
          {"mean_difference", number(check.mean_difference)},
          {"max_difference", number(check.max_difference)},
          {"alo_risk", estimate_object(check.alo_risk)},
          {"exact_risk", estimate_object(check.exact_risk)},
          {"corrected_risk", number(check.corrected_risk)},
          {"interval", Json::array({number(check.interval_low), number(check.interval_high)})},
          {"settled", check.settled},
          {"verdict", to_string(check.verdict)},
          {"deciding_rows", check.deciding_rows ? Json(*check.deciding_rows) : Json(nullptr)}};
}

Json outer_object(const OuterRisk& outer) {
  Json object = {{"folds", outer.folds}, {"complete", outer.complete}, {"lambda", Json::array()}};
  for (const double lambda : outer.lambdas) object["lambda"].push_back(number(lambda));
  const Estimate first = outer.risk.empty() ? Estimate{} : outer.risk.front();
  object["mean"] = number(first.mean);
  object["se"] = number(first.se);
  object["risk"] = Json::object();
  for (std::size_t m = 0; m < outer.risk.size(); ++m) {
    object["risk"][std::string(to_string(outer.metrics[m]))] = estimate_object(outer.risk[m]);
  }
  return object;
}

}  // namespace

std::string render_json(const Problem& problem, const TuneResult& result, const ReportContext& context) {
  Json document = {{"format", "alo-result/1"},
                   {"version", ALO_VERSION},
                   {"data", data_object(problem, context)},
                   {"problem", problem_object(problem, result, context)}};
  document["selection"] = selection_object(problem, result, context);
  document["path_end"] =
      result.path_end
          ? Json({{"lambda", number(result.path_end->lambda)}, {"reason", result.path_end->reason}})
          : Json(nullptr);
  document["verdict"] = {{"reliable", result.verdict.reliable},
                         {"reasons", say_all(result.verdict.reasons, context.wording)}};
  if (result.check) document["check"] = check_object(*result.check, problem.outputs());
  if (result.outer) document["outer"] = outer_object(*result.outer);
  document["warnings"] = say_all(result.warnings, context.wording);
  document["timing"] = {
      {"read_s", number(result.timing.read_s)},   {"fit_s", number(result.timing.fit_s)},
      {"alo_s", number(result.timing.alo_s)},     {"exact_s", number(result.timing.exact_s)},
      {"kfold_s", number(result.timing.kfold_s)}, {"outer_s", number(result.timing.outer_s)}};
  document["complete"] = result.complete;
  document["seed"] = result.seed;
  document["path"] = path_array(problem, result, context);
  return dump(document);
}

}  // namespace alo
