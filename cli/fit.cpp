// SPDX-License-Identifier: MIT
#include <memory>

#include <fmt/format.h>

#include "alo/error.hpp"
#include "commands.hpp"
#include "options.hpp"
#include "pipeline.hpp"

namespace alo::command {

void add_fit(CLI::App& app, int& code) {
  const auto options = std::make_shared<RunOptions>();
  CLI::App& command = *app.add_subcommand("fit", "Fit and estimate the risk at one lambda");
  command.footer(
      "  alo fit data.csv --lambda 12.5\n"
      "  alo fit data.csv --lambda 12.5 --penalty ridge --exact --predictions --json -\n");
  add_data_options(command, *options);
  add_model_options(command, *options);
  add_lambda_option(command, *options, "the value of lambda (required)");
  add_leave_one_out_options(command, *options);
  add_effort_option(command, *options);
  add_output_options(command, *options);
  add_limit_options(command, *options);
  command.callback([options, &code] {
    if (options->tune.lambdas.size() != 1) {
      throw InvalidArgument(
          fmt::format("alo fit needs exactly one --lambda, and {} were given; alo tune chooses one",
                      options->tune.lambdas.size()));
    }
    code = run_pipeline(*options, view_table);
  });
}

}  // namespace alo::command
