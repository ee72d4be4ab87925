// SPDX-License-Identifier: MIT
#include "alo/penalties/group_norms.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "alo/error.hpp"
#include "alo/penalties/sparse_group_lasso.hpp"
#include "linalg/special_values.hpp"
#include "linalg/tolerances.hpp"
#include "penalties/null_space.hpp"

namespace alo {

namespace {

using tolerances::domain_rounding;

// Soft thresholding, entry by entry: the part of z beyond the threshold.
Vector shrink(const VectorView& z, double threshold) {
  if (threshold == 0.0) return z;
  return z.unaryExpr(
      [threshold](double entry) { return std::copysign(std::max(std::abs(entry) - threshold, 0.0), entry); });
}

// |e| |b| - e'b >= 0, written as |e| |b| |e / |e| - b / |b||^2 / 2, in which no digits cancel.
double angle_gap(const Vector& e, const Vector& b) {
  const double left = e.norm();
  const double right = b.norm();
  if (left == 0.0 || right == 0.0) return 0.0;
  return 0.5 * left * right * (e / left - b / right).squaredNorm();
}

std::vector<std::vector<Index>> members_of(const std::vector<Index>& groups) {
  std::vector<std::vector<Index>> members;
  for (std::size_t j = 0; j < groups.size(); ++j) {
    if (groups[j] < 0 || groups[j] >= static_cast<Index>(groups.size())) {
      throw InvalidData(
          fmt::format("coefficient {} is in group {}; with {} coefficients groups have numbers from 0 to {}",
                      j + 1, groups[j], groups.size(), groups.size() - 1));
    }
    const auto group = static_cast<std::size_t>(groups[j]);
    if (group >= members.size()) members.resize(group + 1);
    members[group].push_back(static_cast<Index>(j));
  }
  for (std::size_t g = 0; g < members.size(); ++g) {
    if (members[g].empty()) throw InvalidData(fmt::format("no coefficient is in group {}", g));
  }
  return members;
}

}  // namespace

std::string SparseGroupLasso::describe() const {
  return fmt::format("lambda * sparse-group-lasso penalty (mix {})", mix());
}

GroupNorms::GroupNorms(std::vector<Index> groups, double mix, Vector factors)
    : group_of_(std::move(groups)), members_(members_of(group_of_)), mix_(mix), factors_(std::move(factors)) {
  if (!(mix >= 0.0 && mix <= 1.0)) {
    throw InvalidArgument(
        fmt::format("the mix must lie between 0 (group lasso) and 1 (lasso), but is {}", mix));
  }
  if (factors_.size() != 0 && factors_.size() != static_cast<Index>(members_.size())) {
    throw InvalidData(fmt::format("there are {} penalty factors for {} groups; give one per group",
                                  factors_.size(), members_.size()));
  }
  for (Index g = 0; g < factors_.size(); ++g) {
    if (!(factors_[g] >= 0.0)) {
      throw InvalidData(fmt::format(
          "the penalty factor of group {} is {}; factors are nonnegative (0: unpenalised, inf: excluded)", g,
          factors_[g]));
    }
  }
}

GroupNorms::Factors GroupNorms::factors(std::size_t group, double lambda) const {
  const double size = std::sqrt(static_cast<double>(members_[group].size()));
  const double all = lambda * factor(group);
  return {(1.0 - mix_) * size * all, mix_ * all};
}

double GroupNorms::value(const VectorView& b, double lambda) const {
  double sum = 0.0;
  for (std::size_t g = 0; g < members_.size(); ++g) {
    const Vector own = b(members_[g]);
    if (own.isZero(0.0)) continue;
    if (factor(g) == infinity) return infinity;
    const auto [norm, absolute] = factors(g, lambda);
    sum += norm * own.norm() + absolute * own.lpNorm<1>();
  }
  return sum;
}

Proximal GroupNorms::prox(const VectorView& b, double lambda) const {
  Vector result = Vector::Zero(b.size());
  for (std::size_t g = 0; g < members_.size(); ++g) {
    if (factor(g) == infinity) continue;
    const auto [norm, absolute] = factors(g, lambda);
    const Vector shrunk = shrink(b(members_[g]), absolute);
    const double length = shrunk.norm();
    // A group whose length exceeds the threshold by rounding alone stays at zero, so that at the first lambda
    // of a path all groups are zero.
    if (length > (1.0 + domain_rounding) * norm) result(members_[g]) = (1.0 - norm / length) * shrunk;
  }
  return {std::move(result), {}};
}

// Adds the coordinates of a group that are free to move. A Householder reflection maps the first of them to
// the direction of b_g, along which the norm is linear; in all directions orthogonal to it the curvature is
// t_g / |b_g|.
void GroupNorms::add_directions(std::size_t group, const VectorView& b, double lambda, Geometry& geometry,
                                std::vector<double>& curvature,
                                std::vector<Eigen::Triplet<double>>& mirrors) const {
  const double length = b(members_[group]).norm();
  const bool smooth = factor(group) == 0.0;
  const double across = smooth || length == 0.0 ? 0.0 : factors(group, lambda).norm / length;
  const std::size_t first = geometry.coordinates.size();
  for (const Index j : members_[group]) {
    if (!smooth && (length == 0.0 || (mix_ > 0.0 && b[j] == 0.0))) continue;
    geometry.coordinates.push_back(j);
    curvature.push_back(across);
  }
  const std::size_t size = geometry.coordinates.size() - first;
  if (size == 0) return;
  curvature[first] = 0.0;
  if (size == 1 || across == 0.0) return;
  // The reflection that maps e_1 to the direction u of b_g, or to -u, has the normal e_1 - u or e_1 + u. The
  // longer of the two loses no digits.
  Vector normal = b(std::vector<Index>(geometry.coordinates.end() - static_cast<std::ptrdiff_t>(size),
                                       geometry.coordinates.end())) /
                  length;
  normal[0] += std::copysign(1.0, normal[0]);
  normal *= std::sqrt(2.0) / normal.norm();
  int column = 0;
  if (!mirrors.empty()) column = mirrors.back().col() + 1;
  for (std::size_t k = 0; k < size; ++k) {
    mirrors.emplace_back(static_cast<int>(first + k), column, normal[static_cast<Index>(k)]);
  }
}

Geometry GroupNorms::geometry(const VectorView& b, const VectorView& /*multipliers*/, double lambda) const {
  Geometry geometry;
  std::vector<double> curvature;
  std::vector<Eigen::Triplet<double>> mirrors;
  for (std::size_t g = 0; g < members_.size(); ++g) {
    if (factor(g) != infinity) add_directions(g, b, lambda, geometry, curvature, mirrors);
  }
  // Groups may be interleaved, and a Geometry has its coordinates in ascending order.
  const std::size_t size = geometry.coordinates.size();
  std::vector<std::size_t> order(size);
  for (std::size_t k = 0; k < size; ++k) order[k] = k;
  std::sort(order.begin(), order.end(),
            [&](std::size_t k, std::size_t l) { return geometry.coordinates[k] < geometry.coordinates[l]; });
  std::vector<int> place(size);
  geometry.curvature.resize(static_cast<Index>(size));
  for (std::size_t k = 0; k < size; ++k) {
    place[order[k]] = static_cast<int>(k);
    geometry.curvature[static_cast<Index>(k)] = curvature[order[k]];
  }
  std::sort(geometry.coordinates.begin(), geometry.coordinates.end());
  if (mirrors.empty()) return geometry;
  for (auto& entry : mirrors) {
    entry = {place[static_cast<std::size_t>(entry.row())], entry.col(), entry.value()};
  }
  geometry.mirrors = SparseMatrix(static_cast<Index>(size), mirrors.back().col() + 1);
  geometry.mirrors.setFromTriplets(mirrors.begin(), mirrors.end());
  return geometry;
}

Vector GroupNorms::subgradient(const VectorView& b, double lambda) const {
  Vector result = Vector::Zero(b.size());
  for (std::size_t g = 0; g < members_.size(); ++g) {
    const double length = b(members_[g]).norm();
    if (length == 0.0) continue;
    const auto [norm, absolute] = factors(g, lambda);
    for (const Index j : members_[g]) {
      if (b[j] != 0.0) result[j] = norm * b[j] / length + std::copysign(absolute, b[j]);
    }
  }
  return result;
}

double GroupNorms::fenchel_gap(const VectorView& b, const DualPoint& dual, double lambda) const {
  double sum = 0.0;
  for (std::size_t g = 0; g < members_.size(); ++g) {
    // An excluded group has b_g = 0, and at a dual point an unpenalised one has z_g = 0: neither adds to the
    // gap.
    if (factor(g) == infinity || factor(g) == 0.0) continue;
    const auto [norm, absolute] = factors(g, lambda);
    const Vector own = b(members_[g]);
    const Vector z = dual.slopes(members_[g]);
    // z is split into its part within [-s, s], entry by entry, and the excess. The first takes s |b|_1 less
    // its product with b, the second t |b|_2 less its product with b; both differences are nonnegative.
    const Vector excess = shrink(z, absolute);
    const double length = excess.norm();
    if (length > norm + domain_rounding * z.norm()) return infinity;
    sum += absolute * own.lpNorm<1>() - own.dot(z.cwiseMax(-absolute).cwiseMin(absolute));
    sum += std::max(norm - length, 0.0) * own.norm() + angle_gap(excess, own);
  }
  return sum;
}

// The root t of |shrunk(z, s t)|_2 = n t, with n and s the factors of the norm and of the absolute values at
// lambda = 1. If k entries exceed s t, sum_(i <= k) (|z_i| - s t)^2 = n^2 t^2 is quadratic in t, and k is
// right when entry k + 1 does not exceed s t. Of the two roots it is the smaller positive one, which is
// written without cancellation.
double GroupNorms::gauge(std::size_t group, const VectorView& z) const {
  const auto [norm, absolute] = factors(group, 1.0);
  Vector sizes = z(members_[group]).cwiseAbs();
  if (sizes.isZero(0.0)) return 0.0;
  if (absolute == 0.0) return sizes.norm() / norm;
  std::sort(sizes.begin(), sizes.end(), std::greater<>());
  double sum = 0.0;
  double squares = 0.0;
  double root = 0.0;
  for (Index k = 0; k < sizes.size(); ++k) {
    sum += sizes[k];
    squares += sizes[k] * sizes[k];
    const auto count = static_cast<double>(k + 1);
    const double square = count * absolute * absolute - norm * norm;
    const double linear = absolute * sum;
    root = squares / (linear + std::sqrt(std::max(linear * linear - square * squares, 0.0)));
    if (k + 1 == sizes.size() || root * absolute >= sizes[k + 1]) break;
  }
  return root;
}

double GroupNorms::dual_scale(const DualPoint& dual, double lambda) const {
  return tolerances::scale_into(lambda_max(dual.slopes), lambda);
}

Vector GroupNorms::subgradient_distance(const VectorView& b, const DualPoint& dual, double lambda) const {
  Vector distance = Vector::Zero(b.size());
  const Vector gradient = subgradient(b, lambda);
  for (std::size_t g = 0; g < members_.size(); ++g) {
    if (factor(g) == infinity) continue;
    const auto [norm, absolute] = factors(g, lambda);
    const Vector z = dual.slopes(members_[g]);
    const Vector excess = shrink(z, absolute);
    const double length = excess.norm();
    const bool at_zero = b(members_[g]).isZero(0.0);
    for (std::size_t k = 0; k < members_[g].size(); ++k) {
      const Index j = members_[g][k];
      const double beyond = std::abs(excess[static_cast<Index>(k)]);
      if (b[j] != 0.0) {
        distance[j] = std::abs(dual.slopes[j] - gradient[j]);
      } else if (!at_zero) {
        distance[j] = beyond;
      } else if (length > norm) {
        distance[j] = (1.0 - norm / length) * beyond;
      }
    }
  }
  return distance;
}

double GroupNorms::lambda_max(const VectorView& z) const {
  double largest = 0.0;
  for (std::size_t g = 0; g < members_.size(); ++g) {
    if (factor(g) != 0.0 && factor(g) != infinity) largest = std::max(largest, gauge(g, z));
  }
  return largest;
}

SparseMatrix GroupNorms::unpenalized(Index columns, double lambda) const {
  std::vector<Index> free;
  for (Index j = 0; j < columns; ++j) {
    const double own = factor(static_cast<std::size_t>(group_of_[static_cast<std::size_t>(j)]));
    if (own == 0.0 || (lambda == 0.0 && own != infinity)) free.push_back(j);
  }
  return coordinate_basis(columns, free);
}

std::optional<SeparableTerms> GroupNorms::separable(Index columns) const {
  SeparableTerms terms{Vector(columns), Vector::Zero(columns), Vector::Zero(columns)};
  for (std::size_t g = 0; g < members_.size(); ++g) {
    const bool trivial = factor(g) == 0.0 || factor(g) == infinity;
    if (!trivial && mix_ < 1.0 && members_[g].size() > 1) return std::nullopt;
    terms.absolute(members_[g]).setConstant(factor(g));
  }
  return terms;
}

void GroupNorms::check_columns(Index columns) const {
  if (static_cast<Index>(group_of_.size()) != columns) {
    throw InvalidData(fmt::format("there are groups for {} coefficients and {} columns; give one per column",
                                  group_of_.size(), columns));
  }
}

}  // namespace alo
