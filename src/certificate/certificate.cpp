// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "alo/fit.hpp"
#include "certificate/claims.hpp"
#include "certificate/fit_predictors.hpp"
#include "certificate/null_fit.hpp"
#include "certificate/row_part.hpp"
#include "linalg/decompositions.hpp"
#include "problem/signal.hpp"
#include "signals/multiplier.hpp"

namespace alo {

namespace {

// No second dual point is tried for a gap below this share of the null fit's excess. It is a hundredth of
// FitOptions::tolerance; smaller values only take time, and from the tolerance on fits that the second point
// certifies are missed.
constexpr double negligible_share = 1e-12;
// For kkt alone: a gradient within this share of the range of slopes of a slope is that slope.
constexpr double slope_rounding = 1e-12;
// A null fit whose excess is below this share of that of predicting zero has only rounding left to explain.
// Most losses are squares of residuals near their minimum, and the square of epsilon is 5e-32 for each of n
// rows: the share allows residuals of 1e-12. Losses with kinks are linear there, and it is a share of 1e-14.
// At ten times a response that varies by 3e-12 of its size counts as constant; at a tenth rounding is fitted,
// and gaps relative to it miss every tolerance.
constexpr double rounding_share = 1e-24;
constexpr double kinked_rounding_share = 1e-14;

// True for the fused lasso of a signal along a chain with the squared loss, which has a certificate of its
// own.
bool is_chain_signal(const Problem& problem) {
  const AnalysisOperator* analysis = signal_operator(problem);
  return analysis != nullptr && analysis->chain_order() == 1 && problem.loss().is_quadratic() &&
         !problem.intercept();
}

}  // namespace

std::string_view to_string(FitStatus status) {
  switch (status) {
    case FitStatus::converged:
      return "converged";
    case FitStatus::not_converged:
      return "not_converged";
    case FitStatus::separated:
      return "separated";
  }
  return "";
}

Certifier::Certifier(const Problem& problem) : Certifier(problem, problem.data().weights) {}

Certifier::Certifier(const Problem& problem, Vector weights)
    : problem_(&problem),
      weights_(std::move(weights)),
      free_(std::make_shared<UnpenalizedPart>(problem, weights_, null_lambda)),
      is_signal_(is_chain_signal(problem)) {
  compare_with(null_fit(*free_));
}

Certifier::Certifier(const Problem& problem, Vector weights, const NullFit& null)
    : problem_(&problem),
      weights_(std::move(weights)),
      free_(std::make_shared<UnpenalizedPart>(problem, weights_, null_lambda)),
      is_signal_(is_chain_signal(problem)) {
  compare_with(null);
}

void Certifier::compare_with(const NullFit& null) {
  has_null_fit_ = is_null_fit(*free_, null);
  if (!has_null_fit_) return;
  const Problem& problem = *problem_;
  null_excess_ = excess(null.linear_predictor);
  const double share = problem.loss().has_kinks() ? kinked_rounding_share : rounding_share;
  if (null_excess_ <= share * excess(Vector::Zero(null.linear_predictor.size()))) null_excess_ = 0.0;
  const Vector slope = without_constant_columns(problem, transpose_multiply(problem.design(), null.gradient));
  for (const double entry : slope) null_gradient_ = std::max(null_gradient_, std::abs(entry));
}

double Certifier::excess(const Vector& predictor) const {
  const Vector& response = problem_->data().response;
  return weights_.dot(problem_->loss().value(predictor, response) - problem_->loss().minimum(response));
}

Vector Certifier::loss_gradient(const Vector& predictor) const {
  Vector gradient = problem_->loss().derivative(predictor, problem_->data().response);
  by_output(gradient, problem_->outputs()).array().colwise() *= weights_.array();
  return gradient;
}

Vector Certifier::transpose_multiply(const Design& design, const Vector& values) const {
  return design.transpose_multiply_columns(by_output(values, problem_->outputs())).reshaped();
}

// The gradients of several fits, and dual points made of them, output after output.
struct Certifier::DualPoints {
  Matrix gradients;
  Matrix thetas;
  std::vector<char> feasible;  // a fit each
  bool moved = false;          // whether some theta is not minus the gradient
};

Certifier::DualPoints Certifier::dual_points(std::span<const Fit> fits) const {
  const Problem& problem = *problem_;
  const Index outputs = problem.outputs();
  const auto count = static_cast<Index>(fits.size());
  DualPoints result{
      Matrix(problem.rows(), count * outputs), Matrix(problem.rows(), count * outputs), {}, false};
  std::optional<UnpenalizedPart> without_penalty;
  for (Index k = 0; k < count; ++k) {
    const Fit& fit = fits[static_cast<std::size_t>(k)];
    if (fit.lambda == 0.0 && !without_penalty) without_penalty.emplace(problem, weights_, 0.0);
    const UnpenalizedPart& free = fit.lambda > 0.0 ? *free_ : *without_penalty;
    Vector gradient;
    Vector theta;
    Vector at = fit.linear_predictor;
    if (problem.loss().has_kinks()) {
      gradient = claimed_gradient(fit);
      theta = -orthogonal_gradient(free.columns(), gradient);
    } else {
      // Minus the gradient at the minimiser over the unpenalised coefficients is dual feasible: it is
      // orthogonal to their columns, and in the domain of the conjugate because it is a gradient.
      gradient = loss_gradient(fit.linear_predictor);
      Vector minimizer = fit.linear_predictor;
      free.minimize(minimizer);  // is_orthogonal below judges whether it has found the minimiser
      theta = -loss_gradient(minimizer);
      at = std::move(minimizer);
    }
    result.feasible.push_back(free.is_orthogonal(theta, at) && keeps_subgradient(fit, theta) ? 1 : 0);
    result.moved = result.moved || theta != -gradient;
    result.gradients.middleCols(k * outputs, outputs) = by_output(gradient, outputs);
    result.thetas.middleCols(k * outputs, outputs) = by_output(theta, outputs);
  }
  return result;
}

void Certifier::certify(std::span<Fit> fits) const {
  if (is_signal_) {
    for (Fit& fit : fits) certify_signal(fit);
    return;
  }
  const Problem& problem = *problem_;
  const Index outputs = problem.outputs();
  const bool is_penalized =
      std::all_of(fits.begin(), fits.end(), [](const Fit& fit) { return fit.lambda > 0.0; });
  if (problem.loss().is_quadratic() && outputs == 1 && is_penalized) return certify_quadratic(fits);
  const auto count = static_cast<Index>(fits.size());
  const Matrix predictors = fit_predictors(problem, fits);
  for (Index k = 0; k < count; ++k) {
    fits[static_cast<std::size_t>(k)].linear_predictor =
        predictors.middleCols(k * outputs, outputs).reshaped();
  }
  const DualPoints duals = dual_points(fits);
  const Matrix steepest = problem.design().transpose_multiply_columns(-duals.gradients);
  // If no dual point moved, there is no intercept and no centring, and both products are the same.
  Matrix moved_slopes;
  if (duals.moved) {
    moved_slopes = problem.data().design.transpose_multiply_columns(duals.thetas);
    moved_slopes.array().colwise() /= problem.scale().array();
  }
  const Matrix& slopes = duals.moved ? moved_slopes : steepest;
  for (Index k = 0; k < count; ++k) {
    Fit& fit = fits[static_cast<std::size_t>(k)];
    const auto part = [&](const Matrix& all) { return all.middleCols(k * outputs, outputs).reshaped(); };
    fit.unexplained = null_excess_ > 0.0 ? excess(fit.linear_predictor) / null_excess_ : 1.0;
    fit.certificate = assemble(fit, row_part(fit, part(duals.gradients), part(duals.thetas)),
                               without_constant_columns(problem, part(steepest)),
                               without_constant_columns(problem, part(slopes)));
    const bool proves = has_null_fit_ && duals.feasible[static_cast<std::size_t>(k)] != 0;
    if (!proves || !keeps_multipliers(fit, part(steepest))) fit.certificate.gap.reset();
  }
}

Certificate Certifier::certify(const Vector& intercept, const Vector& coefficients, double lambda) const {
  Fit fit;
  fit.lambda = lambda;
  fit.intercept = intercept;
  fit.coefficients = coefficients;
  certify(std::span(&fit, 1));
  return fit.certificate;
}

// The fit's subgradient, each entry brought between the smallest and the largest slope of its row.
Vector Certifier::claimed_gradient(const Fit& fit) const {
  if (fit.subgradient.size() == 0) return loss_gradient(fit.linear_predictor);
  const Matrix slope = problem_->loss().kinks(problem_->data().response).slope;
  const Vector lowest = weights_.cwiseProduct(slope.leftCols(1));
  const Vector highest = weights_.cwiseProduct(slope.rightCols(1));
  return fit.subgradient.cwiseMax(lowest).cwiseMin(highest);
}

// The nearest gradient that is orthogonal to the unpenalised columns and differs only in rows whose
// subgradient is no slope. Entries that would leave the range of slopes are clamped; the caller tests the
// result.
Vector Certifier::orthogonal_gradient(const Matrix& free, const Vector& gradient) const {
  if (free.cols() == 0) return gradient;
  const Matrix slope = problem_->loss().kinks(problem_->data().response).slope;
  std::vector<Index> rows;
  for (Index i = 0; i < gradient.size(); ++i) {
    if (((weights_[i] * slope.row(i)).array() != gradient[i]).all()) rows.push_back(i);
  }
  if (rows.empty()) return gradient;
  const Matrix inside = free(rows, Eigen::all).transpose();
  const Vector change = dense::least_squares(inside, -(free.transpose() * gradient));
  Vector result = gradient;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const Index i = rows[k];
    const double moved = gradient[i] + change[static_cast<Index>(k)];
    result[i] = std::clamp(moved, weights_[i] * slope(i, 0), weights_[i] * slope(i, slope.cols() - 1));
  }
  return result;
}

