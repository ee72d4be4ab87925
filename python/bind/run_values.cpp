// SPDX-License-Identifier: MIT
// The numbers of a result, as dictionaries of arrays. Arrays of rows and coefficients are views of the
// result.
#include <cmath>
#include <limits>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "alo/error.hpp"
#include "bind.hpp"

namespace alo::python {

namespace {

using Handle = nb::pointer_and_handle<Run>;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// One number for each of `count` places, NaN where there is none.
template <class Get>
nb::object numbers(std::size_t count, const Get& get) {
  Vector values(static_cast<Index>(count));
  for (std::size_t k = 0; k < count; ++k)
    values[static_cast<Index>(k)] = std::optional<double>(get(k)).value_or(nan);
  return copy_of(values);
}

nb::list sentences(const std::vector<Message>& messages) {
  nb::list result;
  for (const Message& message : messages) result.append(in_python(message));
  return result;
}

nb::object certified(const std::vector<std::optional<bool>>& rows) {
  return numbers(rows.size(), [&](std::size_t i) {
    return rows[i] ? std::optional<double>(*rows[i] ? 1.0 : 0.0) : std::nullopt;
  });
}

nb::dict rows_of(const RowValues& rows, Index outputs, nb::handle owner) {
  nb::dict result;
  result["fitted"] = view_of(rows.fitted, outputs, owner);
  result["alo"] = view_of(rows.alo, outputs, owner);
  if (rows.exact.size() > 0) result["exact"] = view_of(rows.exact, outputs, owner);
  if (rows.exact_low.size() > 0) {
    result["exact_low"] = view_of(rows.exact_low, owner);
    result["exact_high"] = view_of(rows.exact_high, owner);
  }
  result["leverage"] = view_of(rows.leverage, owner);
  result["certified"] = certified(rows.certified);
  nb::list flags;
  for (const RowFlag flag : rows.flags)
    flags.append(flag == RowFlag::none ? std::string() : std::string(to_string(flag)));
  result["flags"] = flags;
  return result;
}

nb::dict estimate_of(const Estimate& estimate) {
  nb::dict result;
  result["mean"] = nb::cast(estimate.mean);
  result["se"] = nb::cast(estimate.se);
  result["undefined"] = estimate.undefined;
  return result;
}

void add_point(nb::dict& result, const PathPoint& point, Index outputs, nb::handle owner) {
  result["intercept"] = view_of(point.fit.intercept, owner);
  result["coefficients"] = view_of(point.fit.coefficients, outputs, owner);
  result["nonzero"] = point.nonzero;
  result["df"] = point.degrees_of_freedom;
  result["max_leverage"] = point.max_leverage;
  result["gap"] = nb::cast(point.fit.certificate.gap);
  result["kkt"] = point.fit.certificate.kkt;
  result["status"] = std::string(to_string(point.fit.status));
  result["method"] = point.fit.method;
}

nb::object selected_of(Handle self, const std::string& which) {
  const TuneResult& tuned = self.p->result;
  const std::optional<Selected>& selected = which == "min"      ? tuned.minimum
                                            : which == "one_se" ? tuned.one_se
                                                                : tuned.chosen();
  if (!selected) return nb::none();
  const Index outputs = self.p->model->problem.outputs();
  nb::dict result;
  result["lambda"] = selected->choice.lambda;
  result["index"] = nb::cast(selected->choice.index);
  result["risk"] = nb::cast(selected->choice.risk.mean);
  result["se"] = nb::cast(selected->choice.risk.se);
  result["undefined"] = selected->choice.risk.undefined;
  result["kind"] = std::string(to_string(selected->kind));
  result["error"] = nb::cast(selected->error);
  add_point(result, selected->point, outputs, self.h);
  nb::dict alo;
  nb::dict exact;
  for (std::size_t m = 0; m < selected->alo.size(); ++m)
    alo[to_string(tuned.risk[m].metric).data()] = estimate_of(selected->alo[m]);
  for (std::size_t m = 0; m < selected->exact.size(); ++m)
    exact[to_string(tuned.risk[m].metric).data()] = estimate_of(selected->exact[m]);
  result["alo"] = alo;
  result["exact"] = exact;
  if (selected->point.rows) result["rows"] = rows_of(*selected->point.rows, outputs, self.h);
  return result;
}

nb::dict path_of(Handle self) {
  const std::vector<PathPoint>& path = self.p->result.path;
  const auto column = [&path](auto get) {
    return numbers(path.size(), [&](std::size_t k) { return get(path[k]); });
  };
  nb::dict result;
  result["lambda"] = column([](const PathPoint& point) { return point.fit.lambda; });
  result["df"] = column([](const PathPoint& point) { return point.degrees_of_freedom; });
  result["nonzero"] = column([](const PathPoint& point) { return static_cast<double>(point.nonzero); });
  result["max_leverage"] = column([](const PathPoint& point) { return point.max_leverage; });
  result["gap"] = column([](const PathPoint& point) { return point.fit.certificate.gap; });
  result["kkt"] = column([](const PathPoint& point) { return point.fit.certificate.kkt; });
  nb::list status;
  for (const PathPoint& point : path) status.append(std::string(to_string(point.fit.status)));
  result["status"] = status;
  return result;
}

// One row for every lambda: the coefficients, or with `intercepts` the intercepts, output after output.
nb::object stacked(const Run& run, bool intercepts) {
  const std::vector<PathPoint>& path = run.result.path;
  const auto of = [&](std::size_t k) -> const Vector& {
    return intercepts ? path[k].fit.intercept : path[k].fit.coefficients;
  };
  Matrix values(path.empty() ? 0 : of(0).size(), static_cast<Index>(path.size()));
  for (std::size_t k = 0; k < path.size(); ++k) values.col(static_cast<Index>(k)) = of(k);
  return copy_of(std::move(values));
}

template <class Estimates>
void add_curve(nb::dict& result, const std::string& name, const Estimates& curve) {
  if (curve.empty()) return;
  result[name.c_str()] = numbers(curve.size(), [&](std::size_t k) { return curve[k].mean; });
  result[(name + "_se").c_str()] = numbers(curve.size(), [&](std::size_t k) { return curve[k].se; });
  result[(name + "_undefined").c_str()] =
      numbers(curve.size(), [&](std::size_t k) { return static_cast<double>(curve[k].undefined); });
}

nb::dict risk_of(const Run& run, std::size_t metric) {
  const RiskCurve& curve = run.result.risk.at(metric);
  nb::dict result;
  add_curve(result, "estimate", curve.estimate);
  result["error"] = numbers(curve.estimate.size(), [&](std::size_t k) { return curve.estimate[k].error; });
  nb::list kinds;
  for (const BestEstimate& estimate : curve.estimate) kinds.append(std::string(to_string(estimate.kind)));
  result["kind"] = kinds;
  add_curve(result, "alo", curve.alo);
  add_curve(result, "exact", curve.exact);
  add_curve(result, "kfold", curve.kfold);
  return result;
}

nb::object check_of(Handle self) {
  const std::optional<Check>& check = self.p->result.check;
  if (!check) return nb::none();
  nb::dict result;
  const Index outputs = self.p->model->problem.outputs();
  result["lambda"] = check->lambda;
  result["rows"] = nb::cast(check->rows);
  result["alo"] = view_of(check->alo, outputs, self.h);
  result["exact"] = view_of(check->exact, outputs, self.h);
  result["mean_difference"] = check->mean_difference;
  result["max_difference"] = check->max_difference;
  result["alo_risk"] = estimate_of(check->alo_risk);
  result["exact_risk"] = estimate_of(check->exact_risk);
  result["settled"] = check->settled;
  result["corrected_risk"] = check->corrected_risk;
  result["interval"] = nb::make_tuple(check->interval_low, check->interval_high);
  result["verdict"] = std::string(to_string(check->verdict));
  result["deciding_rows"] = nb::cast(check->deciding_rows);
  return result;
}

nb::object outer_of(const Run& run) {
  const std::optional<OuterRisk>& outer = run.result.outer;
  if (!outer) return nb::none();
  nb::dict result;
  nb::dict risk;
  for (std::size_t m = 0; m < outer->risk.size(); ++m)
    risk[to_string(outer->metrics[m]).data()] = estimate_of(outer->risk[m]);
  result["folds"] = outer->folds;
  result["risk"] = risk;
  result["lambdas"] = nb::cast(outer->lambdas);
  result["complete"] = outer->complete;
  return result;
}

nb::list classes_of(const Run& run) {
  nb::list labels;
  for (const std::string& label : run.model->problem.data().classes) labels.append(label);
  return labels;
}

nb::dict facts_of(const Run& run) {
  const Problem& problem = run.model->problem;
  const TuneResult& tuned = run.result;
  nb::dict facts;
  facts["rows"] = problem.rows();
  facts["columns"] = problem.columns();
  facts["outputs"] = problem.outputs();
  facts["names"] = nb::cast(problem.data().column_names);
  facts["target"] = problem.data().response_name;
  facts["classes"] = classes_of(run);
  facts["has_kernel"] = problem.data().kernel.has_value();
  facts["loss"] = std::string(problem.loss().name());
  facts["penalty"] = std::string(problem.penalty().name());
  facts["intercept"] = problem.intercept();
  facts["standardize"] = problem.standardize();
  facts["parameters"] = run.parameters;
  facts["objective"] = problem.describe();
  nb::list metrics;
  for (const RiskCurve& curve : tuned.risk) metrics.append(std::string(to_string(curve.metric)));
  facts["metrics"] = metrics;
  facts["notes"] = nb::cast(problem.data().notes);
  facts["warnings"] = sentences(tuned.warnings);
  facts["reliable"] = tuned.verdict.reliable;
  facts["reasons"] = sentences(tuned.verdict.reasons);
  facts["complete"] = tuned.complete;
  facts["certified"] = tuned.certified;
  facts["approximated"] = tuned.approximated;
  facts["seed"] = tuned.seed;
  facts["path_end"] = tuned.path_end ? nb::cast(tuned.path_end->reason) : nb::none();
  for (const auto& [name, value] : rules())
    if (value == tuned.rule) facts["rule"] = name;
  for (const auto& [name, value] : choosers())
    if (value == tuned.chosen_by) facts["chosen_by"] = name;
  nb::dict timing;
  timing["fit"] = tuned.timing.fit_s;
  timing["alo"] = tuned.timing.alo_s;
  timing["exact"] = tuned.timing.exact_s;
  timing["kfold"] = tuned.timing.kfold_s;
  timing["outer"] = tuned.timing.outer_s;
  facts["timing"] = timing;
  return facts;
}

nb::object rows_at(Handle self, std::size_t index) {
  const PathPoint& point = self.p->result.path.at(index);
  if (!point.rows) return nb::none();
  return rows_of(*point.rows, self.p->model->problem.outputs(), self.h);
}

}  // namespace

void bind_run_values(nb::class_<Run>& run) {
  run.def("facts", &facts_of, "Names, settings, verdict and messages.")
      .def("path", &path_of, "Numbers of every lambda.")
      .def("stacked", &stacked, nb::arg("intercepts"),
           "Coefficients or intercepts, a column for every lambda.")
      .def("risk", &risk_of, nb::arg("metric"), "The curves of the metric at this position.")
      .def("selected", &selected_of, nb::arg("which"), "What was chosen: 'min', 'one_se', or by the rule.")
      .def("rows_at", &rows_at, nb::arg("index"), "Values of every row at a lambda, where they were kept.")
      .def("check", &check_of, "Exact leave-one-out on sampled rows, where asked.")
      .def("outer", &outer_of, "The error of the whole procedure, where asked.");
}

}  // namespace alo::python
