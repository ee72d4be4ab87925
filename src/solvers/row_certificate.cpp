// SPDX-License-Identifier: MIT
#include "solvers/row_certificate.hpp"

#include <algorithm>
#include <cmath>

#include "certificate/null_fit.hpp"
#include "formula/hat.hpp"
#include "linalg/blas.hpp"
#include "problem/separable.hpp"
#include "problem/signal.hpp"

namespace alo {

namespace {

using Certified = std::vector<std::optional<bool>>;

// Rows whose slopes are computed by one matrix product; only speed and memory depend on it.
constexpr Index rows_at_once = 64;
// A slope may exceed lambda by the first share of lambda plus the second share of max_j |x_j'W y|. The second
// is the rounding of slopes, which are differences of sums of that size. The first allows for the fit's own
// error, which is certified to about 1e-10. At a tenth rows are called uncertified in fits that are merely
// inexact; at ten times a row whose fit has one more active coefficient may be certified by mistake, with an
// error of the prediction of the order of 1e-9.
constexpr double lambda_slack = 1e-10;
constexpr double slope_slack = 1e-13;

// The candidate for the fit without row i moves along the tangent space by
//     delta_i = (A'CA + Q)^-1 a_i  r_i g_i / (1 - r_i h_i),
// which for a quadratic loss is the exact minimiser on the tangent space. It is the leave-one-out fit if and
// only if it meets the optimality conditions, in which the slopes of the loss without row i are
//     -X'g - (X'CA) delta_i + r_i g_i / (1 - r_i h_i) x_i.
struct Candidates {
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

}  // namespace

std::vector<std::optional<bool>> certify_rows_by_model(const Problem& problem, const Fit& fit) {
  const auto n = static_cast<std::size_t>(problem.rows());
  Certified certified(n);
  if (!problem.loss().is_quadratic() || problem.penalty().shape()) return certified;
  if (problem.rows() > longest_certified_signal && signal_operator(problem) != nullptr) return certified;
  const LocalModel model = local_model(problem, fit);
  const auto candidates = make_candidates(problem, model);
  if (!candidates) return certified;
  const Vector scaled = problem.scale().cwiseProduct(fit.coefficients);
  const Geometry geometry = fit_geometry(problem, fit);
  const bool separable = problem.penalty().separable(problem.columns()).has_value();
  // A penalty that is curved along its pattern is not the quadratic function that the step assumes.
  if (!separable && !geometry.curvature.isZero(0.0)) return certified;
  double tolerance = lambda_slack * fit.lambda;
  if (problem.columns() > 0) {
    tolerance +=
        slope_slack * problem.design()
                          .transpose_multiply(problem.data().weights.cwiseProduct(problem.data().response))
                          .lpNorm<Eigen::Infinity>();
  }

  for (Index begin = 0; begin < problem.rows(); begin += rows_at_once) {
    const Index count = std::min(rows_at_once, problem.rows() - begin);
    const Matrix steps = candidates->directions.middleCols(begin, count) *
                         candidates->lengths.segment(begin, count).asDiagonal();
    const Matrix changes = blas::multiply(candidates->slope_change, steps);
    for (Index k = 0; k < count; ++k) {
      const Index i = begin + k;
      if (candidates->kept[i] < leverage_tolerance) continue;
      const Vector coefficients =
          scaled + along(geometry, steps.col(k).tail(geometry.dimension()), problem.columns());
      const Vector slopes = without_constant_columns(
          problem, candidates->slopes - changes.col(k) + candidates->lengths[i] * problem.design().row(i));
      const Vector distance = problem.penalty().subgradient_distance(coefficients, slopes, fit.lambda);
      const bool optimal = distance.size() == 0 || distance.maxCoeff() <= tolerance;
      certified[static_cast<std::size_t>(i)] = optimal;
    }
  }
  return certified;
}

}  // namespace alo
