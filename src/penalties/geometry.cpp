// SPDX-License-Identifier: MIT
#include "alo/geometry.hpp"

namespace alo {

Matrix tangent_design(const Design& design, const Geometry& geometry) {
  return tangent_columns(design.gather(geometry.coordinates), geometry);
}

// Column by column: a product of a dense and a sparse matrix would go by rows, and start threads.
Matrix tangent_columns(Matrix columns, const Geometry& geometry) {
  if (geometry.combinations.size() > 0) {
    Matrix combined = Matrix::Zero(columns.rows(), geometry.combinations.cols());
    for (Index k = 0; k < combined.cols(); ++k) {
      for (SparseMatrix::InnerIterator entry(geometry.combinations, k); entry; ++entry) {
        combined.col(k) += entry.value() * columns.col(entry.row());
      }
    }
    columns = std::move(combined);
  }
  Vector seen(columns.rows());
  for (Index k = 0; k < geometry.mirrors.cols(); ++k) {
    seen.setZero();
    for (SparseMatrix::InnerIterator entry(geometry.mirrors, k); entry; ++entry) {
      seen += entry.value() * columns.col(entry.row());
    }
    for (SparseMatrix::InnerIterator entry(geometry.mirrors, k); entry; ++entry) {
      columns.col(entry.row()) -= entry.value() * seen;
    }
  }
  return columns;
}

Vector along(const Geometry& geometry, const VectorView& directions, Index columns) {
  Vector moved = directions;
  if (geometry.mirrors.size() > 0) {
    const Vector seen = geometry.mirrors.transpose() * moved;
    moved -= geometry.mirrors * seen;
  }
  if (geometry.combinations.size() > 0) moved = (geometry.combinations * moved).eval();
  Vector result = Vector::Zero(columns);
  result(geometry.coordinates) = moved;
  return result;
}

Vector onto(const Geometry& geometry, const VectorView& coefficients) {
  Vector result = coefficients(geometry.coordinates);
  if (geometry.combinations.size() > 0) result = (geometry.combinations.transpose() * result).eval();
  if (geometry.mirrors.size() > 0) {
    const Vector seen = geometry.mirrors.transpose() * result;
    result -= geometry.mirrors * seen;
  }
  return result;
}

}  // namespace alo
