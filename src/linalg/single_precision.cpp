// SPDX-License-Identifier: MIT
#include "linalg/single_precision.hpp"
#include "linalg/narrow.hpp"

#include <cblas-openblas.h>
#include <lapacke.h>

#include <algorithm>
#include <limits>

namespace alo::blas {

namespace {

// The width of the diagonal blocks whose inverses are multiplied with, as in
// solve_right_transposed_in_place; only the speed depends on it.
constexpr Index single_panel = 128;
// Bounds on the diagonal of the factor. Single precision ranges from 1e-38 to 3e38, so with these squares and
// products of three such numbers stay inside it. Any bounds from 1e6 to 1e12 and their inverses serve.
constexpr double smallest = 1e-12;
constexpr double largest = 1e12;
// Squares that are added in single precision before the sum goes to double precision: rounding of the sum is
// then at most 16 times that of a number, 1e-6.
constexpr Index squares_at_once = 16;

}  // namespace

SingleRowSolver::SingleRowSolver(const MatrixView& l) : lower_(l.cast<float>()) {
  const int s = narrow(l.cols());
  const auto sizes = l.diagonal().array().abs();
  if (!(sizes > smallest && sizes < largest).all()) {
    lower_.setConstant(std::numeric_limits<float>::quiet_NaN());
    return;
  }
  for (Index begin = 0; begin < s; begin += single_panel) {
    const int width = std::min(narrow(single_panel), s - narrow(begin));
    // A product with the inverse takes half as long as a solve with as many rows.
    LAPACKE_strtri(LAPACK_COL_MAJOR, 'L', 'N', width, &lower_(begin, begin), s);
  }
}

Vector SingleRowSolver::squares(SingleMatrix rows) const {
  const int n = narrow(rows.rows());
  const int s = narrow(lower_.cols());
  for (Index begin = 0; begin < s && n > 0; begin += single_panel) {
    const int width = std::min(narrow(single_panel), s - narrow(begin));
    float* own = rows.col(begin).data();
    if (begin > 0) {
      cblas_sgemm(CblasColMajor, CblasNoTrans, CblasTrans, n, width, narrow(begin), -1.0F, rows.data(), n,
                  &lower_(begin, 0), s, 1.0F, own, n);
    }
    cblas_strmm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, n, width, 1.0F,
                &lower_(begin, begin), s, own, n);
  }
  Vector sums = Vector::Zero(rows.rows());
  for (Index begin = 0; begin < s; begin += squares_at_once) {
    Eigen::VectorXf some = Eigen::VectorXf::Zero(rows.rows());
    const Index end = std::min<Index>(begin + squares_at_once, s);
    for (Index j = begin; j < end; ++j) some += rows.col(j).cwiseAbs2();
    sums += some.cast<double>();
  }
  return sums;
}

}  // namespace alo::blas
