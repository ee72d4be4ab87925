// SPDX-License-Identifier: MIT
// Loss, penalty, kernel and their parameters.
#include "options.hpp"
#include "structure.hpp"
#include "values.hpp"

namespace alo::command {

namespace {

// Adds the flags --name and --no-name, of which at most one may be given.
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

void add_kernel_options(CLI::App& app, RunOptions& options) {
  const auto add = [&app](const std::string& name, const std::string& value_name, const std::string& text,
                          std::function<void(const std::string&)> set) {
    add_word(app, name, value_name, text, std::move(set))->group("Model");
  };
  add("--kernel", "K",
      "linear, rbf or poly: a function of the rows' similarities (hinge, epsilon-insensitive)",
      [&options](const std::string& text) {
        options.model.kernel = parse_word("--kernel", text, kernel_kinds());
      });
  add("--gamma", "G", "rbf: exp(-G |x - z|^2); poly: (G x'z + C)^K (default 1 / (columns * variance))",
      [&options](const std::string& text) { options.model.gamma = parse_positive("--gamma", text); });
  add("--degree", "K", "of the poly kernel (default 3)", [&options](const std::string& text) {
    options.model.degree = static_cast<int>(parse_count("--degree", text, 1, largest_degree));
  });
  add("--coef0", "C", "of the poly kernel (default 0)", [&options](const std::string& text) {
    const double value = parse_number("--coef0", text);
    if (value < 0) throw InvalidArgument(fmt::format("--coef0: {} is negative; it must be at least 0", text));
    options.model.coef0 = value;
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
    response_kind(text);  // throws for an unknown name
    options.model.loss = text;
  });
  add("--delta", "D", "huber, pseudo-huber: the residual where the square ends (default: from the response)",
      [&options](const std::string& text) { options.model.delta = parse_positive("--delta", text); });
  add("--quantile", "T", "quantile: the share of responses below the prediction, 0 to 1 (default 0.5)",
      [&options](const std::string& text) {
        const double tau = parse_number("--quantile", text);
        if (tau <= 0 || tau >= 1) {
          throw InvalidArgument(fmt::format("--quantile: {} is not between 0 and 1", text));
        }
        options.model.quantile = tau;
      });
  add("--epsilon", "E", "epsilon-insensitive: residuals up to here do not count (default 0.1)",
      [&options](const std::string& text) {
        const double epsilon = parse_number("--epsilon", text);
        if (epsilon < 0) {
          throw InvalidArgument(fmt::format("--epsilon: {} is negative; it must be at least 0", text));
        }
        options.model.epsilon = epsilon;
      });
  add("--positive", "LABEL", "the class that is +1 (default: the larger number, the later word)",
      [&options](const std::string& text) { options.model.positive = text; });
  add("--penalty", "NAME", names(penalties()) + " (default lasso; ridge for losses with kinks)",
      [&options](const std::string& text) { options.model.penalty = penalty_entry(text).name; });
  add("--mix", "A", "share of the lasso in elastic-net and sparse-group-lasso, 0 to 1 (default 0.5)",
      [&options](const std::string& text) {
        const double mix = parse_number("--mix", text);
        if (mix < 0 || mix > 1) throw InvalidArgument(fmt::format("--mix: {} is not between 0 and 1", text));
        options.model.mix = mix;
      });
  add("--ridge", "RHO", "elastic-net with a fixed ridge part: lambda scales the lasso alone",
      [&options](const std::string& text) { options.model.ridge = parse_positive("--ridge", text); });
  add("--penalty-weights", "FILE",
      "one factor per coefficient; 0: unpenalised, inf: left out; slope: its sequence",
      [&options](const std::string& text) { options.model_files.penalty_weights = text; });
  add_structure_options(app, options);
  add_switch(app, "intercept",
             "fit an unpenalised intercept (default, but not with a kernel or --design identity)",
             options.model.intercept);
  add_switch(app, "standardize",
             "penalise on the scale x / sd(x) (default, but not with a kernel or differences)",
             options.model.standardize);
  add_kernel_options(app, options);
}

}  // namespace alo::command
