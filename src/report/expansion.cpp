// SPDX-License-Identifier: MIT
#include "report/expansion.hpp"

#include <limits>

namespace alo::report {

namespace {

// The rows that have a nonzero coefficient in either expansion.
std::vector<Index> support_of(const Fit& minimum, const Fit& one_se) {
  std::vector<Index> rows;
  for (Index i = 0; i < minimum.subgradient.size(); ++i) {
    if (minimum.subgradient[i] != 0.0 || one_se.subgradient[i] != 0.0) rows.push_back(i);
  }
  return rows;
}

Json point_object(const Fit& fit, const std::vector<Index>& support) {
  const Vector coefficients = -fit.subgradient(support) / fit.lambda;
  return {{"lambda", number(fit.lambda)},
          {"intercept", number(fit.intercept[0])},
          {"coefficients", numbers(coefficients)}};
}

KernelKind read_kind(const ModelReader& reader) {
  const std::string name = reader.text_at("name");
  for (const KernelKind kind : {KernelKind::linear, KernelKind::rbf, KernelKind::polynomial}) {
    if (to_string(kind) == name) return kind;
  }
  reader.fail(fmt::format("{} is '{}', expected linear, rbf or poly", reader.quoted("name"), name));
}

// Reads one number per column. In a scale, null stands for infinity: the column takes no part.
Vector read_row(const ModelReader& reader, const std::string& what, const Json& list, std::size_t columns,
                bool is_scale = false) {
  if (!list.is_array() || list.size() != columns) {
    reader.fail(fmt::format("{} has not one number for each of {} columns", what, columns));
  }
  Vector row(static_cast<Index>(columns));
  for (std::size_t j = 0; j < columns; ++j) {
    const bool left_out = is_scale && list[j].is_null();
    if (!list[j].is_number() && !left_out) {
      reader.fail(fmt::format("{} holds something that is not a number", what));
    }
    row[static_cast<Index>(j)] = left_out ? std::numeric_limits<double>::infinity() : list[j].get<double>();
  }
  return row;
}

}  // namespace

void add_expansion(const KernelSource& source, const Fit& minimum, const Fit& one_se, Json& document) {
  const std::vector<Index> support = support_of(minimum, one_se);
  const Design stored = source.columns.with_view({}, {});
  Json rows = Json::array();
  for (const Index i : support) rows.push_back(numbers(stored.row(i)));
  const Kernel& kernel = source.kernel;
  Json object = {{"name", to_string(kernel.kind)}};
  if (kernel.kind != KernelKind::linear) object["gamma"] = number(kernel.gamma);
  if (kernel.kind == KernelKind::polynomial) {
    object["degree"] = kernel.degree;
    object["coef0"] = number(kernel.coef0);
  }
  const Vector& scale = source.columns.scale();
  object["scale"] = scale.size() == 0 ? Json(nullptr) : numbers(scale);
  object["rows"] = std::move(rows);
  document["kernel"] = std::move(object);
  document["min"] = point_object(minimum, support);
  document["one_se"] = point_object(one_se, support);
}

SavedModel::Expansion read_expansion(const ModelReader& reader, std::size_t columns) {
  const ModelReader given = reader.inside("kernel");
  SavedModel::Expansion expansion;
  Kernel& kernel = expansion.kernel;
  kernel.kind = read_kind(given);
  if (kernel.kind != KernelKind::linear) kernel.gamma = given.number_at("gamma");
  if (kernel.kind == KernelKind::polynomial) {
    kernel.degree = static_cast<int>(given.number_at("degree"));
    kernel.coef0 = given.number_at("coef0");
  }
  if (!given.at("scale").is_null()) {
    expansion.scale = read_row(given, given.quoted("scale"), given.at("scale"), columns, true);
  }
  const Json& rows = given.list_at("rows");
  expansion.rows.resize(static_cast<Index>(rows.size()), static_cast<Index>(columns));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    expansion.rows.row(static_cast<Index>(i)) =
        read_row(given, fmt::format("support row {}", i + 1), rows[i], columns).transpose();
  }
  return expansion;
}

Vector expand(const SavedModel::Expansion& expansion, const Vector& coefficients, const Design& design) {
  const Design rows = Design(expansion.rows).with_view({}, expansion.scale);
  return kernel_matrix(expansion.kernel, design.with_view({}, expansion.scale), rows) * coefficients;
}

}  // namespace alo::report
