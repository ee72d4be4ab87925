// SPDX-License-Identifier: MIT
#include "solvers/kinked/coefficient_active_set.hpp"

#include <algorithm>

#include "linalg/blas.hpp"

namespace alo {

namespace {

// Rounds of the active set from trusted rows that do not lower the number of moves. Each takes a
// decomposition of the pinned rows, and a guess that needs more is worse than the start of the method of
// multipliers. Only the time depends on it.
constexpr int trusted_patience = 4;
// The most that a step may change linear predictors, relative to their size. A direction of next to no
// curvature has steps of any length, and beyond ten times the predictors nothing is known of the rows that
// the linear term stands for.
constexpr double longest_change = 10.0;
// The first ridge of a singular Newton system, relative to the largest diagonal entry, and its growth until
// the system is definite. With 1e-12 four digits of the step along other directions are free of rounding, and
// four factors lead to one. At a hundredth rounding makes the step useless; larger values cost more steps.
constexpr double smallest_ridge = 1e-12;
constexpr double ridge_growth = 1e3;

}  // namespace

CoefficientActiveSet::CoefficientActiveSet(Matrix design, RowPlaces rows, Vector offset, Vector penalized,
                                           Vector linear)
    : RidgeActiveSet(std::move(rows), std::move(offset)),
      design_(std::move(design)),
      penalized_(std::move(penalized)),
      linear_(std::move(linear)) {
  start_from(Vector::Zero(penalized_.size()), Vector::Zero(rows_.size()));
}

Vector CoefficientActiveSet::predict() const {
  return offset_ + blas::transpose_multiply_vector(design_, coordinates_);
}

bool CoefficientActiveSet::solve(double lambda, Index bound, bool trusted) {
  lambda_ = lambda;
  face_.reset();
  return (trusted && solve_pinned(trusted_patience)) || solve_augmented(first_term(bound));
}

void CoefficientActiveSet::approach(double lambda, Index bound) {
  lambda_ = lambda;
  minimize_augmented(first_term(bound));
}

// Where rows are many, the rows that are pinned in the end are all near their kinks.
AugmentedTerm CoefficientActiveSet::first_term(Index bound) const {
  return rows_.first_term(gradient_, predictor_, bound, RowPlaces::end_tolerance);
}

Vector CoefficientActiveSet::descent(const Vector& gradient) const {
  return -(lambda_ * penalized_.cwiseProduct(coordinates_) + linear_ +
           blas::multiply_vector(design_, gradient));
}

CoefficientActiveSet::Step CoefficientActiveSet::newton_step(const AugmentedTerm& term,
                                                             const Vector& derivatives) {
  const Matrix pinned = design_(Eigen::all, rows_.pinned());
  Matrix squares = Matrix::Zero(coordinates_.size(), coordinates_.size());
  blas::add_product_transposed(squares, term.sigma, pinned, pinned);
  squares.diagonal() += lambda_ * penalized_;
  const Vector right = descent(derivatives);
  Step step{Vector::Zero(coordinates_.size()), {}, {}};
  const double size = std::max(squares.diagonal().lpNorm<Eigen::Infinity>(), lambda_);
  for (double ridge = 0.0; ridge <= size; ridge = std::max(smallest_ridge * size, ridge_growth * ridge)) {
    Matrix system = squares;
    system.diagonal().array() += ridge;
    const auto factor = blas::cholesky(std::move(system));
    if (!factor) continue;
    step.coordinates = blas::solve_lower_transposed(*factor, blas::solve_lower(*factor, right));
    break;
  }
  step.predictor = blas::transpose_multiply_vector(design_, step.coordinates);
  const double longest = longest_change * rows_.kinks().predictor_size(predictor_);
  const double share = longest / step.predictor.lpNorm<Eigen::Infinity>();
  if (share < 1.0) {
    step.coordinates *= share;
    step.predictor *= share;
    step.length = StepLength::cut;
  }
  return step;
}

CoefficientActiveSet::Slope CoefficientActiveSet::penalty_slope(const Step& step, double length) const {
  const Vector& move = step.coordinates;
  const double slope =
      linear_.dot(move) + lambda_ * penalized_.cwiseProduct(move).dot(coordinates_ + length * move);
  return {slope, linear_.cwiseAbs().dot(move.cwiseAbs())};
}

const PinnedFace& CoefficientActiveSet::pinned_face() {
  std::vector<Index> pinned = rows_.pinned();
  if (!face_ || pinned != pinned_) {
    pinned_ = std::move(pinned);
    face_.emplace(design_(Eigen::all, pinned_), lambda_ * penalized_);
  }
  return *face_;
}

std::optional<CoefficientActiveSet::Step> CoefficientActiveSet::step_to_kinks() {
  const PinnedFace& face = pinned_face();
  std::fill(depends_.begin(), depends_.end(), char{0});
  for (const Index i : pinned_) depends_[static_cast<std::size_t>(i)] = 1;
  for (const Index k : face.chosen()) {
    depends_[static_cast<std::size_t>(pinned_[static_cast<std::size_t>(k)])] = 0;
  }
  Vector gradient = gradient_;
  for (Index i = 0; i < rows_.size(); ++i) {
    if (!rows_.is_pinned(i)) gradient[i] = rows_.slope(i);
  }
  auto move = face.solve(descent(gradient), rows_.distances_to_kinks(pinned_, predictor_));
  if (!move) return std::nullopt;
  Step step{std::move(move->coefficients), gradient - gradient_, {}};
  step.gradient(pinned_) = move->gradient;
  step.predictor = blas::transpose_multiply_vector(design_, step.coordinates);
  return step;
}

}  // namespace alo
