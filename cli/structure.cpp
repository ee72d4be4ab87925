// SPDX-License-Identifier: MIT
#include "structure.hpp"

#include <functional>
#include <limits>

#include "alo/structure.hpp"
#include "values.hpp"

namespace alo::command {

namespace {

// A bound that only keeps a side within an int.
constexpr std::uint64_t largest_side = std::numeric_limits<int>::max();

std::pair<Index, Index> parse_sides(const std::string& option, const std::string& text) {
  const std::size_t cross = text.find('x');
  if (cross == std::string::npos) {
    throw InvalidArgument(fmt::format("{}: '{}' is not of the form ROWSxCOLUMNS, as 20x30", option, text));
  }
  return {static_cast<Index>(parse_count(option, text.substr(0, cross), 1, largest_side)),
          static_cast<Index>(parse_count(option, text.substr(cross + 1), 1, largest_side))};
}

}  // namespace

void add_structure_options(CLI::App& app, RunOptions& options) {
  ModelSettings& model = options.model;
  ModelFiles& files = options.model_files;
  const auto add = [&app](const std::string& name, const std::string& value_name, const std::string& text,
                          std::function<void(const std::string&)> set) {
    add_word(app, name, value_name, text, std::move(set))->group("Model");
  };
  add("--order", "K", "trend-filter: order of the differences; 1: constant pieces, 2: linear (default 2)",
      [&model](const std::string& text) {
        model.order = static_cast<int>(parse_count("--order", text, 1, largest_order));
      });
  add("--penalty-matrix", "FILE", "generalized-lasso: D, one column per coefficient",
      [&files](const std::string& text) { files.penalty_matrix = text; });
  add("--graph", "FILE", "fused-lasso: pairs of coefficients to join (default: neighbours in a row)",
      [&files](const std::string& text) { files.graph = text; });
  add("--grid", "RxC", "fused-lasso: coefficients are the places of a grid, row by row",
      [&model](const std::string& text) { model.grid = parse_sides("--grid", text); });
  add("--sparse", "C", "fused-lasso: adds C times the absolute coefficients (default 0)",
      [&model](const std::string& text) {
        const double factor = parse_number("--sparse", text);
        if (factor < 0) {
          throw InvalidArgument(fmt::format("--sparse: {} is negative; it must be at least 0", text));
        }
        model.sparse = factor;
      });
  add("--shape", "P1xP2",
      "nuclear, schatten, frobenius: coefficients are the entries of a matrix, row by row",
      [&model](const std::string& text) {
        const auto [rows, columns] = parse_sides("--shape", text);
        model.shape = MatrixShape{rows, columns};
      });
  add("--smoothing", "S", "schatten: singular values far below S are shrunk like squares",
      [&model](const std::string& text) { model.smoothing = parse_positive("--smoothing", text); });
  add("--groups", "FILE", "group-lasso, sparse-group-lasso: one number or word per coefficient",
      [&files](const std::string& text) { files.groups = text; });
  add("--slope-shape", "S",
      "slope: bh (default), oscar or linear, unless --penalty-weights give the sequence",
      [&model](const std::string& text) {
        model.slope_shape = parse_word("--slope-shape", text, slope_shapes());
      });
  add("--slope-q", "Q", "bh: level (default 0.1); oscar: growth (1 / columns); linear: last weight (0.5)",
      [&model](const std::string& text) { model.slope_q = parse_number("--slope-q", text); });
}

void expect_model_files(RunOptions& options) {
  const ModelFiles& files = options.model_files;
  ModelSettings& model = options.model;
  if (!files.penalty_weights.empty()) model.penalty_weights.emplace();
  if (!files.penalty_matrix.empty()) model.penalty_matrix.emplace();
  if (!files.graph.empty()) model.edges.emplace();
  if (!files.groups.empty()) model.groups.emplace();
}

ModelSettings with_model_files(const RunOptions& options, const Dataset& data) {
  const ModelFiles& files = options.model_files;
  ModelSettings model = options.model;
  model.data_source = options.file;
  model.penalty_source = files.penalty_weights.empty() ? files.penalty_matrix : files.penalty_weights;
  if (!files.penalty_weights.empty()) model.penalty_weights = read_vector(files.penalty_weights);
  if (!files.penalty_matrix.empty()) model.penalty_matrix = read_matrix(files.penalty_matrix);
  if (!files.graph.empty()) {
    std::vector<std::string> names;
    for (Index j = 0; j < data.columns(); ++j) names.push_back(data.column_name(j));
    model.edges = read_edges(files.graph, names);
  }
  if (!files.groups.empty()) model.groups = read_groups(files.groups, data.columns());
  return model;
}

std::vector<std::string> model_files(const RunOptions& options) {
  const ModelFiles& files = options.model_files;
  return {files.penalty_weights, files.penalty_matrix, files.graph, files.groups};
}

}  // namespace alo::command
