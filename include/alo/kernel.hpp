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

// A kernel k(x, z): a similarity of two rows that is an inner product of features of each,
//
//     linear      k(x, z) = x'z
//     rbf         k(x, z) = exp(-gamma |x - z|^2)
//     polynomial  k(x, z) = (gamma x'z + coef0)^degree
//
// A ridge penalty with a kernel minimises sum_i w_i l(b0 + f(x_i); y_i) + lambda |f|^2 / 2 over the
// functions f of the kernel's reproducing kernel Hilbert space. By the representer theorem this is an
// ordinary ridge on any features Phi of the rows with Phi Phi' = K, K_ij = k(x_i, x_j) (Schoelkopf and
// Smola 2002).
struct Kernel {
  KernelKind kind = KernelKind::linear;
  std::optional<double> gamma;  // required, except for a linear kernel
  int degree = 3;
  double coef0 = 0.0;
};

// Throws InvalidArgument unless a gamma that is used is given and positive, the degree is at least one and
// coef0 is not negative. With a negative coef0 the polynomial is not positive semidefinite, so not a
// kernel.
void check(const Kernel& kernel);
// "rbf kernel (gamma 0.5)"
std::string describe(const Kernel& kernel);

// 1 / (p v), with v the variance of all stored entries together (divisor n p), as the setting "scale" of
// scikit-learn; 1 where all entries are equal.
double default_gamma(const Design& design);

// The matrix of k(x_i, z_j), one row per row of x.
Matrix kernel_matrix(const Kernel& kernel, const Design& x, const Design& z);

// Features Phi with Phi Phi' = K, the kernel matrix of the rows. For a linear kernel they are the columns
// themselves; otherwise Phi is n x rank(K), from a pivoted Cholesky factorisation that stops when the
// remaining diagonal is rounding error. Throws InvalidData where K is zero or not finite.
Design kernel_features(const Kernel& kernel, const Design& design);

}  // namespace alo