// Whether minus the dual point is the subgradient that the fit claims, up to rounding.
bool Certifier::keeps_subgradient(const Fit& fit, const Vector& theta) const {
  if (fit.subgradient.size() == 0) return true;
  const Matrix slope = problem_->loss().kinks(problem_->data().response).slope;
  double worst = 0;
  for (Index i = 0; i < theta.size(); ++i) {
    const double range = weights_[i] * (slope(i, slope.cols() - 1) - slope(i, 0));
    if (range > 0) worst = std::max(worst, std::abs(theta[i] + fit.subgradient[i]) / range);
  }
  return worst <= claim_share;
}

// The multipliers Z of such a penalty mark its pattern in leave-one-out: the singular vectors and the inner
// singular values of a fit of low rank are those of Z. The gap is made from the slopes alone, so that the two
// conditions here are all that ties Z to it.
bool Certifier::keeps_multipliers(const Fit& fit, const Vector& slopes) const {
  const Penalty& penalty = problem_->penalty();
  if (fit.multipliers.size() == 0 || penalty.analysis() != nullptr) return true;
  if (fit.multipliers.size() != slopes.size()) return false;
  const Index outputs = problem_->outputs();
  const Matrix scaled = problem_->scale().asDiagonal() * by_output(fit.coefficients, outputs);
  double worst = 0.0;
  for (Index k = 0; k < outputs; ++k) {
    const Vector claim = by_output(fit.multipliers, outputs).col(k);
    const Vector missed = (claim - by_output(slopes, outputs).col(k)).cwiseAbs();
    const Vector distance = penalty.subgradient_distance(scaled.col(k), claim, fit.lambda);
    worst = std::max({worst, missed.maxCoeff(), distance.maxCoeff()});
  }
  return worst <= claim_share * std::max(fit.lambda, null_gradient_);
}

