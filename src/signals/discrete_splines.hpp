// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <type_traits>
#include <vector>

#include "alo/types.hpp"

namespace alo {

// Discrete splines (Mangasarin and Schumaker 1971): vectors of n rows whose differences of order k vanish
// except for given ones. They are polynomials of degree below k between knots, and neighbouring polynomials
// agree at k - 1 rows. Difference m, which is that of the rows m ... m + k, has its knot at row m + k - 1.
//
// The basis are discrete B-splines, which for knots t_j are the divided differences
//
//   B_j(x) = (t_(j+k) - t_j) [t_j, ..., t_(j+k)] (t - x)_+ (t - x - 1) ... (t - x - k + 2).
//
// They are zero at all rows except those from t_j + 1 to t_(j+k) - k + 1, and sum to one (Schumaker, Spline
// Functions: Basic Theory, section 8.5; Tibshirani 2020, arXiv 2003.03886, on trend filtering with them).
// Those of order two are linear between the knots.
//
// Between two knots, B_j(x) is the polar form (blossom) of the ordinary B-spline at the arguments x, x + 1,
// ..., x + k - 2. Therefore one recurrence, de Boor's with a separate argument at each level, gives the
// values at the rows and also the coefficients for other knots, which are the polar forms at k - 1
// neighbouring knots (Ramshaw 1989, Blossoms are polar forms).
class DiscreteSplines {
 public:
  // `differences` rise; there are at least k rows.
  DiscreteSplines(Index rows, int order, const std::vector<Index>& differences);

  Index rows() const { return rows_; }
  int order() const { return order_; }
  Index size() const { return static_cast<Index>(knots_.size()) - order_; }
  Index differences() const { return size() - order_; }

  // Pieces are the rows with the same polynomial, in order; there is one more than differences. The functions
  // that are not zero on piece p are p ... p + k - 1.
  Index pieces() const { return differences() + 1; }
  Index begin(Index piece) const { return piece == 0 ? 0 : knot(piece + order_ - 1); }
  Index end(Index piece) const { return piece == differences() ? rows_ : knot(piece + order_); }
  // True if the functions on piece p are those of `other` on its piece q.
  bool has_same_piece(Index p, const DiscreteSplines& other, Index q) const;
  // True if the rows with weight determine every combination of the functions: each function can be assigned
  // one of these rows, in order, at which it is not zero (the condition of Schoenberg and Whitney 1953; de
  // Boor, A Practical Guide to Splines, chapter XIII).
  bool is_determined_by(const VectorView& weights) const;

  // Column m has difference number m of the functions m ... m + k; it is zero for all others.
  Matrix difference_parts() const;
  // All differences of a combination of the functions.
  Vector differences_of(const VectorView& coefficients) const;
  // The coefficients in this basis of a combination of other functions. They are exact if the combination has
  // no other differences than those of this basis.
  Vector convert(const DiscreteSplines& other, const VectorView& coefficients) const;
  // Values of the functions at all rows, one function in each column.
  SparseMatrix basis() const;
  // B'v for this basis.
  Vector products(const VectorView& rows) const;

  // The functions of one piece in the precision of Real, for an order K that may be dynamic.
  template <class Real, int K>
  class Piece;
  // Calls f(row, p, values) for all rows, with the values of the functions p ... p + k - 1.
  template <class F>
  void visit_rows(F&& f) const;
  // Calls f(row, value) for all rows with the values of a combination, in the precision of Real.
  template <class Real, class F>
  void visit_values(const VectorView& coefficients, F&& f) const;

 private:
  Index knot(Index k) const { return knots_[static_cast<std::size_t>(k)]; }

  Index rows_;
  int order_;
  std::vector<Index> knots_;
};

// Calls f with the order as a compile-time constant if it is small, so that its loops are unrolled, and
// otherwise with Eigen::Dynamic.
template <class F>
void with_order(int order, F&& f) {
  switch (order) {
    case 2:
      return f(std::integral_constant<int, 2>());
    case 3:
      return f(std::integral_constant<int, 3>());
    case 4:
      return f(std::integral_constant<int, 4>());
    default:
      return f(std::integral_constant<int, Eigen::Dynamic>());
  }
}

// A polynomial of degree below k in Newton's form, by divided differences at k places.
template <class Real, int K>
struct NewtonPolynomial {
  Eigen::Matrix<Real, K, 1> places;
  Eigen::Matrix<Real, K, 1> divided;

