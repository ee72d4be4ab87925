// SPDX-License-Identifier: MIT
#include "solvers/smooth/slope_screen.hpp"

namespace alo {

namespace {

// With more columns left than this share of all, the product with the whole design is as cheap. Only the
// speed depends on it.
constexpr double worthwhile_share = 0.5;
// The margin by which a bounded slope must stay below its threshold. The bound has a rounding error of some
// n epsilon, so any margin from 1e-11 on is safe; up to 1e-3 it costs no more than a few more products.
constexpr double screening_margin = 1.0 - 1e-9;

}  // namespace

SlopeScreen::SlopeScreen(const Problem& problem)
    : problem_(problem),
      norms_(problem.design().weighted_square_norms(Vector::Ones(problem.rows())).cwiseSqrt()) {
  for (const Index j : problem.constant_columns()) norms_[j] = 0.0;
}

void SlopeScreen::compute_all(const Matrix& residual) {
  slopes_ = problem_.design().transpose_multiply_columns(residual);
  for (const Index j : problem_.constant_columns()) slopes_.row(j).setZero();
  errors_ = Matrix::Zero(slopes_.rows(), slopes_.cols());
}

void SlopeScreen::carry(const Matrix& residual) {
  for (Index k = 0; k < residual.cols(); ++k) {
    const double square = residual_.col(k).squaredNorm();
    const double share = square > 0.0 ? residual.col(k).dot(residual_.col(k)) / square : 0.0;
    const double rest = (residual.col(k) - share * residual_.col(k)).norm();
    slopes_.col(k) *= share;
    errors_.col(k) = std::abs(share) * errors_.col(k) + rest * norms_;
  }
}

void SlopeScreen::update(const Matrix& residual, const Vector& bounds) {
  if (residual_.size() == 0 || bounds.size() == 0) {
    compute_all(residual);
    residual_ = residual;
    return;
  }
  carry(residual);
  residual_ = residual;
  std::vector<Index> open;
  for (Index j = 0; j < slopes_.rows(); ++j) {
    for (Index k = 0; k < slopes_.cols(); ++k) {
      if (std::abs(slopes_(j, k)) + errors_(j, k) < screening_margin * bounds[j]) continue;
      if (norms_[j] > 0.0) open.push_back(j);
      break;
    }
  }
  if (static_cast<double>(open.size()) > worthwhile_share * static_cast<double>(slopes_.rows())) {
    compute_all(residual);
    return;
  }
  const Matrix products = problem_.design().transpose_multiply_columns(open, residual);
  for (std::size_t m = 0; m < open.size(); ++m) {
    slopes_.row(open[m]) = products.row(static_cast<Index>(m));
    errors_.row(open[m]).setZero();
  }
}

}  // namespace alo
