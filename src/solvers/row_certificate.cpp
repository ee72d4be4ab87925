// SPDX-License-Identifier: MIT
#include "solvers/row_certificate.hpp"

#include <algorithm>
#include <cmath>

#include "certificate/null_fit.hpp"
#include "formula/hat.hpp"
#include "formula/unit_directions.hpp"
#include "linalg/blas.hpp"
#include "linalg/tolerances.hpp"
#include "problem/separable.hpp"
#include "problem/signal.hpp"

namespace alo {

namespace {

using Certified = std::vector<std::optional<bool>>;

// Rows whose slopes are computed by one matrix product; only speed and memory depend on it.
constexpr Index rows_at_once = 64;
// A slope may exceed its bound by the first share of the bound (of the largest slope where bounds are not
// column by column) plus the second share of |x_j| |y| in the norms of the weights. The second is the
// rounding of slopes, which are differences of sums of that size. The first allows for the fit's own error,
// which is certified to about 1e-10. At a tenth rows are called uncertified in fits that are merely inexact;
// at ten times a row whose fit has one more active coefficient may be certified by mistake, with an error of
// the prediction of the order of 1e-9.
constexpr double lambda_slack = 1e-10;
constexpr double slope_slack = 1e-13;
// Slopes are inside the subdifferential of the penalty when this share can be added to their distance from
// the penalty's own subgradient, which is in its middle. A bound that is met exactly is then missed by this
// share of lambda, far more than lambda_slack. At a tenth rounding of a slope comes within a factor of a
// thousand of it; at ten times rows keep no certificate whose fit has a slope within 1e-5 of lambda.
constexpr double stretch_share = 1e-6;

// The candidate for the fit without row i moves along the tangent space by
//     delta_i = (A'CA + Q)^-1 a_i  r_i g_i / (1 - r_i h_i),
// which for a quadratic loss is the exact minimiser on the tangent space. It is the leave-one-out fit if and
// only if it meets the optimality conditions, in which the slopes of the loss without row i are
//     -X'g - (X'CA) delta_i + r_i g_i / (1 - r_i h_i) x_i.
struct Candidates {
  Matrix lower;         // L with L L' = A'CA + Q
  Matrix directions;    // (A'CA + Q)^-1 A', d x n
  Matrix slope_change;  // X'CA, p x d
  Vector slopes;        // -X'g
  Vector kept;          // 1 - r_i h_i
  Vector lengths;       // r_i g_i / (1 - r_i h_i)
};

// None where the system is so near to singular that errors of a candidate would pass for violations.
std::optional<Candidates> make_candidates(const Problem& problem, const LocalModel& model) {
  const Matrix weighted = model.curvature.col(0).asDiagonal() * model.tangent_design;
  Matrix system = blas::transpose_multiply(model.tangent_design, weighted);
  system.diagonal() += model.penalty_curvature;
  const Vector diagonal = system.diagonal();
  const auto lower = blas::cholesky(std::move(system));
  if (!lower || has_small_pivot(*lower, diagonal)) return std::nullopt;
  Candidates candidates;
  candidates.lower = *lower;
  const Matrix half = blas::solve_lower(*lower, model.tangent_design.transpose());
  candidates.directions = blas::solve_lower_transposed(*lower, half);
  candidates.slope_change = problem.design().transpose_multiply_columns(weighted);
  candidates.slopes = -problem.design().transpose_multiply(model.derivative.col(0));
  const Vector leverage = half.colwise().squaredNorm().transpose().cwiseProduct(model.curvature.col(0));
  candidates.kept = 1.0 - model.removed_share.cwiseProduct(leverage).array();
  candidates.lengths =
      model.removed_share.cwiseProduct(model.derivative.col(0)).cwiseQuotient(candidates.kept);
  return candidates;
}

Vector allowed_distances(const Problem& problem, const Vector& slopes, double lambda) {
  const Vector& weights = problem.data().weights;
  const double mean = problem.intercept() ? weights.dot(problem.data().response) / weights.sum() : 0.0;
  const Vector response = problem.data().response.array() - mean;
  const double length = std::sqrt(weights.dot(response.cwiseAbs2()));
  Vector rounding = slope_slack * length * problem.design().weighted_square_norms(weights).cwiseSqrt();
  const auto terms = problem.penalty().separable(problem.columns());
  const double largest = slopes.size() > 0 ? slopes.lpNorm<Eigen::Infinity>() : 0.0;
  if (!terms) return Vector::Constant(slopes.size(), rounding.maxCoeff() + lambda_slack * largest);
  for (Index j = 0; j < slopes.size(); ++j) {
    const double bound = lambda * terms->absolute[j];
    rounding[j] += lambda_slack * (bound > 0.0 && bound < largest ? bound : largest);
  }
  return rounding;
}

// Whether no other coefficients are optimal, given some that are and that no direction of the tangent space
// leaves the predictions of the other rows as they are. It is so where the slopes lie inside the
// subdifferential, and not on its boundary (Vaiter and others 2015, Information and Inference 4, section 3).
// Otherwise another column may share in the fit: two columns that differ in the row left out alone, for one.
// With a separable penalty only such columns matter as the tangent space does not contain and no square
// holds.
class Uniqueness {
 public:
  Uniqueness(const Problem& problem, const LocalModel& model, const Candidates& candidates, double lambda)
      : problem_(problem),
        model_(model),
        candidates_(candidates),
        lambda_(lambda),
        terms_(problem.penalty().separable(problem.columns())),
        is_dependent_(static_cast<std::size_t>(problem.columns())) {}

