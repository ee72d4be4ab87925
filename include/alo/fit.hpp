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

// How far a fit can be from optimal, computed from the original data by code that calls no solver and has
// nothing in common with the solvers but design, loss and penalty. What it relies on beyond these is verified
// before it counts: the null fit (from which some solvers start), dual points, and what a fit says of itself
// (subgradient, multipliers).
//
//   gap  (primal - dual) / sum_i w_i [loss at the null fit - min_u loss(u; y_i)], the
//        null fit having only intercept, offset and unpenalised coefficients; that sum
//        left out where it is zero. None where no dual feasible point is at hand, where the
//        fit contradicts itself, or where there is no null fit.
//   kkt  max_j dist(-x_j'(loss gradient), dP_j) / max(lambda, |X'(loss gradient at
//        the null fit)|_inf), on the scale of the fit. Information only: it bounds no objective.
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
  // Of a loss with kinks: w_i g_i, g_i a subgradient of the loss at the fit, such that the optimality
  // conditions hold. It is exactly w_i times a slope of the loss unless the row is pinned to a kink. Else
  // empty.
  Vector subgradient;
  // Of a penalty lambda |D b|_1, b on the scale of the fit: u with D'u = minus the slopes of the loss and
  // |u_k| <= lambda, output after output. It is exactly lambda times the sign of (D b)_k unless that is zero:
  // this tells the pattern where rounding hides it. Of a penalty on singular values: the subgradient of the
  // penalty at the fit. Else empty.
  Vector multipliers;
  // H_ii of the leave-one-out formula, K K numbers per row laid out as the curvature of a loss, where
  // the solver had them at hand (FitOptions); else empty.
  Vector hat;
  // Where those were estimated from random probes: the error that this causes in the mean held-out loss, as a
  // share of it. Zero: they are exact.
  double hat_error = 0.0;
  // sum_i w_i [loss - min_u loss(u; y_i)] over that of the null fit: what is left unexplained.
  double unexplained = 1.0;
  // How it was found: the name of the method, and at which attempt (the first one missed its certificate).
  std::string method;
  int attempt = 1;
  Certificate certificate;
  FitStatus status = FitStatus::not_converged;
};

struct FitOptions {
  // On the gap. A fit without one is not certified, however small its kkt.
  double tolerance = 1e-10;
  // Keep H_ii up to date where that costs less than computing it from the fit.
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
  // With a null fit that was found elsewhere. It is verified like the certifier's own one; with a wrong one
  // no fit has a gap.
  Certifier(const Problem& problem, Vector weights, const NullFit& null);
  explicit Certifier(const Problem&& problem) = delete;
  Certifier(const Problem&& problem, Vector weights) = delete;
  Certifier(const Problem&& problem, Vector weights, const NullFit& null) = delete;

  // Computes linear predictor and certificate of every fit from its lambda, intercept and
  // coefficients: matrix products, so that several fits cost little more than one.
  void certify(std::span<Fit> fits) const;
  // The certificate of one point.
  Certificate certify(const Vector& intercept, const Vector& coefficients, double lambda) const;

 private:
  struct DualPoints;
  // Takes the scale of gap and kkt from a null fit, if it is one.
  void compare_with(const NullFit& null);
  DualPoints dual_points(std::span<const Fit> fits) const;
  // w_i l'(u_i; y_i), and a product with the columns of a design, output after output.
  Vector loss_gradient(const Vector& predictor) const;
  Vector transpose_multiply(const Design& design, const Vector& values) const;
  // Of a loss with kinks: the fit's subgradient, a dual point made from it, whether that is still what the
  // fit says, and how far the linear predictor is from having it.
  Vector claimed_gradient(const Fit& fit) const;
  Vector orthogonal_gradient(const Matrix& free, const Vector& gradient) const;
  bool keeps_subgradient(const Fit& fit, const Vector& theta) const;
  double row_residual(const Fit& fit, const Vector& gradient) const;
  // Of a penalty on singular values: whether what the fit says is the penalty's subgradient is one.
  bool keeps_multipliers(const Fit& fit, const Vector& slopes) const;
  // Slopes of an output, with what the fit says of the penalty's terms.
  DualPoint dual_point(const Fit& fit, const VectorView& slopes, Index output) const;
  // Primal less dual objective at a dual point times `scale`, from its products with the columns.
  double gap_at(const Fit& fit, const Matrix& scaled, const Vector& theta, const Matrix& slope,
                double scale) const;
  // From the fit's linear predictor, the loss gradient, minus its products with the columns, the
  // dual point and its products.
  Certificate assemble(const Fit& fit, const Vector& gradient, const Vector& steepest, const Vector& theta,
                       const Vector& slope) const;

  // The same for the fused lasso of a signal, in two passes over its rows.
  void certify_signal(Fit& fit) const;

  const Problem* problem_;
  Vector weights_;
  std::shared_ptr<const UnpenalizedPart> free_;  // at lambda > 0
  bool is_signal_ = false;
  bool has_null_fit_ = false;  // a verified one; without it there is no scale to measure a gap on
  // sum_i w_i [loss - min loss]
  double excess(const Vector& predictor) const;

  double null_excess_ = 0.0;    // of the null fit
  double null_gradient_ = 0.0;  // |X' loss gradient at the null fit|_inf, on the scale of the fit
};

// Whether there is a gap, and it is no larger than the tolerance.
bool meets(const Certificate& certificate, double tolerance);

}  // namespace alo
