// SPDX-License-Identifier: MIT
#include "alo/penalties/slope.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "alo/error.hpp"
#include "linalg/special_values.hpp"
#include "linalg/tolerances.hpp"
#include "penalties/null_space.hpp"

namespace alo {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
// Absolute values that differ by no more than this share of them are a tie. The proximal map makes members of
// a cluster equal to the last digit; a division by the scale of a column and a product with it then change
// each by one epsilon at most. At a tenth (less than one unit of the last place) clusters of standardised
// columns come apart, and each member moves alone in leave-one-out; at ten times only coefficients that agree
// in 14 digits are joined by mistake.
constexpr double tie_share = 4.0 * epsilon;
// The proximal step that measures the distance to a subgradient moves by this share of the largest
// coefficient. Coefficients in a wrong order or of a wrong sign by a share x of the largest one show as
// x / step_share of lambda, ties that rounding has parted as epsilon / step_share. At a tenth rounding shows
// as 1e-12 of lambda; at ten times a coefficient may be wrong by 1e-11 of the largest one unnoticed.
constexpr double step_share = 1e-2;

// Indices of the entries that are not zero, by falling absolute value.
std::vector<Index> falling_order(const VectorView& b) {
  std::vector<Index> order;
  for (Index j = 0; j < b.size(); ++j) {
    if (b[j] != 0.0) order.push_back(j);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](Index j, Index k) { return std::abs(b[j]) > std::abs(b[k]); });
  return order;
}

// Ranks first ... last - 1 of a falling order.
struct Cluster {
  std::size_t first;
  std::size_t last;
};

std::vector<Cluster> clusters_of(const VectorView& b, const std::vector<Index>& order) {
  std::vector<Cluster> clusters;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const double size = std::abs(b[order[k]]);
    const bool tied = k > 0 && std::abs(b[order[k - 1]]) - size <= tie_share * size;
    if (!tied) clusters.push_back({k, k});
    clusters.back().last = k + 1;
  }
  return clusters;
}

// Isotonic regression of a sequence by falling numbers: pools neighbours that do not fall into blocks with
// their mean (pool adjacent violators; Ayer and others 1955).
class FallingMeans {
 public:
  void push(double value) {
    blocks_.push_back({value, 1.0});
    while (blocks_.size() > 1 && blocks_[blocks_.size() - 2].mean() <= blocks_.back().mean()) {
      const Block last = blocks_.back();
      blocks_.pop_back();
      blocks_.back().sum += last.sum;
      blocks_.back().count += last.count;
    }
  }
  // Calls visit(rank, mean) for all ranks, in order.
  template <class Visit>
  void for_each(const Visit& visit) const {
    std::size_t rank = 0;
    for (const Block& block : blocks_) {
      for (double k = 0.0; k < block.count; ++k) visit(rank++, block.mean());
    }
  }

 private:
  struct Block {
    double sum;
    double count;
    double mean() const { return sum / count; }
  };
  std::vector<Block> blocks_;
};

// The x above which the standard normal distribution has probability t < 1/2. Newton's method on the
// logarithm of that probability, which is concave in x, starts to the right of the root, because the
// probability is at most exp(-x^2 / 2) / 2.
double upper_quantile(double t) {
  double x = std::sqrt(-2.0 * std::log(2.0 * t));
  for (int step = 0; step < 100; ++step) {
    const double tail = 0.5 * std::erfc(x / std::sqrt(2.0));
    const double density = std::exp(-0.5 * x * x) / std::sqrt(2.0 * M_PI);
    const double move = std::log(tail / t) * tail / density;
    x += move;
    if (std::abs(move) <= 4.0 * epsilon * (1.0 + x)) break;
  }
  return x;
}

}  // namespace

Slope::Slope(Vector sequence) : sequence_(std::move(sequence)) {
  for (Index k = 0; k < sequence_.size(); ++k) {
    if (!(sequence_[k] >= 0.0) || std::isinf(sequence_[k])) {
      throw InvalidData(
          fmt::format("entry {} of the slope sequence is {}; entries are finite numbers, zero or more", k + 1,
                      sequence_[k]));
    }
    if (k > 0 && sequence_[k] > sequence_[k - 1]) {
      throw InvalidData(
          fmt::format("the slope sequence grows from {} to {} at entry {}; it must not grow: the largest "
                      "coefficient takes the first entry",
                      sequence_[k - 1], sequence_[k], k + 1));
    }
  }
  if (sequence_.size() > 0 && sequence_[0] == 0.0) throw InvalidData("the slope sequence is zero");
}

double Slope::value(const VectorView& b, double lambda) const {
  const std::vector<Index> order = falling_order(b);
  double sum = 0.0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    sum += sequence_[static_cast<Index>(k)] * std::abs(b[order[k]]);
  }
  return lambda * sum;
}

Proximal Slope::prox(const VectorView& b, double lambda) const {
  const std::vector<Index> order = falling_order(b);
  FallingMeans means;
  for (std::size_t k = 0; k < order.size(); ++k) {
    means.push(std::abs(b[order[k]]) - lambda * sequence_[static_cast<Index>(k)]);
  }
  Vector result = Vector::Zero(b.size());
  means.for_each([&](std::size_t rank, double mean) {
    if (mean > 0.0) result[order[rank]] = std::copysign(mean, b[order[rank]]);
  });
  return {std::move(result), {}};
}

