// SPDX-License-Identifier: MIT
#include "signals/spline_dual.hpp"

#include <algorithm>

namespace alo {

namespace {

void take_off_rounding(Vector& dual, const ActiveKnots& knots, double lambda) {
  Index begin = -1;
  double from = 0.0;
  const auto take_off = [&](Index end, double known) {
    const double to = dual[end] - known;
    const double slope = (to - from) / static_cast<double>(end - begin);
    for (Index m = begin + 1; m <= end; ++m) dual[m] -= from + static_cast<double>(m - begin) * slope;
    begin = end;
    from = to;
  };
  for (const ActiveKnot& knot : knots) take_off(knot.difference, lambda * knot.sign);
  take_off(dual.size() - 1, 0.0);
}

}  // namespace

template <class Real>
Vector spline_dual(const DiscreteSplines& splines, const VectorView& coefficients, const VectorView& signal,
                   const VectorView& weights, const ActiveKnots& knots, double lambda) {
  Vector dual(splines.rows() - splines.order() + 1);
  const double sign = splines.order() % 2 == 0 ? 1.0 : -1.0;
  with_order(splines.order(), [&](auto order) {
    using Sums = Eigen::Matrix<long double, order, 1>;
    DiscreteSplines::Piece<Real, order> piece(splines);
    Sums sums = Sums::Zero(splines.order());
    for (Index p = 0; p < splines.pieces(); ++p) {
      piece.move_to(p);
      const auto polynomial = piece.polynomial(coefficients);
      const Index end = std::min(splines.end(p), dual.size());
      for (Index row = splines.begin(p); row < end; ++row) {
        // The signal of a row without weight is not read.
        const Real rest =
            weights[row] > 0.0 ? sign * weights[row] * (signal[row] - polynomial(row)) : Real(0);
        long double sum = rest;
        for (Index level = 0; level < sums.size(); ++level) sum = sums[level] += sum;
        dual[row] = static_cast<double>(sum);
      }
    }
  });
  take_off_rounding(dual, knots, lambda);
  return dual;
}

template Vector spline_dual<double>(const DiscreteSplines&, const VectorView&, const VectorView&,
                                    const VectorView&, const ActiveKnots&, double);
template Vector spline_dual<long double>(const DiscreteSplines&, const VectorView&, const VectorView&,
                                         const VectorView&, const ActiveKnots&, double);

}  // namespace alo
