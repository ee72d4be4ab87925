// SPDX-License-Identifier: MIT
#include "alo/penalties/generalized_lasso.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <Eigen/QR>

#include "alo/error.hpp"
#include "penalties/difference_structure.hpp"
#include "penalties/null_space.hpp"
#include "signals/graph.hpp"

namespace alo {

namespace {

constexpr double rank_tolerance = 1e-11;

SparseMatrix from_columns(const Matrix& columns) {
  return columns.sparseView(1.0, 0.0);
}

// A matrix without a structure that is known is factored as a dense one.
void check_size(Index rows, Index columns) {
  constexpr Index most_entries = 100'000'000;
  if (rows <= most_entries / columns) return;
  throw InvalidArgument(fmt::format(
      "a penalty matrix of {} x {} is too large to be factored; of this size it must be plain differences of "
      "order 1 to 3, or one 1 and one -1 in each row as along the edges of a graph (--penalty fused-lasso, "
      "trend-filter)",
      rows, columns));
}

bool is_same_up_to_sign(const SparseMatrix& a, const SparseMatrix& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() && ((a - b).norm() == 0.0 || (a + b).norm() == 0.0);
}

}  // namespace

GeneralizedLasso::GeneralizedLasso(const SparseMatrix& differences, std::string name, int order)
    : name_(std::move(name)), differences_(differences), order_(order) {
  const Index columns = differences_.cols();
  free_ = std::make_shared<const SparseMatrix>(
      from_columns(polynomials(columns, std::min<Index>(order, columns))));
}

GeneralizedLasso::GeneralizedLasso(const SparseMatrix& differences, std::string name)
    : name_(std::move(name)), differences_(differences) {
  for (Index j = 0; j < differences_.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator entry(differences_, j); entry; ++entry) {
      if (std::isfinite(entry.value())) continue;
      throw InvalidData(fmt::format("the penalty matrix is {} in row {}, column {}; it must be finite",
                                    entry.value(), entry.row() + 1, j + 1));
    }
  }
  const Index columns = differences_.cols();
  const Index rows = differences_.rows();
  if (rows == 0) {
    free_ = std::make_shared<const SparseMatrix>(from_columns(Matrix::Identity(columns, columns)));
    terms_ = std::make_shared<const SparseMatrix>(columns, 0);
    return;
  }
  check_size(rows, columns);
  // D' P = Q R: the first columns of Q span the rows of D, and D Z = I for Z = Q_1 R^-T P'.
  Eigen::ColPivHouseholderQR<Matrix> factor(differences_.transpose().toDense());
  factor.setThreshold(rank_tolerance);
  const Matrix q = factor.householderQ();
  const Index rank = factor.rank();
  free_ = std::make_shared<const SparseMatrix>(from_columns(q.rightCols(columns - rank)));
  if (rank < rows) return;
  const Matrix permuted = factor.colsPermutation().transpose() * Matrix::Identity(rows, rows);
  const Matrix solved =
      factor.matrixR().topLeftCorner(rank, rank).triangularView<Eigen::Upper>().transpose().solve(permuted);
  terms_ = std::make_shared<const SparseMatrix>(from_columns(q.leftCols(rank) * solved));
}

GeneralizedLasso GeneralizedLasso::differences(Index columns, int order, std::string name) {
  if (order < 1) {
    throw InvalidArgument(fmt::format("the order of the differences must be at least 1, but is {}", order));
  }
  return {difference_matrix(columns, order), std::move(name), order};
}

GeneralizedLasso GeneralizedLasso::haar(Index columns) {
  const SparseMatrix details = haar_matrix(columns);
  GeneralizedLasso result(details, "wavelet", 1);
  result.order_ = 0;
  result.orthonormal_ = true;
  result.terms_ = std::make_shared<const SparseMatrix>(details.transpose());
  return result;
}

GeneralizedLasso GeneralizedLasso::on_graph(Index columns, const std::vector<std::pair<Index, Index>>& edges,
                                            double sparse) {
  if (!(sparse >= 0.0) || std::isinf(sparse)) {
    throw InvalidArgument(fmt::format(
        "the factor of the coefficients themselves must be a finite number, zero or more, but is {}",
        sparse));
  }
  std::vector<GraphEdge> list;
  std::vector<Eigen::Triplet<double>> entries;
  for (const auto& [tail, head] : edges) {
    if (std::min(tail, head) < 0 || std::max(tail, head) >= columns) {
      throw InvalidData(
          fmt::format("an edge joins coefficients {} and {}, but there are {}", tail + 1, head + 1, columns));
    }
    const auto row = static_cast<int>(list.size());
    list.push_back({tail, head});
    if (tail == head) continue;  // no difference
    entries.emplace_back(row, static_cast<int>(tail), -1.0);
    entries.emplace_back(row, static_cast<int>(head), 1.0);
  }
  const auto count = static_cast<Index>(list.size());
  for (Index j = 0; j < columns && sparse > 0.0; ++j) {
    entries.emplace_back(static_cast<int>(count + j), static_cast<int>(j), sparse);
  }
  SparseMatrix differences(count + (sparse > 0.0 ? columns : 0), columns);
  differences.setFromTriplets(entries.begin(), entries.end());
  GeneralizedLasso result(differences, "fused-lasso", 1);
  result.order_ = 0;
  result.sparse_ = sparse;
  result.graph_ = std::make_shared<const Graph>(columns, std::move(list));
  result.free_ = std::make_shared<const SparseMatrix>(null_space(result.differences_));
  if (sparse > 0.0) return result;
  if (auto terms = forest_terms(columns, edges)) {
    result.terms_ = std::make_shared<const SparseMatrix>(std::move(*terms));
  }
  return result;
}

GeneralizedLasso GeneralizedLasso::recognize(const SparseMatrix& differences) {
  constexpr int largest_order = 3;
  const std::string name = "generalized-lasso";
  for (int order = 1; order <= largest_order && order < differences.cols(); ++order) {
    const SparseMatrix known = difference_matrix(differences.cols(), order);
    if (is_same_up_to_sign(differences, known)) return {known, name, order};
  }
  const auto edges = find_edges(differences);
  if (!edges) return GeneralizedLasso(differences, name);
  GeneralizedLasso result = on_graph(differences.cols(), edges->list, edges->sparse);
  result.name_ = name;
  return result;
}

double GeneralizedLasso::value(const VectorView& b, double lambda) const {
  return lambda * terms_of(b).lpNorm<1>();
}

SparseMatrix GeneralizedLasso::unpenalized(Index columns, double lambda) const {
  if (lambda > 0.0) return *free_;
  SparseMatrix all(columns, columns);
  all.setIdentity();
  return all;
}

void GeneralizedLasso::check_columns(Index columns) const {
  if (differences_.cols() == columns) return;
  throw InvalidData(
      fmt::format("the penalty matrix has {} columns for {} coefficients; give one per coefficient",
                  differences_.cols(), columns));
}

}  // namespace alo
