// SPDX-License-Identifier: MIT
#include "penalties/box_least_squares.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <Eigen/QR>

namespace alo {

namespace {

constexpr double rounding = 1e-12;
constexpr double reached_share = 1e-10;
constexpr int most_bisections = 60;
constexpr Index steps_per_variable = 20;

class BoxLeastSquares {
 public:
  BoxLeastSquares(const SparseMatrix& differences, const VectorView& target, double bound)
      : rows_(differences.toDense()),
        target_(target),
        bound_(bound),
        u_(Vector::Zero(differences.rows())),
        is_free_(static_cast<std::size_t>(differences.rows()), true) {}

  Vector solve() {
    const Index most_steps = steps_per_variable * (1 + u_.size());
    for (Index step = 0; step < most_steps; ++step) {
      settle();
      const Index worst = most_wrong();
      if (worst < 0) break;
      is_free_[static_cast<std::size_t>(worst)] = true;
    }
    return u_;
  }

 private:
  // Least squares in the free variables; those that meet their bound on the way stay there.
  void settle() {
    while (true) {
      std::vector<Index> free;
      for (Index k = 0; k < u_.size(); ++k) {
        if (is_free_[static_cast<std::size_t>(k)]) free.push_back(k);
      }
      if (free.empty()) return;
      const Matrix columns = rows_(free, Eigen::all).transpose();
      const Vector step = columns.completeOrthogonalDecomposition().solve(target_ - rows_.transpose() * u_);
      double length = 1.0;
      for (std::size_t k = 0; k < free.size(); ++k) {
        const double move = step[static_cast<Index>(k)];
        if (move == 0.0) continue;
        const double room = move > 0.0 ? bound_ - u_[free[k]] : bound_ + u_[free[k]];
        length = std::min(length, std::max(0.0, room) / std::abs(move));
      }
      bool met = false;
      for (std::size_t k = 0; k < free.size(); ++k) {
        const double moved = u_[free[k]] + length * step[static_cast<Index>(k)];
        const bool stays = length < 1.0 && std::abs(moved) >= bound_ * (1.0 - rounding);
        u_[free[k]] = stays ? std::copysign(bound_, moved) : moved;
        is_free_[static_cast<std::size_t>(free[k])] = !stays;
        met = met || stays;
      }
      if (!met) return;
    }
  }

  // The variable at a bound which the residual pulls inwards most; -1 when there is none.
  Index most_wrong() const {
    const Vector pull = rows_ * (target_ - rows_.transpose() * u_);
    const double size = 1.0 + pull.cwiseAbs().maxCoeff() + (rows_ * target_).cwiseAbs().maxCoeff();
    Index worst = -1;
    double largest = rounding * size;
    for (Index k = 0; k < u_.size(); ++k) {
      if (is_free_[static_cast<std::size_t>(k)]) continue;
      const double inwards = u_[k] > 0.0 ? -pull[k] : pull[k];
      if (inwards > largest) {
        largest = inwards;
        worst = k;
      }
    }
    return worst;
  }

  Matrix rows_;
  Vector target_;
  double bound_;
  Vector u_;
  std::vector<bool> is_free_;
};

}  // namespace

Vector box_least_squares(const SparseMatrix& differences, const VectorView& target, double bound) {
  if (differences.rows() == 0) return {};
  return BoxLeastSquares(differences, target, bound).solve();
}

double least_bound(const SparseMatrix& differences, const VectorView& target) {
  if (differences.rows() == 0 || target.isZero(0.0)) return 0.0;
  const auto missed = [&](const Vector& u) {
    return (target - differences.transpose() * u).lpNorm<Eigen::Infinity>();
  };
  const Vector shortest = box_least_squares(differences, target, std::numeric_limits<double>::infinity());
  const double allowed = missed(shortest) + reached_share * target.lpNorm<Eigen::Infinity>();
  double high = shortest.lpNorm<Eigen::Infinity>();
  double low = 0.0;
  for (int step = 0; step < most_bisections && high - low > rounding * high; ++step) {
    const double middle = 0.5 * (low + high);
    (missed(box_least_squares(differences, target, middle)) <= allowed ? high : low) = middle;
  }
  return high;
}

}  // namespace alo
