// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <memory>

#include <fmt/format.h>

#include "commands.hpp"
#include "options.hpp"
#include "output.hpp"
#include "pipeline.hpp"
#include "values.hpp"
#include "wording.hpp"

namespace alo::command {

namespace {

// Rows of a check by default: the interval of the difference estimator is then 1/14 of one by a single row,
// and 200 refits are affordable. At ten times the value a check costs as much as exact leave-one-out for
// most data.
constexpr Index default_sample = 200;

std::string number(const std::optional<double>& value) {
  return value ? fmt::format("{:.6g}", *value) : "undefined";
}

std::string render_check(const Problem& problem, const TuneResult& result, bool) {
  if (!result.check) return "No lambda could be chosen or the run was stopped: nothing was checked.\n";
  const Check& check = *result.check;
  const std::string_view metric = to_string(result.risk.front().metric);
  std::string text = fmt::format("Exact leave-one-out beside ALO at lambda = {:.6g}\n\n", check.lambda);
  text += fmt::format("  rows checked      {} of {}\n", check.rows.size(), problem.rows());
  text += fmt::format("  |ALO - LOO|       mean {:.3g}, max {:.3g}\n", check.mean_difference,
                      check.max_difference);
  text += fmt::format("  {:<17} ALO {}, exact {} on these rows\n", fmt::format("risk ({})", metric),
                      number(check.alo_risk.mean), number(check.exact_risk.mean));
  text += fmt::format(
      "  over all rows     ALO {}, corrected by the difference {:.6g} (95 % interval {:.6g} to {:.6g})\n\n",
      number(result.chosen()->choice.risk.mean), check.corrected_risk, check.interval_low,
      check.interval_high);
  if (result.verdict.reliable) return text + "ALO can be trusted here.\n";
  text += "ALO is not reliable here:\n";
  for (const Message& reason : result.verdict.reasons) text += "  - " + in_options(reason) + "\n";
  return text;
}

}  // namespace

void add_check(CLI::App& app, int& code) {
  const auto options = std::make_shared<RunOptions>();
  CLI::App& command =
      *app.add_subcommand("check", "Exact leave-one-out on sampled rows beside ALO: can it be trusted?");
  command.footer(
      "  alo check data.csv\n"
      "  alo check data.csv --lambda 12.5 --sample 50\n");
  add_data_options(command, *options);
  add_model_options(command, *options);
  add_path_options(command, *options);
  add_choice_options(command, *options);
  add_leave_one_out_options(command, *options);
  add_word(command, "--sample", "N", "rows to refit without (default: 200, or all if there are fewer)",
           [options](const std::string& text) {
             options->sample =
                 static_cast<Index>(parse_count("--sample", text, 1, std::numeric_limits<int>::max()));
           })
      ->group("Leave-one-out");
  add_output_options(command, *options);
  add_limit_options(command, *options);
  command.callback([options, &code] {
    options->tune.check_rows = options->sample.value_or(default_sample);
    options->tune.choose = ChooseBy::alo;  // the check itself computes exact leave-one-out
    code = run_pipeline(*options, render_check);
  });
}

}  // namespace alo::command
