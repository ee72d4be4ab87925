// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "alo/analysis_operator.hpp"
#include "alo/penalty.hpp"

namespace alo {

// The generalised lasso (Tibshirani and Taylor 2011),
//
//     P(b) = lambda |D b|_1.
//
// It makes the terms, the entries of D b (differences of neighbours, changes of slope, details of a wavelet),
// sparse. With u the multipliers of the terms:
//
//     conjugate    the indicator of { D'u : |u_k| <= lambda }
//     subgradient  D'u with u_k = lambda sign((D b)_k) where that is not zero
//     tangent      { v : (D v)_k = 0 where (D b)_k = 0 }, on which the penalty is linear
//
// If the rows of D are independent, slopes determine u. Otherwise there are many u, and a fit has to bring
// its own (Fit::multipliers).
class GeneralizedLasso {
 public:
  explicit GeneralizedLasso(std::shared_ptr<const AnalysisOperator> analysis,
                            std::string name = "generalized-lasso");
  // With any matrix, which is factored as a dense one.
  explicit GeneralizedLasso(const SparseMatrix& matrix, std::string name = "generalized-lasso");
  // The same penalty, with the structure of the matrix if its entries show one of those below. That is
  // faster, and with dependent rows it is the only way for more than some hundreds of them.
  static GeneralizedLasso recognize(const SparseMatrix& matrix);
  // Differences of order k >= 1 of p coefficients along a chain. Order 1 is the fused lasso, whose fits are
  // constant in blocks; fits of order 2 are piecewise linear, and so on (trend filters; Kim, Koh, Boyd and
  // Gorinevsky 2009).
  static GeneralizedLasso differences(Index columns, int order, std::string name);
  // Differences along the edges of a graph, and if `sparse` is positive, `sparse` times the coefficients
  // themselves. Connected coefficients are equal in blocks, and with `sparse` many blocks are zero.
  static GeneralizedLasso on_graph(Index columns, const std::vector<std::pair<Index, Index>>& edges,
                                   double sparse = 0.0);
  // The Haar wavelet: the differences between the means of the halves of an interval, scaled to unit length,
  // for all intervals that repeated halving gives. If a length is odd the first half is the longer one.
  static GeneralizedLasso haar(Index columns);

  std::string name() const { return name_; }
  std::string describe() const { return "lambda * " + name_ + " penalty"; }
  double value(const VectorView& b, double lambda) const;
  Proximal prox(const VectorView& b, double lambda) const { return analysis_->prox(b, lambda); }
  Geometry geometry(const VectorView& b, const VectorView& multipliers, double lambda) const;
  Vector subgradient(const VectorView& b, double lambda) const;
  double fenchel_gap(const VectorView& b, const DualPoint& dual, double lambda) const;
  double dual_scale(const DualPoint& dual, double lambda) const;
  Vector subgradient_distance(const VectorView& b, const DualPoint& dual, double lambda) const;
  double lambda_max(const VectorView& z) const { return analysis_->gauge(z); }
  SparseMatrix unpenalized(Index columns, double lambda) const;
  std::optional<SeparableTerms> separable(Index) const { return std::nullopt; }
  void check_columns(Index columns) const;
  // Never null.
  const AnalysisOperator* analysis() const { return analysis_.get(); }

 private:
  // The multipliers of a dual point: its own if it has any, otherwise the unique ones, or the ones within
  // lambda that come nearest to its slopes.
  Vector multipliers_of(const DualPoint& dual, double lambda) const;
  // Slopes less D'u.
  Vector missed_slopes(const Vector& u, const Vector& slopes) const;

  std::string name_;
  std::shared_ptr<const AnalysisOperator> analysis_;
};

static_assert(PenaltyModel<GeneralizedLasso>);

}  // namespace alo
