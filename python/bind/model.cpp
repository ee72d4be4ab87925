// SPDX-License-Identifier: MIT
// Saved models and their predictions.
#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "alo/error.hpp"
#include "alo/loss.hpp"
#include "bind.hpp"

namespace alo::python {

namespace {

Rule rule_of(const SavedModel& model, const std::string& at) {
  if (at.empty()) return model.rule;
  if (at == "min") return Rule::minimum;
  if (at == "1se") return Rule::one_se;
  throw InvalidArgument(fmt::format("at='{}'; it is min or 1se", at));
}

PredictionType type_of(const std::string& name) {
  const Words<PredictionType> words = {{"response", PredictionType::response},
                                       {"link", PredictionType::link},
                                       {"class", PredictionType::label}};
  for (const auto& [word, type] : words) {
    if (word == name) return type;
  }
  throw InvalidArgument(fmt::format("type='{}'; it is response, link or class", name));
}

NewData new_data(const SavedModel& model, const Design& design, const std::optional<NumberArray>& offset) {
  if (model.is_signal) {
    throw InvalidData(
        "the model is a signal, with one coefficient for each of its rows: it says nothing of new ones");
  }
  const Index columns =
      model.expansion ? model.expansion->rows.cols() : static_cast<Index>(model.column_names.size());
  if (design.columns() != columns) {
    throw InvalidData(fmt::format("X has {} columns, but the model has {}", design.columns(), columns));
  }
  const Vector added = offset ? to_vector(*offset) : Vector(Vector::Zero(design.rows()));
  if (added.size() != design.rows()) {
    throw InvalidData(fmt::format("offset has {} values for {} rows", added.size(), design.rows()));
  }
  return {design, added};
}

nb::object predictions(const SavedModel& model, const Design& design, const std::string& type,
                       const std::string& at, const std::optional<NumberArray>& offset) {
  const NewData data = new_data(model, design, offset);
  const PredictionType kind = type_of(type);
  const Rule rule = rule_of(model, at);
  Matrix values;
  {
    const nb::gil_scoped_release unlocked;
    values = predict(model, rule, data, kind);
  }
  return copy_of(std::move(values));
}

nb::dict point_of(const SavedModel& model, const std::string& at) {
  const SavedModel::Point& point = rule_of(model, at) == Rule::minimum ? model.minimum : model.one_se;
  nb::dict result;
  result["lambda"] = point.lambda;
  result["intercept"] = copy_of(point.intercept);
  result["coefficients"] = copy_of(Matrix(by_output(point.coefficients, point.intercept.size())));
  return result;
}

}  // namespace

void bind_model(nb::module_& module) {
  nb::class_<SavedModel>(module, "SavedModel", "What model.json holds.")
      .def_ro("loss", &SavedModel::loss)
      .def_ro("penalty", &SavedModel::penalty)
      .def_ro("classes", &SavedModel::classes)
      .def_ro("column_names", &SavedModel::column_names)
      .def_ro("response_name", &SavedModel::response_name)
      .def_prop_ro("has_kernel", [](const SavedModel& model) { return model.expansion.has_value(); })
      .def("point", &point_of, nb::arg("at") = "", "lambda, intercept and coefficients.")
      .def("predict", &predictions, nb::arg("design"), nb::arg("type") = "response", nb::arg("at") = "",
           nb::arg("offset").none() = nb::none(), "The predictions for new rows.");
  module.def("parse_model", &parse_model, nb::arg("text"), nb::arg("source") = "the model",
             "A model from the text of model.json.");
}

}  // namespace alo::python
