// SPDX-License-Identifier: MIT
// The library's tables of names, so that Python has none of its own.
#include <nanobind/stl/string.h>

#include "alo/registry.hpp"
#include "bind.hpp"

namespace alo::python {

namespace {

nb::dict table(const std::vector<ModelEntry>& entries) {
  nb::dict result;
  for (const ModelEntry& entry : entries) result[entry.name.c_str()] = entry.help;
  return result;
}

template <class T>
nb::list names(const Words<T>& words) {
  nb::list result;
  for (const auto& [name, value] : words) result.append(name);
  return result;
}

nb::list metric_names(const std::vector<Metric>& metrics) {
  nb::list result;
  for (const Metric metric : metrics) result.append(std::string(to_string(metric)));
  return result;
}

std::string kind_name(const std::string& loss) {
  switch (response_kind(loss)) {
    case ResponseKind::number:
      return "number";
    case ResponseKind::two_classes:
      return "two classes";
    case ResponseKind::classes:
      return "classes";
  }
  return {};
}

}  // namespace

void bind_registry(nb::module_& module) {
  module.def(
      "losses", [] { return table(losses()); }, "The losses and what they are.");
  module.def(
      "penalties", [] { return table(penalties()); }, "The penalties and what they are.");
  module.def(
      "metrics",
      [] {
        return metric_names({all_metrics.begin(), all_metrics.end()});
      },
      "The names of the metrics.");
  module.def(
      "larger_is_better", [](const std::string& metric) { return larger_is_better(make_metric(metric)); },
      nb::arg("metric"), "Whether larger values of a metric are the better ones.");
  module.def(
      "standardizes", [](const std::string& penalty) { return penalty_entry(penalty).standardize; },
      nb::arg("penalty"), "Whether a penalty standardises columns by default.");
  module.def("response_kind", &kind_name, nb::arg("loss"), "What response a loss takes.");
  module.attr("default_check_rows") = default_check_rows;
  module.def(
      "words",
      [] {
        nb::dict result;
        result["rule"] = names(rules());
        result["search"] = names(searches());
        result["framework"] = names(frameworks());
        result["choose"] = names(choosers());
        result["repair"] = names(repairs());
        result["slope_shape"] = names(slope_shapes());
        result["kernel"] = names(kernel_kinds());
        result["weights_are"] = names(weight_kinds());
        return result;
      },
      "The words that settings take, the default first.");
}

}  // namespace alo::python
