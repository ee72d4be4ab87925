// SPDX-License-Identifier: MIT
#include "certificate/null_fit.hpp"

#include <algorithm>
#include <cmath>

#include "certificate/kinked_null_fit.hpp"
#include "linalg/blas.hpp"
#include "linalg/decompositions.hpp"
#include "linalg/tolerances.hpp"

namespace alo {

namespace {

using tolerances::objective_rounding;
// Safeguards: Newton's steps, of which some ten are usual, and halvings or doublings of one, of which 53
// change the last digit.
constexpr int most_steps = 100;
constexpr int most_halvings = 60;
// A move below this share of the linear predictor is the last but one, because Newton's method squares the
// error: the next one is below 1e-14. At ten times the last move may leave 1e-12; smaller values cost a step.
constexpr double small_move = 1e-7;
// Where the loss of several outputs has a slope but no curvature, this share of the largest weight stands in
// for the curvature. Such a step is long and is halved until the loss falls; any value between 1e-12 and 1e-4
// serves.
constexpr double least_curvature = 1e-8;
// A part of the gradient above this share of it that the curvature cannot reach lies along directions without
// curvature. A least-squares solution leaves some 1e-10 by rounding when it can reach all; at 1e-10 steps
// would follow rounding, at 1e-2 flat directions with little slope are left to the end.
constexpr double unsolved_share = 1e-6;
// A move above the first share of the linear predictor that differs from the move before by less than the
// second share of itself is no part of a quadratic approach, in which moves shrink by squares. The loss may
// fall along it without end, with moves of constant length (a factor e less curvature each, when classes are
// separated), until the curvature is lost beside that of other directions and moves are rounding. So the loss
// is then asked at far_move times the predictor along it: a slope that is still below flat_slope of the
// move's size does not rise there. Only the order of magnitude of the four numbers matters: a finite minimum
// beyond 100 times the predictors would be taken for infinite, and so would one with a slope below 1e-8 of
// the weights on its way.
constexpr double large_move = 1e-3;
constexpr double like_moves = 0.2;
constexpr double far_move = 100.0;
constexpr double flat_slope = 1e-8;

// A gradient is orthogonal to a column if their product is at most this share of the norms: the rounding of a
// sum is sqrt(n) epsilon, 1e-13 at n = 2e5. To it comes noise_factor times what rounding of the linear
// predictor changes in the gradient, where predictors are large beside residuals. A null fit or dual point
// with a product of 1e-11 changes the dual objective by 1e-11 |gradient| |b|, so ten times as much would
// still be below FitOptions::tolerance, while at a tenth long problems have no gap.
constexpr double parallel_share = 1e-12;
constexpr double noise_factor = 4.0;
// The linear predictor of a null fit may leave the span of its columns by this share, and its Fenchel gap may
// be this share of its excess. They are rounding, and a hundredth of FitOptions::tolerance at most; at ten
// times gaps could be wrong in their 11th digit, at a tenth null fits of badly conditioned columns are
// refused.
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
      basis_(blas::orthonormal_basis(columns_, tolerances::column_rank)) {}

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
  // A change that all outputs have in common does not change the loss, so the system is singular along it. A
  // curvature is added there, with which the solution has no such part; otherwise rounding divided by nothing
  // would be one.
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

namespace {

// What moves of the linear predictor are small or large beside: its size and the length on which the
// derivative of the loss changes. The latter is about one for likelihoods, and has the unit of the response
// where the linear predictor has.
double predictor_size(const Problem& problem, const Vector& predictor) {
  const Vector& response = problem.data().response;
  const double slope = problem.loss().derivative(predictor, response).lpNorm<Eigen::Infinity>();
  const double curvature = problem.loss().curvature(predictor, response).lpNorm<Eigen::Infinity>();
  const double length = slope / curvature;
  return predictor.lpNorm<Eigen::Infinity>() + (length > 0.0 && std::isfinite(length) ? length : 1.0);
}

}  // namespace

bool UnpenalizedPart::is_bounded_along(const Vector& predictor, const Vector& move) const {
  const Index outputs = problem_.outputs();
  const double length = far_move * predictor_size(problem_, predictor) / move.lpNorm<Eigen::Infinity>();
  const Vector slopes = problem_.loss().derivative(predictor - length * move, problem_.data().response);
  const auto total = [&](const Vector& terms) {
    return weights_.dot(by_output(terms, outputs).rowwise().sum());
  };
  return !(-total(slopes.cwiseProduct(move)) <= flat_slope * total(move.cwiseAbs()));
}

bool UnpenalizedPart::is_rounding(const Matrix& gradient, const Vector& slopes) const {
  const Matrix parts = weights_.asDiagonal() * by_output(slopes, problem_.outputs()).cwiseAbs();
  const Matrix sizes = basis_.cwiseAbs().transpose() * parts;
  return (gradient.array().abs() <= tolerances::slope_rounding * sizes.array()).all();
}

bool UnpenalizedPart::minimize(Vector& predictor) const {
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
    const double size = move.lpNorm<Eigen::Infinity>() / predictor_size(problem_, predictor);
    near = !found.flat && (size <= small_move || problem_.loss().is_quadratic());
    if (near && repeated.size() > 0) bounded = is_bounded_along(predictor, repeated);
    double length = found.flat ? best_length(predictor, move) : 1.0;
    Vector next = predictor - length * move;
    Vector next_value = losses(next);
    // A step must bring a share of the decrease that the slope promises, because a step across a bend of the
    // loss may end as high as it began.
    const double promise =
        weights_.dot(by_output(slopes, outputs).cwiseProduct(by_output(move, outputs)).rowwise().sum());
    // The changes of the rows are added up. The difference of two sums over many rows would be rounding.
    const double rounding = objective_rounding * value.lpNorm<1>();
    const auto is_lower = [&] {
      return (next_value - value).sum() <= rounding - tolerances::sufficient_decrease * length * promise;
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

double UnpenalizedPart::gradient_change(const Vector& predictor) const {
  if (problem_.loss().has_kinks()) return 0.0;  // slopes of linear pieces are exact
  const Index outputs = problem_.outputs();
  const Vector flat_curvature = problem_.loss().curvature(predictor, problem_.data().response);
  const auto curvature = by_output(flat_curvature, outputs * outputs);
  const auto sizes = by_output(predictor, outputs).cwiseAbs();
  Matrix change = Matrix::Zero(problem_.rows(), outputs);
  for (Index block = 0; block < outputs * outputs; ++block) {
    change.col(block % outputs) += curvature.col(block).cwiseAbs().cwiseProduct(sizes.col(block / outputs));
  }
  return (weights_.asDiagonal() * change).norm();
}

bool UnpenalizedPart::is_orthogonal(const Matrix& products, double norm, double change) const {
  const Vector sizes = columns_.colwise().norm();
  const double noise = std::numeric_limits<double>::epsilon() * change;
  const double bound = parallel_share * norm + noise_factor * noise;
  return std::isfinite(norm) &&
         (products.cwiseAbs().rowwise().maxCoeff().array() <= bound * sizes.array()).all();
}

bool UnpenalizedPart::is_orthogonal(const Vector& gradient, const Vector& predictor) const {
  if (!gradient.allFinite()) return false;
  if (columns_.cols() == 0) return true;
  const Matrix products = columns_.transpose() * by_output(gradient, problem_.outputs());
  return is_orthogonal(products, gradient.norm(), 0.0) ||
         is_orthogonal(products, gradient.norm(), gradient_change(predictor));
}

NullFit null_fit(const Problem& problem, const Vector& weights) {
  return null_fit(UnpenalizedPart(problem, weights, null_lambda));
}

NullFit null_fit(const UnpenalizedPart& free) {
  const Problem& problem = free.problem();
  if (problem.loss().has_kinks()) return kinked_null_fit(free);
  NullFit fit;
  fit.linear_predictor = problem.data().offset.replicate(problem.outputs(), 1);
  fit.attained = free.minimize(fit.linear_predictor);
  // The rounding of earlier steps is relative to these, which may be longer than what they add up to.
  const Vector move = fit.linear_predictor - problem.data().offset.replicate(problem.outputs(), 1);
  const auto moves = by_output(move, problem.outputs());
  const Matrix within = free.basis() * (free.basis().transpose() * moves);
  fit.linear_predictor += (within - moves).reshaped();
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
