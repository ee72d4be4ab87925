// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "alo/problem.hpp"

namespace alo {

// The unpenalised part of the model, intercept and unpenalised columns. It is eliminated from a weighted
// least-squares problem by an orthogonal projection (Frisch, Waugh and Lovell) and solved for afterwards.
class FreeColumns {
 public:
  FreeColumns(const Problem& problem, const VectorView& weights);

  bool empty() const { return columns_.cols() == 0; }
  // Dimension of their span.
  Index rank() const { return basis_.cols(); }
  // Columns that are neither free, nor constant, nor excluded (infinite penalty).
  const std::vector<Index>& penalized() const { return penalized_; }

  // Leverages of the fit with the free columns alone.
  Vector leverages() const { return basis_.rowwise().squaredNorm(); }
  // Orthonormal basis of their span, weighted by sqrt(w).
  const Matrix& basis() const { return basis_; }
  // Projects sqrt(w)-weighted columns off the free ones.
  void project_out(Eigen::Ref<Matrix> columns) const;
  // Least-squares coefficients of what the penalised part leaves, sqrt(w) (t - X b), from its products with
  // the basis.
  void solve(const VectorView& products, double& intercept, Vector& coefficients) const;

 private:
  bool intercept_;
  std::vector<Index> free_;
  std::vector<Index> penalized_;
  Matrix columns_;  // sqrt(w) times ones and the unpenalised columns
  Matrix basis_;
  Matrix solutions_;  // least-squares coefficients of the basis
};

}  // namespace alo
