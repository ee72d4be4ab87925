// SPDX-License-Identifier: MIT
#include "structure.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <string_view>

#include "alo/structure.hpp"
#include "values.hpp"

namespace alo::command {

namespace {

// Differences of order k have a condition number of about n^k. At order 10 that is 1e16 already for 40 rows,
// so that higher orders are dependent in double precision. A side is bounded only to stay within an int.
constexpr std::uint64_t largest_order = 10;
constexpr std::uint64_t largest_side = std::numeric_limits<int>::max();

std::pair<Index, Index> parse_sides(const std::string& option, const std::string& text) {
  const std::size_t cross = text.find('x');
  if (cross == std::string::npos) {
    throw InvalidArgument(fmt::format("{}: '{}' is not of the form ROWSxCOLUMNS, as 20x30", option, text));
  }
  return {static_cast<Index>(parse_count(option, text.substr(0, cross), 1, largest_side)),
          static_cast<Index>(parse_count(option, text.substr(cross + 1), 1, largest_side))};
}

const Words<SlopeShape> slope_shapes = {
    {"bh", SlopeShape::benjamini_hochberg}, {"oscar", SlopeShape::oscar}, {"linear", SlopeShape::linear}};

const std::vector<std::string> matrix_penalties = {"nuclear", "schatten", "frobenius"};

bool has_matrix_penalty(const RunOptions& options) {
  return std::find(matrix_penalties.begin(), matrix_penalties.end(), options.penalty) !=
         matrix_penalties.end();
}

struct OwnedOption {
  std::string name;
  bool given;
  std::vector<std::string> owners;  // the penalties that take the option
};

std::vector<OwnedOption> owned_options(const RunOptions& options) {
  const StructureOptions& structure = options.structure;
  return {{"--order", structure.order.has_value(), {"trend-filter"}},
          {"--penalty-matrix", !structure.matrix_file.empty(), {"generalized-lasso"}},
          {"--graph", !structure.graph_file.empty(), {"fused-lasso"}},
          {"--grid", structure.grid.has_value(), {"fused-lasso"}},
          {"--sparse", structure.sparse.has_value(), {"fused-lasso"}},
          {"--groups", !structure.groups_file.empty(), {"group-lasso", "sparse-group-lasso"}},
          {"--slope-shape", structure.slope_shape.has_value(), {"slope"}},
          {"--slope-q", structure.slope_q.has_value(), {"slope"}},
          {"--shape", structure.shape.has_value() && options.read.design != DesignKind::triplets,
           matrix_penalties},
          {"--smoothing", structure.smoothing.has_value(), {"schatten"}},
          {"--mix", options.mix.has_value(), {"elastic-net", "sparse-group-lasso"}}};
}

// Refuses penalty weights for penalties on combinations of coefficients, where a factor of a single
// coefficient has no meaning.
void check_penalty_weights(const RunOptions& options) {
  if (options.penalty_weights_file.empty()) return;
  for (const std::string_view name : {"generalized-lasso", "fused-lasso", "trend-filter", "wavelet"}) {
    if (options.penalty != name) continue;
    throw InvalidArgument(
        fmt::format("--penalty-weights are factors of coefficients, but {} penalises combinations of them; "
                    "--penalty generalized-lasso takes any --penalty-matrix, whose rows may be scaled",
                    name));
  }
  if (has_matrix_penalty(options)) {
    throw InvalidArgument(
        fmt::format("--penalty-weights are factors of coefficients, but {} penalises the singular values of "
                    "their matrix, to which all of them belong; --penalty ridge and lasso take factors",
                    options.penalty));
  }
}

void check_matrix(const RunOptions& options) {
  const StructureOptions& structure = options.structure;
  const bool has_sides =
      options.read.design == DesignKind::triplets || options.read.design == DesignKind::rank_one;
  if (has_matrix_penalty(options) && !structure.shape && !has_sides) {
    throw InvalidArgument(
        fmt::format("--penalty {} takes the coefficients for a matrix and needs its size: add --shape "
                    "ROWSxCOLUMNS, as --shape 8x8 for the 64 pixels of an image, row by row",
                    options.penalty));
  }
  if (options.penalty == "schatten" && !structure.smoothing) {
    throw InvalidArgument(
        "--penalty schatten is the sum of sqrt(s^2 + S^2) - S over singular values s and needs --smoothing "
        "S, the "
        "size below which they are shrunk like squares; without one, --penalty nuclear");
  }
}

bool has_places(std::pair<Index, Index> sides, Index columns) {
  // A division, because the product of the sides may overflow.
  return columns % sides.first == 0 && columns / sides.first == sides.second;
}

// The shape that the design of a matrix of coefficients has.
MatrixShape shape_of(const MatrixSource& source) {
  return {static_cast<Index>(source.row_names.size()), static_cast<Index>(source.column_names.size())};
}

MatrixShape checked_shape(const MatrixShape& shape, const Dataset& data) {
  const Index columns = data.columns();
  if (data.matrix) {
    const MatrixShape made = shape_of(*data.matrix);
    if (shape.rows == made.rows && shape.columns == made.columns) return shape;
    throw InvalidData(fmt::format("--shape {}x{} differs from the matrix that --left and --right make, {}x{}",
                                  shape.rows, shape.columns, made.rows, made.columns));
  }
  if (has_places({shape.rows, shape.columns}, columns)) return shape;
  throw InvalidData(fmt::format(
      "--shape {}x{} is a matrix with {} entries, but there are {} coefficients, the columns after encoding",
      shape.rows, shape.columns, static_cast<double>(shape.rows) * static_cast<double>(shape.columns),
      columns));
}

Edges checked_grid(const std::pair<Index, Index>& grid, Index columns) {
  const auto [rows, width] = grid;
  if (!has_places(grid, columns)) {
    throw InvalidData(fmt::format("--grid {}x{} has not as many places as there are coefficients, {}", rows,
                                  width, columns));
  }
  return edges_of_grid(rows, width);
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
  add("--graph", "FILE", "fused-lasso: pairs of coefficients to join (default: neighbours in a row)",
      [&structure](const std::string& text) { structure.graph_file = text; });
  add("--grid", "RxC", "fused-lasso: coefficients are the places of a grid, row by row",
      [&structure](const std::string& text) { structure.grid = parse_sides("--grid", text); });
  add("--sparse", "C", "fused-lasso: adds C times the absolute coefficients (default 0)",
      [&structure](const std::string& text) {
        const double factor = parse_number("--sparse", text);
        if (factor < 0) {
          throw InvalidArgument(fmt::format("--sparse: {} is negative; it must be at least 0", text));
        }
        structure.sparse = factor;
      });
  add("--shape", "P1xP2",
      "nuclear, schatten, frobenius: coefficients are the entries of a matrix, row by row",
      [&structure](const std::string& text) {
        const auto [rows, columns] = parse_sides("--shape", text);
        structure.shape = MatrixShape{rows, columns};
      });
  add("--smoothing", "S", "schatten: singular values far below S are shrunk like squares",
      [&structure](const std::string& text) { structure.smoothing = parse_positive("--smoothing", text); });
  add("--groups", "FILE", "group-lasso, sparse-group-lasso: one number or word per coefficient",
      [&structure](const std::string& text) { structure.groups_file = text; });
  add("--slope-shape", "S",
      "slope: bh (default), oscar or linear, unless --penalty-weights give the sequence",
      [&structure](const std::string& text) {
        structure.slope_shape = parse_word<SlopeShape>("--slope-shape", text, slope_shapes);
      });
  add("--slope-q", "Q", "bh: level (default 0.1); oscar: growth (1 / columns); linear: last weight (0.5)",
      [&structure](const std::string& text) { structure.slope_q = parse_number("--slope-q", text); });
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
  if (!structure.graph_file.empty() && structure.grid) {
    throw InvalidArgument("--graph and --grid both say which coefficients are joined: use one of them");
  }
  if (options.penalty == "generalized-lasso" && structure.matrix_file.empty()) {
    throw InvalidArgument(
        "--penalty generalized-lasso penalises D b and needs D: add --penalty-matrix FILE, or choose "
        "fused-lasso, trend-filter or wavelet, which have their own");
  }
  if (options.penalty.ends_with("group-lasso") && structure.groups_file.empty()) {
    throw InvalidArgument(fmt::format("--penalty {} needs the groups: add --groups FILE", options.penalty));
  }
  if (!options.penalty_weights_file.empty() && (structure.slope_q || structure.slope_shape)) {
    throw InvalidArgument(
        "--penalty-weights give the sequence of slope and --slope-shape, --slope-q describe one: use one or "
        "the other");
  }
  check_matrix(options);
  check_penalty_weights(options);
}

ModelParameters with_structure(const RunOptions& options, ModelParameters parameters, const Dataset& data,
                               std::vector<std::string>& notes) {
  const StructureOptions& structure = options.structure;
  parameters.columns = data.columns();
  if (structure.order) parameters.order = *structure.order;
  if (structure.sparse) parameters.sparse = *structure.sparse;
  if (!structure.matrix_file.empty()) parameters.penalty_matrix = read_matrix(structure.matrix_file);
  if (!structure.graph_file.empty()) {
    std::vector<std::string> names;
    for (Index j = 0; j < data.columns(); ++j) names.push_back(data.column_name(j));
    parameters.edges = read_edges(structure.graph_file, names);
  }
  if (structure.shape) {
    parameters.shape = checked_shape(*structure.shape, data);
  } else if (data.matrix && has_matrix_penalty(options)) {
    parameters.shape = shape_of(*data.matrix);
  }
  parameters.smoothing = structure.smoothing;
  if (structure.grid) parameters.edges = checked_grid(*structure.grid, data.columns());
  if (!structure.groups_file.empty()) {
    Groups groups = read_groups(structure.groups_file, data.columns());
    parameters.groups = std::move(groups.of_coefficient);
    if (groups.alone > 0) {
      notes.push_back(fmt::format("{} coefficient{} in no group and {} a group alone", groups.alone,
                                  groups.alone == 1 ? " is" : "s are", groups.alone == 1 ? "is" : "each is"));
    }
  }
  if (options.penalty == "slope" && options.penalty_weights_file.empty()) {
    parameters.slope_shape = structure.slope_shape.value_or(parameters.slope_shape);
    parameters.slope_q = structure.slope_q.value_or(default_slope_q(parameters.slope_shape, data.columns()));
  }
  return parameters;
}

std::string to_string(SlopeShape shape) {
  for (const auto& [name, value] : slope_shapes) {
    if (value == shape) return name;
  }
  return {};
}

std::vector<std::string> structure_files(const RunOptions& options) {
  const StructureOptions& structure = options.structure;
  return {structure.matrix_file, structure.graph_file, structure.groups_file};
}

}  // namespace alo::command
