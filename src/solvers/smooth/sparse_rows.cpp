// SPDX-License-Identifier: MIT
#include "solvers/smooth/sparse_rows.hpp"

#include <numeric>

namespace alo {

namespace {

// Calls visit(row, value) for the stored entries of a coordinate's column, without its centre.
template <class Visit>
void for_each_entry(const Design& design, const Coordinate& coordinate, const Visit& visit) {
  if (coordinate.column == Coordinate::intercept) {
    for (Index i = 0; i < design.rows(); ++i) visit(i, 1.0);
    return;
  }
  const double scale = design.scale().size() == 0 ? 1.0 : design.scale()[coordinate.column];
  for (SparseMap::InnerIterator entry(design.sparse_values(), coordinate.column); entry; ++entry) {
    visit(entry.row(), entry.value() / scale);
  }
}

double center_of(const Design& design, const Coordinate& coordinate) {
  if (coordinate.column == Coordinate::intercept || design.center().size() == 0) return 0.0;
  const double scale = design.scale().size() == 0 ? 1.0 : design.scale()[coordinate.column];
  return design.center()[coordinate.column] / scale;
}

}  // namespace

SparseRows::SparseRows(const Design& design, std::span<const Coordinate> coordinates)
    : centers_(static_cast<Index>(coordinates.size())),
      begins_(static_cast<std::size_t>(design.rows()) + 1, 0) {
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    outputs_.push_back(coordinates[k].output);
    centers_[static_cast<Index>(k)] = center_of(design, coordinates[k]);
    for_each_entry(design, coordinates[k],
                   [this](Index i, double) { ++begins_[static_cast<std::size_t>(i) + 1]; });
  }
  std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
  entries_.resize(begins_.back());
  std::vector<std::size_t> next(begins_.begin(), begins_.end() - 1);
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    for_each_entry(design, coordinates[k], [&](Index i, double value) {
      entries_[next[static_cast<std::size_t>(i)]++] = {static_cast<Index>(k), value};
    });
  }
}

std::span<const SparseRows::Entry> SparseRows::row(Index i) const {
  const std::size_t begin = begins_[static_cast<std::size_t>(i)];
  return std::span(entries_).subspan(begin, begins_[static_cast<std::size_t>(i) + 1] - begin);
}

Matrix SparseRows::curvature_sums(const Matrix& curvature, Index outputs) const {
  Matrix sums = Matrix::Zero(size(), outputs);
  for (Index i = 0; i < rows(); ++i) {
    for (const Entry& entry : row(i)) {
      for (Index l = 0; l < outputs; ++l) {
        sums(entry.place, l) += entry.value * curvature(i, output(entry.place) + outputs * l);
      }
    }
  }
  return sums;
}

Matrix SparseRows::centers_by_output(Index outputs) const {
  Matrix centers = Matrix::Zero(size(), outputs);
  for (Index a = 0; a < size(); ++a) centers(a, output(a)) = centers_[a];
  return centers;
}

Matrix SparseRows::curvature_products(const SparseRows& right, const Matrix& curvature, Index outputs) const {
  Matrix products = Matrix::Zero(size(), right.size());
  for (Index i = 0; i < rows(); ++i) {
    for (const Entry& b : right.row(i)) {
      for (const Entry& a : row(i)) {
        const double weight = curvature(i, output(a.place) + outputs * right.output(b.place));
        products(a.place, b.place) += a.value * weight * b.value;
      }
    }
  }
  if (!is_centered() && !right.is_centered()) return products;
  // (v_a - c_a 1)'C (v_b - c_b 1)
  const Matrix left_sums = curvature_sums(curvature, outputs);
  const Matrix right_sums = right.curvature_sums(curvature, outputs);
  const Vector totals = curvature.colwise().sum();
  for (Index b = 0; b < right.size(); ++b) {
    for (Index a = 0; a < size(); ++a) {
      const double total = totals[output(a) + outputs * right.output(b)];
      products(a, b) += centers_[a] * right.centers_[b] * total -
                        right.centers_[b] * left_sums(a, right.output(b)) -
                        centers_[a] * right_sums(b, output(a));
    }
  }
  return products;
}

Matrix SparseRows::quadratic_forms(const Matrix& inverse, Index outputs) const {
  const Matrix centers = centers_by_output(outputs);
  const Matrix shifted = inverse * centers;            // V c_l
  const Matrix level = centers.transpose() * shifted;  // c_k'V c_l
  Matrix forms(rows(), outputs * outputs);
  for (Index i = 0; i < rows(); ++i) {
    Matrix form = level;
    for (const Entry& b : row(i)) {
      for (const Entry& a : row(i)) {
        form(output(a.place), output(b.place)) += a.value * inverse(a.place, b.place) * b.value;
      }
      form.row(output(b.place)) -= b.value * shifted.row(b.place);
      form.col(output(b.place)) -= b.value * shifted.row(b.place).transpose();
    }
    forms.row(i) = form.reshaped().transpose();
  }
  return forms;
}

}  // namespace alo
