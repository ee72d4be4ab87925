// SPDX-License-Identifier: MIT
#include "alo/geometry.hpp"

namespace alo {

Matrix tangent_design(const Design& design, const Geometry& geometry) {
  return tangent_columns(design.gather(geometry.coordinates), geometry);
}

Matrix tangent_columns(Matrix columns, const Geometry& geometry) {
  if (geometry.combinations.size() > 0) columns = (columns * geometry.combinations).eval();
  if (geometry.mirrors.size() > 0) {
    const Matrix seen = columns * geometry.mirrors;
    columns -= seen * geometry.mirrors.transpose();
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
