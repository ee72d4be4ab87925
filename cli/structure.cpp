// SPDX-License-Identifier: MIT
#include "structure.hpp"

#include <algorithm>
#include <functional>
#include <string_view>

#include "alo/structure.hpp"
#include "values.hpp"

namespace alo::command {

namespace {

// Differences of a higher order are all but dependent in double precision.
constexpr std::uint64_t largest_order = 10;

struct OwnedOption {
  std::string name;
  bool given;
  std::vector<std::string> owners;  // penalties
};

std::vector<OwnedOption> owned_options(const RunOptions& options) {
  const StructureOptions& structure = options.structure;
  return {{"--order", structure.order.has_value(), {"trend-filter"}},
          {"--penalty-matrix", !structure.matrix_file.empty(), {"generalized-lasso"}}};
}

// Penalties on combinations of coefficients, where a factor of one coefficient means nothing.
void check_penalty_weights(const RunOptions& options) {
  if (options.penalty_weights_file.empty()) return;
  for (const std::string_view name : {"generalized-lasso", "fused-lasso", "trend-filter", "wavelet"}) {
    if (options.penalty != name) continue;
    throw InvalidArgument(
        fmt::format("--penalty-weights are factors of coefficients, but {} penalises combinations of them; "
                    "--penalty generalized-lasso takes any --penalty-matrix, whose rows may be scaled",
                    name));
  }
}

}  // namespace

void add_structure_options(CLI::App& app, RunOptions& options) {
  StructureOptions& structure = options.structure;
  const auto add = [&app](const std::string& name, const std::string& value_name, const std::string& text,
                          std::function<void(const std::string&)> set) {
    add_word(app, name, value_name, text, std::move(set))->group("Model");
  };
  add("--order", "K", "trend-filter: order of the differences; 1: constant pieces, 2: linear (default 2)",
      [&structure](const std::string& text) {
        structure.order = static_cast<int>(parse_count("--order", text, 1, largest_order));
      });
  add("--penalty-matrix", "FILE", "generalized-lasso: D, one column per coefficient",
      [&structure](const std::string& text) { structure.matrix_file = text; });
}

void check_structure(const RunOptions& options) {
  const StructureOptions& structure = options.structure;
  for (const OwnedOption& option : owned_options(options)) {
    const bool is_owned =
        std::find(option.owners.begin(), option.owners.end(), options.penalty) != option.owners.end();
    if (!option.given || is_owned) continue;
    throw InvalidArgument(fmt::format("{} belongs to --penalty {}; the penalty here is {}", option.name,
                                      fmt::join(option.owners, " and "), options.penalty));
  }
  if (options.penalty == "generalized-lasso" && structure.matrix_file.empty()) {
    throw InvalidArgument(
        "--penalty generalized-lasso penalises D b and needs D: add --penalty-matrix FILE, or choose "
        "fused-lasso, trend-filter or wavelet, which have their own");
  }
  check_penalty_weights(options);
}

ModelParameters with_structure(const RunOptions& options, ModelParameters parameters, const Dataset& data) {
  const StructureOptions& structure = options.structure;
  parameters.columns = data.columns();
  if (structure.order) parameters.order = *structure.order;
  if (!structure.matrix_file.empty()) parameters.penalty_matrix = read_matrix(structure.matrix_file);
  return parameters;
}

std::vector<std::string> structure_files(const RunOptions& options) {
  return {options.structure.matrix_file};
}

}  // namespace alo::command
