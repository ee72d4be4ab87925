// SPDX-License-Identifier: MIT
#include <memory>

#include "commands.hpp"
#include "options.hpp"
#include "pipeline.hpp"

namespace alo::command {

void add_tune(CLI::App& app, int& code) {
  const auto options = std::make_shared<RunOptions>();
  CLI::App& command =
      *app.add_subcommand("tune", "Fit the path, estimate the risk, choose lambda, write the report");
  command.footer(
      "  alo tune data.csv\n"
      "  alo tune data.csv --target price --drop id --out report\n"
      "  alo tune data.csv --penalty elastic-net --mix 0.8 --rule 1se --folds 10\n"
      "  alo tune data.csv --outer 10\n"
      "  alo tune X.npy --response y.csv --penalty ridge --json result.json\n");
  add_data_options(command, *options);
  add_model_options(command, *options);
  add_path_options(command, *options);
  add_choice_options(command, *options);
  add_leave_one_out_options(command, *options);
  add_choose_option(command, *options);
  add_effort_option(command, *options);
  add_outer_option(command, *options);
  add_output_options(command, *options);
  add_limit_options(command, *options);
  command.callback([options, &code] { code = run_pipeline(*options, view_table); });
}

}  // namespace alo::command
