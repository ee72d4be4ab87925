// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "alo/penalty.hpp"

namespace alo {

class SignalPatterns;

// A right inverse Z of a matrix D with independent rows, D Z = I. With N a basis of the null space of D every
// b is N c + Z z with z = D b, and slopes v that vanish along N are D'u for u = Z'v alone.
class RightInverse {
 public:
  virtual ~RightInverse() = default;
  // Z z, one z a column
  virtual Matrix multiply(const MatrixView& terms) const = 0;
  // Z'v, one v a column
  virtual Matrix transpose_multiply(const MatrixView& slopes) const = 0;
  // X Z
  virtual Matrix multiply_design(const Design& design) const = 0;
  // True where columns of Z are so much alike that a lasso in z may miss its tolerance by rounding.
  virtual bool is_ill_conditioned() const { return false; }
};

// The proximal map of lambda |D b|_1 where it has a closed form: the fit of a signal whose rows have weight
// one.
class ProximalMap {
 public:
  virtual ~ProximalMap() = default;
  // The proximal point of a signal, with multipliers that are marked as Fit::multipliers are.
  virtual Proximal at(const VectorView& signal, double lambda) const = 0;
  // The diagonal of the map's Jacobian at a point with such multipliers.
  virtual Vector slopes(const VectorView& multipliers, double lambda) const = 0;
};

// The matrix D of a penalty lambda |D b|_1, called the analysis operator (Elad, Milanfar and Rubinstein
// 2007). The penalty makes most entries of D b zero; these entries, such as differences of neighbours, are
// called terms. Each structure of D, such as differences along a chain, is a type of its own with methods for
// that structure. What a type does not override is computed by dense linear algebra, which is meant for some
// hundreds of terms.
class AnalysisOperator {
 public:
  virtual ~AnalysisOperator() = default;
  AnalysisOperator(const AnalysisOperator&) = delete;
  AnalysisOperator& operator=(const AnalysisOperator&) = delete;

  // D
  const SparseMatrix& matrix() const { return matrix_; }
  // N, a basis of the null space of D
  const SparseMatrix& null_basis() const { return null_basis_; }

  // D b, with zeros for terms that the rounding of b alone can explain.
  Vector terms(const VectorView& b) const;
  // The terms that are not zero, by the marks of the multipliers, or without multipliers by D b.
  std::vector<Index> active_terms(const VectorView& b, const VectorView& multipliers, double lambda) const;
  // The values of a coefficient of a signal that make |D b|_1 least: an interval, the whole line where no
  // term has the coefficient. The other rows with weight stay, and so do those without where the structure of
  // D does not show how they follow.
  virtual std::pair<double, double> best_values(const VectorView& b, const VectorView& weights,
                                                Index coefficient) const;
  // These values for every coefficient, each with all other rows as they are, whatever their weights.
  std::vector<std::pair<double, double>> all_best_values(const VectorView& b) const;

  // argmin_x |x - b|^2 / 2 + lambda |D x|_1, with multipliers u: b - x = D'u.
  virtual Proximal prox(const VectorView& b, double lambda) const;
  // True where the proximal point comes from the structure of D, not from a search by dense systems.
  virtual bool has_direct_prox() const { return false; }
  // A basis of { b : (D b)_k = 0 for all k that are not active }, one direction a column. `active` rises.
  virtual SparseMatrix tangent_basis(const std::vector<Index>& active) const;
  // b without what rounding has left of terms that are not active, as far as the structure allows: where
  // these terms say that coefficients are equal or zero, they are so exactly.
  virtual Vector onto_pattern(const VectorView& b, const std::vector<Index>& active) const;
  // The smallest lambda at which slopes, less their part in the null space, are D'u with all |u_k| <= lambda.
  virtual double gauge(const VectorView& slopes) const;

  // Null if the rows of D are dependent, or not known to be independent.
  virtual const RightInverse* right_inverse() const { return nullptr; }
  // Null if the proximal map has no closed form.
  virtual const ProximalMap* proximal_map() const { return nullptr; }
  // Null if there is no direct method for signals.
  virtual const SignalPatterns* signals() const { return nullptr; }
  // The order of the differences if the terms are differences along a chain.
  virtual std::optional<int> chain_order() const { return std::nullopt; }

 protected:
  AnalysisOperator(SparseMatrix matrix, SparseMatrix null_basis)
      : matrix_(std::move(matrix)), null_basis_(std::move(null_basis)) {}

 private:
  SparseMatrix matrix_;
  SparseMatrix null_basis_;
};

}  // namespace alo
