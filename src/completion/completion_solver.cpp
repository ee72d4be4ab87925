// SPDX-License-Identifier: MIT
#include "completion/completion_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "completion/entry_products.hpp"
#include "completion/factored_system.hpp"
#include "completion/residual_spectrum.hpp"
#include "linalg/blas.hpp"
#include "linalg/tolerances.hpp"

namespace alo {

namespace {

// A small lambda is approached through lambdas that fall by at most this factor, so that the rank grows
// gradually. Any value between 0.2 and 0.8 serves: far steps let in singular vectors that must leave again,
// short ones take more fits.
constexpr double station_ratio = 0.5;
// Bounds on the tangent residual, which is relative to lambda. The rank is reconsidered at the first, where
// singular values of the gradient are known to one per cent of lambda; a looser one lets in singular vectors
// that do not belong, a tighter one takes steps at a wrong rank. A fit ends at the second, 30 times below
// CompletionOptions::dual_tolerance and somewhat above the rounding of the products with the entries (at a
// tenth steps end by the third). Below the third, which is dual_tolerance, a step that does not halve the
// residual has reached rounding and is the last.
constexpr double rough_residual = 1e-2;
constexpr double fine_residual = 3e-11;
constexpr double stalled_residual = 1e-9;
// Bounds on the forcing term, the relative error to which conjugate gradients solve for a Newton step. Above
// 0.1 Newton's method loses its speed; below 1e-5 conjugate gradients lose theirs to rounding, and the next
// Newton step removes the error anyway.
constexpr double roughest_step = 0.1;
constexpr double finest_step = 1e-5;
// The residuals, over lambda, to which the largest singular value of the gradient off the range is computed.
// The value's own error is of the order of their squares (times lambda over the gap to the next value), so
// the fine one is far below dual_tolerance; ten times either takes fewer and ten times less more Lanczos
// steps.
constexpr double rough_spectrum = 1e-4;
constexpr double fine_spectrum = 1e-7;
// A singular value that exceeds lambda by less than this share equals lambda. It must stay below
// dual_tolerance = 1e-9, else fits miss it. At a tenth rounding lets singular vectors join and leave in turn.
constexpr double tie = 1e-10;
// Objectives that differ by less than this share are equal: sqrt(entries) epsilon at 200,000 entries. It is
// ten times tolerances::objective_rounding because sums over entries are longer; the remarks there hold.
constexpr double rounding = 1e-13;
// Safeguards against endless searches, which a search that converges does not reach: Newton steps at one rank
// (2e8 multiplications' worth between the two bounds), changes of the rank, steps of a line search, halvings
// (to 1e-9 of the step), conjugate-gradient steps.
constexpr int fewest_newton_steps = 100;
constexpr int most_newton_steps = 2000;
constexpr double newton_budget = 2e8;
constexpr int most_rounds = 100;
constexpr int most_searches = 100;
constexpr int most_halvings = 30;
constexpr int most_product_steps = 300;

Vector random_vector(std::mt19937_64& engine, Index size) {
  return Vector::NullaryExpr(size, [&] { return static_cast<double>(engine() >> 11) * 0x1p-53 - 0.5; });
}

// u_k'G v_k from G R, for R = v sqrt(sigma).
Vector inner_values(const FactoredLoss::Point& point, const Matrix& products) {
  const Index rank = point.sigma.size();
  const Index rows = point.u.rows();
  return products.topLeftCorner(rank, rows)
      .cwiseProduct(point.factors.topLeftCorner(rank, rows))
      .rowwise()
      .sum()
      .cwiseQuotient(point.sigma);
}

}  // namespace

CompletionSolver::CompletionSolver(const CompletionData& data, Loss loss, bool intercept,
                                   CompletionOptions options)
    : loss_(data, std::move(loss), intercept),
      options_(options),
      null_point_(loss_.at(Matrix(data.rows, 0), Vector(0), Matrix(data.columns, 0), 0.0)),
      null_excess_(loss_.excess(null_point_)) {
  const ResidualMatrix gradient(loss_.entries(), null_point_.slope, null_point_.u, null_point_.v);
  const LeadingValues found =
      leading_values(gradient, random_vector(engine_, data.columns), {0.0, fine_spectrum});
  if (found.values.size() > 0) {
    lambda_max_ = found.values[0];
    next_vector_ = found.right.col(0);
  }
  take(null_point_, lambda_max_);
  lambda_ = lambda_max_;
  next_value_ = lambda_max_;
}

void CompletionSolver::start_from(const CompletionFit& fit) {
  lambda_ = fit.lambda;
  take(loss_.at(fit.u, fit.sigma, fit.v, fit.intercept), fit.lambda);
}

CompletionFit CompletionSolver::fit(double lambda) {
  if (lambda >= lambda_max_) {
    take(null_point_, lambda);
    lambda_ = lambda_max_;
    next_value_ = lambda_max_;
    CompletionFit fit = describe();
    fit.lambda = lambda;
    fit.next_value = fit.dual_norm = lambda_max_ / lambda;
    return fit;
  }
  while (lambda < station_ratio * lambda_) approach(station_ratio * lambda_, rough_residual);
  approach(lambda, fine_residual);
  return describe();
}

void CompletionSolver::approach(double lambda, double tolerance) {
  if (lambda != lambda_) predict(lambda);
  lambda_ = lambda;
  grow(lambda, rough_spectrum);
  for (int round = 0; round < most_rounds; ++round) {
    minimize(lambda, rough_residual);
    if (!grow(lambda, rough_spectrum)) break;
  }
  if (tolerance >= rough_residual) return;
  for (int round = 0; round < most_rounds; ++round) {
    minimize(lambda, tolerance);
    if (!grow(lambda, fine_spectrum)) break;
  }
}

// An Euler step along the path: the gradient of the factored objective stays zero on it, so (second
// derivative) d(L, R)/dlambda = -(L, R).
void CompletionSolver::predict(double lambda) {
  if (point_.sigma.size() == 0) return;
  const FactoredSystem system(loss_, point_, lambda_);
  const Matrix step = system.solve((lambda_ - lambda) * point_.factors, 0.05, most_product_steps).direction;
  Point predicted = loss_.at(point_.factors + step, point_.intercept);
  if (objective(predicted, lambda) < objective(point_, lambda)) take(std::move(predicted), lambda);
}

void CompletionSolver::minimize(double lambda, double tolerance) {
  double before = std::numeric_limits<double>::infinity();
  const double step_cost =
      static_cast<double>(point_.sigma.size()) * static_cast<double>(loss_.entries().size());
  const int most_steps = static_cast<int>(
      std::clamp<double>(newton_budget / (1.0 + step_cost), fewest_newton_steps, most_newton_steps));
  for (int step = 0; step < most_steps && point_.sigma.size() > 0; ++step) {
    const double residual = tangent_residual(lambda);
    if (residual <= tolerance || (residual <= stalled_residual && residual > 0.5 * before)) return;
    // The forcing term of Eisenstat and Walker (1996, SIAM Journal on Scientific Computing 17, choice 2 with
    // gamma = 1 and alpha = 2, without their safeguard): the residual of a step's system may be the square of
    // the reduction that the step before brought, which keeps the convergence quadratic.
    const double gain = std::isfinite(before) ? residual / before : 1.0;
    before = residual;
    const FactoredSystem system(loss_, point_, lambda);
    const Matrix gradient = products_ + lambda * point_.factors;
    const double finest = std::max(finest_step, 0.1 * tolerance / residual);
    const double share = std::clamp(gain * gain, finest, roughest_step);
    const Matrix move = system.solve(-gradient, share, most_product_steps).direction;
    const double now = objective(point_, lambda);
    const double slope = gradient.cwiseProduct(move).sum();
    double length = 1.0;
    Point next = loss_.at(point_.factors + move, point_.intercept);
    for (int k = 0; k < most_halvings; ++k) {
      const double promised = tolerances::sufficient_decrease * length * slope;
      if (objective(next, lambda) <= now + promised + rounding * std::abs(now)) break;
      length *= 0.5;
      next = loss_.at(point_.factors + length * move, point_.intercept);
    }
    Point last = std::move(point_);
    take(std::move(next), lambda);
    if (residual <= stalled_residual && tangent_residual(lambda) > residual) {
      take(std::move(last), lambda);
      return;
    }
  }
}

// Within the range of B a proximal step of length 1 / c, with c the largest curvature of an entry, sets
// sigma_k to zero if c sigma_k < lambda + u_k'G v_k. The objective falls by it, except where the curvature of
// the loss exceeds c between the two points; hence the comparison.
void CompletionSolver::take(Point point, double lambda) {
  point_ = std::move(point);
  products_ = entry_sums(loss_.entries(), point_.slope, point_.factors);
  const Index rank = point_.sigma.size();
  if (rank == 0) return;
  const double curvature = loss_.largest_curvature(loss_.curvature(point_));
  const Vector inner = inner_values(point_, products_);
  std::vector<Index> kept;
  for (Index k = 0; k < rank; ++k) {
    if (!(curvature * point_.sigma[k] < lambda + inner[k])) kept.push_back(k);
  }
  if (static_cast<Index>(kept.size()) == rank) return;
  Point less =
      loss_.at(point_.u(Eigen::all, kept), point_.sigma(kept), point_.v(Eigen::all, kept), point_.intercept);
  if (objective(less, lambda) > objective(point_, lambda) + rounding * std::abs(point_.loss)) return;
  point_ = std::move(less);
  products_ = entry_sums(loss_.entries(), point_.slope, point_.factors);
}

bool CompletionSolver::grow(double lambda, double accuracy) {
  const ResidualMatrix gradient(loss_.entries(), point_.slope, point_.u, point_.v);
  Vector start = random_vector(engine_, gradient.columns());
  start *= 0.1 / start.norm();
  if (next_vector_.size() > 0) start += next_vector_;
  const LeadingValues found = leading_values(gradient, std::move(start), {lambda, accuracy});
  const Index count = found.values.size();
  next_value_ = count > 0 ? found.values[0] : 0.0;
  if (count > 0) next_vector_ = found.right.col(0);
  if (next_value_ <= lambda * (1.0 + tie)) return false;
  const Vector excess = found.values.array() - lambda;
  const Vector move = entry_values(loss_.entries(), balanced_factors(-found.left, excess, found.right));
  const double length = best_length(move, lambda * excess.sum());
  const Index rank = point_.sigma.size();
  Matrix u(gradient.rows(), rank + count);
  Vector sigma(rank + count);
  Matrix v(gradient.columns(), rank + count);
  u << point_.u, -found.left;
  sigma << point_.sigma, length * excess;
  v << point_.v, found.right;
  take(loss_.at(balanced_factors(u, sigma, v), point_.intercept), lambda);
  return true;
}

// The derivative along the move rises with the length, so its zero is found by Newton steps inside a bracket,
// with bisection where a step leaves the bracket. While there is no upper bound a step is at most fourfold,
// because a loss may be almost flat here and steep there.
double CompletionSolver::best_length(const Vector& move, double price) const {
  const Vector weighted_squares = loss_.weight().cwiseProduct(move.cwiseAbs2());
  double low = 0.0;
  double high = std::numeric_limits<double>::infinity();
  double length = 0.0;
  double first = 0.0;
  for (int step = 0; step < most_searches; ++step) {
    const Vector predictor = point_.predictor + length * move;
    const Vector derivative = loss_.loss().derivative(predictor, loss_.response());
    const double slope = price + loss_.weight().cwiseProduct(derivative).dot(move);
    if (step == 0) first = std::abs(slope);
    if (step > 0 && std::abs(slope) <= 0.1 * first) break;
    (slope < 0.0 ? low : high) = length;
    const double curvature = weighted_squares.dot(loss_.loss().curvature(predictor, loss_.response()));
    const double farthest = length > 0.0 ? 4.0 * length : 4.0 * first / weighted_squares.sum();
    const double newton = length - slope / curvature;
    if (newton > low && newton < high) {
      length = std::min(newton, farthest);
    } else {
      length = std::isfinite(high) ? 0.5 * (low + high) : farthest;
    }
  }
  return length;
}

double CompletionSolver::tangent_residual(double lambda) const {
  const Index rank = point_.sigma.size();
  if (rank == 0) return 0.0;
  const Index rows = point_.u.rows();
  const Matrix scaled = point_.sigma.cwiseSqrt().cwiseInverse().asDiagonal() *
                        (products_ + lambda * point_.factors).topRows(rank);
  return std::max(scaled.leftCols(rows).norm(), scaled.rightCols(point_.v.rows()).norm()) / lambda;
}

CompletionFit CompletionSolver::describe() const {
  CompletionFit fit;
  fit.lambda = lambda_;
  fit.u = point_.u;
  fit.sigma = point_.sigma;
  fit.v = point_.v;
  fit.intercept = point_.intercept;
  fit.predictor = loss_.entries().as_given(point_.predictor);
  fit.slope = loss_.entries().as_given(point_.slope);
  fit.tangent_residual = tangent_residual(lambda_);
  fit.next_value = next_value_ / lambda_;
  fit.dual_norm = std::max(fit.rank() > 0 ? 1.0 : 0.0, fit.next_value) + fit.tangent_residual;
  const double scale = std::min(1.0, 1.0 / fit.dual_norm);
  const Vector derivative = loss_.loss().derivative(point_.predictor, loss_.response());
  double gap =
      loss_.weight().dot(loss_.loss().fenchel_gap(point_.predictor, scale * derivative, loss_.response()));
  gap += point_.sigma.dot((lambda_ + scale * inner_values(point_, products_).array()).matrix());
  fit.gap = null_excess_ > 0.0 ? gap / null_excess_ : gap;
  fit.converged = fit.gap <= options_.gap_tolerance && fit.dual_norm <= 1.0 + options_.dual_tolerance;
  return fit;
}

}  // namespace alo
