// SPDX-License-Identifier: MIT
#include "linalg/sparse_products.hpp"

#include <algorithm>
#include <vector>

#include "linalg/multiversion.hpp"

namespace alo {

namespace {

// Numbers in a cache line: with fewer an entry reads a line for less, with more it reads two.
constexpr Index line = 8;
// Up to so many vectors are met one by one: they are shorter than the lines, and stay in the cache.
constexpr Index few = 2;

// A column as it is stored.
struct Stored {
  const SparseMatrix::StorageIndex* rows;
  const double* values;
  Index count;
};

Stored column_of(const SparseView& values, Index j) {
  const auto begin = values.outerIndexPtr()[j];
  return {values.innerIndexPtr() + begin, values.valuePtr() + begin, values.outerIndexPtr()[j + 1] - begin};
}

// sum = the sum over entries (i, x) of x times line i.
ALO_MULTIVERSION
void gather_lines(const Stored& column, const double* lines, double* sum) {
  double total[line] = {};
  for (Index e = 0; e < column.count; ++e) {
    const double value = column.values[e];
    const double* from = lines + line * column.rows[e];
#pragma omp simd
    for (Index c = 0; c < line; ++c) total[c] += value * from[c];
  }
  std::copy_n(total, line, sum);
}

// Adds x times a line to line i for every entry (i, x).
ALO_MULTIVERSION
void scatter_lines(const Stored& column, const double* one, double* lines) {
  for (Index e = 0; e < column.count; ++e) {
    const double value = column.values[e];
    double* to = lines + line * column.rows[e];
#pragma omp simd
    for (Index c = 0; c < line; ++c) to[c] += value * one[c];
  }
}

double gather(const Stored& column, const double* vector) {
  double sum = 0.0;
  for (Index e = 0; e < column.count; ++e) sum += column.values[e] * vector[column.rows[e]];
  return sum;
}

void scatter(const Stored& column, double factor, double* vector) {
  for (Index e = 0; e < column.count; ++e) vector[column.rows[e]] += factor * column.values[e];
}

// Some vectors side by side, filled up with zeros.
using Lines = std::vector<double>;

void put_side_by_side(const MatrixView& vectors, Index first, Index width, Lines& lines) {
  std::fill(lines.begin(), lines.end(), 0.0);
  for (Index c = 0; c < width; ++c) {
    const auto vector = vectors.col(first + c);
    for (Index i = 0; i < vector.size(); ++i) lines[static_cast<std::size_t>(line * i + c)] = vector[i];
  }
}

void take_apart(const Lines& lines, Index first, Index width, Matrix& vectors) {
  for (Index c = 0; c < width; ++c) {
    auto vector = vectors.col(first + c);
    for (Index i = 0; i < vector.size(); ++i) vector[i] = lines[static_cast<std::size_t>(line * i + c)];
  }
}

Lines room_for(Index rows) {
  return Lines(static_cast<std::size_t>(line * rows));
}

}  // namespace

Matrix multiply_sparse(const SparseView& values, std::span<const Index> columns, const MatrixView& right) {
  if (right.cols() <= few) {
    Matrix result = Matrix::Zero(values.rows(), right.cols());
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const Stored column = column_of(values, columns[k]);
      for (Index c = 0; c < right.cols(); ++c) {
        scatter(column, right(static_cast<Index>(k), c), result.col(c).data());
      }
    }
    return result;
  }
  Matrix result(values.rows(), right.cols());
  Lines given = room_for(right.rows());
  Lines sums = room_for(values.rows());
  for (Index first = 0; first < right.cols(); first += line) {
    const Index width = std::min(line, right.cols() - first);
    put_side_by_side(right, first, width, given);
    std::fill(sums.begin(), sums.end(), 0.0);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      scatter_lines(column_of(values, columns[k]), given.data() + line * static_cast<Index>(k), sums.data());
    }
    take_apart(sums, first, width, result);
  }
  return result;
}

Matrix transpose_multiply_sparse(const SparseView& values, std::span<const Index> columns,
                                 const MatrixView& right) {
  Matrix result(static_cast<Index>(columns.size()), right.cols());
  if (right.cols() <= few) {
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const Stored column = column_of(values, columns[k]);
      for (Index c = 0; c < right.cols(); ++c) {
        result(static_cast<Index>(k), c) = gather(column, right.col(c).data());
      }
    }
    return result;
  }
  Lines given = room_for(right.rows());
  Lines sums = room_for(result.rows());
  for (Index first = 0; first < right.cols(); first += line) {
    const Index width = std::min(line, right.cols() - first);
    put_side_by_side(right, first, width, given);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      gather_lines(column_of(values, columns[k]), given.data(), sums.data() + line * static_cast<Index>(k));
    }
    take_apart(sums, first, width, result);
  }
  return result;
}

}  // namespace alo
