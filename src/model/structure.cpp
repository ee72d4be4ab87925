// SPDX-License-Identifier: MIT
// Settings of penalties that relate coefficients to each other.
#include "model/structure.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "alo/error.hpp"

namespace alo {

namespace {

const std::vector<std::string> matrix_penalties = {"nuclear", "schatten", "frobenius"};

struct OwnedSetting {
  Setting setting;
  bool given;
  std::vector<std::string> owners;  // the penalties that take the setting
};

std::vector<OwnedSetting> owned_settings(const ModelSettings& settings) {
  return {{Setting::order, settings.order.has_value(), {"trend-filter"}},
          {Setting::penalty_matrix, settings.penalty_matrix.has_value(), {"generalized-lasso"}},
          {Setting::graph, settings.edges.has_value(), {"fused-lasso"}},
          {Setting::grid, settings.grid.has_value(), {"fused-lasso"}},
          {Setting::sparse, settings.sparse.has_value(), {"fused-lasso"}},
          {Setting::groups, settings.groups.has_value(), {"group-lasso", "sparse-group-lasso"}},
          {Setting::slope_shape, settings.slope_shape.has_value(), {"slope"}},
          {Setting::slope_q, settings.slope_q.has_value(), {"slope"}},
          {Setting::shape, settings.shape.has_value() && settings.design != DesignKind::triplets,
           matrix_penalties},
          {Setting::smoothing, settings.smoothing.has_value(), {"schatten"}},
          {Setting::mix, settings.mix.has_value(), {"elastic-net", "sparse-group-lasso"}}};
}

// Refuses penalty weights for penalties on combinations of coefficients, where a factor of a single
// coefficient has no meaning.
void check_penalty_weights(const ModelSettings& settings, const std::string& penalty, const Spelling& say) {
  if (!settings.penalty_weights) return;
  for (const std::string_view name : {"generalized-lasso", "fused-lasso", "trend-filter", "wavelet"}) {
    if (penalty != name) continue;
    throw InvalidArgument(
        fmt::format("{} are factors of coefficients, but {} penalises combinations of them; {} takes any {}, "
                    "whose rows may be scaled",
                    say(Setting::penalty_weights, ""), name, say(Setting::penalty, "generalized-lasso"),
                    say(Setting::penalty_matrix, "")));
  }
  if (is_matrix_penalty(penalty)) {
    throw InvalidArgument(fmt::format(
        "{} are factors of coefficients, but {} penalises the singular values of their matrix, to "
        "which all of them belong; {} and lasso take factors",
        say(Setting::penalty_weights, ""), penalty, say(Setting::penalty, "ridge")));
  }
}

void check_matrix(const ModelSettings& settings, const std::string& penalty, const Spelling& say) {
  const bool has_sides = settings.design == DesignKind::triplets || settings.design == DesignKind::rank_one;
  if (is_matrix_penalty(penalty) && !settings.shape && !has_sides) {
    throw InvalidArgument(
        fmt::format("{} takes the coefficients for a matrix and needs its size: add {}, rows and columns, as "
                    "{} for the 64 pixels of an image, row by row",
                    say(Setting::penalty, penalty), say(Setting::shape, ""), say(Setting::shape, "8x8")));
  }
  if (penalty == "schatten" && !settings.smoothing) {
    throw InvalidArgument(fmt::format(
        "{} is the sum of sqrt(s^2 + S^2) - S over singular values s and needs {} S, the size "
        "below which they are shrunk like squares; without one, {}",
        say(Setting::penalty, "schatten"), say(Setting::smoothing, ""), say(Setting::penalty, "nuclear")));
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

MatrixShape checked_shape(const MatrixShape& shape, const Dataset& data, const Spelling& say) {
  const Index columns = data.columns();
  const std::string given = say(Setting::shape, fmt::format("{}x{}", shape.rows, shape.columns));
  if (data.matrix) {
    const MatrixShape made = shape_of(*data.matrix);
    if (shape.rows == made.rows && shape.columns == made.columns) return shape;
    throw InvalidData(fmt::format("{} differs from the matrix that {} and {} make, {}x{}", given,
                                  say(Setting::left, ""), say(Setting::right, ""), made.rows, made.columns));
  }
  if (has_places({shape.rows, shape.columns}, columns)) return shape;
  throw InvalidData(
      fmt::format("{} is a matrix with {} entries, but there are {} coefficients, the columns after encoding",
                  given, static_cast<double>(shape.rows) * static_cast<double>(shape.columns), columns));
}

Edges checked_grid(const std::pair<Index, Index>& grid, Index columns, const Spelling& say) {
  const auto [rows, width] = grid;
  if (!has_places(grid, columns)) {
    throw InvalidData(fmt::format("{} has not as many places as there are coefficients, {}",
                                  say(Setting::grid, fmt::format("{}x{}", rows, width)), columns));
  }
  return edges_of_grid(rows, width);
}

std::vector<Index> checked_groups(const Groups& groups, Index columns, std::vector<std::string>& notes) {
  const auto count = static_cast<Index>(groups.of_coefficient.size());
  if (count != columns) {
    throw InvalidData(fmt::format("there are groups for {} coefficients, but {} columns", count, columns),
                      {{Setting::groups}});
  }
  if (groups.alone > 0) {
    notes.push_back(fmt::format("{} coefficient{} in no group and {} a group alone", groups.alone,
                                groups.alone == 1 ? " is" : "s are", groups.alone == 1 ? "is" : "each is"));
  }
  return groups.of_coefficient;
}

// Throws InvalidData for an edge of a coefficient that does not exist.
const Edges& checked_edges(const Edges& edges, Index columns) {
  for (const auto& [a, b] : edges) {
    if (std::min(a, b) >= 0 && std::max(a, b) < columns && a != b) continue;
    throw InvalidData(
        fmt::format("coefficients {} and {}, counted from 0, are no pair of {} coefficients", a, b, columns),
        {{Setting::graph}});
  }
  return edges;
}

}  // namespace

bool is_matrix_penalty(const std::string& penalty) {
  return std::find(matrix_penalties.begin(), matrix_penalties.end(), penalty) != matrix_penalties.end();
}

void check_structure(const ModelSettings& settings, const Spelling& say) {
  const std::string penalty = penalty_name(settings);
  for (const OwnedSetting& owned : owned_settings(settings)) {
    const bool is_owned = std::find(owned.owners.begin(), owned.owners.end(), penalty) != owned.owners.end();
    if (!owned.given || is_owned) continue;
    throw InvalidArgument(
        fmt::format("{} belongs to {}; the penalty here is {}", say(owned.setting, ""),
                    say(Setting::penalty, fmt::format("{}", fmt::join(owned.owners, " and "))), penalty));
  }
  if (settings.edges && settings.grid) {
    throw InvalidArgument(fmt::format("{} and {} both say which coefficients are joined: use one of them",
                                      say(Setting::graph, ""), say(Setting::grid, "")));
  }
  if (penalty == "generalized-lasso" && !settings.penalty_matrix) {
    throw InvalidArgument(
        fmt::format("{} penalises D b and needs D: add {}, or choose fused-lasso, trend-filter or wavelet, "
                    "which have their own",
                    say(Setting::penalty, penalty), say(Setting::penalty_matrix, "")));
  }
  if (penalty.ends_with("group-lasso") && !settings.groups) {
    throw InvalidArgument(
        fmt::format("{} needs the groups: add {}", say(Setting::penalty, penalty), say(Setting::groups, "")));
  }
  if (settings.penalty_weights && (settings.slope_q || settings.slope_shape)) {
    throw InvalidArgument(fmt::format(
        "{} give the sequence of slope and {}, {} describe one: use one or the other",
        say(Setting::penalty_weights, ""), say(Setting::slope_shape, ""), say(Setting::slope_q, "")));
  }
  check_matrix(settings, penalty, say);
  check_penalty_weights(settings, penalty, say);
}

ModelParameters with_structure(const ModelSettings& settings, ModelParameters parameters, const Dataset& data,
                               std::vector<std::string>& notes, const Spelling& say) {
  const std::string penalty = penalty_name(settings);
  parameters.columns = data.columns();
  if (settings.order) parameters.order = *settings.order;
  if (settings.sparse) parameters.sparse = *settings.sparse;
  if (settings.penalty_matrix) parameters.penalty_matrix = *settings.penalty_matrix;
  if (settings.edges) parameters.edges = checked_edges(*settings.edges, data.columns());
  if (settings.shape) {
    parameters.shape = checked_shape(*settings.shape, data, say);
  } else if (data.matrix && is_matrix_penalty(penalty)) {
    parameters.shape = shape_of(*data.matrix);
  }
  parameters.smoothing = settings.smoothing;
  if (settings.grid) parameters.edges = checked_grid(*settings.grid, data.columns(), say);
  if (settings.groups) parameters.groups = checked_groups(*settings.groups, data.columns(), notes);
  if (penalty == "slope" && !settings.penalty_weights) {
    parameters.slope_shape = settings.slope_shape.value_or(parameters.slope_shape);
    parameters.slope_q = settings.slope_q.value_or(default_slope_q(parameters.slope_shape, data.columns()));
  }
  return parameters;
}

const Words<SlopeShape>& slope_shapes() {
  static const Words<SlopeShape> words = {
      {"bh", SlopeShape::benjamini_hochberg}, {"oscar", SlopeShape::oscar}, {"linear", SlopeShape::linear}};
  return words;
}

const Words<WeightKind>& weight_kinds() {
  static const Words<WeightKind> words = {{"importance", WeightKind::importance},
                                          {"frequency", WeightKind::frequency}};
  return words;
}

const Words<KernelKind>& kernel_kinds() {
  static const Words<KernelKind> words = {
      {"linear", KernelKind::linear}, {"rbf", KernelKind::rbf}, {"poly", KernelKind::polynomial}};
  return words;
}

}  // namespace alo
