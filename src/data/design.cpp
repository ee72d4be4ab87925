// SPDX-License-Identifier: MIT
#include "alo/design.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <variant>

#include "alo/error.hpp"
#include "linalg/blas.hpp"
#include "linalg/few_vectors.hpp"
#include "linalg/select.hpp"
#include "linalg/sparse_products.hpp"

namespace alo {

namespace {

// Sizes that choose between ways to multiply by a set S of columns. A wrong value costs time, never digits.
//   panel_columns  columns that are copied side by side for one matrix product: 128 columns of 1000 rows
//                  take 1 MB and stay in the second-level cache, ten times as many do not
//   few            with fewer vectors than this, one pass over each column in place (linalg/few_vectors)
//                  is faster than a copy and a matrix product
//   copy_cost      a copy of a column costs about as much as its product with this many vectors; with
//                  fewer, the product with all columns may be cheaper than copies of those in S
constexpr std::size_t panel_columns = 128;
constexpr Index few = 4;
constexpr Index copy_cost = 32;

// center'(b / scale), the constant that centring subtracts from every entry of X diag(1/scale) b.
double center_shift(const Vector& center, const Vector& scaled) {
  return center.size() == 0 ? 0.0 : center.dot(scaled);
}

std::vector<Index> all_columns(Index count) {
  std::vector<Index> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), Index{0});
  return all;
}

}  // namespace

// The values, and what keeps them in memory.
struct Design::Storage {
  std::variant<DenseMap, SparseMap> values;
  std::shared_ptr<const void> owner;
};

namespace {

DenseMap map_of(const Matrix& values) {
  return {values.data(), values.rows(), values.cols(), Eigen::OuterStride<>(values.outerStride())};
}

SparseMap map_of(const SparseMatrix& values) {
  return {values.rows(),          values.cols(),          values.nonZeros(),
          values.outerIndexPtr(), values.innerIndexPtr(), values.valuePtr()};
}

std::shared_ptr<const SparseMatrix> compressed(SparseMatrix values) {
  values.makeCompressed();
  return std::make_shared<const SparseMatrix>(std::move(values));
}

}  // namespace

Design::Design(const DenseMap& values, std::shared_ptr<const void> owner)
    : storage_(std::make_shared<const Storage>(Storage{values, std::move(owner)})),
      rows_(values.rows()),
      columns_(values.cols()) {}

Design::Design(const SparseMap& values, std::shared_ptr<const void> owner)
    : storage_(std::make_shared<const Storage>(Storage{values, std::move(owner)})),
      rows_(values.rows()),
      columns_(values.cols()) {}

Design::Design(Matrix values) {
  const auto owner = std::make_shared<const Matrix>(std::move(values));
  *this = Design(map_of(*owner), owner);
}

Design::Design(SparseMatrix values) {
  const auto owner = compressed(std::move(values));
  *this = Design(map_of(*owner), owner);
}

bool Design::is_sparse() const {
  return std::holds_alternative<SparseMap>(storage_->values);
}

Index Design::stored_entries() const {
  return is_sparse() ? sparse_values().nonZeros() : rows_ * columns_;
}

const DenseMap& Design::dense_values() const {
  if (const DenseMap* values = std::get_if<DenseMap>(&storage_->values)) return *values;
  throw InvalidArgument("the design is sparse and has no dense values: ask is_sparse() first");
}
const SparseMap& Design::sparse_values() const {
  if (const SparseMap* values = std::get_if<SparseMap>(&storage_->values)) return *values;
  throw InvalidArgument("the design is dense and has no sparse values: ask is_sparse() first");
}

Design Design::with_view(Vector center, Vector scale) const {
  Design view = *this;
  view.center_ = std::move(center);
  view.scale_ = std::move(scale);
  return view;
}

Vector Design::multiply(const VectorView& coefficients) const {
  Vector scaled = coefficients;
  if (scale_.size() != 0) scaled.array() /= scale_.array();
  Vector result =
      is_sparse() ? Vector(sparse_values() * scaled) : blas::multiply_vector(dense_values(), scaled);
  if (const double shift = center_shift(center_, scaled); shift != 0.0) result.array() -= shift;
  return result;
}

