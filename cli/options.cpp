// SPDX-License-Identifier: MIT
#include "options.hpp"

#include <algorithm>
#include <limits>
#include <thread>

#include "alo/registry.hpp"
#include "values.hpp"

namespace alo::command {

namespace {

// A bound that only keeps counts within an int.
constexpr std::uint64_t largest_count = std::numeric_limits<int>::max();
// Of threads, as of default_threads.
constexpr unsigned largest_threads = 128;

std::string metric_names() {
  std::vector<std::string_view> names;
  for (const Metric metric : all_metrics) names.push_back(to_string(metric));
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

CLI::Option* add_word(CLI::App& app, const std::string& name, const std::string& value_name,
                      const std::string& description, std::function<void(const std::string&)> set) {
  const auto checked = [name, set = std::move(set)](const std::string& text) {
    if (text.empty()) throw InvalidArgument(name + " needs a value; it was given an empty one");
    set(text);
  };
  return app.add_option_function<std::string>(name, checked, description)->type_name(value_name);
}

void add_lambda_option(CLI::App& app, RunOptions& options, const std::string& description) {
  const auto parse = [&options](const std::string& text) {
    for (const std::string& part : parse_list("--lambda", text)) {
      const double lambda = parse_number("--lambda", part);
      if (lambda < 0)
        throw InvalidArgument(fmt::format("--lambda: {} is negative; lambda must be at least 0", part));
      options.tune.lambdas.push_back(lambda);
    }
  };
  add_word(app, "--lambda", "L[,L...]", description, parse)->group("Path");
}

void add_path_options(CLI::App& app, RunOptions& options) {
  add_lambda_option(app, options, "values of lambda instead of a grid");
  add_word(app, "--lambdas", "K", "number of values of a generated grid (default 100)",
           [&options](const std::string& text) {
             options.tune.grid.count = static_cast<int>(parse_count("--lambdas", text, 1, 100000));
             options.grid_given = true;
           })
      ->group("Path");
  add_word(app, "--lambda-ratio", "R",
           "smallest over largest lambda (1e-4 if rows > columns, else 1e-2; ridge, kernel, signal: by their "
           "degrees of freedom)",
           [&options](const std::string& text) {
             const double ratio = parse_number("--lambda-ratio", text);
             if (ratio <= 0 || ratio >= 1) {
               throw InvalidArgument(fmt::format("--lambda-ratio: {} is not between 0 and 1", text));
             }
             options.tune.grid.ratio = ratio;
             options.grid_given = true;
           })
      ->group("Path");
  app.add_flag_callback(
         "--full-path",
         [&options] {
           options.tune.full_path = true;
           options.grid_given = true;
         },
         "do not end a generated grid early where its rest is dear and the risk only rises")
      ->group("Path");
}

void add_choice_options(CLI::App& app, RunOptions& options) {
  add_word(app, "--rule", "R",
           "min (default): best risk; 1se: largest lambda within one se of it; 1se-paired: of the difference",
           [&options](const std::string& text) { options.tune.rule = parse_word("--rule", text, rules()); })
      ->group("Path");
  add_word(
      app, "--search", "S", "grid (default), or exact: also between the grid's values (lasso, --ridge)",
      [&options](const std::string& text) { options.tune.search = parse_word("--search", text, searches()); })
      ->group("Path");
}

void add_leave_one_out_options(CLI::App& app, RunOptions& options) {
  TuneOptions& tune = options.tune;
  const std::string group = "Leave-one-out";
  add_word(app, "--metric", "NAME[,NAME...]",
           metric_names() + "; the first one chooses lambda (default: by the loss)",
           [&options](const std::string& text) {
             for (const std::string& name : parse_list("--metric", text))
               options.tune.metrics.push_back(make_metric(name));
           })
      ->group(group);
  add_word(
      app, "--framework", "F", "auto (default), primal or dual formula",
      [&tune](const std::string& text) { tune.framework = parse_word("--framework", text, frameworks()); })
      ->group(group);
  app.add_flag("--exact", tune.exact, "also exact leave-one-out along the path")->group(group);
  add_word(app, "--folds", "K", "also K-fold cross validation", [&tune](const std::string& text) {
    tune.folds = static_cast<int>(parse_count("--folds", text, 2, largest_count));
  })->group(group);
  add_word(app, "--repair", "R",
           "exact rows where ALO is in doubt: auto (default: as the effort allows), none, or exact: all that "
           "it cannot predict",
           [&tune](const std::string& text) { tune.repair = parse_word("--repair", text, repairs()); })
      ->group(group);
  app.add_flag("--strict", options.strict, "exit with code 5 when the estimate is not reliable")
      ->group(group);
}

void add_outer_option(CLI::App& app, RunOptions& options) {
  add_word(app, "--outer", "K", "also the error of the whole procedure, tuning included, by K outer folds",
           [&options](const std::string& text) {
             options.tune.outer_folds = static_cast<int>(parse_count("--outer", text, 2, largest_count));
           })
      ->group("Leave-one-out");
}

void add_choose_option(CLI::App& app, RunOptions& options) {
  TuneOptions& tune = options.tune;
  add_word(
      app, "--choose", "WHAT",
      "what chooses lambda: auto (default: the most exact curve that the effort allows), alo, exact, kfold",
      [&tune](const std::string& text) { tune.choose = parse_word("--choose", text, choosers()); })
      ->group("Leave-one-out");
}

void add_effort_option(CLI::App& app, RunOptions& options) {
  TuneOptions& tune = options.tune;
  add_word(app, "--effort", "X",
           "exact work allowed, in costs of the path (default: one path, or half a second if that is more)",
           [&tune](const std::string& text) {
             const double effort = parse_number("--effort", text);
             if (!(effort >= 0)) {
               throw InvalidArgument(fmt::format("--effort: {} is negative; 0 means ALO alone", text));
             }
             tune.effort = effort;
           })
      ->group("Leave-one-out");
}

void add_output_options(CLI::App& app, RunOptions& options) {
  OutputOptions& output = options.output;
  const std::string group = "Output";
  add_word(app, "--json", "FILE", "the result as JSON; '-' is stdout, instead of the table",
           [&output](const std::string& text) { output.json = text; })
      ->group(group);
  add_word(app, "--out", "DIR", "folder for report.html, model.json, JSON, CSV and pictures",
           [&output](const std::string& text) { output.folder = text; })
      ->group(group);
  app.add_flag("--predictions", output.predictions, "values of every row in the JSON")->group(group);
  app.add_flag("--all-coefficients", output.all_coefficients,
               "coefficients at every lambda, however many there are")
      ->group(group);
  app.add_flag("--quiet", output.quiet, "no notes and no progress bar")->group(group);
  app.add_flag("--no-color", output.no_color, "no colour")->group(group);
}

void add_limit_options(CLI::App& app, RunOptions& options) {
  const auto add = [&app](const std::string& name, const std::string& value_name, const std::string& text,
                          std::function<void(const std::string&)> set) {
    add_word(app, name, value_name, text, std::move(set))->group("Limits");
  };
  add("--time-limit", "S", "seconds after which to stop and save what is finished",
      [&options](const std::string& text) { options.limits.seconds = parse_positive("--time-limit", text); });
  add("--memory-limit", "MB", "memory in use at which to stop and save what is finished",
      [&options](const std::string& text) {
        options.limits.megabytes = parse_positive("--memory-limit", text);
      });
  options.tune.threads = default_threads();
  add("--threads", "N", "threads (default: the number of cores)", [&options](const std::string& text) {
    options.tune.threads = static_cast<int>(parse_count("--threads", text, 1, largest_threads));
  });
  add("--seed", "S", "seed of folds and samples (default 1)", [&options](const std::string& text) {
    options.tune.seed = parse_count("--seed", text, 0, std::numeric_limits<std::uint64_t>::max());
  });
}

}  // namespace alo::command
