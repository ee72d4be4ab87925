// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "alo/loss.hpp"

namespace alo {

// Minus the log likelihood of a class y in {0, ..., K - 1} whose probabilities are
// p_k = exp(u_k) / sum_j exp(u_j), e_y the unit vector of y:
//
//     l(u; y) = log sum_k exp(u_k) - u_y,  l' = p - e_y,  l'' = diag(p) - p p',
//     l*(g; y) = sum_k q_k log q_k with q = e_y + g, q >= 0 and sum of q = 1.
//
// At zero l = log K. For more than two classes; every class has coefficients of its own, and a
// common shift of all u changes nothing. The Fenchel gap is the relative entropy of q and p.
class MultinomialLoss {
 public:
  // Throws InvalidArgument unless there are at least two classes.
  explicit MultinomialLoss(Index classes);

  std::string name() const { return "multinomial"; }
  std::string describe() const;
  Index outputs() const { return classes_; }
  ResponseKind response_kind() const { return ResponseKind::classes; }
  Vector value(const VectorView& u, const VectorView& y) const;
  Vector derivative(const VectorView& u, const VectorView& y) const;
  Vector curvature(const VectorView& u, const VectorView& y) const;
  LossValues evaluate(const VectorView& u, const VectorView& y) const;
  Vector fenchel_gap(const VectorView& u, const VectorView& g, const VectorView& y) const;
  Vector minimum(const VectorView& y) const { return Vector::Zero(y.size()); }
  // p, output after output
  Vector mean(const VectorView& u) const;
  // Integers from 0 to K - 1, each of them at least once
  void check_response(const VectorView& y) const;
  bool is_quadratic() const { return false; }

 private:
  Index classes_;
};

static_assert(LossModel<MultinomialLoss>);

}  // namespace alo
