// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <vector>

#include "alo/types.hpp"

namespace compare {

// A norm lambda R(b), as proximal gradient methods need it.
struct Norm {
  std::function<double(const alo::Vector&)> value;
  std::function<alo::Vector(const alo::Vector&, double)> prox;
  // The dual norm: the smallest lambda at which the slopes X'r are a subgradient at zero.
  std::function<double(const alo::Vector&)> dual;
  bool free_constant = false;  // b = 1 is unpenalised; r is made orthogonal to X 1 first
};
// |b_2 - b_1| + |b_3 - b_2| + ..., and sum_k q_k |b|_(k).
Norm fused_norm();
Norm slope_norm(const alo::Vector& sequence);

struct ProximalPath {
  std::vector<alo::Vector> coefficients;
  int steps = 0;
};

// Minimises |y - X b|^2 / 2 + lambda R(b) by accelerated proximal gradient steps (Beck and Teboulle 2009)
// with adaptive restart (O'Donoghue and Candes 2015), starting from the solution at the lambda before. It
// stops when the duality gap is at most `gap` times half the squared residuals of the null fit. It works
// with X'X where p <= n, else with X, where X b uses only columns with b_j != 0.
ProximalPath proximal_gradient(const alo::Matrix& design, const alo::Vector& response, const Norm& norm,
                               const std::vector<double>& lambdas, double gap);

}  // namespace compare
