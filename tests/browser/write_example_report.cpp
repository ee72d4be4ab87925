// SPDX-License-Identifier: MIT
// Writes complete reports of simulated results into the folder given, for the browser test: numbers there,
// classes and counts in folders inside it.
#include <fmt/format.h>

#include <exception>
#include <filesystem>

#include "alo/report.hpp"
#include "unit/report/example_classes.hpp"
#include "unit/report/example_result.hpp"

int main(int argument_count, char** arguments) {
  if (argument_count != 2) {
    fmt::print(stderr, "usage: write_example_report FOLDER\n");
    return 2;
  }
  try {
    alo::example::ExampleOptions options;
    options.exact_curve = false;
    options.column_names = {"age", "serum <cholesterol> & \"triglycerides\"", "bmi", "bp"};
    const alo::Problem problem = alo::example::example_problem(options);
    alo::TuneResult result = alo::example::example_result(problem, options);
    result.warnings.emplace_back(
        "column 'x9' repeats column 'x3': their coefficients are not separately determined");
    alo::ReportContext context;
    context.title = "example.csv";
    alo::write_report(arguments[1], problem, result, context);
    const auto write = [&](const char* name, const alo::Problem& other) {
      alo::write_report(std::filesystem::path(arguments[1]) / name, other,
                        alo::example::deviance_result(other), context);
    };
    fmt::print("{}", alo::render_table(problem, result, false));
    write("classes", alo::example::class_problem({"high & dry", "<low>", "a label of many words", "d"}));
    write("counts", alo::example::count_problem());
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
  return 0;
}
