// SPDX-License-Identifier: MIT
// From arrays and settings to a tuned model, and what is written of it.
#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "alo/error.hpp"
#include "alo/inspect.hpp"
#include "alo/leave_one_out.hpp"
#include "bind.hpp"

namespace alo::python {

namespace {

// What the arrays of a call are.
struct Observations {
  Design design;
  NumberArray response;              // numbers, or positions in `classes`
  std::vector<std::string> classes;  // of a response of words
  std::optional<NumberArray> weights;
  std::optional<NumberArray> offset;
  std::vector<std::string> column_names;  // empty: x1, x2, ...
  std::string response_name;
  bool is_table = false;  // of named columns, as a file with a heading
};

Vector column_of(const std::optional<NumberArray>& given, const char* name, Index rows, double missing) {
  if (!given) return Vector::Constant(rows, missing);
  if (static_cast<Index>(given->shape(0)) != rows) {
    throw InvalidData(fmt::format("{} has {} values for {} rows", name, given->shape(0), rows));
  }
  return to_vector(*given);
}

Dataset dataset_of(const Observations& given, WeightKind weight_kind) {
  Dataset data;
  data.design = given.design;
  data.response = to_vector(given.response);
  if (data.response.size() != data.rows()) {
    throw InvalidData(fmt::format("y has {} values for {} rows of X", data.response.size(), data.rows()));
  }
  data.weights = column_of(given.weights, "sample_weight", data.rows(), 1.0);
  data.weight_kind = weight_kind;
  data.offset = column_of(given.offset, "offset", data.rows(), 0.0);
  data.column_names = given.column_names;
  if (given.is_table) {
    for (const std::string& name : given.column_names) data.sources.emplace_back().name = name;
  }
  if (data.column_names.empty()) {
    for (Index j = 0; j < data.columns(); ++j) data.column_names.push_back(fmt::format("x{}", j + 1));
  }
  data.response_name = given.response_name;
  data.classes = given.classes;
  return data;
}

WeightKind weight_kind_of(const std::string& name) {
  for (const auto& [word, kind] : weight_kinds()) {
    if (word == name) return kind;
  }
  throw InvalidArgument(fmt::format("weights_are='{}'; it is importance or frequency", name));
}

Run run(Design design, NumberArray response, const nb::dict& settings, std::vector<std::string> classes,
        std::optional<NumberArray> weights, std::optional<NumberArray> offset,
        std::vector<std::string> column_names, const std::string& response_name,
        const std::string& weights_are) {
  const Settings given = read_settings(settings);
  Observations observations{std::move(design),  std::move(response), std::move(classes),
                            std::move(weights), std::move(offset),   std::move(column_names),
                            response_name};
  observations.is_table = !observations.column_names.empty() && given.model.design == DesignKind::columns;
  const auto model = std::make_shared<const Model>(make_model(
      given.model, dataset_of(observations, weight_kind_of(weights_are)), given.tune.metrics, spell));
  TuneOptions options = given.tune;
  options.metrics = model->metrics;
  TuneResult result = tune_interruptibly(model, options, given.time_limit);
  return Run{model, std::move(result), parameters_json(given.model, *model)};
}

// What the optimality of coefficients that were found elsewhere is: the gap, kkt, and the objective.
nb::tuple certificate(const Run& run, const NumberArray& intercept, const NumberArray& coefficients,
                      double lambda) {
  const Problem& problem = run.model->problem;
  const Vector b0 = to_vector(intercept);
  const Vector b = to_vector(coefficients);
  if (b0.size() != problem.outputs() || b.size() != problem.outputs() * problem.columns()) {
    throw InvalidArgument(
        fmt::format("there are {} intercepts and {} coefficients for {} outputs and {} columns", b0.size(),
                    b.size(), problem.outputs(), problem.columns()));
  }
  const Certificate found = Certifier(problem).certify(b0, b, lambda);
  return nb::make_tuple(found.gap, found.kkt, problem.objective(b0, b, lambda));
}

// The difference of two models, judged on the same rows: mean and standard error.
nb::tuple difference(const Run& run, const std::string& metric, const NumberArray& a, const NumberArray& b) {
  LeaveOneOut one;
  LeaveOneOut two;
  one.linear_predictor = to_vector(a);
  two.linear_predictor = to_vector(b);
  one.flags.assign(static_cast<std::size_t>(run.model->problem.rows()), RowFlag::none);
  two.flags = one.flags;
  const Estimate found = paired_difference(run.model->problem, make_metric(metric), one, two);
  return nb::make_tuple(found.mean, found.se);
}

}  // namespace

ReportContext Run::context(const std::string& title, bool predictions, bool all_coefficients) const {
  ReportContext context;
  context.title = title;
  context.parameters = parameters;
  context.predictions = predictions;
  context.all_coefficients = all_coefficients;
  context.wording = in_python;
  return context;
}

void bind_run(nb::module_& module) {
  nb::class_<Run> run_class(module, "Run", "A tuned model with its data.");
  run_class
      .def(
          "json",
          [](const Run& run, const std::string& title, bool predictions, bool all_coefficients) {
            return render_json(run.model->problem, run.result,
                               run.context(title, predictions, all_coefficients));
          },
          nb::arg("title") = "", nb::arg("predictions") = true, nb::arg("all_coefficients") = false,
          "The result as the command writes it.")
      .def(
          "html",
          [](const Run& run, const std::string& title) {
            return render_html(run.model->problem, run.result, run.context(title, true, false));
          },
          nb::arg("title") = "", "The report.")
      .def(
          "table",
          [](const Run& run) { return render_table(run.model->problem, run.result, false, in_python); },
          "The table of the path, the choice and the verdict.")
      .def(
          "write_report",
          [](const Run& run, const std::string& folder, const std::string& title) {
            const nb::gil_scoped_release unlocked;
            write_report(folder, run.model->problem, run.result, run.context(title, true, false));
          },
          nb::arg("folder"), nb::arg("title") = "",
          "Writes report, tables, pictures and model into a folder.")
      .def(
          "model_json",
          [](const Run& run) {
            return render_model_json(run.model->problem, run.result, run.context("", false, false));
          },
          "The text of model.json.")
      .def("certificate", &certificate, nb::arg("intercept"), nb::arg("coefficients"), nb::arg("lambda_"),
           "Gap, kkt and objective of coefficients that were found elsewhere.")
      .def(
          "mean",
          [](const Run& run, const NumberArray& predictors) {
            const Vector link = to_vector(predictors);
            return copy_of(
                Matrix(by_output(run.model->problem.loss().mean(link), run.model->problem.outputs())));
          },
          nb::arg("predictors").noconvert(),
          "Linear predictors, output after output, on the scale of the response.")
      .def("difference", &difference, nb::arg("metric"), nb::arg("a"), nb::arg("b"),
           "Mean and standard error of the difference of two held-out predictions.");
  bind_run_values(run_class);
  module.def("run", &run, nb::arg("design"), nb::arg("response").noconvert(), nb::arg("settings"),
             nb::arg("classes"), nb::arg("weights").none(), nb::arg("offset").none(), nb::arg("column_names"),
             nb::arg("response_name"), nb::arg("weights_are"),
             "Fits the path, holds rows out, chooses lambda.");
  module.def("wait_for_interrupted_runs", &wait_for_interrupted_runs,
             "Waits until runs that Ctrl-C ended are gone; called before the interpreter exits.");
}

}  // namespace alo::python
