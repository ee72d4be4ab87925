// SPDX-License-Identifier: MIT
#include "penalties/term_pattern.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

#include "linalg/blas.hpp"
#include "linalg/decompositions.hpp"
#include "linalg/tolerances.hpp"
#include "signals/multiplier.hpp"

namespace alo {

namespace {

// The rows of D that are zero, and the system of a pattern, are computed matrices.
constexpr double rank_tolerance = tolerances::tangent_rank;
// A term is zero below this share of |D_k|_1 times the largest coefficient, or times the largest that the
// slopes would make of them, if that is more. Coefficients come from a system of condition 1e4 or so; at a
// tenth terms that are zero by rounding keep a sign and their multipliers stay at lambda by mistake, at ten
// times true terms of 1e-10 are removed and come back, until the repairs are used up.
constexpr double zero_share = 1e-11;
// A multiplier that exceeds lambda by at most this share is within it. The certificate allows the same share
// of the dual ball; at ten times fits miss it, at a tenth rounding of dense systems makes terms come and go.
constexpr double beyond_share = 1e-10;
// Multipliers of a zero term that exceed lambda by at most this share are moved to lambda, and the others
// make up for it; beyond it the pattern is wrong and a term must leave zero. Where dependent rows leave a
// choice, the minimum-norm one may exceed lambda by as much as the interior point was inexact (first_share).
// Any value between 1e-6 and 1e-2 serves.
constexpr double near_share = 1e-4;
// A safeguard: rounds of such moves, each of which fixes at least one multiplier.
constexpr int most_rounds = 20;
// The multipliers that were moved must reproduce the slopes up to this share of the larger of lambda and the
// slopes; it is rank_tolerance, the accuracy of the systems that give them. Otherwise the ones before the
// moves are taken, and the pattern changes.
constexpr double missed_share = rank_tolerance;
// A slope along a direction of the pattern without curvature lets the objective fall without end, so the
// signs contradict each other. It counts beyond the first share of lambda plus the second share of the
// largest slope. The second is the rounding of a sum. The first must exceed beyond_share; at a hundred times
// some patterns that contradict themselves by little would be accepted, and their fits miss the certificate.
constexpr double unheld_share = 1e-8;
constexpr double slope_rounding = 1e-13;
// The interior point is asked for its pattern when mu has fallen to first_share of its first value, and again
// after each further factor of next_share, most_looks times: at 1e-17 rounding is all that is left. Only the
// time depends on these, as on the repairs of a pattern for each look and for a guess; an interior point
// costs little more than a guess.
constexpr double first_share = 1e-8;
constexpr double next_share = 1e-3;
constexpr int most_looks = 4;
constexpr int most_repairs = 8;
constexpr int most_guesses = 2;
// A gauge has converged when it rises by less than this share, the rounding of a quotient of sums; a smaller
// one is never met, with ten times it lambda_max is 1e-13 too small. The steps converge superlinearly, so
// that their number is a safeguard.
constexpr double gauge_rounding = 1e-14;
constexpr int most_gauge_steps = 100;

Vector signs_of(const Vector& multipliers, double lambda) {
  return (multipliers.array().abs() >= lambda).select(multipliers.array().sign(), 0.0);
}

std::vector<Index> zeros_of(const VectorView& signs) {
  std::vector<Index> zeros;
  for (Index k = 0; k < signs.size(); ++k) {
    if (signs[k] == 0.0) zeros.push_back(k);
  }
  return zeros;
}

// Solves the problem for given signs of the terms, and says how the signs have to change.
class Pattern {
 public:
  explicit Pattern(const TermQuadratic& problem)
      : problem_(problem),
        dense_(problem.terms.topLeftCorner(problem.terms.rows() / problem.blocks,
                                           problem.terms.cols() / problem.blocks)),
        sizes_(dense_.cwiseAbs().rowwise().sum()) {
    const double height = problem.curvature.size() == 0 ? 0.0 : problem.curvature.diagonal().maxCoeff();
    if (height > 0.0) least_size_ = problem.slopes.lpNorm<Eigen::Infinity>() / height;
  }

