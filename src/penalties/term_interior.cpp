// SPDX-License-Identifier: MIT
#include "penalties/term_interior.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/blas.hpp"

namespace alo {

namespace {

// A step goes this share of the way to the nearest bound (Mehrotra 1992 and Nocedal and Wright, section 16.6,
// use 0.99 to 0.999). Any value of that kind serves: smaller ones take more steps, and at one a factor is
// zero and the next system has infinite weights.
constexpr double boundary_share = 0.995;
// The search ends at a step shorter than this share of the direction. Steps are at least 1e-3 until rounding
// of the system dominates; the value only decides how soon that is noticed.
constexpr double shortest_step = 1e-8;
// A safeguard: steps of one search, of which 10 to 30 are usual.
constexpr int most_steps = 100;
// What is added to the diagonal of a matrix that is singular to rounding, relative to its largest entry: the
// rounding of a factorisation of some hundred columns, and where that does not help a hundred times as much.
// The error of the step that it causes is corrected by the next. At ten times directions with little
// curvature converge in more steps; at a tenth the matrix stays indefinite and the second value is needed.
constexpr double ridge_share = 1e-14;
// A matrix with a larger share of nonzero entries is multiplied as a dense one. Only speed depends on it.
constexpr double dense_share = 0.2;

}  // namespace

TermInterior::TermInterior(const TermQuadratic& problem) : problem_(problem), rows_(problem.terms) {
  const auto entries = static_cast<double>(rows_.nonZeros());
  if (entries > dense_share * static_cast<double>(rows_.rows() * rows_.cols())) {
    dense_rows_ = problem.terms.toDense();
  }
  const Index terms = rows_.rows();
  const double lambda = problem.lambda;
  // The search starts at the minimiser with squares in place of absolute values, sum_k (D b)_k^2 / 2 times a
  // weight that makes D'D as large as H on average.
  b_ = Vector::Zero(rows_.cols());
  u_ = Vector::Zero(terms);
  const double height = problem.curvature.diagonal().mean();
  double square = 0.0;
  for (Index k = 0; k < rows_.nonZeros(); ++k) square += rows_.valuePtr()[k] * rows_.valuePtr()[k];
  weights_ =
      Vector::Constant(terms, square > 0.0 ? height * static_cast<double>(rows_.cols()) / square : 1.0);
  if (factorize()) {
    b_ = blas::solve_lower_transposed(factor_, blas::solve_lower(factor_, problem.slopes)).col(0);
  }
  const Vector values = rows_ * b_;
  double size = values.size() == 0 ? 0.0 : values.cwiseAbs().mean();
  if (!(size > 0.0)) size = height > 0.0 ? lambda / height : 1.0;
  p_ = values.cwiseMax(0.0).array() + size;
  q_ = (-values).cwiseMax(0.0).array() + size;
  first_mean_ = terms == 0 ? 0.0 : 0.5 * lambda * (p_ + q_).mean();
}

// H + D'W D.
bool TermInterior::factorize() {
  Matrix system = problem_.curvature;
  if (dense_rows_.size() > 0) {
    system += blas::gram(weights_.cwiseSqrt().asDiagonal() * dense_rows_);
  } else {
    using Entry = Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator;
    for (Index k = 0; k < rows_.rows(); ++k) {
      for (Entry first(rows_, k); first; ++first) {
        const double factor = weights_[k] * first.value();
        for (Entry second(rows_, k); second; ++second) {
          system(second.col(), first.col()) += factor * second.value();
        }
      }
    }
  }
  const double ridge = ridge_share * system.diagonal().cwiseAbs().maxCoeff();
  for (const double times : {0.0, 1.0, 100.0}) {
    Matrix shifted = system;
    shifted.diagonal().array() += times * ridge;
    if (!blas::cholesky_in_place(shifted)) continue;
    factor_ = std::move(shifted);
    return true;
  }
  return false;
}

TermInterior::Step TermInterior::step(const Vector& above, const Vector& below) const {
  const double lambda = problem_.lambda;
  const Vector room_above = (lambda - u_.array()).matrix();
  const Vector room_below = (lambda + u_.array()).matrix();
  // Residuals of c - H b = D'u, and of D b = p - q with the linearised products substituted.
  const Vector missed = problem_.slopes - problem_.curvature * b_ - rows_.transpose() * u_;
  const Vector terms =
      rows_ * b_ - p_ + q_ - above.cwiseQuotient(room_above) + below.cwiseQuotient(room_below);
  Matrix right = missed - rows_.transpose() * weights_.cwiseProduct(terms);
  blas::solve_lower_in_place(factor_, right);
  blas::solve_lower_transposed_in_place(factor_, right);
  Step result;
  result.b = right.col(0);
  result.u = weights_.cwiseProduct(rows_ * result.b + terms);
  result.p = (above + p_.cwiseProduct(result.u)).cwiseQuotient(room_above);
  result.q = (below - q_.cwiseProduct(result.u)).cwiseQuotient(room_below);
  return result;
}

double TermInterior::longest(const Step& step) const {
  double length = 1.0;
  const auto meet = [&](double room, double change) {
    if (change < 0.0) length = std::min(length, -boundary_share * room / change);
  };
  for (Index k = 0; k < u_.size(); ++k) {
    meet(p_[k], step.p[k]);
    meet(q_[k], step.q[k]);
    meet(problem_.lambda - u_[k], -step.u[k]);
    meet(problem_.lambda + u_[k], step.u[k]);
  }
  return length;
}

double TermInterior::mean_product(const Step& step, double length) const {
  const Vector u = u_ + length * step.u;
  const Vector p = p_ + length * step.p;
  const Vector q = q_ + length * step.q;
  const double sum =
      p.dot((problem_.lambda - u.array()).matrix()) + q.dot((problem_.lambda + u.array()).matrix());
  return sum / (2.0 * static_cast<double>(u.size()));
}

bool TermInterior::reduce(double share) {
  const Index terms = u_.size();
  const Step none{Vector::Zero(b_.size()), Vector::Zero(terms), Vector::Zero(terms), Vector::Zero(terms)};
  for (int count = 0; count < most_steps && terms > 0; ++count) {
    const double mean = mean_product(none, 0.0);
    if (mean <= share * first_mean_) return true;
    const Vector room_above = (problem_.lambda - u_.array()).matrix();
    const Vector room_below = (problem_.lambda + u_.array()).matrix();
    weights_ = (p_.array() / room_above.array() + q_.array() / room_below.array()).inverse();
    if (!weights_.allFinite() || !factorize()) return false;
    const Vector above = -p_.cwiseProduct(room_above);
    const Vector below = -q_.cwiseProduct(room_below);
    const Step predictor = step(above, below);
    const double reached = mean_product(predictor, longest(predictor)) / mean;
    const double center = reached * reached * reached * mean;
    const Step corrected = step((above + predictor.p.cwiseProduct(predictor.u)).array() + center,
                                (below - predictor.q.cwiseProduct(predictor.u)).array() + center);
    const double length = longest(corrected);
    if (!(length > shortest_step) || !corrected.b.allFinite()) return false;
    b_ += length * corrected.b;
    u_ += length * corrected.u;
    p_ += length * corrected.p;
    q_ += length * corrected.q;
  }
  return terms == 0;
}

Vector TermInterior::signs() const {
  const double lambda = problem_.lambda;
  const double size = std::max(p_.maxCoeff(), q_.maxCoeff());
  Vector result = Vector::Zero(u_.size());
  for (Index k = 0; k < u_.size(); ++k) {
    const bool is_above = p_[k] * lambda > (lambda - u_[k]) * size;
    const bool is_below = q_[k] * lambda > (lambda + u_[k]) * size;
    if (is_above != is_below) result[k] = is_above ? 1.0 : -1.0;
  }
  return result;
}

}  // namespace alo
