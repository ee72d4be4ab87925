// SPDX-License-Identifier: MIT
// The pieces of the extension alo._core. It converts and forwards: no numerics, no names or defaults of its
// own.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "alo/design.hpp"
#include "alo/message.hpp"
#include "alo/model.hpp"
#include "alo/report.hpp"
#include "alo/tune.hpp"

namespace alo::python {

namespace nb = nanobind;

// Arrays as they come in: read, never written, not copied.
using NumberArray = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using IndexArray = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using TableArray = nb::ndarray<const double, nb::ndim<2>, nb::device::cpu>;

Vector to_vector(const NumberArray& values);

// Arrays as they go out: views of numbers that `owner` keeps alive, or copies that keep themselves alive.
nb::object view_of(const Vector& values, nb::handle owner);
nb::object view_of(const Vector& values, Index outputs, nb::handle owner);
nb::object copy_of(const Vector& values);
nb::object copy_of(Matrix values);

// A setting as Python spells it: "mix", "penalty='ridge'", "shape=(8, 8)".
std::string spell(Setting setting, std::string_view value);
// A message of the library with its settings: "a value is missing (missing='mean')".
std::string in_python(const Message& message);

// The settings of a model and of a run by their Python names. What is absent has the library's default.
// Throws InvalidArgument for an unknown name and for a value of the wrong kind.
struct Settings {
  ModelSettings model;
  TuneOptions tune;
  std::optional<double> time_limit;
};
Settings read_settings(const nb::dict& given);

// A tuned model: everything that its result, report and predictions are made from.
struct Run {
  std::shared_ptr<const Model> model;
  TuneResult result;
  std::string parameters;  // as JSON
  ReportContext context(const std::string& title, bool predictions, bool all_coefficients) const;
};

// Runs the work in a thread of its own, without the interpreter's lock, and looks for signals meanwhile. At
// Ctrl-C the work is asked to stop, and KeyboardInterrupt is raised at once; what is still running then ends
// by itself, and the interpreter waits for it before it exits.
TuneResult tune_interruptibly(std::shared_ptr<const Model> model, const TuneOptions& options,
                              std::optional<double> time_limit);

// Waits for runs that were interrupted and still end.
void wait_for_interrupted_runs();

void bind_errors(nb::module_& module);
void bind_design(nb::module_& module);
void bind_registry(nb::module_& module);
void bind_run(nb::module_& module);
void bind_run_values(nb::class_<Run>& run);
void bind_model(nb::module_& module);

}  // namespace alo::python
