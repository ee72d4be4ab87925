// SPDX-License-Identifier: MIT
#include "penalties/null_space.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

#include "linalg/decompositions.hpp"
#include "linalg/tolerances.hpp"

namespace alo {

namespace {

// The numerical rank: an entry that cancels in elimination is zero below this share of the largest entry of
// its row before, and so is a pivot of the QR factorisation beside the largest. It equals
// tolerances::tangent_rank, because the rows of D are data and what elimination leaves of them is computed.
// At a tenth rows that depend on hundreds of others can pass for independent ones, and a direction that is
// free is lost; at ten times terms whose factors are 1e10 times smaller than others of their row are dropped.
constexpr double rounding = tolerances::tangent_rank;
// A matrix with a larger share of nonzero entries, and at least so many columns, is factored as a dense one:
// elimination would fill it. Differences of two of a few columns have large shares too, and stay sparse. Only
// time and memory depend on the two.
constexpr double dense_share = 0.3;
constexpr Index many_columns = 50;

// A linear combination of coefficients: the factor of each.
using Combination = std::map<Index, double>;

// Gaussian elimination of the equations row'b = 0, added one by one. Every pivot coefficient is a combination
// of others.
class Elimination {
 public:
  explicit Elimination(Index columns) : pivots_(static_cast<std::size_t>(columns)) {}

  void add(const Combination& row) {
    double size = 0.0;
    for (const auto& [column, factor] : row) size = std::max(size, std::abs(factor));
    Combination rest = reduce(row);
    std::erase_if(rest, [&](const auto& entry) { return std::abs(entry.second) <= rounding * size; });
    if (rest.empty()) return;  // the row depends on those before
    const auto pivot = std::max_element(rest.begin(), rest.end(), [](const auto& a, const auto& b) {
      return std::abs(a.second) <= std::abs(b.second);
    });
    const auto [column, factor] = *pivot;
    rest.erase(pivot);
    for (auto& [other, value] : rest) value /= -factor;
    pivots_[static_cast<std::size_t>(column)] = std::move(rest);
  }

  SparseMatrix basis() {
    std::vector<int> place(pivots_.size(), -1);
    int free = 0;
    for (std::size_t j = 0; j < pivots_.size(); ++j) {
      if (!pivots_[j]) place[j] = free++;
    }
    std::vector<Eigen::Triplet<double>> entries;
    for (std::size_t j = 0; j < pivots_.size(); ++j) {
      for (const auto& [column, factor] : expression(static_cast<Index>(j))) {
        entries.emplace_back(static_cast<int>(j), place[static_cast<std::size_t>(column)], factor);
      }
    }
    SparseMatrix result(static_cast<Index>(pivots_.size()), free);
    result.setFromTriplets(entries.begin(), entries.end());
    return result;
  }

 private:
  // A coefficient as a combination of those that are still free.
  Combination expression(Index column) {
    std::optional<Combination>& pivot = pivots_[static_cast<std::size_t>(column)];
    if (!pivot) return {{column, 1.0}};
    pivot = reduce(*pivot);  // kept, so that the next call finds it reduced (path compression)
    return *pivot;
  }

  Combination reduce(const Combination& given) {
    Combination result;
    for (const auto& [column, factor] : given) {
      for (const auto& [other, value] : expression(column)) result[other] += factor * value;
    }
    return result;
  }

  std::vector<std::optional<Combination>> pivots_;
};

// For a matrix that elimination would fill: an orthonormal basis from a complete orthogonal decomposition.
SparseMatrix orthonormal_null_space(const SparseMatrix& rows) {
  const dense::CompleteOrthogonal factor(rows.toDense().transpose(), rounding);
  return factor.complement().sparseView(1.0, 0.0);
}

}  // namespace

SparseMatrix coordinate_basis(Index columns, const std::vector<Index>& chosen) {
  SparseMatrix basis(columns, static_cast<Index>(chosen.size()));
  if (chosen.empty()) return basis;  // Eigen reserves beyond the storage of a matrix without columns
  basis.reserve(Eigen::VectorXi::Ones(basis.cols()));
  for (Index k = 0; k < basis.cols(); ++k) basis.insert(chosen[static_cast<std::size_t>(k)], k) = 1.0;
  basis.makeCompressed();
  return basis;
}

SparseMatrix free_without_lambda(Index columns, double lambda) {
  SparseMatrix basis(columns, lambda == 0.0 ? columns : 0);
  if (lambda == 0.0) basis.setIdentity();
  return basis;
}

SparseMatrix null_space(const SparseMatrix& rows) {
  const auto places = static_cast<double>(rows.rows() * rows.cols());
  if (rows.cols() >= many_columns && static_cast<double>(rows.nonZeros()) > dense_share * places) {
    return orthonormal_null_space(rows);
  }
  const Eigen::SparseMatrix<double, Eigen::RowMajor> by_row(rows);
  std::vector<Index> order(static_cast<std::size_t>(rows.rows()));
  std::iota(order.begin(), order.end(), Index{0});
  const auto entries = [&](Index k) { return by_row.row(k).nonZeros(); };
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return entries(a) < entries(b); });
  Elimination elimination(rows.cols());
  for (const Index k : order) {
    Combination row;
    for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator entry(by_row, k); entry; ++entry) {
      if (entry.value() != 0.0) row[entry.col()] = entry.value();
    }
    elimination.add(row);
  }
  return elimination.basis();
}

}  // namespace alo