  Real operator()(Index row) const {
    Real value = divided[divided.size() - 1];
    for (Index a = divided.size() - 2; a >= 0; --a) {
      value = divided[a] + (static_cast<Real>(row) - places[a]) * value;
    }
    return value;
  }
};

template <class Real, int K>
class DiscreteSplines::Piece {
 public:
  using Values = Eigen::Matrix<Real, K, 1>;
  explicit Piece(const DiscreteSplines& splines)
      : splines_(&splines),
        knots_(2 * splines.order_ - 2),
        inverses_(splines.order_ * (splines.order_ - 1) / 2) {}

  void move_to(Index piece) {
    piece_ = piece;
    for (Index j = 0; j < knots_.size(); ++j) knots_[j] = static_cast<Real>(splines_->knot(piece + 1 + j));
    Index next = 0;
    for (Index level = 2; level <= order(); ++level) {
      for (Index left = order() - level; left + 1 < order(); ++left) {
        inverses_[next++] = Real(1) / (knots_[left + level - 1] - knots_[left]);
      }
    }
  }

  Values values_at(Index row) const {
    return polar_forms([row](Index level) { return static_cast<Real>(row + level); });
  }

  // The polar forms of the functions at the arguments argument(0) ... argument(k - 2), by the recurrence
  //
  //   B_(j,l) = (x_l - t_j) / (t_(j+l-1) - t_j) B_(j,l-1) + (t_(j+l) - x_l) / (t_(j+l) - t_(j+1)) B_(j+1,l-1)
  //
  // with the argument x_l at level l, which follows from Leibniz' rule for divided differences of products.
  template <class Argument>
  Values polar_forms(Argument argument) const {
    Values values(order());
    values[0] = Real(1);
    Index next = 0;
    for (Index level = 2; level <= order(); ++level) {
      const Real at = argument(level - 2);
      Real saved(0);
      for (Index s = 0; s + 1 < level; ++s) {
        const Index left = order() - level + s;
        const Real share = values[s] * inverses_[next++];
        values[s] = saved + (knots_[left + level - 1] - at) * share;
        saved = (at - knots_[left]) * share;
      }
      values[level - 1] = saved;
    }
    return values;
  }

  // The polynomial of a combination on this piece, from its values at k equidistant places.
  NewtonPolynomial<Real, K> polynomial(const VectorView& coefficients) const {
    const Index k = order();
    NewtonPolynomial<Real, K> result{Values(k), Values(k)};
    const auto begin = static_cast<Real>(splines_->begin(piece_));
    const Real length = static_cast<Real>(splines_->end(piece_)) - begin;
    for (Index a = 0; a < k; ++a) {
      const Real place = begin + length * static_cast<Real>(a) / static_cast<Real>(std::max<Index>(k - 1, 1));
      const Values values = polar_forms([place](Index level) { return place + static_cast<Real>(level); });
      result.places[a] = place;
      result.divided[a] = values.dot(coefficients.segment(piece_, k).template cast<Real>());
    }
    for (Index level = 1; level < k; ++level) {
      for (Index a = k - 1; a >= level; --a) {
        const Real distance = result.places[a] - result.places[a - level];
        result.divided[a] = (result.divided[a] - result.divided[a - 1]) / distance;
      }
    }
    return result;
  }

 private:
  static constexpr int knot_count = K == Eigen::Dynamic ? K : 2 * K - 2;
  static constexpr int pair_count = K == Eigen::Dynamic ? K : K * (K - 1) / 2;
  Index order() const { return K == Eigen::Dynamic ? splines_->order_ : K; }

  const DiscreteSplines* splines_;
  Index piece_ = 0;
  Eigen::Matrix<Real, knot_count, 1> knots_;     // k - 1 up to the piece's begin, and k - 1 from its end on
  Eigen::Matrix<Real, pair_count, 1> inverses_;  // of their distances, as the recurrence wants them
};

template <class F>
void DiscreteSplines::visit_rows(F&& f) const {
  with_order(order_, [&](auto order) {
    Piece<double, order> piece(*this);
    for (Index p = 0; p < pieces(); ++p) {
      piece.move_to(p);
      for (Index row = begin(p); row < end(p); ++row) f(row, p, piece.values_at(row));
    }
  });
}

template <class Real, class F>
void DiscreteSplines::visit_values(const VectorView& coefficients, F&& f) const {
  with_order(order_, [&](auto order) {
    Piece<Real, order> piece(*this);
    for (Index p = 0; p < pieces(); ++p) {
      piece.move_to(p);
      const auto polynomial = piece.polynomial(coefficients);
      for (Index row = begin(p); row < end(p); ++row) f(row, polynomial(row));
    }
  });
}

}  // namespace alo
