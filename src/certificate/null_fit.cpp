// SPDX-License-Identifier: MIT
#include "certificate/null_fit.hpp"

#include <algorithm>
#include <cmath>

#include "certificate/kinked_null_fit.hpp"
#include "linalg/blas.hpp"
#include "linalg/decompositions.hpp"

namespace alo {

namespace {

constexpr double rank_tolerance = 1e-12;
constexpr int most_steps = 100;
constexpr int most_halvings = 60;
// A move this small, relative to the linear predictor, is the last but one of a quadratic approach.
constexpr double small_move = 1e-7;
// Where the loss of several outputs has a slope but no curvature, what stands in for it, relative to the
// weights.
constexpr double least_curvature = 1e-8;
constexpr double least_gain = 1e-4;
constexpr double objective_rounding = 1e-14;
constexpr double unsolved_share = 1e-6;
// A gradient is rounding below this share of what it is a sum of.
constexpr double gradient_rounding = 1e-14;
// A move this large, relative to the linear predictor, and much like the one before it, is none of
// a quadratic approach: it may be one of many along which the loss falls without end, until its curvature is
// lost beside that of other directions and moves are rounding.
constexpr double large_move = 1e-3;
constexpr double like_moves = 0.2;
constexpr double far_move = 100.0;
constexpr double flat_slope = 1e-8;

constexpr double parallel_share = 1e-12;
constexpr double noise_factor = 4.0;
constexpr double outside_share = 1e-12;
constexpr double null_gap_share = 1e-12;

}  // namespace

Matrix unpenalized_columns(const Problem& problem, double lambda) {
  const SparseMatrix basis = problem.penalty().unpenalized(problem.columns(), lambda);
  const std::vector<Index>& constant = problem.constant_columns();
  const auto varies = [&](Index k) {
    for (SparseMatrix::InnerIterator entry(basis, k); entry; ++entry) {
      if (!std::binary_search(constant.begin(), constant.end(), entry.row())) return true;
    }
    return false;
  };
  std::vector<Index> directions;
  for (Index k = 0; k < basis.cols(); ++k) {
    if (varies(k)) directions.push_back(k);
  }
  const auto free = static_cast<Index>(directions.size());
  Matrix result(problem.rows(), (problem.intercept() ? 1 : 0) + free);
  if (problem.intercept()) result.col(0).setOnes();
  for (Index k = 0; k < free; ++k) {
    std::vector<Index> columns;
    std::vector<double> factors;
    for (SparseMatrix::InnerIterator entry(basis, directions[static_cast<std::size_t>(k)]); entry; ++entry) {
      columns.push_back(entry.row());
      factors.push_back(entry.value());
    }
    result.rightCols(free).col(k) = problem.design().multiply(
        columns, Eigen::Map<const Vector>(factors.data(), static_cast<Index>(factors.size())));
  }
  return result;
}

Vector without_constant_columns(const Problem& problem, Vector slopes) {
  for (const Index j : problem.constant_columns()) by_output(slopes, problem.outputs()).row(j).setZero();
  return slopes;
}

UnpenalizedPart::UnpenalizedPart(const Problem& problem, Vector weights, double lambda)
    : problem_(problem),
      weights_(std::move(weights)),
      columns_(unpenalized_columns(problem, lambda)),
      basis_(blas::orthonormal_basis(columns_, rank_tolerance)) {}

Vector UnpenalizedPart::losses(const Vector& predictor) const {
  return weights_.cwiseProduct(problem_.loss().value(predictor, problem_.data().response));
}

UnpenalizedPart::Direction UnpenalizedPart::direction(const Vector& predictor, const Matrix& gradient) const {
  const Index outputs = problem_.outputs();
  const Vector right = gradient.reshaped();
  const Vector curvature = problem_.loss().curvature(predictor, problem_.data().response);
  const Matrix system = basis_system(curvature);
  Vector solution = dense::least_squares(system, right);
  const Vector unsolved = right - system * solution;
  bool flat = unsolved.norm() > unsolved_share * right.norm();
  if (flat && outputs == 1) {
    solution = unsolved;
  } else if (flat) {
    solution += unsolved / (least_curvature * weights_.maxCoeff());
    flat = false;
  }
  return {(basis_ * by_output(solution, outputs)).reshaped(), flat};
}

Matrix UnpenalizedPart::basis_system(const Vector& flat_curvature) const {
  const Index outputs = problem_.outputs();
  const Index width = basis_.cols();
  const auto curvature = by_output(flat_curvature, outputs * outputs);
  Matrix system(width * outputs, width * outputs);
  for (Index block = 0; block < outputs * outputs; ++block) {
    const Matrix weighted = weights_.cwiseProduct(curvature.col(block)).asDiagonal() * basis_;
    system.block(width * (block % outputs), width * (block / outputs), width, width) =
        basis_.transpose() * weighted;
  }
  if (outputs == 1) return system;
  // What all outputs have in common changes nothing. With a curvature of its own it stays as it is, where
  // rounding over none would move it.
  const double level = system.trace() / static_cast<double>(system.rows());
  for (Index block = 0; block < outputs * outputs; ++block) {
    system.block(width * (block % outputs), width * (block / outputs), width, width).diagonal().array() +=
        level;
  }
  return system;
}

double UnpenalizedPart::best_length(const Vector& predictor, const Vector& move) const {
  const auto slope = [&](double length) {
    const Vector slopes = problem_.loss().derivative(predictor - length * move, problem_.data().response);
    return -weights_.dot(slopes.cwiseProduct(move));
  };
  double low = 0.0;
  double high = 1.0;
  for (int doubling = 0; doubling < most_halvings && slope(high) < 0.0; ++doubling) {
    low = high;
    high *= 2.0;
  }
  for (int halving = 0; halving < most_halvings; ++halving) {
    const double middle = 0.5 * (low + high);
    (slope(middle) < 0.0 ? low : high) = middle;
  }
  return high;
}

bool UnpenalizedPart::is_bounded_along(const Vector& predictor, const Vector& move) const {
  const Index outputs = problem_.outputs();
  const double length =
      far_move * (1.0 + predictor.lpNorm<Eigen::Infinity>()) / move.lpNorm<Eigen::Infinity>();
  const Vector slopes = problem_.loss().derivative(predictor - length * move, problem_.data().response);
  const auto total = [&](const Vector& terms) {
    return weights_.dot(by_output(terms, outputs).rowwise().sum());
  };
  return !(-total(slopes.cwiseProduct(move)) <= flat_slope * total(move.cwiseAbs()));
}

bool UnpenalizedPart::is_rounding(const Matrix& gradient, const Vector& slopes) const {
  const Matrix parts = weights_.asDiagonal() * by_output(slopes, problem_.outputs()).cwiseAbs();
  const Matrix sizes = basis_.cwiseAbs().transpose() * parts;
  return (gradient.array().abs() <= gradient_rounding * sizes.array()).all();
}

bool UnpenalizedPart::settle(Vector& predictor) const {
  if (empty()) return true;
  const Index outputs = problem_.outputs();
  Vector value = losses(predictor);
  bool near = false;
  bool bounded = true;
  Vector last;
  Vector repeated;
  for (int step = 0; step < most_steps; ++step) {
    const Vector slopes = problem_.loss().derivative(predictor, problem_.data().response);
    const Matrix gradient = basis_.transpose() * (weights_.asDiagonal() * by_output(slopes, outputs));
    if (gradient.isZero(0.0)) return bounded;
    const Direction found = direction(predictor, gradient);
    const Vector& move = found.move;
    if (found.flat && is_rounding(gradient, slopes)) {
      return repeated.size() == 0 || is_bounded_along(predictor, repeated);
    }
    if (near) {
      predictor -= move;
      return bounded;
    }
    const double size = move.lpNorm<Eigen::Infinity>() / (1.0 + predictor.lpNorm<Eigen::Infinity>());
    near = !found.flat && (size <= small_move || problem_.loss().is_quadratic());
    if (near && repeated.size() > 0) bounded = is_bounded_along(predictor, repeated);
    double length = found.flat ? best_length(predictor, move) : 1.0;
    Vector next = predictor - length * move;
    Vector next_value = losses(next);
    // Some of what the slope promises: a step across a bend of the loss may end as high as it began.
    const double promise =
        weights_.dot(by_output(slopes, outputs).cwiseProduct(by_output(move, outputs)).rowwise().sum());
    // The change is summed, for sums over many rows are rounded by more than it is.
    const double rounding = objective_rounding * value.lpNorm<1>();
    const auto is_lower = [&] {
      return (next_value - value).sum() <= rounding - least_gain * length * promise;
    };
    for (int halving = 0; !near && !is_lower() && halving < most_halvings; ++halving) {
      length *= 0.5;
      next = predictor - length * move;
      next_value = losses(next);
    }
    if (!near && !is_lower()) return false;
    predictor = std::move(next);
    value = std::move(next_value);
    const bool repeats =
        last.size() > 0 && size > large_move &&
        (move - last).lpNorm<Eigen::Infinity>() < like_moves * move.lpNorm<Eigen::Infinity>();
    if (repeats) repeated = move;
    last = move;
  }
  return false;
}

double UnpenalizedPart::gradient_noise(const Vector& predictor) const {
  if (problem_.loss().has_kinks()) return 0.0;  // no curvature: slopes are exact
  const Index outputs = problem_.outputs();
  const Vector flat_curvature = problem_.loss().curvature(predictor, problem_.data().response);
  const auto curvature = by_output(flat_curvature, outputs * outputs);
  const auto sizes = by_output(predictor, outputs).cwiseAbs();
  Matrix change = Matrix::Zero(problem_.rows(), outputs);
  for (Index block = 0; block < outputs * outputs; ++block) {
    change.col(block % outputs) += curvature.col(block).cwiseAbs().cwiseProduct(sizes.col(block / outputs));
  }
  return std::numeric_limits<double>::epsilon() * (weights_.asDiagonal() * change).norm();
}

bool UnpenalizedPart::is_orthogonal(const Vector& gradient, const Vector& predictor) const {
  if (!gradient.allFinite()) return false;
  const Matrix products = columns_.transpose() * by_output(gradient, problem_.outputs());
  const Vector sizes = columns_.colwise().norm();
  const auto is_small = [&](double size) {
    return (products.cwiseAbs().rowwise().maxCoeff().array() <= size * sizes.array()).all();
  };
  return columns_.cols() == 0 || is_small(parallel_share * gradient.norm()) ||
         is_small(parallel_share * gradient.norm() + noise_factor * gradient_noise(predictor));
}

NullFit null_fit(const Problem& problem, const Vector& weights) {
  return null_fit(UnpenalizedPart(problem, weights, null_lambda));
}

NullFit null_fit(const UnpenalizedPart& free) {
  const Problem& problem = free.problem();
  if (problem.loss().has_kinks()) return kinked_null_fit(free);
  NullFit fit;
  fit.linear_predictor = problem.data().offset.replicate(problem.outputs(), 1);
  fit.attained = free.settle(fit.linear_predictor);
  fit.gradient = problem.loss().derivative(fit.linear_predictor, problem.data().response);
  by_output(fit.gradient, problem.outputs()).array().colwise() *= free.weights().array();
  return fit;
}

bool is_null_fit(const UnpenalizedPart& free, const NullFit& fit) {
  const Problem& problem = free.problem();
  const Vector& weights = free.weights();
  const Vector& response = problem.data().response;
  const Vector& predictor = fit.linear_predictor;
  const Index outputs = problem.outputs();
  if (!fit.attained || !predictor.allFinite() || !fit.gradient.allFinite()) return false;

  const Vector offset = problem.data().offset.replicate(outputs, 1);
  const Vector move = predictor - offset;
  const auto moves = by_output(move, outputs);
  const Matrix outside = moves - free.basis() * (free.basis().transpose() * moves);
  if (outside.lpNorm<Eigen::Infinity>() >
      outside_share * (predictor.lpNorm<Eigen::Infinity>() + offset.lpNorm<Eigen::Infinity>()))
    return false;

  Vector unit = fit.gradient;
  for (Index k = 0; k < outputs; ++k) {
    auto output = by_output(unit, outputs).col(k);
    output = (weights.array() > 0.0).select(output.array() / weights.array(), 0.0).eval();
  }
  const double gap = weights.dot(problem.loss().fenchel_gap(predictor, unit, response));
  const double excess =
      weights.dot(problem.loss().value(predictor, response) - problem.loss().minimum(response));
  return gap <= null_gap_share * excess && free.is_orthogonal(fit.gradient, predictor);
}

}  // namespace alo
