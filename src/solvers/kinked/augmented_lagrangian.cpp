// SPDX-License-Identifier: MIT
#include "solvers/kinked/augmented_lagrangian.hpp"

#include <algorithm>
#include <cmath>

#include "solvers/fit_scale.hpp"
#include "solvers/kinked/pinned_face.hpp"

namespace alo {

namespace {

// A row has left its place, or a coefficient its sign, when it is beyond the end by this share (of the
// predictors, of the range of slopes, of the coefficients). It is ten times RowPlaces::tolerance, because the
// linear system here has no ridge to keep its errors small. At a tenth solutions of badly conditioned
// programs are refused, at ten times a row beyond its kink by 1e-9 of the predictors is accepted, which the
// certificate sees.
constexpr double broken = 1e-10;
// A coefficient that changes predictions by less than this share of them is zero: some fifty epsilon. At a
// tenth rounding keeps coefficients active whose subgradients are not unique; at ten times true effects of
// 1e-13 are removed.
constexpr double zero_share = 1e-14;
// An augmented Lagrangian counts as minimised when its optimality conditions hold up to this share.
// NewtonSolver meets them to 1e-11 where there is curvature. At a tenth rounds with little curvature are
// repeated with a smaller sigma for nothing; at ten times multipliers of a point that is no minimum are taken
// over.
constexpr double not_stationary = 1e-7;
// Steps of iterative refinement of the linear system. Each gains the digits that the condition number leaves,
// so that three are enough up to condition numbers of 1e12.
constexpr int most_refinements = 3;
// The final system is not tried while more rows are pinned than twice the coefficients plus these: sigma is
// then still small, and the pattern far from the last. Only the time depends on it.
constexpr std::size_t spare_rows = 22;

Problem with_envelopes(const Problem& problem, std::shared_ptr<const MoreauRows> rows) {
  return {problem.data(),
          MoreauLoss(std::move(rows)),
          problem.penalty(),
          {problem.intercept(), problem.standardize()}};
}

}  // namespace

AugmentedLagrangian::AugmentedLagrangian(const Problem& problem, const Vector& weights)
    : problem_(problem),
      terms_(problem.penalty().separable(problem.columns()).value()),
      norms_(problem.design().weighted_square_norms(Vector::Ones(problem.rows())).cwiseSqrt()),
      rows_(std::make_shared<MoreauRows>(
          MoreauRows{problem.loss(),
                     weights,
                     RowPlaces(row_kinks(problem.loss(), problem.data().response, weights)),
                     {Vector::Zero(problem.rows()), 1.0}})),
      smooth_(std::make_unique<const Problem>(with_envelopes(problem, rows_))),
      newton_(*smooth_, Vector::Ones(problem.rows())),
      point_{Vector::Zero(problem.columns()), Vector::Zero(1), Vector::Zero(problem.rows()),
             problem.data().offset} {}

void AugmentedLagrangian::start_from(const Fit& fit) {
  const StartingPoint start = starting_point(problem_, fit);
  point_.coefficients = start.coefficients.col(0);
  point_.intercept = start.intercept;
  point_.gradient = fit.subgradient;
  point_.predictor = predict(point_.coefficients, point_.intercept);
}

Vector AugmentedLagrangian::predict(const Vector& coefficients, const Vector& intercept) const {
  Vector predictor = problem_.design().multiply(coefficients) + problem_.data().offset;
  if (problem_.intercept()) predictor.array() += intercept[0];
  return predictor;
}

void AugmentedLagrangian::minimize_augmented(double lambda) {
  newton_.start_from(point_.coefficients, point_.intercept, lambda);
  newton_.solve(lambda);
  point_.coefficients = newton_.coefficients();
  point_.intercept = newton_.intercept();
  point_.predictor = newton_.linear_predictor();
  rows_->places.place_by_proximal(rows_->term, point_.predictor, point_.gradient);
}

void AugmentedLagrangian::solve(double lambda) {
  if (solve_from_here(lambda)) return;
  // In a linear program Newton's method may end on a slope without curvature. It is then begun anew from
  // zero.
  point_.coefficients.setZero();
  point_.intercept.setZero();
  point_.gradient.setZero();
  point_.predictor = predict(point_.coefficients, point_.intercept);
  solve_from_here(lambda);
}

bool AugmentedLagrangian::solve_from_here(double lambda) {
  RowPlaces& places = rows_->places;
  places.place_by_gradient(point_.gradient, point_.predictor);
  rows_->term = places.first_term(point_.gradient, point_.predictor, 1);
  return method_of_multipliers(rows_->term, point_.gradient, point_.predictor, places.kinks(), [&] {
    minimize_augmented(lambda);
    if (auto solution = polish(lambda)) {
      point_ = std::move(*solution);
      places.leave_ends(point_.gradient, broken);
      return MultiplierRound::solved;
    }
    // The rounding of x_j'g may be more than a small lambda.
    const Vector allowed = not_stationary * (point_.gradient.norm() * norms_).cwiseMax(lambda);
    return is_stationary(point_, lambda, not_stationary, allowed) ? MultiplierRound::minimized
                                                                  : MultiplierRound::not_minimized;
  });
}

std::vector<Index> AugmentedLagrangian::active_columns() const {
  std::vector<Index> active;
  const std::vector<Index>& constant = problem_.constant_columns();
  for (Index j = 0; j < problem_.columns(); ++j) {
    const double total = terms_.absolute[j] + terms_.square[j] + terms_.fixed_square[j];
    if (std::isinf(total) || std::binary_search(constant.begin(), constant.end(), j)) continue;
    if (point_.coefficients[j] != 0.0 || terms_.absolute[j] == 0.0) active.push_back(j);
  }
  return active;
}

std::optional<AugmentedLagrangian::Point> AugmentedLagrangian::polish(double lambda) const {
  const std::vector<Index> active = active_columns();
  const std::vector<Index> pinned = rows_->places.pinned();
  if (pinned.size() > 2 * active.size() + spare_rows) return std::nullopt;
  const Index penalized = static_cast<Index>(active.size());
  const Index size = penalized + (problem_.intercept() ? 1 : 0);
  Matrix rows = Matrix::Ones(size, static_cast<Index>(pinned.size()));
  rows.topRows(penalized) = problem_.design().gather(active)(pinned, Eigen::all).transpose();
  Vector square = Vector::Zero(size);
  square.head(penalized) = (lambda * terms_.square + terms_.fixed_square)(active);
  const PinnedFace face(rows, square);
  const Vector signs = (point_.coefficients(active).array() < 0.0).select(-1.0, Vector::Ones(penalized));
  Point point = point_;
  for (int k = 0; k < most_refinements; ++k) {
    Vector descent = Vector::Constant(size, -point.gradient.sum());
    descent.head(penalized) = -problem_.design().transpose_multiply(point.gradient)(active) -
                              lambda * terms_.absolute(active).cwiseProduct(signs) -
                              square.head(penalized).cwiseProduct(point.coefficients(active));
    const auto move = face.solve(descent, rows_->places.distances_to_kinks(pinned, point.predictor));
    if (!move) return std::nullopt;
    point.coefficients(active) += move->coefficients.head(penalized);
    if (problem_.intercept()) point.intercept[0] += move->coefficients[penalized];
    point.gradient(pinned) += move->gradient;
    point.predictor = predict(point.coefficients, point.intercept);
  }
  drop_rounding(point);
  if (!is_optimal(point, lambda)) return std::nullopt;
  return point;
}

// A coefficient that changes predictions by rounding alone is zero: the gradients of the pinned rows are not
// unique then, and one of them has brought the column's slope to lambda a_j.
void AugmentedLagrangian::drop_rounding(Point& point) const {
  const double rounding = zero_share * rows_->places.kinks().predictor_size(point.predictor);
  for (Index j = 0; j < problem_.columns(); ++j) {
    if (terms_.absolute[j] > 0.0 && norms_[j] * std::abs(point.coefficients[j]) <= rounding) {
      point.coefficients[j] = 0.0;
    }
  }
}

bool AugmentedLagrangian::is_optimal(const Point& point, double lambda) const {
  if (!rows_->places.holds(point.predictor, point.gradient, broken)) return false;
  for (Index j = 0; j < problem_.columns(); ++j) {
    if (terms_.absolute[j] > 0.0 && point_.coefficients[j] * point.coefficients[j] < 0.0) return false;
  }
  return is_stationary(point, lambda, broken, Vector::Constant(problem_.columns(), broken * lambda));
}

bool AugmentedLagrangian::is_stationary(const Point& point, double lambda, double tolerance,
                                        const Vector& allowed) const {
  const double sum = std::abs(point.gradient.sum());
  if (problem_.intercept() && !(sum <= tolerance * point.gradient.lpNorm<1>())) return false;
  const Vector distance = problem_.penalty().subgradient_distance(
      point.coefficients, -problem_.design().transpose_multiply(point.gradient), lambda);
  const std::vector<Index>& constant = problem_.constant_columns();
  for (Index j = 0; j < distance.size(); ++j) {
    if (std::binary_search(constant.begin(), constant.end(), j)) continue;
    if (!(distance[j] <= allowed[j])) return false;
  }
  return true;
}

}  // namespace alo
