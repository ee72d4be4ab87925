// SPDX-License-Identifier: MIT
#pragma once

#include "solvers/flops.hpp"
#include "solvers/method.hpp"

namespace alo {

// Methods for smooth losses with a separable penalty.

// Newton's method on the active coefficients (NewtonSolver). Rows are held out by a few steps from the full
// fit (NewtonRows).
class NewtonMethod final : public Method {
 public:
  std::string_view name() const override { return "newton"; }
  bool suits(const Problem& problem, const Vector& weights) const override;
  std::unique_ptr<Solver> solver(const Problem& problem, const Vector& weights, const FitOptions& options,
                                 Use use) const override;
  ExactLeaveOneOut exact(const Problem& problem, std::span<const Fit> fits, const std::vector<Index>& rows,
                         const ExactOptions& options, const Monitor& monitor) const override;
  double path_flops(const Problem& problem, std::span<const Index> nonzero) const override;
  double exact_flops(const Problem& problem, const FitSize& fit, Index rows) const override;
};

// A ridge with more columns than rows: Newton's method in an orthonormal basis of the row space (RowSpace).
class RowSpaceMethod final : public Method {
 public:
  std::string_view name() const override { return "newton-in-row-space"; }
  bool suits(const Problem& problem, const Vector& weights) const override;
  std::unique_ptr<Solver> solver(const Problem& problem, const Vector& weights, const FitOptions& options,
                                 Use use) const override;
  ExactLeaveOneOut exact(const Problem& problem, std::span<const Fit> fits, const std::vector<Index>& rows,
                         const ExactOptions& options, const Monitor& monitor) const override;
  double path_flops(const Problem& problem, std::span<const Index> nonzero) const override;
  double exact_flops(const Problem& problem, const FitSize& fit, Index rows) const override;
};

// Operation counts of Newton's method along a path, and for the fits without each row.
double newton_path_flops(const Problem& problem, std::span<const Index> nonzero);
double newton_rows_flops(const Problem& problem, Index nonzero, Index rows);

}  // namespace alo
