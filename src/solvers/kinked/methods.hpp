// SPDX-License-Identifier: MIT
#pragma once

#include "solvers/method.hpp"

namespace alo {

// Losses with kinks and separable penalties. With a ridge exact leave-one-out is by homotopy from kink to
// kink (KinkHomotopy), whichever of the methods fits the problem. The homotopy also proves for which rows the
// approximation is exact.
class KinkedMethod : public Method {
 public:
  ExactLeaveOneOut exact(const Problem& problem, std::span<const Fit> fits, const std::vector<Index>& rows,
                         const ExactOptions& options, const Monitor& monitor) const override;
  std::vector<std::optional<bool>> certify_rows(const Problem& problem, const Fit& fit) const override;
  double path_flops(const Problem& problem, std::span<const Index> nonzero) const override;
  double exact_flops(const Problem& problem, const FitSize& fit, Index rows) const override;
  double certify_rows_flops(const Problem& problem, Index nonzero) const override;

 private:
  // Whether fits use the kernel of all rows.
  virtual bool has_kernel() const { return false; }
};

// For a ridge with rows that are not many more than columns: an active set in the kernel of the rows
// (KernelSolver).
class KernelMethod final : public KinkedMethod {
 public:
  std::string_view name() const override { return "kernel-active-set"; }
  bool suits(const Problem& problem, const Vector& weights) const override;
  std::unique_ptr<Solver> solver(const Problem& problem, const Vector& weights, const FitOptions& options,
                                 Use use) const override;

 private:
  bool has_kernel() const override { return true; }
};

// For a ridge with many rows and few columns: an active set in the coefficients (TallSolver).
class TallMethod final : public KinkedMethod {
 public:
  std::string_view name() const override { return "coefficient-active-set"; }
  bool suits(const Problem& problem, const Vector& weights) const override;
  std::unique_ptr<Solver> solver(const Problem& problem, const Vector& weights, const FitOptions& options,
                                 Use use) const override;
};

// For any separable penalty, linear programs included (AugmentedLagrangian).
class AugmentedLagrangianMethod final : public KinkedMethod {
 public:
  std::string_view name() const override { return "augmented-lagrangian"; }
  bool suits(const Problem& problem, const Vector& weights) const override;
  std::unique_ptr<Solver> solver(const Problem& problem, const Vector& weights, const FitOptions& options,
                                 Use use) const override;
};

}  // namespace alo
