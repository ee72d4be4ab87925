// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "alo/penalty.hpp"

namespace alo {

class Graph;

// lambda |D b|_1: whatever D measures (differences of neighbours, changes of slope, details of a wavelet) is
// zero in most places. Where the rows of D are independent, with N a basis of the null space of D and D Z = I
// every b is N c + Z z with z = D b, so that the penalty is a lasso in z that leaves c alone, and the
// multipliers are u = Z'(slopes). Else there are many u, and a fit has to bring its own.
class GeneralizedLasso {
 public:
  explicit GeneralizedLasso(const SparseMatrix& differences, std::string name = "generalized-lasso");
  // The same penalty by the structure of the matrix, where its entries show one of those below: that is
  // faster, and of dependent rows it is the only way for more than some hundreds.
  static GeneralizedLasso recognize(const SparseMatrix& differences);
  // Differences of order k >= 1 of p coefficients in a row: 1 is the fused lasso, whose fits are constant in
  // blocks; 2 makes them linear in pieces, and so on.
  static GeneralizedLasso differences(Index columns, int order, std::string name);
  // Differences along the edges of a graph, and with a positive `sparse` that times the coefficients
  // themselves: blocks of connected coefficients are equal, and many are zero.
  static GeneralizedLasso on_graph(Index columns, const std::vector<std::pair<Index, Index>>& edges,
                                   double sparse = 0.0);
  // The Haar wavelet: differences between the means of the halves of an interval, scaled to unit length, for
  // all intervals that halving leads to, the first half the longer one where a length is odd.
  static GeneralizedLasso haar(Index columns);

  std::string name() const { return name_; }
  std::string describe() const { return "lambda * " + name_ + " penalty"; }
  double value(const VectorView& b, double lambda) const;
  Proximal prox(const VectorView& b, double lambda) const;
  Geometry geometry(const VectorView& b, const VectorView& multipliers, double lambda) const;
  Vector subgradient(const VectorView& b, double lambda) const;
  double fenchel_gap(const VectorView& b, const DualPoint& dual, double lambda) const;
  double dual_scale(const DualPoint& dual, double lambda) const;
  Vector subgradient_distance(const VectorView& b, const DualPoint& dual, double lambda) const;
  double lambda_max(const VectorView& z) const;
  SparseMatrix unpenalized(Index columns, double lambda) const;
  std::optional<SeparableTerms> separable(Index) const { return std::nullopt; }
  void check_columns(Index columns) const;

  const SparseMatrix& matrix() const { return differences_; }
  // Of differences along a row of coefficients; else zero.
  int order() const { return order_; }
  bool has_independent_rows() const { return terms_ != nullptr || order_ > 0; }
  // Of differences along edges; else null.
  const Graph* graph() const { return graph_.get(); }
  double sparse() const { return sparse_; }
  // True of a wavelet: D D' = I.
  bool is_orthonormal() const { return orthonormal_; }

  // Terms that are not zero: what the multipliers say, or else what D b does.
  std::vector<Index> active_terms(const VectorView& b, const VectorView& multipliers, double lambda) const;
  // The values of a coefficient that make the penalty least, the others staying: an interval.
  std::pair<double, double> best_values(const VectorView& b, Index coefficient) const;

  // The change of variables, where rows are independent: N c + Z z of [c; z], for several at once, and back
  // with z given; X [N Z]; Z'v.
  Matrix from_terms(const MatrixView& variables) const;
  Vector to_variables(const VectorView& b, const VectorView& terms) const;
  Matrix term_design(const Design& design) const;
  Matrix transpose_terms(const MatrixView& slopes) const;

 private:
  GeneralizedLasso(const SparseMatrix& differences, std::string name, int order);
  Vector terms_of(const VectorView& b) const;
  Proximal graph_prox(const VectorView& b, double lambda) const;
  Proximal chain_prox(const VectorView& b, double lambda) const;
  Proximal spline_prox(const VectorView& b, double lambda) const;
  Proximal orthonormal_prox(const VectorView& b, double lambda) const;
  double graph_lambda_max(const VectorView& z) const;
  // The multipliers of a dual point: its own, the unique ones, or those within lambda that come nearest.
  Vector multipliers_of(const DualPoint& dual, double lambda) const;
  bool are_multipliers(const Vector& u, const Vector& slopes, double lambda) const;

  std::string name_;
  SparseMatrix differences_;  // D
  int order_ = 0;
  std::shared_ptr<const Graph> graph_;
  double sparse_ = 0.0;
  bool orthonormal_ = false;
  std::shared_ptr<const SparseMatrix> free_;   // N
  std::shared_ptr<const SparseMatrix> terms_;  // Z, unless it is sums along the row of coefficients
};

static_assert(PenaltyModel<GeneralizedLasso>);

}  // namespace alo