Vector Design::transpose_multiply(const VectorView& values) const {
  Vector result = is_sparse() ? Vector(sparse_values().transpose() * values)
                              : blas::transpose_multiply_vector(dense_values(), values);
  if (center_.size() != 0) result -= center_ * values.sum();
  if (scale_.size() != 0) result.array() /= scale_.array();
  return result;
}

Matrix Design::multiply_columns(const MatrixView& coefficients) const {
  Matrix scaled = coefficients;
  if (scale_.size() != 0) scaled.array().colwise() /= scale_.array();
  Matrix result = is_sparse() ? multiply_sparse(sparse_values(), all_columns(columns_), scaled)
                              : blas::multiply(dense_values(), scaled);
  if (center_.size() != 0) result.rowwise() -= center_.transpose() * scaled;
  return result;
}

Matrix Design::transpose_multiply_columns(const MatrixView& values) const {
  Matrix result = is_sparse() ? transpose_multiply_sparse(sparse_values(), all_columns(columns_), values)
                              : blas::transpose_multiply(dense_values(), values);
  if (center_.size() != 0) result -= center_ * values.colwise().sum();
  if (scale_.size() != 0) result.array().colwise() /= scale_.array();
  return result;
}

Vector Design::multiply(std::span<const Index> columns, const VectorView& coefficients) const {
  Vector result = Vector::Zero(rows_);
  double shift = 0.0;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const Index j = columns[k];
    const double scaled = coefficients[static_cast<Index>(k)] / (scale_.size() == 0 ? 1.0 : scale_[j]);
    if (is_sparse()) {
      for (SparseMap::InnerIterator entry(sparse_values(), j); entry; ++entry) {
        result[entry.row()] += scaled * entry.value();
      }
    } else {
      result += scaled * dense_values().col(j);
    }
    if (center_.size() != 0) shift += scaled * center_[j];
  }
  if (shift != 0.0) result.array() -= shift;
  return result;
}

// Visits dense columns in panels. A long run of neighbouring columns is used in place; others are copied
// side by side.
template <class Visit>
void Design::for_each_panel(std::span<const Index> columns, const Visit& visit) const {
  Matrix copy;
  for (std::size_t begin = 0; begin < columns.size();) {
    std::size_t end = begin + 1;
    while (end < columns.size() && columns[end] == columns[end - 1] + 1) ++end;
    if (end - begin >= panel_columns / 2) {
      visit(static_cast<Index>(begin),
            dense_values().middleCols(columns[begin], static_cast<Index>(end - begin)));
    } else {
      end = std::min(begin + panel_columns, columns.size());
      copy.resize(rows_, static_cast<Index>(end - begin));
      for (std::size_t k = begin; k < end; ++k) {
        copy.col(static_cast<Index>(k - begin)) = dense_values().col(columns[k]);
      }
      visit(static_cast<Index>(begin), copy);
    }
    begin = end;
  }
}

Matrix Design::multiply_columns(std::span<const Index> columns, const MatrixView& coefficients) const {
  Matrix scaled = coefficients;
  if (scale_.size() != 0) scaled.array().colwise() /= select(scale_, columns).array();
  Matrix result;
  if (!is_sparse()) result = Matrix::Zero(rows_, coefficients.cols());
  if (is_sparse()) {
    result = multiply_sparse(sparse_values(), columns, scaled);
  } else if (result.cols() < few) {
    std::vector<const double*> used;
    std::vector<Index> rows;
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const auto row = static_cast<Index>(k);
      if ((scaled.row(row).array() == 0.0).all()) continue;
      used.push_back(dense_values().col(columns[k]).data());
      rows.push_back(row);
    }
    add_columns(used, scaled(rows, Eigen::all), result);
  } else {
    for_each_panel(columns, [&](Index begin, const MatrixView& panel) {
      blas::add_product(result, 1.0, panel, scaled.middleRows(begin, panel.cols()));
    });
  }
  if (center_.size() != 0) result.rowwise() -= select(center_, columns).transpose() * scaled;
  return result;
}