Geometry Slope::geometry(const VectorView& b, const VectorView& /*multipliers*/, double /*lambda*/) const {
  const std::vector<Index> order = falling_order(b);
  Geometry geometry;
  geometry.coordinates = order;
  std::sort(geometry.coordinates.begin(), geometry.coordinates.end());
  const auto place = [&](Index j) {
    const auto& all = geometry.coordinates;
    return static_cast<int>(std::lower_bound(all.begin(), all.end(), j) - all.begin());
  };
  std::vector<Eigen::Triplet<double>> entries;
  int directions = 0;
  for (const auto& [first, last] : clusters_of(b, order)) {
    const bool together = sequence_[static_cast<Index>(first)] > sequence_[static_cast<Index>(last - 1)];
    for (std::size_t k = first; k < last; ++k) {
      if (k > first && !together) ++directions;
      entries.emplace_back(place(order[k]), directions, std::copysign(1.0, b[order[k]]));
    }
    ++directions;
  }
  geometry.curvature = Vector::Zero(directions);
  if (directions == static_cast<int>(order.size())) return geometry;
  geometry.combinations = SparseMatrix(static_cast<Index>(order.size()), directions);
  geometry.combinations.setFromTriplets(entries.begin(), entries.end());
  return geometry;
}

Vector Slope::subgradient(const VectorView& b, double lambda) const {
  const std::vector<Index> order = falling_order(b);
  Vector result = Vector::Zero(b.size());
  for (const auto& [first, last] : clusters_of(b, order)) {
    const auto count = static_cast<Index>(last - first);
    const double mean = lambda * sequence_.segment(static_cast<Index>(first), count).mean();
    for (std::size_t k = first; k < last; ++k) result[order[k]] = std::copysign(mean, b[order[k]]);
  }
  return result;
}

// P(b) - z'b summed by parts: with j_k the coefficient of rank k, it is
//
//     sum_k (lambda (q_1 + ... + q_k) - sum_(i <= k) sign(b_(j_i)) z_(j_i)) (|b|_(k) - |b|_(k+1)),
//
// whose terms are nonnegative for a z in the domain.
double Slope::fenchel_gap(const VectorView& b, const DualPoint& dual, double lambda) const {
  if (lambda_max(dual.slopes) > (1.0 + tolerances::domain_rounding) * lambda) return infinity;
  const std::vector<Index> order = falling_order(b);
  double sum = 0.0;
  double room = 0.0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const Index j = order[k];
    room += lambda * sequence_[static_cast<Index>(k)] - std::copysign(1.0, b[j]) * dual.slopes[j];
    const double next = k + 1 < order.size() ? std::abs(b[order[k + 1]]) : 0.0;
    sum += std::max(room, 0.0) * (std::abs(b[j]) - next);
  }
  return sum;
}

double Slope::dual_scale(const DualPoint& dual, double lambda) const {
  return tolerances::scale_into(lambda_max(dual.slopes), lambda);
}

Vector Slope::subgradient_distance(const VectorView& b, const DualPoint& dual, double lambda) const {
  // |b - prox(b + t z)| / t with the penalty t P falls with t and tends to the distance as t tends to zero
  // (Beck 2017, theorem 10.9). A t in units of coefficients over slopes makes it the same in all units.
  const double largest = b.lpNorm<Eigen::Infinity>();
  const double step = largest > 0.0 && lambda > 0.0 ? step_share * largest / lambda : 1.0;
  return (b - prox(b + step * dual.slopes, step * lambda).point).cwiseAbs() / step;
}

double Slope::lambda_max(const VectorView& z) const {
  double largest = 0.0;
  double sum = 0.0;
  double allowed = 0.0;
  const std::vector<Index> order = falling_order(z);
  for (std::size_t k = 0; k < order.size(); ++k) {
    sum += std::abs(z[order[k]]);
    allowed += sequence_[static_cast<Index>(k)];
    largest = std::max(largest, sum / allowed);
  }
  return largest;
}

SparseMatrix Slope::unpenalized(Index columns, double lambda) const {
  return free_without_lambda(columns, lambda);
}

std::optional<SeparableTerms> Slope::separable(Index columns) const {
  if (columns == 0 || sequence_[0] != sequence_[columns - 1]) return std::nullopt;
  return SeparableTerms{sequence_, Vector::Zero(columns), Vector::Zero(columns)};
}

void Slope::check_columns(Index columns) const {
  if (sequence_.size() != columns) {
    throw InvalidData(fmt::format("the slope sequence has {} entries for {} columns; give one per column",
                                  sequence_.size(), columns));
  }
}

Vector benjamini_hochberg_sequence(Index columns, double q) {
  if (!(q > 0.0 && q < 1.0)) {
    throw InvalidArgument(
        fmt::format("the rate q of a slope sequence must lie between 0 and 1, but is {}", q));
  }
  return Vector::NullaryExpr(columns, [&](Index k) {
    return upper_quantile(static_cast<double>(k + 1) * q / (2.0 * static_cast<double>(columns)));
  });
}

Vector oscar_sequence(Index columns, double c) {
  if (!(c >= 0.0) || std::isinf(c)) {
    throw InvalidArgument(
        fmt::format("the rise of an oscar sequence must be a finite number, zero or more, but is {}", c));
  }
  return Vector::NullaryExpr(columns,
                             [&](Index k) { return 1.0 + c * static_cast<double>(columns - 1 - k); });
}

Vector linear_sequence(Index columns, double last) {
  if (!(last >= 0.0 && last <= 1.0)) {
    throw InvalidArgument(
        fmt::format("the last entry of a linear sequence must lie between 0 and 1, but is {}", last));
  }
  const double steps = std::max(1.0, static_cast<double>(columns - 1));
  return Vector::NullaryExpr(columns,
                             [&](Index k) { return 1.0 - (1.0 - last) * static_cast<double>(k) / steps; });
}

}  // namespace alo
