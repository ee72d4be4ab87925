// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <vector>

#include "alo/types.hpp"

namespace compare {

// lambda R(b) as a method of proximal steps knows it.
struct Norm {
  std::function<double(const alo::Vector&)> value;
  std::function<alo::Vector(const alo::Vector&, double)> prox;
  // The least lambda at which such slopes X'r are subgradients at zero.
  std::function<double(const alo::Vector&)> dual;
  bool free_constant = false;  // b = 1 costs nothing; r is made orthogonal to X 1 first
};
// |b_2 - b_1| + |b_3 - b_2| + ..., and sum_k q_k |b|_(k).
Norm fused_norm();
Norm slope_norm(const alo::Vector& sequence);

struct ProximalPath {
  std::vector<alo::Vector> coefficients;
  int steps = 0;
};

// |y - X b|^2 / 2 + lambda R(b) by accelerated proximal gradient steps (Beck and Teboulle 2009) whose
// momentum starts anew where it points uphill (O'Donoghue and Candes 2015), from the solution at the lambda
// before, until the duality gap is at most `gap` times the squares that the fit without a penalised part
// leaves, halved. By X'X where p <= n, else by X, of which Xb takes only columns with b_j != 0.
ProximalPath proximal_gradient(const alo::Matrix& design, const alo::Vector& response, const Norm& norm,
                               const std::vector<double>& lambdas, double gap);

}  // namespace compare
