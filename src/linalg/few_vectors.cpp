// SPDX-License-Identifier: MIT
#include "linalg/few_vectors.hpp"

#include "linalg/blas.hpp"
#include "linalg/multiversion.hpp"

namespace alo {

namespace {

// Columns that are read together. The kernels below are written for four; with the vector they keep five
// streams from memory open.
constexpr std::size_t side_by_side = 4;

ALO_MULTIVERSION
void dot_four(Index size, const double* const* columns, const double* vector, double* result) {
  const double* a = columns[0];
  const double* b = columns[1];
  const double* c = columns[2];
  const double* d = columns[3];
  double with_a = 0.0;
  double with_b = 0.0;
  double with_c = 0.0;
  double with_d = 0.0;
#pragma omp simd reduction(+ : with_a, with_b, with_c, with_d)
  for (Index i = 0; i < size; ++i) {
    with_a += a[i] * vector[i];
    with_b += b[i] * vector[i];
    with_c += c[i] * vector[i];
    with_d += d[i] * vector[i];
  }
  result[0] = with_a;
  result[1] = with_b;
  result[2] = with_c;
  result[3] = with_d;
}

ALO_MULTIVERSION
void add_four(Index size, const double* const* columns, const double* coefficients, double* sum) {
  const double* a = columns[0];
  const double* b = columns[1];
  const double* c = columns[2];
  const double* d = columns[3];
#pragma omp simd
  for (Index i = 0; i < size; ++i) {
    sum[i] +=
        coefficients[0] * a[i] + coefficients[1] * b[i] + coefficients[2] * c[i] + coefficients[3] * d[i];
  }
}

}  // namespace

void dot_columns(std::span<const double* const> columns, const MatrixView& vectors,
                 Eigen::Ref<Matrix> result) {
  const Index rows = vectors.rows();
  std::size_t k = 0;
  for (; k + side_by_side <= columns.size(); k += side_by_side) {
    for (Index c = 0; c < vectors.cols(); ++c) {
      dot_four(rows, columns.data() + k, vectors.col(c).data(), result.col(c).data() + k);
    }
  }
  for (; k < columns.size(); ++k) {
    const Eigen::Map<const Vector> column(columns[k], rows);
    for (Index c = 0; c < vectors.cols(); ++c) {
      result(static_cast<Index>(k), c) = blas::dot(column, vectors.col(c));
    }
  }
}

void add_columns(std::span<const double* const> columns, const MatrixView& coefficients,
                 Eigen::Ref<Matrix> sums) {
  const Index rows = sums.rows();
  std::size_t k = 0;
  for (; k + side_by_side <= columns.size(); k += side_by_side) {
    for (Index c = 0; c < sums.cols(); ++c) {
      add_four(rows, columns.data() + k, coefficients.col(c).data() + k, sums.col(c).data());
    }
  }
  for (; k < columns.size(); ++k) {
    const Eigen::Map<const Vector> column(columns[k], rows);
    for (Index c = 0; c < sums.cols(); ++c) {
      blas::add_multiple(sums.col(c), coefficients(static_cast<Index>(k), c), column);
    }
  }
}

}  // namespace alo
