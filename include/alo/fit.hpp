// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "alo/problem.hpp"
#include "alo/types.hpp"

namespace alo {

// A bound on how far a fit is from optimal, computed from the original data. The code calls no solver and
// shares nothing with the solvers but design, loss and penalty. Everything else that it relies on is verified
// before it counts: the null fit (from which some solvers start), dual points, and what a fit claims of
// itself (subgradient, multipliers).
//
//   gap  (primal - dual) / sum_i w_i [loss at the null fit - min_u loss(u; y_i)]. The null fit has only
//        intercept, offset and unpenalised coefficients. Where the sum is zero the gap is not divided by it.
//        There is no gap if no dual feasible point is known, if a claim of the fit is wrong, or if there is
//        no null fit.
//   kkt  max_j dist(-x_j'(loss gradient), dP_j) / max(lambda, |X'(loss gradient at the null fit)|_inf), on
//        the scale of the fit. It is information only, for it bounds no objective.
struct Certificate {
  std::optional<double> gap;
  double kkt = 0.0;
};

enum class FitStatus {
  converged,
  not_converged,  // the certificate missed its tolerance
  separated,      // converged, and the classes are told apart so well that a generated path ends here
};

std::string_view to_string(FitStatus status);
inline bool is_certified(FitStatus status) {
  return status != FitStatus::not_converged;
}

struct Fit {
  double lambda = 0.0;
  Vector intercept;         // one per output; zero where there is none
  Vector coefficients;      // original scale, output after output; inactive ones are exactly zero
  Vector linear_predictor;  // offset included, output after output
  // For a loss with kinks: w_i g_i, where g_i is a subgradient of the loss with which the optimality
  // conditions hold. It is exactly w_i times a slope of the loss unless the row is pinned to a kink. Empty
  // for other losses.
  Vector subgradient;
  // For a penalty lambda |D b|_1, b on the scale of the fit: u with D'u equal to minus the gradient of the
  // loss in b and |u_k| <= lambda, output after output. It is exactly lambda times the sign of (D b)_k unless
  // that is zero, and so marks the pattern where rounding hides it. For other penalties whose pattern needs
  // it (those on singular values): minus the gradient of the loss in b, which is a subgradient of the
  // penalty. Otherwise empty.
  Vector multipliers;
  // H_ii of the leave-one-out formula, K K numbers per row laid out as the curvature of a loss, if the solver
  // keeps them up to date (FitOptions::carry_hat); otherwise empty.
  Vector hat;
  // Where those were estimated from random probes: the relative error that this causes in the mean held-out
  // loss. It is zero where they are exact.
  double hat_error = 0.0;
  // sum_i w_i [loss - min_u loss(u; y_i)] over the same sum of the null fit: the share left unexplained.
  double unexplained = 1.0;
  // The name of the method that found the fit, and the number of the attempt: above one if earlier attempts
  // missed their certificate.
  std::string method;
  int attempt = 1;
  Certificate certificate;
  FitStatus status = FitStatus::not_converged;
};

struct FitOptions {
  // The largest gap of a certified fit. A fit without a gap is not certified, however small its kkt.
  double tolerance = 1e-10;
  // Whether H_ii are kept up to date where that costs less than computing them from the fit.
  bool carry_hat = false;
};

struct NullFit;
class UnpenalizedPart;

// Certifies fits of a problem, with its own weights or others (a row left out).
class Certifier {
 public:
  // The problem must outlive the certifier.
  explicit Certifier(const Problem& problem);
  Certifier(const Problem& problem, Vector weights);
  // With a null fit that was found elsewhere. It is verified like the certifier's own; if it is wrong, no fit
  // has a gap.
  Certifier(const Problem& problem, Vector weights, const NullFit& null);
  explicit Certifier(const Problem&& problem) = delete;
  Certifier(const Problem&& problem, Vector weights) = delete;
  Certifier(const Problem&& problem, Vector weights, const NullFit& null) = delete;

  // Computes linear predictor and certificate of every fit from its lambda, intercept and coefficients. These
  // are matrix products, so that several fits cost little more than one.
  void certify(std::span<Fit> fits) const;
  // The certificate of one point.
  Certificate certify(const Vector& intercept, const Vector& coefficients, double lambda) const;

 private:
  struct DualPoints;
  struct RowPart;
  // Takes the scale of gap and kkt from a null fit, if that passes its test.
  void compare_with(const NullFit& null);
  DualPoints dual_points(std::span<const Fit> fits) const;
  // w_i l'(u_i; y_i), and a product with the columns of a design, output after output.
  Vector loss_gradient(const Vector& predictor) const;
  Vector transpose_multiply(const Design& design, const Vector& values) const;
  // For a loss with kinks: the fit's subgradient brought within the slopes, a dual point made from it,
  // whether that point is the fit's claim up to rounding, and the distance of the linear predictor from
  // points at which it is a subgradient.
  Vector claimed_gradient(const Fit& fit) const;
  Vector orthogonal_gradient(const Matrix& free, const Vector& gradient) const;
  bool keeps_subgradient(const Fit& fit, const Vector& theta) const;
  double row_residual(const Fit& fit, const Vector& gradient) const;
  // For a penalty that is no sum of terms: whether the fit's multipliers are the slopes of the loss (minus
  // its gradient in the coefficients) and a subgradient of the penalty. Multipliers of terms are judged by
  // the gap, which is made from them.
  bool keeps_multipliers(const Fit& fit, const Vector& slopes) const;
  // The slopes of an output as a dual point, with the multipliers that the fit claims.
  DualPoint dual_point(const Fit& fit, const VectorView& slopes, Index output) const;
  // The primal minus the dual objective at a multiple of a dual point; `slope` has the products of that point
  // with the columns.
  double gap_at(const Fit& fit, const Matrix& scaled, const RowPart& rows, const Matrix& slope,
                double scale) const;
  RowPart row_part(const Fit& fit, const Vector& gradient, const Vector& theta) const;
  // The certificate from what the rows add to it, minus the products of the loss gradient with the columns
  // (`steepest`), and the products of the dual point.
  Certificate assemble(const Fit& fit, const RowPart& rows, const Vector& steepest,
                       const Vector& slope) const;

  // The same for quadratic losses in one pass over the rows.
  void certify_quadratic(std::span<Fit> fits) const;
  // The same for the fused lasso of a signal, in two passes over the rows.
  void certify_signal(Fit& fit) const;

  const Problem* problem_;
  Vector weights_;
  std::shared_ptr<const UnpenalizedPart> free_;  // at lambda > 0
  bool is_signal_ = false;
  bool has_null_fit_ = false;  // that was verified; without one there is no scale for a gap
  // sum_i w_i [loss - min loss]
  double excess(const Vector& predictor) const;

  double null_excess_ = 0.0;    // of the null fit
  double null_gradient_ = 0.0;  // |X' loss gradient at the null fit|_inf, on the scale of the fit
};

// Whether there is a gap that is at most the tolerance.
bool meets(const Certificate& certificate, double tolerance);

}  // namespace alo
