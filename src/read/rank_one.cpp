// SPDX-License-Identifier: MIT
#include "read/rank_one.hpp"

#include <cmath>

#include <fmt/format.h>

#include "alo/error.hpp"
#include "formats/any_table.hpp"
#include "formats/byte_source.hpp"

namespace alo::data {

namespace {

struct NamedMatrix {
  Matrix values;
  std::vector<std::string> names;
};

std::vector<std::string> numbers_from_one(Index count) {
  std::vector<std::string> names;
  for (Index k = 0; k < count; ++k) names.push_back(std::to_string(k + 1));
  return names;
}

NamedMatrix read_named(const std::string& path) {
  AnyTable any = read_any(path, {});
  if (const auto* sparse = std::get_if<SparseTable>(&any)) {
    if (sparse->labels) {
      throw InvalidData(fmt::format("{}: expected a matrix, but the rows have labels", display_name(path)));
    }
    return {Matrix(sparse->values), numbers_from_one(sparse->values.cols())};
  }
  auto& table = std::get<Table>(any);
  for (Index column = 0; column < table.heading.columns; ++column) {
    if (!table.text_of(column).empty()) {
      const TextEntry& entry = table.text_of(column).front();
      throw InvalidData(fmt::format("{}: '{}' is not a number", table.place(entry.row, column), entry.text));
    }
    for (Index row = 0; row < table.rows(); ++row) {
      if (std::isfinite(table.numbers(row, column))) continue;
      throw InvalidData(fmt::format("{}: the value is missing or not finite", table.place(row, column)));
    }
  }
  std::vector<std::string> names =
      table.heading.has_names() ? table.heading.names : numbers_from_one(table.heading.columns);
  return {std::move(table.numbers), std::move(names)};
}

void check_rows(const std::string& file, Index rows, const std::string& path, Index expected) {
  if (rows == expected) return;
  throw InvalidData(fmt::format("{} has {} rows, but {} has {}; row i of each file belongs to observation i",
                                display_name(file), rows, display_name(path), expected));
}

Factors combine(NamedMatrix left, NamedMatrix right) {
  Factors factors{std::move(left.values), std::move(right.values), {}};
  factors.source.kind = MatrixRows::rank_one;
  factors.source.row_names = std::move(left.names);
  factors.source.column_names = std::move(right.names);
  return factors;
}

}  // namespace

Factors read_factors(const std::string& left_file, const std::string& right_file, Index rows,
                     const std::string& path) {
  Factors factors = combine(read_named(left_file), read_named(right_file));
  check_rows(left_file, factors.left.rows(), path, rows);
  check_rows(right_file, factors.right.rows(), path, rows);
  return factors;
}

Factors read_factors(const std::string& left_file, const std::string& right_file) {
  Factors factors = combine(read_named(left_file), read_named(right_file));
  check_rows(right_file, factors.right.rows(), left_file, factors.left.rows());
  return factors;
}

Matrix rank_one_rows(const Factors& factors) {
  const Index width = factors.right.cols();
  Matrix rows(factors.left.rows(), factors.left.cols() * width);
  for (Index k = 0; k < factors.left.cols(); ++k) {
    for (Index l = 0; l < width; ++l) {
      rows.col(k * width + l) = factors.left.col(k).cwiseProduct(factors.right.col(l));
    }
  }
  return rows;
}

}  // namespace alo::data