Matrix Design::transpose_multiply_columns(std::span<const Index> columns, const MatrixView& values) const {
  Matrix result;
  if (!is_sparse()) result = Matrix::Zero(static_cast<Index>(columns.size()), values.cols());
  if (is_sparse()) {
    result = transpose_multiply_sparse(sparse_values(), columns, values);
  } else if (result.cols() < few) {
    std::vector<const double*> used;
    used.reserve(columns.size());
    for (const Index j : columns) used.push_back(dense_values().col(j).data());
    dot_columns(used, values, result);
  } else if (const Index others = columns_ - result.rows();
             others * result.cols() < copy_cost * result.rows()) {
    // The product with every column costs less than copying the columns S.
    Matrix products = Matrix::Zero(columns_, values.cols());
    blas::add_transposed_product(products, 1.0, dense_values(), values);
    for (std::size_t k = 0; k < columns.size(); ++k)
      result.row(static_cast<Index>(k)) = products.row(columns[k]);
  } else {
    for_each_panel(columns, [&](Index begin, const MatrixView& panel) {
      blas::add_transposed_product(result.middleRows(begin, panel.cols()), 1.0, panel, values);
    });
  }
  if (center_.size() != 0) result -= select(center_, columns) * values.colwise().sum();
  if (scale_.size() != 0) result.array().colwise() /= select(scale_, columns).array();
  return result;
}

Matrix Design::gather(std::span<const Index> columns) const {
  Matrix block(rows_, static_cast<Index>(columns.size()));
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const Index j = columns[k];
    auto column = block.col(static_cast<Index>(k));
    const double center = center_.size() == 0 ? 0.0 : center_[j];
    const double scale = scale_.size() == 0 ? 1.0 : scale_[j];
    if (is_sparse()) {
      column.setConstant(-center / scale);
      for (SparseMap::InnerIterator entry(sparse_values(), j); entry; ++entry) {
        column[entry.row()] = (entry.value() - center) / scale;
      }
    } else if (center == 0.0 && scale == 1.0) {
      column = dense_values().col(j);
    } else {
      column = (dense_values().col(j).array() - center) / scale;
    }
  }
  return block;
}

Vector Design::row(Index i) const {
  Vector result = is_sparse() ? Vector(sparse_values().row(i).transpose()) : Vector(dense_values().row(i));
  if (center_.size() != 0) result -= center_;
  if (scale_.size() != 0) result.array() /= scale_.array();
  return result;
}

Vector Design::weighted_square_norms(const VectorView& weights) const {
  const double total = weights.sum();
  Vector result(columns_);
  for (Index j = 0; j < columns_; ++j) {
    const double center = center_.size() == 0 ? 0.0 : center_[j];
    const double scale = scale_.size() == 0 ? 1.0 : scale_[j];
    double sum = 0.0;
    if (is_sparse()) {
      double stored_weight = 0.0;
      for (SparseMap::InnerIterator entry(sparse_values(), j); entry; ++entry) {
        const double value = entry.value() - center;
        sum += weights[entry.row()] * value * value;
        stored_weight += weights[entry.row()];
      }
      sum += (total - stored_weight) * center * center;
    } else {
      sum = (weights.array() * (dense_values().col(j).array() - center).square()).sum();
    }
    result[j] = sum / (scale * scale);
  }
  return result;
}

std::vector<Index> Design::constant_columns(const VectorView& weights) const {
  const Index weighted_rows = (weights.array() > 0.0).count();
  std::vector<Index> constant;
  for (Index j = 0; j < columns_; ++j) {
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    Index seen = 0;
    const auto visit = [&](Index i, double value) {
      if (weights[i] == 0.0) return;
      ++seen;
      low = std::min(low, value);
      high = std::max(high, value);
    };
    if (is_sparse()) {
      for (SparseMap::InnerIterator entry(sparse_values(), j); entry; ++entry) {
        visit(entry.row(), entry.value());
      }
      if (seen < weighted_rows) {  // entries that are not stored are zero
        low = std::min(low, 0.0);
        high = std::max(high, 0.0);
      }
    } else {
      for (Index i = 0; i < rows_; ++i) visit(i, dense_values()(i, j));
    }
    if (low >= high) constant.push_back(j);
  }
  return constant;
}

}  // namespace alo
