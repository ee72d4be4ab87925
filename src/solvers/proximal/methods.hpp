// SPDX-License-Identifier: MIT
#pragma once

#include "solvers/method.hpp"

namespace alo {

// Smooth losses of one output with penalties that are not a sum over coefficients, known by their proximal
// maps. Held-out rows are refitted.
class ProximalMethod : public Method {
 public:
  double path_flops(const Problem& problem, std::span<const Index> nonzero) const override;
  double exact_flops(const Problem& problem, const FitSize& fit, Index rows) const override;
};

// The nuclear norm of a matrix of which entries are observed: kept in factors (CompletionPath).
class CompletionMethod final : public ProximalMethod {
 public:
  std::string_view name() const override { return "matrix-completion"; }
  bool suits(const Problem& problem, const Vector& weights) const override;
  std::unique_ptr<Solver> solver(const Problem& problem, const Vector& weights, const FitOptions& options,
                                 Use use) const override;
  // There are no products to share, and each fit may take seconds.
  std::size_t fits_at_once(const Problem&) const override { return 1; }
};

// Any penalty on singular values: proximal steps for the rank, Newton's in the tangent space (MatrixSolver).
class MatrixMethod final : public ProximalMethod {
 public:
  std::string_view name() const override { return "matrix-newton"; }
  bool suits(const Problem& problem, const Vector& weights) const override;
  std::unique_ptr<Solver> solver(const Problem& problem, const Vector& weights, const FitOptions& options,
                                 Use use) const override;
};

// Groups, ties and their like: proximal steps for the pattern, Newton's along it (PatternSolver).
class PatternMethod final : public ProximalMethod {
 public:
  std::string_view name() const override { return "pattern-newton"; }
  bool suits(const Problem& problem, const Vector& weights) const override;
  std::unique_ptr<Solver> solver(const Problem& problem, const Vector& weights, const FitOptions& options,
                                 Use use) const override;
};

}  // namespace alo
