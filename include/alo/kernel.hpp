// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "alo/design.hpp"
#include "alo/types.hpp"

namespace alo {

enum class KernelKind { linear, rbf, polynomial };

// "linear", "rbf", "poly"
std::string_view to_string(KernelKind kind);

// A similarity of two rows that is an inner product of features of each:
//
//     linear      k(x, z) = x'z
//     rbf         k(x, z) = exp(-gamma |x - z|^2)
//     polynomial  k(x, z) = (gamma x'z + coef0)^degree
//
// Throughout, a ridge with a kernel minimises sum_i w_i l(b0 + f(x_i); y_i) + lambda |f|^2 / 2 over functions
// f in the kernel's space. With features Phi of the rows, Phi Phi' = K, that is an ordinary ridge on Phi.
struct Kernel {
  KernelKind kind = KernelKind::linear;
  std::optional<double> gamma;  // needed, but for a linear kernel
  int degree = 3;
  double coef0 = 0.0;
};

// Throws InvalidArgument unless gamma, where it is used, is there and positive, the degree at least one and
// coef0 not negative (the polynomial is else no inner product).
void check(const Kernel& kernel);
// "rbf kernel (gamma 0.5)"
std::string describe(const Kernel& kernel);

// 1 / (p v), v the variance of all stored entries together (divisor n p); 1 where they are all equal.
double default_gamma(const Design& design);

// k(x_i, z_j), one row per row of x.
Matrix kernel_matrix(const Kernel& kernel, const Design& x, const Design& z);

// Phi with Phi Phi' = K, the kernel of the rows among each other: the columns themselves of a linear
// kernel, else n x rank of K, from a Cholesky factor with pivots that ends where what is left of K is
// rounding. Throws InvalidData where K is not finite, or zero.
Design kernel_features(const Kernel& kernel, const Design& design);

}  // namespace alo
