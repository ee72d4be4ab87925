// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
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

std::string number(const std::optional<double>& value) {
  return value ? fmt::format("{:.6g}", *value) : "undefined";
}

std::string verdict_line(const Check& check) {
  switch (check.verdict) {
    case CheckVerdict::trusted:
      return "ALO can be trusted here.";
    case CheckVerdict::undecided:
      return fmt::format("Undecided: these rows do not tell whether ALO can be trusted; --sample {} should.",
                         check.deciding_rows.value_or(0));
    case CheckVerdict::refuted:
      return "ALO is wrong here.";
  }
  return "";
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
  text += fmt::format("  over all rows     ALO {}, ", number(result.chosen()->choice.risk.mean));
  text += std::isfinite(check.interval_high)
              ? fmt::format("exact {:.6g} (95 % interval {:.6g} to {:.6g})\n", check.corrected_risk,
                            check.interval_low, check.interval_high)
              : std::string("exact unknown\n");
  if (check.settled > 0) {
    text += fmt::format("  without refits    {} rows, in which ALO is proved to be exact\n", check.settled);
  }
  text += "\n" + verdict_line(check) + "\n";
  if (result.verdict.reliable) return text;
  text += "The estimate cannot be relied on:\n";
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
  add_word(command, "--sample", "N",
           "rows to refit without, at least 5 (default: 200, or all if there are fewer)",
           [options](const std::string& text) {
             options->sample = static_cast<Index>(
                 parse_count("--sample", text, least_check_rows, std::numeric_limits<int>::max()));
           })
      ->group("Leave-one-out");
  add_output_options(command, *options);
  add_limit_options(command, *options);
  command.callback([options, &code] {
    options->tune.check_rows = options->sample.value_or(default_check_rows);
    options->tune.choose = ChooseBy::alo;  // the check itself computes exact leave-one-out
    code = run_pipeline(*options, render_check);
  });
}

}  // namespace alo::command