// The largest distance of a linear predictor from the points at which its gradient is a subgradient: the kink
// for a gradient between two slopes, the piece for a gradient that is a slope. It is divided by the spread of
// the kinks and multiplied by the size of slopes, to be comparable with other residuals.
double Certifier::row_residual(const Fit& fit, const Vector& gradient) const {
  const Kinks kinks = problem_->loss().kinks(problem_->data().response);
  double largest = 0.0;
  const double spread = kinks.position.maxCoeff() - kinks.position.minCoeff();
  for (Index i = 0; i < gradient.size(); ++i) {
    if (weights_[i] == 0.0) continue;
    const double eta = fit.linear_predictor[i];
    Index below = 0;  // slopes below the gradient, and those up to it
    Index up_to = 0;
    const auto slopes = weights_[i] * kinks.slope.row(i);
    const double rounding = slope_rounding * (slopes.maxCoeff() - slopes.minCoeff());
    for (const double slope : slopes.eval()) {
      below += slope < gradient[i] - rounding ? 1 : 0;
      up_to += slope <= gradient[i] + rounding ? 1 : 0;
    }
    if (below > 0) largest = std::max(largest, kinks.position(i, below - 1) - eta);
    if (up_to < kinks.slope.cols()) largest = std::max(largest, eta - kinks.position(i, up_to - 1));
  }
  const double size = std::max(fit.lambda, null_gradient_);
  return spread > 0.0 ? largest / spread * size : largest;
}

