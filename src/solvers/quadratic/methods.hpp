// SPDX-License-Identifier: MIT
#pragma once

#include "solvers/flops.hpp"
#include "solvers/method.hpp"

namespace alo {

// Methods for the squared loss with a separable penalty.

// A ridge: one singular value decomposition serves every lambda (SpectralRidge). The formula is exact for it,
// so only rows of leverage one are refitted.
class SpectralRidgeMethod final : public Method {
 public:
  std::string_view name() const override { return "spectral-ridge"; }
  bool suits(const Problem& problem, const Vector& weights) const override;
  std::unique_ptr<Solver> solver(const Problem& problem, const Vector& weights, const FitOptions& options,
                                 Use use) const override;
  ExactLeaveOneOut exact(const Problem& problem, std::span<const Fit> fits, const std::vector<Index>& rows,
                         const ExactOptions& options, const Monitor& monitor) const override;
  std::vector<std::optional<bool>> certify_rows(const Problem& problem, const Fit& fit) const override;
  double path_flops(const Problem& problem, std::span<const Index> nonzero) const override;
  double exact_flops(const Problem& problem, const FitSize& fit, Index rows) const override;
};

// Absolute values without squares that depend on lambda: the path is affine between knots, and every knot is
// visited as lambda falls (LassoKnots). Refits start from a pattern (ActiveSetSolver), and rows are held out
// by homotopy (RowHomotopy).
class LassoHomotopyMethod final : public Method {
 public:
  std::string_view name() const override { return "lasso-homotopy"; }
  bool suits(const Problem& problem, const Vector& weights) const override;
  std::unique_ptr<Solver> solver(const Problem& problem, const Vector& weights, const FitOptions& options,
                                 Use use) const override;
  std::unique_ptr<AffinePath> affine_path(const Problem& problem) const override;
  Vector hat(const Problem& problem, const Fit& fit) const override;
  ExactLeaveOneOut exact(const Problem& problem, std::span<const Fit> fits, const std::vector<Index>& rows,
                         const ExactOptions& options, const Monitor& monitor) const override;
  double path_flops(const Problem& problem, std::span<const Index> nonzero) const override;
  double exact_flops(const Problem& problem, const FitSize& fit, Index rows) const override;
};

// Any other separable penalty, such as the elastic net: an active-set method at every lambda
// (ActiveSetSolver).
class ActiveSetMethod final : public Method {
 public:
  std::string_view name() const override { return "active-set"; }
  bool suits(const Problem& problem, const Vector& weights) const override;
  std::unique_ptr<Solver> solver(const Problem& problem, const Vector& weights, const FitOptions& options,
                                 Use use) const override;
  ExactLeaveOneOut exact(const Problem& problem, std::span<const Fit> fits, const std::vector<Index>& rows,
                         const ExactOptions& options, const Monitor& monitor) const override;
  std::vector<std::optional<bool>> certify_rows(const Problem& problem, const Fit& fit) const override;
  double path_flops(const Problem& problem, std::span<const Index> nonzero) const override;
  double exact_flops(const Problem& problem, const FitSize& fit, Index rows) const override;
};

// Operation counts of a path of fits from knot to knot, with certificates and held-out rows, and of exact
// leave-one-out by homotopy. Good to a factor of two or three for a lasso; the first is too low for an
// elastic net.
double knot_path_flops(const Problem& problem, std::span<const Index> nonzero);
double row_homotopy_flops(const Problem& problem, Index nonzero, Index rows);

}  // namespace alo
