// SPDX-License-Identifier: MIT
#include "solvers/reference_factor.hpp"

#include <algorithm>

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include "linalg/blas.hpp"

namespace alo {

namespace {

// Rows of a column that depends on the members, squared and relative; forced in with this much more on the
// diagonal.
constexpr double dependence_tolerance = 1e-11;
constexpr double forced_share = 1e-6;
// What is added to the diagonal of a singular matrix, relative to its largest entry.
constexpr double singular_raise = 1e-9;
// A pivot below this share of its diagonal has lost too many digits for leverages.
constexpr double pivot_tolerance = 1e-6;
// Evaluations at a lambda that would be made with a fresh factor as well.
constexpr int early_evaluations = 3;

// w l'^2 / (2 (l - min l)): that of the parabola with the slope of the loss which is least where the loss is.
Vector stand_in_curvature(const SignedFace& face) {
  const Loss& loss = face.problem->loss();
  const Vector& response = face.problem->data().response;
  const Vector excess =
      face.weights.cwiseProduct(loss.value(face.predictor, response) - loss.minimum(response));
  return face.residual.col(0).binaryExpr(
      excess, [](double slope, double value) { return value > 0.0 ? slope * slope / (2.0 * value) : 0.0; });
}

}  // namespace

Matrix ReferenceFactor::system(const SignedFace& face) const {
  Matrix system = face.block.curvature_gram(face.members, reference_curvature_);
  for (Index m = 0; m < face.size(); ++m) system(m, m) += face.square_of(face.member(m).column);
  return system;
}

bool ReferenceFactor::has_lost_pivot(double tolerance) const {
  return (factor_.pivots().array() <= tolerance * diagonal_.array()).any();
}

void ReferenceFactor::make(const SignedFace& face) {
  reference_curvature_ = face.curvature;
  unit_solutions_.clear();
  Matrix matrix = system(face);
  diagonal_ = matrix.diagonal();
  is_raised_ = !factor_.factor(matrix) || has_lost_pivot(dependence_tolerance);
  if (is_raised_) {
    // Rows without curvature, or dependent members: more curvature makes steps shorter, not wrong.
    if (face.outputs() == 1) {
      reference_curvature_ = reference_curvature_.cwiseMax(stand_in_curvature(face));
    }
    matrix = system(face);
    const double least = std::max(matrix.diagonal().maxCoeff(), face.weights.maxCoeff());
    do {
      matrix.diagonal().array() += singular_raise * least;
    } while (!factor_.factor(matrix));
  }
  pairs_.clear();
  spent_ = 0.0;
  is_fresh_ = true;
}

std::vector<Index> ReferenceFactor::append(const SignedFace& face, const std::vector<Coordinate>& fresh,
                                           bool forced) {
  std::vector<Coordinate> all = face.members;
  all.insert(all.end(), fresh.begin(), fresh.end());
  const Matrix products = face.block.curvature_products(all, fresh, reference_curvature_);
  const auto cross = products.topRows(face.size());
  const Matrix corner = products.bottomRows(products.cols());
  std::vector<Index> joined;
  for (std::size_t m = 0; m < fresh.size(); ++m) {
    const auto at = static_cast<Index>(m);
    Vector column(factor_.size());
    column << cross.col(at), corner(joined, at);
    double diagonal = corner(at, at) + face.square_of(fresh[m].column);
    if (forced) diagonal = (1.0 + forced_share) * diagonal + forced_share * face.weights.maxCoeff();
    if (factor_.append(column, diagonal, dependence_tolerance)) joined.push_back(at);
  }
  if (!joined.empty()) {
    unit_solutions_.clear();
    is_fresh_ = false;
    is_raised_ = is_raised_ || forced;
    pairs_.clear();
  }
  return joined;
}

void ReferenceFactor::lambda_moved(bool curvature_changed) {
  evaluations_ = 0;
  if (curvature_changed) is_fresh_ = false;
}

void ReferenceFactor::point_moved(const SignedFace& face) {
  is_fresh_ = false;
  if (++evaluations_ > early_evaluations) spent_ += face.block.evaluation_cost();
}

bool ReferenceFactor::is_due(const SignedFace& face) const {
  if (is_fresh_ || face.size() == 0) return false;
  const auto s = static_cast<double>(face.size());
  const double work = face.block.gram_cost(face.size()) + s * s * s / 3.0;
  if (work <= 1.5 * face.block.evaluation_cost()) return true;
  const auto drops = static_cast<double>(face.dropped_members().size());
  return spent_ > work || drops > 8.0 + 0.1 * s;
}

Matrix ReferenceFactor::unit_solutions(const std::vector<Index>& held) {
  Matrix result(factor_.size(), static_cast<Index>(held.size()));
  for (std::size_t k = 0; k < held.size(); ++k) {
    Vector& known = unit_solutions_[held[k]];
    if (known.size() == 0) known = factor_.solve_lower(Vector::Unit(factor_.size(), held[k]));
    result.col(static_cast<Index>(k)) = known;
  }
  return result;
}

Vector ReferenceFactor::solve_held(const Vector& right, const std::vector<Index>& held,
                                   const Vector& values) {
  if (held.empty()) return factor_.solve(right);
  // L L'x + E m = right with E'x = values.
  const Matrix z = unit_solutions(held);
  const Vector v = factor_.solve_lower(right);
  const Matrix inner = blas::gram(z);
  const Vector multipliers = inner.ldlt().solve(blas::transpose_multiply_vector(z, v) - values);
  Vector x = factor_.solve_lower_transposed(v - blas::multiply_vector(z, multipliers));
  for (std::size_t k = 0; k < held.size(); ++k) x[held[k]] = values[static_cast<Index>(k)];
  return x;
}

Vector ReferenceFactor::direction(const SignedFace& face, const Vector& descent) {
  const std::vector<Index> held = face.dropped_members();
  const Vector zero = Vector::Zero(static_cast<Index>(held.size()));
  return pairs_.solve(descent, [&](const Vector& right) { return solve_held(right, held, zero); });
}

Vector ReferenceFactor::hat(const SignedFace& face) const {
  if (is_raised_ || has_lost_pivot(pivot_tolerance)) return {};
  return face.block.hat(face.members, factor_).reshaped();
}

void ReferenceFactor::aim_without(const SignedFace& face, Index row, double removed_share) {
  const Index k = face.outputs();
  const Matrix own = face.block.row(face.members, row).transpose();  // A_i'
  const Matrix half = factor_.solve_lower(own);
  const Matrix hat = half.transpose() * half;
  const Vector gradient = -removed_share * face.residual.row(row).transpose();
  const Matrix curvature = removed_share * reference_curvature_.row(row).reshaped(k, k);
  const Matrix kept = Matrix::Identity(k, k) - curvature * hat;
  const Vector length = kept.partialPivLu().solve(gradient);
  pairs_.clear();
  pairs_.add(factor_.solve_lower_transposed(half * length), own * gradient);
}

}  // namespace alo
