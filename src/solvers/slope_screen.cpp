// SPDX-License-Identifier: MIT
#include "solvers/slope_screen.hpp"

namespace alo {

namespace {

// With more columns left than this share of all, the whole product is as cheap, and a new reference.
constexpr double worthwhile_share = 0.25;
constexpr double rounding_margin = 1.0 - 1e-9;

}  // namespace

SlopeScreen::SlopeScreen(const Problem& problem)
    : problem_(problem),
      norms_(problem.design().weighted_square_norms(Vector::Ones(problem.rows())).cwiseSqrt()) {}

void SlopeScreen::start_over(const Matrix& residual) {
  reference_residual_ = residual;
  reference_slopes_ = problem_.design().transpose_multiply_columns(residual);
  for (const Index j : problem_.constant_columns()) reference_slopes_.row(j).setZero();
  slopes_ = reference_slopes_;
}

void SlopeScreen::update(const Matrix& residual, const Vector& bounds) {
  if (reference_residual_.size() == 0 || bounds.size() == 0) return start_over(residual);
  const Index outputs = residual.cols();
  Vector share(outputs), rest(outputs);
  for (Index k = 0; k < outputs; ++k) {
    const double square = reference_residual_.col(k).squaredNorm();
    share[k] = square > 0.0 ? residual.col(k).dot(reference_residual_.col(k)) / square : 0.0;
    rest[k] = (residual.col(k) - share[k] * reference_residual_.col(k)).norm();
  }
  slopes_ = reference_slopes_ * share.asDiagonal();
  std::vector<Index> open;
  for (Index j = 0; j < slopes_.rows(); ++j) {
    for (Index k = 0; k < outputs; ++k) {
      if (std::abs(slopes_(j, k)) + norms_[j] * rest[k] < rounding_margin * bounds[j]) continue;
      open.push_back(j);
      break;
    }
  }
  if (static_cast<double>(open.size()) > worthwhile_share * static_cast<double>(slopes_.rows())) {
    return start_over(residual);
  }
  const Matrix products = problem_.design().transpose_multiply_columns(open, residual);
  for (std::size_t m = 0; m < open.size(); ++m) slopes_.row(open[m]) = products.row(static_cast<Index>(m));
  for (const Index j : problem_.constant_columns()) slopes_.row(j).setZero();
}

}  // namespace alo
