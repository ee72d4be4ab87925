// SPDX-License-Identifier: MIT
#include "alo/geometry.hpp"

namespace alo {

Matrix tangent_design(const Design& design, const Geometry& geometry) {
  Matrix result = design.gather(geometry.coordinates);
  if (geometry.combinations.size() > 0) result = (result * geometry.combinations).eval();
  if (geometry.mirrors.size() > 0) {
    const Matrix seen = result * geometry.mirrors;
    result -= seen * geometry.mirrors.transpose();
  }
  return result;
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
