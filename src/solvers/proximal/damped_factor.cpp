// SPDX-License-Identifier: MIT
#include "solvers/proximal/damped_factor.hpp"

#include <algorithm>
#include <limits>

#include "linalg/blas.hpp"

namespace alo {

namespace {

// A squared pivot below this share of its diagonal entry is that of dependent columns: their products have
// errors of some 1e-15. With ten times as much, directions that are only alike would be damped.
constexpr double pivot_tolerance = 1e-11;
// The first multiple of the identity, relative to the largest diagonal entry, and its growth. The first is as
// little as a pivot needs to be above the tolerance; after eight it is a million times the largest entry,
// with which every finite matrix is definite.
constexpr double first_damping = 1e-10;
constexpr double damping_growth = 100.0;
constexpr int most_dampings = 8;

}  // namespace

DampedFactor damped_factor(const Matrix& matrix, double unit) {
  using Outcome = DampedFactor::Outcome;
  if (!matrix.diagonal().allFinite()) return {};
  const double largest = matrix.size() == 0 ? 0.0 : matrix.diagonal().maxCoeff();
  const Vector diagonal =
      matrix.diagonal().cwiseMax(std::numeric_limits<double>::epsilon() * largest / pivot_tolerance);
  double damping = 0.0;
  for (int count = 0; count <= most_dampings; ++count) {
    Matrix system = matrix;
    system.diagonal().array() += damping;
    if (auto lower = blas::cholesky(std::move(system))) {
      const Vector shares = lower->diagonal().cwiseAbs2().cwiseQuotient(diagonal);
      const double least = shares.size() == 0 ? 1.0 : shares.minCoeff();
      if (damping > 0.0 && least > 0.0) return {std::move(*lower), Outcome::damped, least};
      if (least > pivot_tolerance) return {std::move(*lower), Outcome::regular, least};
    }
    damping = damping == 0.0 ? first_damping * std::max(unit, largest) : damping_growth * damping;
  }
  return {};
}

}  // namespace alo
