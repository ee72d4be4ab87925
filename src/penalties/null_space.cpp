// SPDX-License-Identifier: MIT
#include "penalties/null_space.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <vector>
#include "linalg/decompositions.hpp"

namespace alo {

namespace {

// What elimination leaves of an entry that cancels, relative to the row.
constexpr double rounding = 1e-11;
// A matrix with a larger share of entries is a dense one.
constexpr double dense_share = 0.3;
// With fewer columns elimination is quick, and a difference of two of them is a large share.
constexpr Index many_columns = 50;

using Combination = std::map<Index, double>;

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
  // A coefficient in those that are free now.
  Combination expression(Index column) {
    std::optional<Combination>& pivot = pivots_[static_cast<std::size_t>(column)];
    if (!pivot) return {{column, 1.0}};
    pivot = reduce(*pivot);  // the next one to ask finds it short
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

// Of a matrix with many entries elimination would leave nothing sparse: an orthonormal basis instead.
SparseMatrix orthonormal_null_space(const SparseMatrix& rows) {
  const dense::CompleteOrthogonal factor(rows.toDense().transpose(), rounding);
  return factor.complement().sparseView(1.0, 0.0);
}

}  // namespace

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
