// SPDX-License-Identifier: MIT
#include "alo/geometry.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "linalg/blas.hpp"
#include "linalg/multiversion.hpp"

namespace alo {

namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// The most numbers of a design that are copied at once: 16 MB, which an allocator reuses and does not return
// to the system between calls. Only speed and memory depend on it.
constexpr Index most_copied = Index{1} << 21;

ALO_MULTIVERSION void mirror_pair(double* first, double* second, Index rows, double v, double w) {
#pragma omp simd
  for (Index i = 0; i < rows; ++i) {
    const double seen = v * first[i] + w * second[i];
    first[i] -= v * seen;
    second[i] -= w * seen;
  }
}

// The directions after the Householder reflections. It goes column by column, because Eigen's product of a
// dense and a sparse matrix would go by rows.
Matrix mirrored(Matrix columns, const SparseMatrix& mirrors) {
  Vector seen(columns.rows());
  for (Index k = 0; k < mirrors.cols(); ++k) {
    SparseMatrix::InnerIterator entry(mirrors, k);
    if (mirrors.outerIndexPtr()[k + 1] - mirrors.outerIndexPtr()[k] == 2) {
      const SparseMatrix::InnerIterator first = entry;
      ++entry;
      mirror_pair(columns.col(first.row()).data(), columns.col(entry.row()).data(), columns.rows(),
                  first.value(), entry.value());
      continue;
    }
    seen.setZero();
    for (; entry; ++entry) seen += entry.value() * columns.col(entry.row());
    for (entry = SparseMatrix::InnerIterator(mirrors, k); entry; ++entry) {
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

// For a matrix of coefficients, row i of the design is a matrix X_i stored row by row, so that row a of all
// X_i is a block of p2 neighbouring columns of the design. `columns_of(first, count)` gives the blocks of
// `count` rows a. Read as columns of a long matrix, the blocks times U are the sums over a of X_i'u_k.

// sum = a b at first, and sum += a b later.
void set_or_add(Matrix& sum, bool set, const MatrixView& a, const MatrixView& b) {
  set ? blas::set_product(sum, a, b) : blas::add_product(sum, 1.0, a, b);
}

// u_k'X_i v_l for a rank above half of p1: X_i'u_k for all k, then their products with V.
template <class Columns>
Matrix products_by_left(Index n, Index most_rows, const MatrixDirections& directions,
                        const Columns& columns_of) {
  const Index p1 = directions.left.rows();
  const Index p2 = directions.right.rows();
  const Index rank = directions.rank;
  Matrix by_left(n * p2, p1);
  for (Index first = 0; first < p1; first += most_rows) {
    const Index count = std::min(most_rows, p1 - first);
    const Eigen::Map<const Matrix> rows(columns_of(first, count), n * p2, count);
    set_or_add(by_left, first == 0, rows, directions.left.middleRows(first, count));
  }
  Matrix result(n, directions.count());
  for (Index k = 0; k < p1; ++k) {
    const Index count = k < rank ? p2 : rank;
    blas::set_product(result.middleCols(directions.place(k, 0), count),
                      Eigen::Map<const Matrix>(by_left.col(k).data(), n, p2),
                      directions.right.leftCols(count));
  }
  return result;
}

// The same for a smaller rank: X_i'u_k and X_i v_l for the first k and l alone.
template <class Columns>
Matrix products_by_sides(Index n, Index most_rows, const MatrixDirections& directions,
                         const Columns& columns_of) {
  const Index p1 = directions.left.rows();
  const Index p2 = directions.right.rows();
  const Index rank = directions.rank;
  Matrix by_left(n * p2, rank);   // X_i'u_k
  Matrix by_right(n, p1 * rank);  // X_i v_l
  for (Index first = 0; first < p1; first += most_rows) {
    const Index count = std::min(most_rows, p1 - first);
    const double* block = columns_of(first, count);
    set_or_add(by_left, first == 0, Eigen::Map<const Matrix>(block, n * p2, count),
               directions.left.block(first, 0, count, rank));
    for (Index a = 0; a < count; ++a) {
      blas::set_product(by_right.middleCols((first + a) * rank, rank),
                        Eigen::Map<const Matrix>(block + a * n * p2, n, p2), directions.right.leftCols(rank));
    }
  }
  Matrix result(n, directions.count());
  for (Index k = 0; k < rank; ++k) {
    blas::set_product(result.middleCols(k * p2, p2), Eigen::Map<const Matrix>(by_left.col(k).data(), n, p2),
                      directions.right);
  }
  Eigen::Map<Matrix> rest(result.data() + n * rank * p2, n * rank, p1 - rank);
  blas::set_product(rest, Eigen::Map<const Matrix>(by_right.data(), n * rank, p1),
                    directions.left.rightCols(p1 - rank));
  return result;
}

template <class Columns>
Matrix matrix_products(Index n, Index most_rows, const MatrixDirections& directions,
                       const Columns& columns_of) {
  const bool most = 2 * directions.rank > directions.left.rows();
  return most ? products_by_left(n, most_rows, directions, columns_of)
              : products_by_sides(n, most_rows, directions, columns_of);
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

// U T V', row by row, for the coordinates T of a tangent vector.
Vector matrix_along(const MatrixDirections& directions, const Vector& moved) {
  const Index rank = directions.rank;
  const Index p1 = directions.left.cols();
  const Index p2 = directions.right.cols();
  const Eigen::Map<const RowMajor> top(moved.data(), rank, p2);
  const Eigen::Map<const RowMajor> bottom(moved.data() + rank * p2, p1 - rank, rank);
  Matrix half = directions.left.leftCols(rank) * (top * directions.right.transpose());
  if (rank < p1) {  // otherwise all directions are in `top`, and the rank may exceed p2
    half += directions.left.rightCols(p1 - rank) * (bottom * directions.right.leftCols(rank).transpose());
  }
  return half.reshaped<Eigen::RowMajor>();
}

// The entries of U'Z V that are coordinates of the tangent space.
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

Matrix tangent_columns(const Matrix& columns, const Geometry& geometry) {
  if (geometry.matrix) return mirrored(matrix_products(columns, *geometry.matrix), geometry.mirrors);
  if (geometry.combinations.size() == 0) return mirrored(columns, geometry.mirrors);
  Matrix combined = Matrix::Zero(columns.rows(), geometry.combinations.cols());
  for (Index k = 0; k < combined.cols(); ++k) {
    for (SparseMatrix::InnerIterator entry(geometry.combinations, k); entry; ++entry) {
      combined.col(k) += entry.value() * columns.col(entry.row());
    }
  }
  return mirrored(std::move(combined), geometry.mirrors);
}

Matrix tangent_columns(Matrix&& columns, const Geometry& geometry) {
  const bool as_they_are = !geometry.matrix && geometry.combinations.size() == 0;
  return as_they_are ? mirrored(std::move(columns), geometry.mirrors)
                     : tangent_columns(std::as_const(columns), geometry);
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
