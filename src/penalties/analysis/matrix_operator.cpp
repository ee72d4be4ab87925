// SPDX-License-Identifier: MIT
#include <cmath>

#include <fmt/format.h>

#include "alo/error.hpp"
#include "linalg/decompositions.hpp"
#include "linalg/tolerances.hpp"
#include "penalties/analysis/difference_matrix.hpp"
#include "penalties/analysis/edges.hpp"
#include "penalties/analysis/operators.hpp"
#include "penalties/analysis/right_inverses.hpp"

namespace alo {

namespace {

// A matrix of unknown structure is factored as a dense one, of at most 1e8 numbers (800 MB).
void check_size(Index rows, Index columns) {
  constexpr Index most_entries = 100'000'000;
  if (rows <= most_entries / columns) return;
  throw InvalidArgument(fmt::format(
      "a penalty matrix of {} x {} is too large to be factored; of this size it must be plain differences of "
      "order 1 to 3, or one 1 and one -1 in each row as along the edges of a graph (the penalties "
      "fused-lasso and trend-filter)",
      rows, columns));
}

void check_entries(const SparseMatrix& matrix) {
  for (Index j = 0; j < matrix.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator entry(matrix, j); entry; ++entry) {
      if (std::isfinite(entry.value())) continue;
      throw InvalidData(fmt::format("the penalty matrix is {} in row {}, column {}; it must be finite",
                                    entry.value(), entry.row() + 1, j + 1));
    }
  }
}

// A basis of the null space of D, and a right inverse Z if its rows are independent.
struct Factors {
  SparseMatrix null_basis;
  std::optional<SparseMatrix> right_inverse;
};

// D' P = Q R: the first columns of Q span the rows of D, and D Z = I for Z = Q_1 R^-T P'.
Factors factor_matrix(const SparseMatrix& matrix) {
  const Index columns = matrix.cols();
  const Index rows = matrix.rows();
  if (rows == 0) return {Matrix::Identity(columns, columns).sparseView(), SparseMatrix(columns, 0)};
  check_size(rows, columns);
  const auto [rank, q, triangle, order] =
      dense::pivoted_factors(matrix.transpose().toDense(), tolerances::tangent_rank);
  Factors result{q.rightCols(columns - rank).sparseView(1.0, 0.0), std::nullopt};
  if (rank < rows) return result;
  Matrix permuted = Matrix::Zero(rows, rows);
  for (Index k = 0; k < rows; ++k) permuted(k, order[static_cast<std::size_t>(k)]) = 1.0;
  const Matrix solved = triangle.triangularView<Eigen::Upper>().transpose().solve(permuted);
  const Matrix inverse = q.leftCols(rank) * solved;
  result.right_inverse = inverse.sparseView(1.0, 0.0);
  return result;
}

class MatrixOperator final : public AnalysisOperator {
 public:
  MatrixOperator(const SparseMatrix& matrix, Factors factors)
      : AnalysisOperator(matrix, std::move(factors.null_basis)) {
    if (factors.right_inverse) inverse_.emplace(std::move(*factors.right_inverse));
  }

  const RightInverse* right_inverse() const override { return inverse_ ? &*inverse_ : nullptr; }

 private:
  std::optional<SparseRightInverse> inverse_;
};

bool is_same_up_to_sign(const SparseMatrix& a, const SparseMatrix& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() && ((a - b).norm() == 0.0 || (a + b).norm() == 0.0);
}

}  // namespace

std::shared_ptr<const AnalysisOperator> matrix_operator(const SparseMatrix& matrix) {
  check_entries(matrix);
  return std::make_shared<const MatrixOperator>(matrix, factor_matrix(matrix));
}

std::shared_ptr<const AnalysisOperator> recognized_operator(const SparseMatrix& matrix) {
  constexpr int largest_order = 3;
  for (int order = 1; order <= largest_order && order < matrix.cols(); ++order) {
    if (is_same_up_to_sign(matrix, difference_matrix(matrix.cols(), order))) {
      return chain_differences(matrix.cols(), order);
    }
  }
  const auto found = find_edge_rows(matrix);
  if (!found) return matrix_operator(matrix);
  return found->sparse == 0.0 ? graph_differences(matrix.cols(), found->edges)
                              : sparse_graph_differences(matrix.cols(), found->edges, found->sparse);
}

}  // namespace alo