  bool holds(const Vector& coefficients, const Vector& slopes, const Vector& allowed) {
    if (coefficients.size() == 0) return true;
    const Penalty& penalty = problem_.penalty();
    const Vector middle = without_constant_columns(problem_, penalty.subgradient(coefficients, lambda_));
    const Vector stretched = slopes + stretch_share * (slopes - middle);
    const Vector distance = penalty.subgradient_distance(coefficients, stretched, lambda_);
    if (!terms_) return (distance.array() <= allowed.array()).all();
    for (Index j = 0; j < distance.size(); ++j) {
      if (coefficients[j] == 0.0 && distance[j] > allowed[j] && !is_held(j)) return false;
    }
    return true;
  }

 private:
  bool is_held(Index column) {
    if (terms_->square[column] + terms_->fixed_square[column] > 0.0) return true;
    std::optional<bool>& known = is_dependent_[static_cast<std::size_t>(column)];
    if (!known) known = is_dependent(column);
    return *known;
  }
  bool is_dependent(Index column) const {
    const Vector values = problem_.design().gather(std::span(&column, 1)).col(0);
    const double square = model_.curvature.col(0).dot(values.cwiseAbs2());
    const Matrix products = candidates_.slope_change.row(column).transpose();
    const double inside = blas::solve_lower(candidates_.lower, products).squaredNorm();
    return square - inside <= tolerances::dependent_pivot * square;
  }

  const Problem& problem_;
  const LocalModel& model_;
  const Candidates& candidates_;
  double lambda_;
  std::optional<SeparableTerms> terms_;
  std::vector<std::optional<bool>> is_dependent_;
};

}  // namespace

std::vector<std::optional<bool>> certify_rows_by_model(const Problem& problem, const Fit& fit) {
  const auto n = static_cast<std::size_t>(problem.rows());
  Certified certified(n);
  if (!problem.loss().is_quadratic() || problem.penalty().shape()) return certified;
  if (problem.rows() > longest_certified_signal && signal_operator(problem) != nullptr) return certified;
  const auto [model, lengths] = scaled_local_model(problem, fit);
  const auto candidates = make_candidates(problem, model);
  if (!candidates) return certified;
  const Vector scaled = problem.scale().cwiseProduct(fit.coefficients);
  const Geometry geometry = fit_geometry(problem, fit);
  const bool separable = problem.penalty().separable(problem.columns()).has_value();
  // A penalty that is curved along its pattern is not the quadratic function that the step assumes.
  if (!separable && !geometry.curvature.isZero(0.0)) return certified;
  const Vector allowed = allowed_distances(problem, candidates->slopes, fit.lambda);
  Uniqueness uniqueness(problem, model, *candidates, fit.lambda);
  for (Index begin = 0; begin < problem.rows(); begin += rows_at_once) {
    const Index count = std::min(rows_at_once, problem.rows() - begin);
    const Matrix steps = candidates->directions.middleCols(begin, count) *
                         candidates->lengths.segment(begin, count).asDiagonal();
    const Matrix changes = blas::multiply(candidates->slope_change, steps);
    const Matrix moves = lengths.asDiagonal() * steps;
    for (Index k = 0; k < count; ++k) {
      const Index i = begin + k;
      if (candidates->kept[i] < leverage_tolerance) continue;
      const Vector coefficients =
          scaled + along(geometry, moves.col(k).tail(geometry.dimension()), problem.columns());
      const Vector slopes = without_constant_columns(
          problem, candidates->slopes - changes.col(k) + candidates->lengths[i] * problem.design().row(i));
      const Vector distance = problem.penalty().subgradient_distance(coefficients, slopes, fit.lambda);
      const bool optimal = (distance.array() <= allowed.array()).all();
      if (optimal && !uniqueness.holds(coefficients, slopes, allowed)) continue;
      certified[static_cast<std::size_t>(i)] = optimal;
    }
  }
  return certified;
}

}  // namespace alo