  // The solution whose terms have these signs, with u near `multipliers`. If there is none, the signs are
  // changed to those to be tried next.
  std::optional<TermSolution> solve(Vector& signs, const Vector& start, const Vector& multipliers) const {
    const double lambda = problem_.lambda;
    const Vector pull = lambda * (problem_.terms.transpose() * signs);
    std::vector<Block> blocks;
    for (Index k = 0; k < problem_.blocks; ++k) blocks.push_back(make_block(zeros_of(terms_of(signs, k))));
    const Matrix basis = whole_basis(blocks);
    TermSolution result;
    result.coefficients = along(basis, start, problem_.slopes - pull);
    result.multipliers = lambda * signs;
    const Vector slopes = problem_.slopes - problem_.curvature * result.coefficients - pull;
    if (!agrees(result.coefficients, basis * (basis.transpose() * slopes), signs)) return std::nullopt;
    for (Index k = 0; k < problem_.blocks; ++k) {
      const Block& block = blocks[static_cast<std::size_t>(k)];
      if (block.zeros.empty()) continue;
      auto own = result.multipliers.segment(k * dense_.rows(), dense_.rows());
      own(block.zeros) = nearest(block, terms_of(multipliers, k)(block.zeros),
                                 slopes.segment(k * dense_.cols(), dense_.cols()));
    }
    if (!is_within_bounds(result, signs)) return std::nullopt;
    for (Index k = 0; k < signs.size(); ++k) {
      if (signs[k] == 0.0) result.multipliers[k] = marked_multiplier(result.multipliers[k], 0.0, lambda);
    }
    return result;
  }

 private:
  // For one block of D: the terms that are zero, and a basis of the coefficients for which they are.
  struct Block {
    std::vector<Index> zeros;
    dense::CompleteOrthogonal factor;
    Matrix basis;
  };

  VectorView terms_of(const Vector& values, Index block) const {
    return values.segment(block * dense_.rows(), dense_.rows());
  }

  Block make_block(std::vector<Index> zeros) const {
    const Index columns = dense_.cols();
    Block block{std::move(zeros), {}, Matrix::Identity(columns, columns)};
    if (block.zeros.empty()) return block;
    block.factor = dense::CompleteOrthogonal(dense_(block.zeros, Eigen::all).transpose(), rank_tolerance);
    block.basis = block.factor.complement();
    return block;
  }

  Matrix whole_basis(const std::vector<Block>& blocks) const {
    Index directions = 0;
    for (const Block& block : blocks) directions += block.basis.cols();
    Matrix basis = Matrix::Zero(problem_.slopes.size(), directions);
    Index row = 0;
    Index column = 0;
    for (const Block& block : blocks) {
      basis.block(row, column, block.basis.rows(), block.basis.cols()) = block.basis;
      row += block.basis.rows();
      column += block.basis.cols();
    }
    return basis;
  }

  // Multipliers u of the zero terms with D'u equal to the slopes, near given ones. A multiplier that exceeds
  // lambda by little, as happens at a lambda where its term is about to leave zero, is moved to lambda, and
  // the others are solved for again.
  Vector nearest(const Block& block, Vector u, const Vector& slopes) const {
    const double lambda = problem_.lambda;
    const Matrix columns = dense_(block.zeros, Eigen::all).transpose();
    u += block.factor.solve(slopes - columns * u);
    const Vector beyond_lambda = u;
    std::vector<Index> free(block.zeros.size());
    std::iota(free.begin(), free.end(), Index{0});
    for (int round = 0; round < most_rounds; ++round) {
      if ((u.array().abs() > (1.0 + near_share) * lambda).any()) break;
      const auto before = free.size();
      std::erase_if(free, [&](Index k) {
        const bool beyond = std::abs(u[k]) > lambda;
        if (beyond) u[k] = std::copysign(lambda, u[k]);
        return beyond;
      });
      if (free.size() == before || free.empty()) break;
      const dense::CompleteOrthogonal rest(columns(Eigen::all, free), rank_tolerance);
      u(free) += rest.solve(slopes - columns * u);
    }
    const double missed = (slopes - columns * u).lpNorm<Eigen::Infinity>();
    return missed <= missed_share * std::max(lambda, problem_.slopes.lpNorm<Eigen::Infinity>())
               ? u
               : beyond_lambda;
  }

  // The minimiser in the span of a basis; where curvature does not determine it, the one nearest to the
  // start.
  Vector along(const Matrix& basis, const Vector& start, const Vector& slopes) const {
    if (basis.cols() == 0) return Vector::Zero(basis.rows());
    const Matrix half = problem_.curvature * basis;
    const Matrix system = basis.transpose() * half;
    const Vector near = basis.transpose() * start;
    const Vector right = basis.transpose() * slopes - system * near;
    const auto lower = blas::cholesky(system);
    const double largest = system.diagonal().maxCoeff();
    if (lower && lower->diagonal().array().square().minCoeff() > rank_tolerance * largest) {
      const auto solve = [&](const Vector& b) -> Vector {
        return blas::solve_lower_transposed(*lower, blas::solve_lower(*lower, b));
      };
      Vector step = solve(right);
      step += solve(right - system * step);
      return basis * (near + step);
    }
    return basis * (near + dense::CompleteOrthogonal(system, rank_tolerance).solve(right));
  }

