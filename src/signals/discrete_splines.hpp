// SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>
#include <vector>

#include "alo/types.hpp"

namespace alo {

// Vectors of n rows whose differences of order k >= 2 vanish but for given ones: polynomials of degree below
// k between knots, where neighbours agree at k - 1 rows. Difference m, of the rows m ... m + k, has its knot
// at row m + k - 1.
//
// Their basis are discrete B-splines, for knots t_j the divided differences
//
//   B_j(x) = (t_(j+k) - t_j) [t_j, ..., t_(j+k)] (t - x)_+ (t - x - 1) ... (t - x - k + 2),
//
// which are zero at all rows but those from t_j + 1 to t_(j+k) - k + 1, and sum to one (Lyche 1976;
// Schumaker, Spline Functions: Basic Theory, chapter 8). Of order two they are hat functions.
class DiscreteSplines {
 public:
  // `differences` rise; there are at least k rows.
  DiscreteSplines(Index rows, int order, const std::vector<Index>& differences);

  Index rows() const { return rows_; }
  int order() const { return order_; }
  Index size() const { return static_cast<Index>(knots_.size()) - order_; }
  Index differences() const { return size() - order_; }

  // The rows with the same polynomial, in order: one piece more than there are differences. Functions
  // k ... k + order - 1 are those that piece k has.
  Index pieces() const { return differences() + 1; }
  Index begin(Index piece) const { return piece == 0 ? 0 : knot(piece + order_ - 1); }
  Index end(Index piece) const { return piece == differences() ? rows_ : knot(piece + order_); }

  // Of the functions k ... k + order their difference number k, in column k: other functions have none there.
  Matrix difference_parts() const;
  // All differences of a combination of the functions.
  Vector differences_of(const VectorView& coefficients) const;
  // The combination itself, in any precision.
  template <class Real>
  std::vector<Real> combine(const VectorView& coefficients) const;
  // Values of the functions at all rows, one function in each column.
  SparseMatrix basis() const;
  // B'v for this basis.
  Vector products(const VectorView& rows) const;

  // Calls f(order, row, first, values) for all rows: the values of the functions first ... first + order - 1.
  // Small orders are constants of the compiler.
  template <class Real, class F>
  void visit_rows(F&& f) const;

 private:
  // Values of one piece's functions at its rows.
  template <class Real>
  class Piece {
   public:
    // Pieces take turns in one object, whose memory is kept.
    void move_to(const DiscreteSplines& splines, Index piece);
    // As many values as the order.
    template <class Order>
    void evaluate(Order order, Index row, Real* values) const;

   private:
    std::vector<Real> knots_;     // the order - 1 knots up to the piece's begin, and those from its end on
    std::vector<Real> inverses_;  // of the differences of knots, as the recurrence wants them
  };
  template <class Real, class Order, class F>
  void visit_pieces(Order order, F&& f) const;
  Index knot(Index k) const { return knots_[static_cast<std::size_t>(k)]; }

  Index rows_;
  int order_;
  std::vector<Index> knots_;
};

template <class Real>
void DiscreteSplines::Piece<Real>::move_to(const DiscreteSplines& splines, Index piece) {
  const int k = splines.order();
  knots_.clear();
  inverses_.clear();
  for (Index j = piece + 1; j <= piece + 2 * k - 2; ++j) knots_.push_back(static_cast<Real>(splines.knot(j)));
  for (int level = 2; level <= k; ++level) {
    for (int s = 0; s + 1 < level; ++s) {
      const auto left = static_cast<std::size_t>(k - level + s);
      inverses_.push_back(Real(1) / (knots_[left + static_cast<std::size_t>(level) - 1] - knots_[left]));
    }
  }
}

// B_(j,l) = (x + l - 2 - t_j) / (t_(j+l-1) - t_j) B_(j,l-1) + (t_(j+l) - x - l + 2) / (t_(j+l) - t_(j+1))
// B_(j+1,l-1), by Leibniz' rule for the divided differences of a product.
template <class Real>
template <class Order>
void DiscreteSplines::Piece<Real>::evaluate(Order order, Index row, Real* values) const {
  const int k = order;
  values[0] = Real(1);
  const Real* inverse = inverses_.data();
  for (int level = 2; level <= k; ++level) {
    const Real shifted = static_cast<Real>(row + level - 2);
    Real saved(0);
    for (int s = 0; s + 1 < level; ++s) {
      const Real* left = knots_.data() + (k - level + s);
      const Real share = values[s] * *inverse++;
      values[s] = saved + (left[level - 1] - shifted) * share;
      saved = (shifted - left[0]) * share;
    }
    values[level - 1] = saved;
  }
}

template <class Real, class Order, class F>
void DiscreteSplines::visit_pieces(Order order, F&& f) const {
  std::vector<Real> values(static_cast<std::size_t>(order_));
  Piece<Real> piece;
  for (Index k = 0; k < pieces(); ++k) {
    piece.move_to(*this, k);
    for (Index row = begin(k); row < end(k); ++row) {
      piece.evaluate(order, row, values.data());
      f(order, row, k, static_cast<const Real*>(values.data()));
    }
  }
}

template <class Real, class F>
void DiscreteSplines::visit_rows(F&& f) const {
  if (order_ == 3) {
    visit_pieces<Real>(std::integral_constant<int, 3>(), f);
  } else if (order_ == 4) {
    visit_pieces<Real>(std::integral_constant<int, 4>(), f);
  } else {
    visit_pieces<Real>(order_, f);
  }
}

template <class Real>
std::vector<Real> DiscreteSplines::combine(const VectorView& coefficients) const {
  std::vector<Real> result(static_cast<std::size_t>(rows_));
  visit_rows<Real>([&](auto order, Index row, Index first, const Real* values) {
    Real sum(0);
    for (int a = 0; a < order; ++a) sum += values[a] * static_cast<Real>(coefficients[first + a]);
    result[static_cast<std::size_t>(row)] = sum;
  });
  return result;
}

}  // namespace alo
