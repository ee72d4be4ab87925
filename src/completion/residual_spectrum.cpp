// SPDX-License-Identifier: MIT
#include "completion/residual_spectrum.hpp"

#include <algorithm>
#include <cmath>

#include "completion/entry_products.hpp"
#include "linalg/blas.hpp"

namespace alo {

namespace {

// Safeguards: the most Lanczos steps, each of which stores two vectors, and the number after which whatever
// singular vectors were found above the threshold are used, since others can join in the next round.
constexpr Index most_steps = 500;
constexpr Index enough_steps_above = 150;
// Where the largest value is below 0.97 of the threshold, a residual of 1e-3 of it is enough: the value's
// error is at most the residual, so it is surely below. The second number must stay below one minus the
// first; within that only the number of steps depends on them.
constexpr double well_below = 0.97;
constexpr double rough = 1e-3;
// Singular vectors above the threshold only begin a search, so their residuals need to be a tenth of the
// excess of their values over it. At one the direction of descent may be lost; smaller ones take more steps.
constexpr double share_of_excess = 0.1;
// A norm below this share of the largest one is the rounding of an orthogonalisation (some tens of epsilon),
// and the vectors found span an invariant subspace. At a tenth rounding would be normalised to a vector; at
// ten times singular values below 1e-13 of the largest are not found, and none are asked for.
constexpr double breakdown = 1e-14;

// Subtracts from x its part in the span of orthonormal columns. The second pass removes what the rounding of
// the first left ("twice is enough", Kahan and Parlett; Giraud, Langou and Rozloznik 2005).
void orthogonalize(Vector& x, const MatrixView& basis) {
  for (int pass = 0; pass < 2; ++pass) {
    x -= blas::multiply_vector(basis, blas::transpose_multiply_vector(basis, x));
  }
}

class Bidiagonalization {
 public:
  Bidiagonalization(const ResidualMatrix& matrix, Vector start) : matrix_(matrix) {
    reserve(std::min<Index>(32, matrix.smaller_side()) + 1);
    start = matrix.off_right(std::move(start));
    const double length = start.norm();
    ended_ = !(length > 0.0);
    if (!ended_) next_ = start / length;
  }

  Index steps() const { return steps_; }
  // The vectors found so far span an invariant subspace.
  bool ended() const { return ended_; }

  void step() {
    if (steps_ + 1 == right_.cols()) reserve(2 * steps_ + 2);
    right_.col(steps_) = next_;
    Vector left = matrix_.multiply(next_);
    if (steps_ > 0) left -= beta_ * left_.col(steps_ - 1);
    orthogonalize(left, left_.leftCols(steps_));
    const double alpha = left.norm();
    scale_ = std::max({scale_, alpha, beta_});
    if (steps_ > 0) middle_(steps_ - 1, steps_) = beta_;
    if (!(alpha > breakdown * scale_)) {
      ended_ = true;
      return;
    }
    left_.col(steps_) = left / alpha;
    middle_(steps_, steps_) = alpha;
    Vector right = matrix_.transpose_multiply(left_.col(steps_)) - alpha * next_;
    ++steps_;
    orthogonalize(right, right_.leftCols(steps_));
    beta_ = right.norm();
    scale_ = std::max(scale_, beta_);
    next_ = beta_ > 0.0 ? Vector(right / beta_) : right;
    ended_ = !(beta_ > breakdown * scale_) || steps_ == matrix_.smaller_side();
    // With more columns than rows the last left vector also has a component along one more right vector.
    right_.col(steps_) = next_;
    middle_(steps_ - 1, steps_) = ended_ ? beta_ : 0.0;
  }

  blas::SingularValues values() const {
    return blas::singular_values(middle_.topLeftCorner(steps_, ended_ ? steps_ + 1 : steps_));
  }
  double error(const blas::SingularValues& found, Index k) const {
    return ended_ ? 0.0 : beta_ * std::abs(found.u(steps_ - 1, k));
  }
  LeadingValues leading(const blas::SingularValues& found, Index count) const {
    return {found.s.head(count), blas::multiply(left_.leftCols(steps_), found.u.leftCols(count)),
            blas::multiply(right_.leftCols(found.v.rows()), found.v.leftCols(count)), error(found, 0)};
  }

 private:
  void reserve(Index columns) {
    left_.conservativeResize(matrix_.rows(), columns);
    right_.conservativeResize(matrix_.columns(), columns);
    Matrix middle = Matrix::Zero(columns, columns);
    middle.topLeftCorner(middle_.rows(), middle_.cols()) = middle_;
    middle_ = std::move(middle);
  }

  const ResidualMatrix& matrix_;
  Matrix left_;
  Matrix right_;
  Matrix middle_;  // left'A right, upper bidiagonal
  Vector next_;
  double beta_ = 0.0;
  double scale_ = 0.0;
  Index steps_ = 0;
  bool ended_ = false;
};

bool is_enough(const Bidiagonalization& basis, const blas::SingularValues& found, Index above,
               const SpectrumGoal& goal) {
  if (goal.threshold <= 0.0) return basis.error(found, 0) <= goal.accuracy * found.s[0];
  if (above == 0) {
    const bool far = found.s[0] < well_below * goal.threshold;
    return basis.error(found, 0) <= (far ? rough : goal.accuracy) * goal.threshold;
  }
  if (basis.steps() >= enough_steps_above) return true;
  for (Index k = 0; k < above; ++k) {
    if (basis.error(found, k) > share_of_excess * (found.s[k] - goal.threshold)) return false;
  }
  return true;
}

}  // namespace

Vector ResidualMatrix::off_right(Vector x) const {
  x -= blas::multiply_vector(v_, blas::transpose_multiply_vector(v_, x));
  return x;
}

Vector ResidualMatrix::multiply(const Vector& x) const {
  Vector y = multiply_entries(entries_, numbers_, off_right(x));
  y -= blas::multiply_vector(u_, blas::transpose_multiply_vector(u_, y));
  return y;
}

Vector ResidualMatrix::transpose_multiply(const Vector& x) const {
  const Vector inside = x - blas::multiply_vector(u_, blas::transpose_multiply_vector(u_, x));
  return off_right(transpose_multiply_entries(entries_, numbers_, inside));
}

LeadingValues leading_values(const ResidualMatrix& matrix, Vector start, const SpectrumGoal& goal) {
  if (matrix.smaller_side() <= 0) return {Vector(0), Matrix(matrix.rows(), 0), Matrix(matrix.columns(), 0)};
  Bidiagonalization basis(matrix, std::move(start));
  Index check = 8;
  while (!basis.ended()) {
    basis.step();
    if (basis.steps() < check && !basis.ended()) continue;
    check = basis.steps() + std::max<Index>(8, basis.steps() / 6);
    if (basis.steps() == 0) break;
    const blas::SingularValues found = basis.values();
    const auto above = goal.threshold > 0.0 ? (found.s.array() > goal.threshold).count() : Index{0};
    if (basis.ended() || basis.steps() >= most_steps || is_enough(basis, found, above, goal)) {
      return basis.leading(found, std::max<Index>(above, 1));
    }
  }
  return {Vector(0), Matrix(matrix.rows(), 0), Matrix(matrix.columns(), 0)};
}

}  // namespace alo