  // True if the terms of b have the signs. Otherwise the signs of terms that do not are set to zero. If the
  // signs agree and yet the objective falls along a direction of the pattern without curvature (`unheld` is
  // the steepest), the term that becomes zero first along it gets the sign zero.
  bool agrees(const Vector& coefficients, const Vector& unheld, Vector& signs) const {
    const Vector terms = problem_.terms * coefficients;
    const double size = std::max(coefficients.lpNorm<Eigen::Infinity>(), least_size_);
    bool right = true;
    for (Index k = 0; k < signs.size(); ++k) {
      if (signs[k] == 0.0 || signs[k] * terms[k] > zero_share * sizes_[k % sizes_.size()] * size) continue;
      signs[k] = 0.0;
      right = false;
    }
    const double rounding =
        unheld_share * problem_.lambda + slope_rounding * problem_.slopes.lpNorm<Eigen::Infinity>();
    if (!right || unheld.lpNorm<Eigen::Infinity>() <= rounding) return right;
    const Vector moves = problem_.terms * unheld;
    Index first = -1;
    double way = std::numeric_limits<double>::infinity();
    for (Index k = 0; k < signs.size(); ++k) {
      const double approach = -signs[k] * moves[k];
      if (!(approach > 0.0) || std::abs(terms[k]) >= way * approach) continue;
      first = k;
      way = std::abs(terms[k]) / approach;
    }
    if (first >= 0) signs[first] = 0.0;
    return false;
  }

  // True if the multipliers of zero terms are within lambda. Otherwise the terms get the signs of those that
  // are not.
  bool is_within_bounds(const TermSolution& solution, Vector& signs) const {
    bool right = true;
    for (Index k = 0; k < signs.size(); ++k) {
      if (signs[k] != 0.0) continue;
      if (std::abs(solution.multipliers[k]) <= (1.0 + beyond_share) * problem_.lambda) continue;
      signs[k] = std::copysign(1.0, solution.multipliers[k]);
      right = false;
    }
    return right;
  }

  const TermQuadratic& problem_;
  Matrix dense_;             // of one block
  Vector sizes_;             // sum_j |D_kj|
  double least_size_ = 0.0;  // of coefficients: the largest slope over the largest curvature
};

}  // namespace

TermSolution solve_terms(const TermQuadratic& problem, const Vector& guess) {
  if (!(problem.lambda > 0.0)) {
    return {dense::least_squares(problem.curvature, problem.slopes), Vector::Zero(problem.terms.rows())};
  }
  const Pattern pattern(problem);
  const Vector origin = Vector::Zero(problem.slopes.size());
  if (guess.size() > 0) {
    Vector signs = signs_of(guess, problem.lambda);
    for (int count = 0; count < most_guesses; ++count) {
      if (auto found = pattern.solve(signs, origin, guess)) return *found;
    }
  }
  TermInterior interior(problem);
  double share = first_share;
  for (int look = 0; look < most_looks; ++look, share *= next_share) {
    const bool reached = interior.reduce(share);
    Vector signs = interior.signs();
    for (int count = 0; count < most_repairs; ++count) {
      if (auto found = pattern.solve(signs, interior.coefficients(), interior.multipliers())) return *found;
    }
    if (!reached) break;
  }
  // No pattern was confirmed. The interior point is as near as rounding allows, and the certificate decides
  // whether that is near enough.
  TermSolution result{interior.coefficients(), interior.multipliers()};
  const Vector signs = interior.signs();
  for (Index k = 0; k < signs.size(); ++k) {
    result.multipliers[k] = marked_multiplier(result.multipliers[k], signs[k], problem.lambda);
  }
  return result;
}

TermSolution terms_prox(const SparseMatrix& terms, const VectorView& target, double lambda) {
  const Matrix identity = Matrix::Identity(terms.cols(), terms.cols());
  const Vector slopes = target;
  return solve_terms({identity, slopes, terms, lambda});
}

// The largest quotient target'b / |D b|_1. The proximal point b at a lambda below it has a quotient above
// lambda, which is the next lambda, until b is zero (Dinkelbach 1967).
double terms_gauge(const SparseMatrix& terms, const SparseMatrix& free, const VectorView& target) {
  Vector rest = target;
  if (free.cols() > 0) {
    const Matrix basis = free.toDense();
    rest -= basis * dense::least_squares(basis, rest);
  }
  const double size = target.size() == 0 ? 0.0 : target.lpNorm<Eigen::Infinity>();
  double lambda = 0.0;
  Vector point = rest;
  for (int count = 0; count < most_gauge_steps; ++count) {
    const double length = (terms * point).lpNorm<1>();
    if (point.size() == 0 || point.lpNorm<Eigen::Infinity>() <= zero_share * size || length == 0.0) break;
    const double larger = rest.dot(point) / length;
    if (larger <= lambda * (1.0 + gauge_rounding)) break;
    lambda = larger;
    point = terms_prox(terms, rest, lambda).coefficients;
  }
  return lambda;
}

}  // namespace alo
