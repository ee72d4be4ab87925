// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "alo/problem.hpp"
#include "alo/types.hpp"

namespace alo {

// How far a fit can be from optimal, computed from the original data by code that
// shares nothing with the solvers.
//
//   gap  (primal - dual) / sum_i w_i [loss at the null fit - min_u loss(u; y_i)], the
//        null fit having only intercept, offset and unpenalised coefficients; that sum
//        left out where it is zero. None where no dual feasible point is at hand.
//   kkt  max_j dist(-x_j'(loss gradient), dP_j) / max(lambda, |X'(loss gradient at
//        the null fit)|_inf), on the scale of the fit.
struct Certificate {
  std::optional<double> gap;
  double kkt = 0.0;
};

enum class FitStatus {
  converged,
  not_converged,  // the certificate missed its tolerance
};

std::string_view to_string(FitStatus status);

struct Fit {
  double lambda = 0.0;
  double intercept = 0.0;
  Vector coefficients;      // original scale; inactive ones are exactly zero
  Vector linear_predictor;  // offset included
  // Leverages of the rows, where the solver carried them along (FitOptions); else empty.
  Vector leverages;
  Certificate certificate;
  FitStatus status = FitStatus::not_converged;
};

struct FitOptions {
  // On the gap, or on kkt where there is no gap.
  double tolerance = 1e-10;
  // Keep the leverages up to date where that costs less than computing them from the fit.
  bool carry_leverages = false;
};

// Certifies fits of a problem, with its own weights or others (a row left out).
class Certifier {
 public:
  explicit Certifier(const Problem& problem);
  Certifier(const Problem& problem, Vector weights);

  // Computes linear predictor and certificate of every fit from its lambda, intercept and
  // coefficients: matrix products, so that several fits cost little more than one.
  void certify(std::span<Fit> fits) const;
  // The certificate of one point.
  Certificate certify(double intercept, const VectorView& coefficients, double lambda) const;

 private:
  // Nearest point to minus the loss gradient that is orthogonal to what lambda leaves unpenalised.
  Vector dual_point(const Vector& gradient, double lambda) const;
  // From the fit's linear predictor, the loss gradient, minus its products with the columns, the
  // dual point and its products.
  Certificate assemble(const Fit& fit, const Vector& gradient, const Vector& steepest, const Vector& theta,
                       const Vector& slope) const;

  const Problem* problem_;
  Vector weights_;
  Matrix unpenalized_;          // orthonormal basis of sqrt(w) times the unpenalised columns
  double null_excess_ = 0.0;    // sum_i w_i [loss(null fit) - min loss]
  double null_gradient_ = 0.0;  // |X' loss gradient at the null fit|_inf, on the scale of the fit
};

bool meets(const Certificate& certificate, double tolerance);

}  // namespace alo
