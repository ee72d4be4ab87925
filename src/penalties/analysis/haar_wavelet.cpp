// SPDX-License-Identifier: MIT
#include <cmath>
#include <vector>

#include "penalties/analysis/operators.hpp"
#include "penalties/analysis/right_inverses.hpp"
#include "signals/multiplier.hpp"

namespace alo {

namespace {

void add_haar_rows(Index first, Index length, std::vector<Eigen::Triplet<double>>& entries, int& row) {
  if (length < 2) return;
  const Index left = (length + 1) / 2;
  const Index right = length - left;
  // The difference of the means of the halves, scaled to unit length.
  const double size = std::sqrt(1.0 / static_cast<double>(left) + 1.0 / static_cast<double>(right));
  for (Index j = first; j < first + length; ++j) {
    const double value =
        j < first + left ? 1.0 / static_cast<double>(left) : -1.0 / static_cast<double>(right);
    entries.emplace_back(row, static_cast<int>(j), value / size);
  }
  ++row;
  add_haar_rows(first, left, entries, row);
  add_haar_rows(first + left, right, entries, row);
}

SparseMatrix haar_matrix(Index columns) {
  std::vector<Eigen::Triplet<double>> entries;
  int rows = 0;
  add_haar_rows(0, columns, entries, rows);
  SparseMatrix details(rows, columns);
  details.setFromTriplets(entries.begin(), entries.end());
  return details;
}

// D D' = I, so that D' is the right inverse of D, and its proximal map shrinks D b term by term. The null
// space of D are the constants.
class HaarWavelet final : public AnalysisOperator, public ProximalMap {
 public:
  explicit HaarWavelet(const SparseMatrix& details)
      : AnalysisOperator(details, Matrix::Ones(details.cols(), 1).sparseView()),
        inverse_(details.transpose()) {}

  Proximal prox(const VectorView& b, double lambda) const override;
  bool has_direct_prox() const override { return true; }
  const RightInverse* right_inverse() const override { return &inverse_; }
  const ProximalMap* proximal_map() const override { return this; }

  Proximal at(const VectorView& signal, double lambda) const override { return prox(signal, lambda); }
  Vector slopes(const VectorView& multipliers, double lambda) const override;

 private:
  SparseRightInverse inverse_;
};

// x = mean(b) 1 + D'z, with z = D b after soft thresholding. Coefficients with the same details are equal to
// the last digit, because they are sums of the same numbers.
Proximal HaarWavelet::prox(const VectorView& b, double lambda) const {
  if (b.size() == 0) return {};
  const Vector details = matrix() * b;
  const Vector shrunk =
      details.cwiseSign().cwiseProduct((details.cwiseAbs().array() - lambda).max(0.0).matrix());
  Proximal result{Vector::Constant(b.size(), b.mean()) + matrix().transpose() * shrunk, details};
  for (Index k = 0; k < details.size(); ++k) {
    result.multipliers[k] = marked_multiplier(details[k], shrunk[k], lambda);
  }
  return result;
}

// The diagonal of the projector on the span of the constants and of the rows of D whose terms are not zero.
Vector HaarWavelet::slopes(const VectorView& multipliers, double lambda) const {
  const SparseMatrix& details = matrix();
  Vector result = Vector::Constant(details.cols(), 1.0 / static_cast<double>(details.cols()));
  for (Index j = 0; j < details.cols(); ++j) {
    for (SparseMatrix::InnerIterator entry(details, j); entry; ++entry) {
      if (std::abs(multipliers[entry.row()]) >= lambda) result[j] += entry.value() * entry.value();
    }
  }
  return result;
}

}  // namespace

std::shared_ptr<const AnalysisOperator> haar_wavelet(Index columns) {
  return std::make_shared<const HaarWavelet>(haar_matrix(columns));
}

}  // namespace alo
