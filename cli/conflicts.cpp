// SPDX-License-Identifier: MIT
// Options beside each other: what follows from them, and what contradicts.
#include "options.hpp"
#include "structure.hpp"
#include "values.hpp"
#include "wording.hpp"

namespace alo::command {

namespace {

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
  if (read.design == DesignKind::triplets) read.shape = options.model.shape;
  options.model.design = read.design;
  expect_model_files(options);
  return options;
}

void check_conflicts(const RunOptions& options) {
  check_settings(options.tune, options.grid_given, in_option);
  check_design(options);
  check_settings(options.model, in_option);
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
}

}  // namespace alo::command
