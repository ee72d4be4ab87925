// SPDX-License-Identifier: MIT
#include "alo/dataset.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "alo/error.hpp"

namespace alo {

namespace {

// Squares of numbers and sums of products of four of them must neither overflow nor vanish: fits and their
// certificates are made of these. At the cube root of the range, 1e102, the squares of ten million numbers
// keep that; a column of larger or smaller numbers is a mistake or asks for another unit.
constexpr double largest_number = 1e100;
constexpr double smallest_number = 1e-100;

bool is_in_range(double largest) {
  return largest == 0.0 || (largest <= largest_number && largest >= smallest_number);
}

void check_range(double largest, const std::string& what) {
  if (is_in_range(largest)) return;
  throw InvalidData(
      fmt::format("{} is as {} as {:.3g}, and the squares of such numbers leave the range of "
                  "floating-point numbers; correct it, or give it in another unit",
                  what, largest > 1.0 ? "large" : "small", largest));
}

void check_length(const char* what, Index length, Index rows) {
  if (length != rows)
    throw InvalidData(fmt::format("there are {} {} for {} rows of data", length, what, rows));
}

void check_finite(const Vector& values, const std::string& what) {
  for (Index i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) {
      throw InvalidData(
          fmt::format("{} is {} in row {}; every value must be a finite number", what, values[i], i + 1));
    }
  }
}

[[noreturn]] void refuse_entry(const Dataset& data, Index row, Index column, double value) {
  throw InvalidData(fmt::format("column '{}' is {} in row {}; every value must be a finite number",
                                data.column_name(column), value, row + 1));
}

// Names are made only where they are needed, because a matrix may have millions of columns.
void check_column_range(const Dataset& data, Index column, double largest) {
  if (!is_in_range(largest)) check_range(largest, fmt::format("column '{}'", data.column_name(column)));
}

void check_design(const Dataset& data) {
  if (data.design.is_sparse()) {
    const SparseMap& values = data.design.sparse_values();
    for (Index j = 0; j < values.cols(); ++j) {
      double largest = 0.0;
      for (SparseMap::InnerIterator entry(values, j); entry; ++entry) {
        if (!std::isfinite(entry.value())) refuse_entry(data, entry.row(), j, entry.value());
        largest = std::max(largest, std::abs(entry.value()));
      }
      check_column_range(data, j, largest);
    }
    return;
  }
  const DenseMap& values = data.design.dense_values();
  for (Index j = 0; j < values.cols(); ++j) {
    if (values.col(j).allFinite()) {
      check_column_range(data, j, values.col(j).lpNorm<Eigen::Infinity>());
      continue;
    }
    for (Index i = 0; i < values.rows(); ++i) {
      if (!std::isfinite(values(i, j))) refuse_entry(data, i, j, values(i, j));
    }
  }
}

void check_weights(const Dataset& data) {
  const Vector& weights = data.weights;
  check_finite(weights, "the weight");
  for (Index i = 0; i < weights.size(); ++i) {
    if (weights[i] < 0.0) {
      throw InvalidData(
          fmt::format("the weight is {} in row {}; weights must not be negative", weights[i], i + 1));
    }
    if (data.weight_kind == WeightKind::frequency && weights[i] != std::floor(weights[i])) {
      throw InvalidData(
          fmt::format("the weight is {} in row {}; frequency weights count copies of a row and must be whole "
                      "numbers, others are importance weights",
                      weights[i], i + 1),
          {{Setting::weights_are, "importance"}});
    }
  }
  check_range(weights.lpNorm<Eigen::Infinity>(), "the weight");
  if (!(weights.sum() > 0.0)) throw InvalidData("all weights are zero; at least one row must count");
}

Index name_count(const Dataset& data) {
  if (!data.matrix) return static_cast<Index>(data.column_names.size());
  return static_cast<Index>(data.matrix->row_names.size() * data.matrix->column_names.size());
}

}  // namespace

std::string Dataset::column_name(Index j) const {
  if (!matrix) return column_names[static_cast<std::size_t>(j)];
  const auto place = static_cast<std::size_t>(j);
  const std::size_t width = matrix->column_names.size();
  return fmt::format("{},{}", matrix->row_names[place / width], matrix->column_names[place % width]);
}

Dataset make_dataset(Design design, Vector response) {
  Dataset data;
  const Index rows = design.rows();
  for (Index j = 0; j < design.columns(); ++j) data.column_names.push_back(fmt::format("x{}", j + 1));
  data.design = std::move(design);
  data.response = std::move(response);
  data.weights = Vector::Ones(rows);
  data.offset = Vector::Zero(rows);
  return data;
}

void validate(const Dataset& data) {
  if (data.rows() == 0) throw InvalidData("the data has no rows");
  check_length("responses", data.response.size(), data.rows());
  check_length("weights", data.weights.size(), data.rows());
  check_length("offsets", data.offset.size(), data.rows());
  const Index names = name_count(data);
  if (names != data.columns()) {
    throw InvalidData(fmt::format("there are {} column names for {} columns", names, data.columns()));
  }
  check_finite(data.response, fmt::format("the response '{}'", data.response_name));
  check_range(data.response.lpNorm<Eigen::Infinity>(), fmt::format("the response '{}'", data.response_name));
  check_finite(data.offset, "the offset");
  check_range(data.offset.lpNorm<Eigen::Infinity>(), "the offset");
  check_weights(data);
  check_design(data);
}

}  // namespace alo
