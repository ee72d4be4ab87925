// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "alo/loss.hpp"

namespace alo {

// The multinomial loss: minus the log likelihood of a class y in {0, ..., K - 1} with probabilities p_k =
// exp(u_k) / sum_j exp(u_j). With e_y the unit vector of y:
//
//     l(u; y) = log sum_k exp(u_k) - u_y,  l' = p - e_y,  l'' = diag(p) - p p',
//     l*(g; y) = sum_k q_k log q_k with q = e_y + g, q >= 0 and sum of q = 1.
//
// At zero l = log K. It suits more than two classes. Every class has its own coefficients, and adding one
// number to all u_k changes nothing. The Fenchel gap is the relative entropy of q and p.
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
  // Accepts integers from 0 to K - 1, and requires each of them.
  void check_response(const VectorView& y) const;
  bool is_quadratic() const { return false; }

 private:
  Index classes_;
};

static_assert(LossModel<MultinomialLoss>);

}  // namespace alo
