// SPDX-License-Identifier: MIT
#include "alo/geometry.hpp"

#include <algorithm>
#include <numeric>

#include "linalg/blas.hpp"

namespace alo {

namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// So many numbers of a design are copied at once: 16 MB, which an allocator keeps from one time to the next.
constexpr Index most_copied = Index{1} << 21;

// Turns directions by the mirrors. Column by column: a product of a dense and a sparse matrix would go by
// rows, and start threads.
Matrix mirrored(Matrix columns, const SparseMatrix& mirrors) {
  Vector seen(columns.rows());
  for (Index k = 0; k < mirrors.cols(); ++k) {
    seen.setZero();
    for (SparseMatrix::InnerIterator entry(mirrors, k); entry; ++entry) {
      seen += entry.value() * columns.col(entry.row());
    }
    for (SparseMatrix::InnerIterator entry(mirrors, k); entry; ++entry) {
      columns.col(entry.row()) -= entry.value() * seen;
    }
  }
  return columns;
}

Vector mirrored_vector(Vector directions, const SparseMatrix& mirrors) {
  if (mirrors.size() == 0) return directions;
  const Vector seen = mirrors.transpose() * directions;
  return directions - mirrors * seen;
}

// u_k'X_i v_l for the directions of a matrix, one row per row of a design whose columns come some rows of the
// matrices at a time, from `columns_of(first row, rows)`. Row a of all X_i is a block of neighbouring
// columns: sums over a are one product of the blocks, as the columns of a long matrix, with U.
template <class Columns>
Matrix matrix_products(Index n, Index most_rows, const MatrixDirections& directions,
                       const Columns& columns_of) {
  const Index p1 = directions.left.rows();
  const Index p2 = directions.right.rows();
  const Index rank = directions.rank;
  Matrix by_left = Matrix::Zero(n * p2, rank);  // X_i'u_k
  Matrix by_right(n, p1 * rank);                // X_i v_l
  for (Index first = 0; first < p1; first += most_rows) {
    const Index count = std::min(most_rows, p1 - first);
    const double* block = columns_of(first, count);
    blas::add_product(by_left, 1.0, Eigen::Map<const Matrix>(block, n * p2, count),
                      directions.left.block(first, 0, count, rank));
    if (rank == p1) continue;
    for (Index a = 0; a < count; ++a) {
      by_right.middleCols((first + a) * rank, rank) = blas::multiply(
          Eigen::Map<const Matrix>(block + a * n * p2, n, p2), directions.right.leftCols(rank));
    }
  }
  Matrix result(n, directions.count());
  for (Index k = 0; k < rank; ++k) {
    result.middleCols(k * p2, p2) = blas::multiply(by_left.col(k).reshaped(n, p2), directions.right);
  }
  if (rank < p1) {
    const Matrix rest = blas::multiply(by_right.reshaped(n * rank, p1), directions.left.rightCols(p1 - rank));
    result.rightCols(rank * (p1 - rank)) = rest.reshaped(n, rank * (p1 - rank));
  }
  return result;
}

Matrix matrix_products(const Matrix& columns, const MatrixDirections& directions) {
  return matrix_products(columns.rows(), directions.left.rows(), directions,
                         [&](Index, Index) { return columns.data(); });
}

Matrix matrix_products(const Design& design, const MatrixDirections& directions) {
  const bool as_stored = !design.is_sparse() && design.center().size() == 0 && design.scale().size() == 0;
  if (as_stored) return matrix_products(design.dense_values(), directions);
  const Index p2 = directions.right.rows();
  const Index most_rows = std::max<Index>(1, most_copied / std::max<Index>(1, design.rows() * p2));
  Matrix block;
  return matrix_products(design.rows(), most_rows, directions, [&](Index first, Index count) {
    std::vector<Index> columns(static_cast<std::size_t>(count * p2));
    std::iota(columns.begin(), columns.end(), first * p2);
    block = design.gather(columns);
    return static_cast<const double*>(block.data());
  });
}

// U T V' for T of the directions, row by row.
Vector matrix_along(const MatrixDirections& directions, const Vector& moved) {
  const Index rank = directions.rank;
  const Index p1 = directions.left.cols();
  const Index p2 = directions.right.cols();
  const Eigen::Map<const RowMajor> top(moved.data(), rank, p2);
  const Eigen::Map<const RowMajor> bottom(moved.data() + rank * p2, p1 - rank, rank);
  Matrix half = directions.left.leftCols(rank) * (top * directions.right.transpose());
  if (rank < p1) {  // else all directions are above, and rank may be more than p2
    half += directions.left.rightCols(p1 - rank) * (bottom * directions.right.leftCols(rank).transpose());
  }
  return half.reshaped<Eigen::RowMajor>();
}

// The entries of U'Z V that belong to the directions.
Vector matrix_onto(const MatrixDirections& directions, const VectorView& coefficients) {
  const Index rank = directions.rank;
  const Index p1 = directions.left.cols();
  const Index p2 = directions.right.cols();
  const Eigen::Map<const RowMajor> z(coefficients.data(), p1, p2);
  Vector result(directions.count());
  Eigen::Map<RowMajor> top(result.data(), rank, p2);
  Eigen::Map<RowMajor> bottom(result.data() + rank * p2, p1 - rank, rank);
  top = directions.left.leftCols(rank).transpose() * z * directions.right;
  if (rank < p1) {
    bottom = directions.left.rightCols(p1 - rank).transpose() * (z * directions.right.leftCols(rank));
  }
  return result;
}

}  // namespace

Matrix tangent_design(const Design& design, const Geometry& geometry) {
  if (geometry.matrix) return mirrored(matrix_products(design, *geometry.matrix), geometry.mirrors);
  return tangent_columns(design.gather(geometry.coordinates), geometry);
}

Matrix tangent_columns(Matrix columns, const Geometry& geometry) {
  if (geometry.matrix) return mirrored(matrix_products(columns, *geometry.matrix), geometry.mirrors);
  if (geometry.combinations.size() > 0) {
    Matrix combined = Matrix::Zero(columns.rows(), geometry.combinations.cols());
    for (Index k = 0; k < combined.cols(); ++k) {
      for (SparseMatrix::InnerIterator entry(geometry.combinations, k); entry; ++entry) {
        combined.col(k) += entry.value() * columns.col(entry.row());
      }
    }
    columns = std::move(combined);
  }
  return mirrored(std::move(columns), geometry.mirrors);
}

Vector along(const Geometry& geometry, const VectorView& directions, Index columns) {
  Vector moved = mirrored_vector(directions, geometry.mirrors);
  if (geometry.matrix) return matrix_along(*geometry.matrix, moved);
  if (geometry.combinations.size() > 0) moved = (geometry.combinations * moved).eval();
  Vector result = Vector::Zero(columns);
  result(geometry.coordinates) = moved;
  return result;
}

Vector onto(const Geometry& geometry, const VectorView& coefficients) {
  if (geometry.matrix) return mirrored_vector(matrix_onto(*geometry.matrix, coefficients), geometry.mirrors);
  Vector result = coefficients(geometry.coordinates);
  if (geometry.combinations.size() > 0) result = (geometry.combinations.transpose() * result).eval();
  return mirrored_vector(std::move(result), geometry.mirrors);
}

}  // namespace alo
