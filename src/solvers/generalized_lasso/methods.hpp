// SPDX-License-Identifier: MIT
#pragma once

#include <limits>

#include "solvers/method.hpp"

namespace alo {

// Methods for the generalised lasso, lambda |D b|_1 (Tibshirani and Taylor 2011).

// A signal of any length with a fused lasso or a trend filter and a smooth loss (SignalSolver).
class SignalMethod final : public Method {
 public:
  std::string_view name() const override { return "signal"; }
  bool suits(const Problem& problem, const Vector& weights) const override;
  Index longest_signal() const override { return std::numeric_limits<Index>::max(); }
  std::unique_ptr<Solver> solver(const Problem& problem, const Vector& weights, const FitOptions& options,
                                 Use use) const override;
  Vector hat(const Problem& problem, const Fit& fit) const override;
  std::vector<std::optional<bool>> certify_rows(const Problem& problem, const Fit& fit) const override;
  double path_flops(const Problem& problem, std::span<const Index> nonzero) const override;
  double exact_flops(const Problem& problem, const FitSize& fit, Index rows) const override;
};

// A signal with the squared loss and rows of weight one whose fit is one proximal map (ProximalSignal).
class ProximalSignalMethod final : public Method {
 public:
  std::string_view name() const override { return "proximal-signal"; }
  bool suits(const Problem& problem, const Vector& weights) const override;
  Index longest_signal() const override { return std::numeric_limits<Index>::max(); }
  std::unique_ptr<Solver> solver(const Problem& problem, const Vector& weights, const FitOptions& options,
                                 Use use) const override;
  Vector hat(const Problem& problem, const Fit& fit) const override;
  ExactLeaveOneOut exact(const Problem& problem, std::span<const Fit> fits, const std::vector<Index>& rows,
                         const ExactOptions& options, const Monitor& monitor) const override;
  std::vector<std::optional<bool>> certify_rows(const Problem& problem, const Fit& fit) const override;
  double path_flops(const Problem& problem, std::span<const Index> nonzero) const override;
  double exact_flops(const Problem& problem, const FitSize& fit, Index rows) const override;
};

// D with independent rows: a lasso in the variables D b, which the method that owns that problem fits
// (LassoCoordinates).
class LassoCoordinatesMethod final : public Method {
 public:
  std::string_view name() const override { return "lasso-coordinates"; }
  bool suits(const Problem& problem, const Vector& weights) const override;
  std::unique_ptr<Solver> solver(const Problem& problem, const Vector& weights, const FitOptions& options,
                                 Use use) const override;
  ExactLeaveOneOut exact(const Problem& problem, std::span<const Fit> fits, const std::vector<Index>& rows,
                         const ExactOptions& options, const Monitor& monitor) const override;
  std::vector<std::optional<bool>> certify_rows(const Problem& problem, const Fit& fit) const override;
  double path_flops(const Problem& problem, std::span<const Index> nonzero) const override;
  double exact_flops(const Problem& problem, const FitSize& fit, Index rows) const override;
};

// D with dependent rows that is not a graph, and any such D with several classes: an interior-point method
// finds which terms are zero (TermsSolver).
class TermsMethod final : public Method {
 public:
  std::string_view name() const override { return "interior-point"; }
  bool suits(const Problem& problem, const Vector& weights) const override;
  std::unique_ptr<Solver> solver(const Problem& problem, const Vector& weights, const FitOptions& options,
                                 Use use) const override;
  double path_flops(const Problem& problem, std::span<const Index> nonzero) const override;
};

}  // namespace alo