DualPoint Certifier::dual_point(const Fit& fit, const VectorView& slopes, Index output) const {
  if (fit.multipliers.size() == 0) return slopes;
  return {slopes, by_output(fit.multipliers, problem_->outputs()).col(output)};
}

// For any loss. The fit must outlive the result.
Certifier::RowPart Certifier::row_part(const Fit& fit, const Vector& gradient, const Vector& theta) const {
  RowPart part;
  part.gradient_sums = by_output(gradient, problem_->outputs()).colwise().sum().transpose();
  part.residual = problem_->loss().has_kinks() ? row_residual(fit, gradient) : 0.0;
  part.gap = [this, &fit, theta](double scale) {
    Vector unit_gradient = -scale * theta;
    for (Index k = 0; k < problem_->outputs(); ++k) {
      auto output = by_output(unit_gradient, problem_->outputs()).col(k);
      output = (weights_.array() > 0.0).select(output.array() / weights_.array(), 0.0).eval();
    }
    return weights_.dot(
        problem_->loss().fenchel_gap(fit.linear_predictor, unit_gradient, problem_->data().response));
  };
  return part;
}

double Certifier::gap_at(const Fit& fit, const Matrix& scaled, const RowPart& rows, const Matrix& slope,
                         double scale) const {
  double gap = rows.gap(scale);
  for (Index k = 0; k < scaled.cols(); ++k) {
    const DualPoint dual = dual_point(fit, slope.col(k), k);
    gap += problem_->penalty().fenchel_gap(scaled.col(k), {scale * dual.slopes, scale * dual.multipliers},
                                           fit.lambda);
  }
  return gap;
}

Certificate Certifier::assemble(const Fit& fit, const RowPart& rows, const Vector& steepest,
                                const Vector& slope) const {
  const Problem& problem = *problem_;
  const Index outputs = problem.outputs();
  const Matrix scaled = problem.scale().asDiagonal() * by_output(fit.coefficients, outputs);
  const auto slopes = by_output(slope, outputs);
  double residual = rows.residual;
  double scale = 1.0;
  double largest = 0.0;
  for (Index k = 0; k < outputs; ++k) {
    if (problem.intercept()) {
      residual = std::max(residual, std::abs(rows.gradient_sums[k]));
    }
    const Vector distance = problem.penalty().subgradient_distance(
        scaled.col(k), dual_point(fit, by_output(steepest, outputs).col(k), k), fit.lambda);
    for (const double entry : distance) residual = std::max(residual, entry);
    scale = std::min(scale, problem.penalty().dual_scale(dual_point(fit, slopes.col(k), k), fit.lambda));
  }
  double gap = gap_at(fit, scaled, rows, slopes, scale);
  // Beside an absolute value a square lets a slope exceed lambda, for excess^2 / (2 q) in the dual objective,
  // which is large if q is small. Then a point that the absolute values alone allow may have the smaller gap.
  for (Index k = 0; k < outputs && !(gap <= negligible_share * null_excess_); ++k) {
    largest = std::max(largest, problem.penalty().lambda_max(slopes.col(k)));
  }
  if (fit.lambda < scale * largest && std::isfinite(largest)) {
    gap = std::min(gap, gap_at(fit, scaled, rows, slopes, rounding_margin * fit.lambda / largest));
  }

  Certificate certificate;
  const double size = std::max(fit.lambda, null_gradient_);
  certificate.kkt = size > 0.0 ? residual / size : residual;
  if (std::isfinite(gap)) certificate.gap = null_excess_ > 0.0 ? gap / null_excess_ : gap;
  return certificate;
}

// No dual objective is above the primal one, so a gap far below zero proves nothing either.
bool meets(const Certificate& certificate, double tolerance) {
  return certificate.gap && std::abs(*certificate.gap) <= tolerance;
}

}  // namespace alo
