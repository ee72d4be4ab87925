// SPDX-License-Identifier: MIT
#include "options.hpp"

#include <algorithm>
#include <limits>
#include <thread>

#include "alo/registry.hpp"
#include "structure.hpp"
#include "values.hpp"

namespace alo::command {

namespace {

constexpr std::uint64_t largest_count = std::numeric_limits<int>::max();
// More at once than OpenBLAS, as Debian builds it, is made for.
constexpr unsigned largest_threads = 128;
constexpr std::uint64_t largest_degree = 100;

// A pair of flags, --name and --no-name, of which at most one may be given.
void add_switch(CLI::App& app, const std::string& name, const std::string& description,
                std::optional<bool>& value) {
  const auto set = [&value, name](bool on) {
    if (value) throw InvalidArgument(fmt::format("--{0} and --no-{0} contradict each other: use one", name));
    value = on;
  };
  app.add_flag_callback(
         "--" + name, [set] { set(true); }, description + "; or --no-" + name)
      ->group("Model");
  app.add_flag_callback("--no-" + name, [set] { set(false); })->group("");
}

FileFormat parse_format(const std::string& text) {
  return parse_word<FileFormat>("--format", text,
                                {{"csv", FileFormat::csv},
                                 {"tsv", FileFormat::tsv},
                                 {"libsvm", FileFormat::libsvm},
                                 {"npy", FileFormat::npy},
                                 {"mtx", FileFormat::matrix_market},
                                 {"triplets", FileFormat::triplets}});
}

DesignKind parse_design(const std::string& text) {
  return parse_word<DesignKind>("--design", text,
                                {{"columns", DesignKind::columns},
                                 {"identity", DesignKind::identity},
                                 {"triplets", DesignKind::triplets},
                                 {"rank-one", DesignKind::rank_one}});
}

std::string metric_names() {
  std::vector<std::string_view> names;
  for (const Metric metric : all_metrics) names.push_back(to_string(metric));
  return fmt::format("{}", fmt::join(names, ", "));
}

int default_threads() {
  return static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1U, largest_threads));
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

void add_format_options(CLI::App& app, ReadOptions& read, bool can_drop_rows) {
  add_word(app, "--format", "F",
           "csv, tsv, libsvm, npy, mtx (default: by the file's name), or triplets: --design triplets",
           [&read](const std::string& text) { read.format = parse_format(text); })
      ->group("Data");
  add_word(app, "--skip", "N", "lines to ignore at the top (default 0)", [&read](const std::string& text) {
    read.skip = static_cast<Index>(parse_count("--skip", text, 0, largest_count));
  })->group("Data");
  Words<MissingPolicy> policies = {{"refuse", MissingPolicy::refuse}, {"mean", MissingPolicy::mean}};
  if (can_drop_rows) policies.emplace_back("drop-rows", MissingPolicy::drop_rows);
  add_word(
      app, "--missing", "M",
      can_drop_rows ? "missing values: refuse (default), drop-rows or mean"
                    : "missing values: refuse (default) or mean",
      [&read, policies](const std::string& text) { read.missing = parse_word("--missing", text, policies); })
      ->group("Data");
}

void add_factor_options(CLI::App& app, ReadOptions& read) {
  add_word(app, "--left", "FILE", "rank-one: rows a of the design a b', one per row of the response",
           [&read](const std::string& text) { read.left_file = text; })
      ->group("Data");
  add_word(app, "--right", "FILE", "rank-one: rows b of the design", [&read](const std::string& text) {
    read.right_file = text;
  })->group("Data");
}

void add_data_options(CLI::App& app, RunOptions& options) {
  ReadOptions& read = options.read;
  app.add_option("FILE", options.file, "data, one row per observation; '-' is stdin")
      ->required()
      ->type_name("");
  const auto add = [&app](const std::string& name, const std::string& value_name, const std::string& text,
                          std::function<void(const std::string&)> set) {
    add_word(app, name, value_name, text, std::move(set))->group("Data");
  };
  add("--target", "NAME|INDEX", "response column (default: the last)",
      [&read](const std::string& text) { read.target = text; });
  add("--response", "FILE", "file with the response, for formats without one (npy, mtx)",
      [&read](const std::string& text) { read.response_file = text; });
  add("--drop", "NAME[,NAME...]", "columns to leave out",
      [&read](const std::string& text) { read.drop = parse_list("--drop", text); });
  add("--weights", "NAME", "column of observation weights",
      [&read](const std::string& text) { read.weights = text; });
  add("--weights-are", "KIND", "importance (default), or frequency: the number of copies",
      [&options](const std::string& text) {
        options.read.weight_kind = parse_word<WeightKind>(
            "--weights-are", text,
            {{"importance", WeightKind::importance}, {"frequency", WeightKind::frequency}});
        options.weight_kind_given = true;
      });
  add("--offset", "NAME", "column added to the linear predictor",
      [&read](const std::string& text) { read.offset = text; });
  add("--design", "D",
      "columns (default): the file's columns are the predictors; identity: the target is a signal; triplets: "
      "the file's rows are row, column and value of a matrix; rank-one: see --left",
      [&options](const std::string& text) {
        options.read.design = parse_design(text);
        options.design_given = true;
      });
  add_factor_options(app, read);
  add_format_options(app, read, true);
}

namespace {

void add_kernel_options(CLI::App& app, RunOptions& options) {
  const auto add = [&app](const std::string& name, const std::string& value_name, const std::string& text,
                          std::function<void(const std::string&)> set) {
    add_word(app, name, value_name, text, std::move(set))->group("Model");
  };
  add("--kernel", "K",
      "linear, rbf or poly: a function of the rows' similarities (hinge, epsilon-insensitive)",
      [&options](const std::string& text) {
        options.kernel = parse_word<KernelKind>(
            "--kernel", text,
            {{"linear", KernelKind::linear}, {"rbf", KernelKind::rbf}, {"poly", KernelKind::polynomial}});
      });
  add("--gamma", "G", "rbf: exp(-G |x - z|^2); poly: (G x'z + C)^K (default 1 / (columns * variance))",
      [&options](const std::string& text) { options.gamma = parse_positive("--gamma", text); });
  add("--degree", "K", "of the poly kernel (default 3)", [&options](const std::string& text) {
    options.degree = static_cast<int>(parse_count("--degree", text, 1, largest_degree));
  });
  add("--coef0", "C", "of the poly kernel (default 0)", [&options](const std::string& text) {
    const double value = parse_number("--coef0", text);
    if (value < 0) throw InvalidArgument(fmt::format("--coef0: {} is negative; it must be at least 0", text));
    options.coef0 = value;
  });
}

}  // namespace

void add_model_options(CLI::App& app, RunOptions& options) {
  const auto names = [](const std::vector<ModelEntry>& entries) {
    std::vector<std::string> result;
    for (const ModelEntry& entry : entries) result.push_back(entry.name);
    return fmt::format("{}", fmt::join(result, ", "));
  };
  const auto add = [&app](const std::string& name, const std::string& value_name, const std::string& text,
                          std::function<void(const std::string&)> set) {
    add_word(app, name, value_name, text, std::move(set))->group("Model");
  };
  add("--loss", "NAME", names(losses()) + " (default: by the response)", [&options](const std::string& text) {
    response_kind(text);  // refuses an unknown name
    options.loss = text;
  });
  add("--delta", "D", "huber, pseudo-huber: the residual where the square ends (default: from the response)",
      [&options](const std::string& text) { options.delta = parse_positive("--delta", text); });
  add("--quantile", "T", "quantile: the share of responses below the prediction, 0 to 1 (default 0.5)",
      [&options](const std::string& text) {
        const double tau = parse_number("--quantile", text);
        if (tau <= 0 || tau >= 1) {
          throw InvalidArgument(fmt::format("--quantile: {} is not between 0 and 1", text));
        }
        options.quantile = tau;
      });
  add("--epsilon", "E", "epsilon-insensitive: residuals up to here do not count (default 0.1)",
      [&options](const std::string& text) {
        const double epsilon = parse_number("--epsilon", text);
        if (epsilon < 0) {
          throw InvalidArgument(fmt::format("--epsilon: {} is negative; it must be at least 0", text));
        }
        options.epsilon = epsilon;
      });
  add("--positive", "LABEL", "the class that is +1 (default: the larger number, the later word)",
      [&options](const std::string& text) { options.positive = text; });
  add("--penalty", "NAME", names(penalties()) + " (default lasso; ridge for losses with kinks)",
      [&options](const std::string& text) {
        options.penalty = penalty_entry(text).name;
        options.penalty_given = true;
      });
  add("--mix", "A", "share of the lasso in elastic-net and sparse-group-lasso, 0 to 1 (default 0.5)",
      [&options](const std::string& text) {
        const double mix = parse_number("--mix", text);
        if (mix < 0 || mix > 1) throw InvalidArgument(fmt::format("--mix: {} is not between 0 and 1", text));
        options.mix = mix;
      });
  add("--ridge", "RHO", "elastic-net with a fixed ridge part: lambda scales the lasso alone",
      [&options](const std::string& text) { options.ridge = parse_positive("--ridge", text); });
  add("--penalty-weights", "FILE",
      "one factor per coefficient; 0: unpenalised, inf: left out; slope: its sequence",
      [&options](const std::string& text) { options.penalty_weights_file = text; });
  add_structure_options(app, options);
  add_switch(app, "intercept",
             "fit an unpenalised intercept (default, but not with a kernel or --design identity)",
             options.intercept);
  add_switch(app, "standardize",
             "penalise on the scale x / sd(x) (default, but not with a kernel or differences)",
             options.standardize);
  add_kernel_options(app, options);
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
  add_word(app, "--lambda-ratio", "R", "smallest over largest lambda (1e-4 if rows > columns, else 1e-2)",
           [&options](const std::string& text) {
             const double ratio = parse_number("--lambda-ratio", text);
             if (ratio <= 0 || ratio >= 1) {
               throw InvalidArgument(fmt::format("--lambda-ratio: {} is not between 0 and 1", text));
             }
             options.tune.grid.ratio = ratio;
             options.grid_given = true;
           })
      ->group("Path");
}

void add_choice_options(CLI::App& app, RunOptions& options) {
  add_word(
      app, "--rule", "R", "min (default): best risk; 1se: largest lambda within one se of it",
      [&options](const std::string& text) {
        options.tune.rule = parse_word<Rule>("--rule", text, {{"min", Rule::minimum}, {"1se", Rule::one_se}});
      })
      ->group("Path");
  add_word(app, "--search", "S", "grid (default), or exact: also between the grid's values (lasso, --ridge)",
           [&options](const std::string& text) {
             options.tune.search =
                 parse_word<Search>("--search", text, {{"grid", Search::grid}, {"exact", Search::exact}});
           })
      ->group("Path");
}

void add_leave_one_out_options(CLI::App& app, RunOptions& options) {
  TuneOptions& tune = options.tune;
  const std::string group = "Leave-one-out";
  add_word(app, "--metric", "NAME[,NAME...]",
           metric_names() + "; the first one chooses lambda (default: by the loss)",
           [&options](const std::string& text) {
             options.metrics = parse_list("--metric", text);
             options.tune.metrics.clear();
             for (const std::string& name : options.metrics)
               options.tune.metrics.push_back(make_metric(name));
           })
      ->group(group);
  add_word(app, "--framework", "F", "auto (default), primal or dual formula",
           [&tune](const std::string& text) {
             tune.framework = parse_word<Framework>(
                 "--framework", text,
                 {{"auto", Framework::automatic}, {"primal", Framework::primal}, {"dual", Framework::dual}});
           })
      ->group(group);
  app.add_flag("--exact", tune.exact, "also exact leave-one-out along the path")->group(group);
  add_word(app, "--folds", "K", "also K-fold cross validation", [&tune](const std::string& text) {
    tune.folds = static_cast<int>(parse_count("--folds", text, 2, largest_count));
  })->group(group);
  add_word(app, "--repair", "R", "none (default), or exact: refit for rows that ALO cannot predict",
           [&tune](const std::string& text) {
             tune.repair = parse_word<bool>("--repair", text, {{"none", false}, {"exact", true}});
           })
      ->group(group);
  app.add_flag("--strict", options.strict, "exit with code 5 when the estimate is not reliable")
      ->group(group);
}

void add_proof_option(CLI::App& app, RunOptions& options) {
  add_word(app, "--prove", "P",
           "exact leave-one-out at the chosen lambdas: auto (default: where it is cheap), always, never",
           [&options](const std::string& text) {
             options.tune.prove = parse_word<Prove>(
                 "--prove", text,
                 {{"auto", Prove::automatic}, {"always", Prove::always}, {"never", Prove::never}});
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

namespace {

void check_penalty_parameters(const RunOptions& options) {
  if (options.mix && options.ridge) {
    throw InvalidArgument(
        "--mix lets lambda scale the lasso and the ridge part and --ridge fixes the ridge part: use one or "
        "the "
        "other");
  }
  if (options.penalty == "elastic-net") return;
  if (options.ridge) {
    throw InvalidArgument(
        fmt::format("--ridge belongs to --penalty elastic-net; the penalty here is {}: {}", options.penalty,
                    options.penalty == "ridge" ? "its strength is lambda, drop --ridge"
                                               : "add --penalty elastic-net, or drop --ridge"));
  }
}

void check_kernel(const RunOptions& options) {
  const auto refuse = [](std::string_view option, std::string_view owner) {
    throw InvalidArgument(
        fmt::format("{} belongs to --kernel {}; add that, or drop {}", option, owner, option));
  };
  const bool is_polynomial = options.kernel == KernelKind::polynomial;
  if (options.gamma && !is_polynomial && options.kernel != KernelKind::rbf) refuse("--gamma", "rbf and poly");
  if (options.degree && !is_polynomial) refuse("--degree", "poly");
  if (options.coef0 && !is_polynomial) refuse("--coef0", "poly");
  if (!options.kernel) return;
  if (options.read.design != DesignKind::columns) {
    throw InvalidArgument("--kernel compares rows by their columns and goes with --design columns alone");
  }
  if (options.penalty_given && options.penalty != "ridge") {
    throw InvalidArgument(fmt::format(
        "--kernel needs --penalty ridge, here it is {}: with a kernel there is one function, whose size is "
        "penalised, and no coefficients of columns",
        options.penalty));
  }
  if (!options.penalty_weights_file.empty()) {
    throw InvalidArgument("--penalty-weights are for coefficients of columns; with --kernel there are none");
  }
}

void check_design(const RunOptions& options) {
  const ReadOptions& read = options.read;
  if (read.format == FileFormat::triplets && read.design != DesignKind::triplets) {
    throw InvalidArgument("--format triplets means --design triplets: drop one of them");
  }
  const bool has_factors = !read.left_file.empty() || !read.right_file.empty();
  if (has_factors && read.design != DesignKind::rank_one) {
    throw InvalidArgument("--left and --right belong to --design rank-one; add that, or drop them");
  }
}

}  // namespace

RunOptions settled(RunOptions options) {
  ReadOptions& read = options.read;
  if (read.format == FileFormat::triplets && !options.design_given) read.design = DesignKind::triplets;
  const bool is_matrix = read.design == DesignKind::triplets || read.design == DesignKind::rank_one;
  if (is_matrix && !options.penalty_given) options.penalty = "nuclear";
  if (read.design == DesignKind::triplets) read.shape = options.structure.shape;
  return options;
}

void check_conflicts(const RunOptions& options) {
  if (!options.tune.lambdas.empty() && options.grid_given) {
    throw InvalidArgument(
        "--lambda gives the values and --lambdas, --lambda-ratio describe a grid: use one or the other");
  }
  check_design(options);
  check_penalty_parameters(options);
  check_structure(options);
  check_kernel(options);
  if (options.weight_kind_given && options.read.weights.empty()) {
    throw InvalidArgument("--weights-are says what weights mean, but there are none: add --weights NAME");
  }
  if (!options.read.target.empty() && !options.read.response_file.empty()) {
    throw InvalidArgument("--target and --response both say where the response is: use one of them");
  }
  if (options.output.predictions && options.output.json.empty() && options.output.folder.empty()) {
    throw InvalidArgument(
        "--predictions puts values into the JSON, but none is written: add --json FILE or --out DIR");
  }
  if (options.output.all_coefficients && options.output.json.empty() && options.output.folder.empty()) {
    throw InvalidArgument(
        "--all-coefficients is about the JSON, but none is written: add --json FILE or --out DIR");
  }
  std::vector<std::string> seen = options.metrics;
  std::sort(seen.begin(), seen.end());
  const auto twice = std::adjacent_find(seen.begin(), seen.end());
  if (twice != seen.end()) throw InvalidArgument(fmt::format("--metric: {} is named twice", *twice));
}

}  // namespace alo::command
