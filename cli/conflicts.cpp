// SPDX-License-Identifier: MIT
// Options beside each other: what follows from them, and what contradicts.
#include <algorithm>

#include "options.hpp"
#include "structure.hpp"
#include "values.hpp"

namespace alo::command {

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

RunOptions with_derived_settings(RunOptions options) {
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
        "--lambda gives the values and --lambdas, --lambda-ratio, --full-path describe a grid: use one or "
        "the "
        "other");
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
        "--all-coefficients is about the files of a result, but none is written: add --json FILE or --out "
        "DIR");
  }
  if (options.tune.effort && options.tune.choose != ChooseBy::automatic) {
    throw InvalidArgument(
        "--effort belongs to --choose auto, which decides what to compute: drop one of them");
  }
  std::vector<std::string> seen = options.metrics;
  std::sort(seen.begin(), seen.end());
  const auto twice = std::adjacent_find(seen.begin(), seen.end());
  if (twice != seen.end()) throw InvalidArgument(fmt::format("--metric: {} is named twice", *twice));
}

}  // namespace alo::command
