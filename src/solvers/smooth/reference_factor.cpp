// SPDX-License-Identifier: MIT
#include "solvers/smooth/reference_factor.hpp"

#include <algorithm>

#include "linalg/blas.hpp"
#include "linalg/decompositions.hpp"
#include "linalg/tolerances.hpp"

namespace alo {

namespace {

// A component of a dependence, times the root of its diagonal entry, below this share of the largest is
// rounding. Any value between 1e-12 and 1e-8 serves: smaller ones let members without part in a dependence be
// dropped, larger ones drop small parts of it, and predictions would move along it. Tests pass from 1e-13 to
// 1e-7.
constexpr double no_part = 1e-10;
// What is added to the diagonal of a singular matrix, relative to its largest entry, and how it grows until
// the matrix is definite. A rounding error of 1e-16 for each of some thousand members is far below the first;
// after twelve it is a thousand times the largest entry, with which every finite matrix of less than a
// thousand members is definite by its diagonal alone. Tests pass with first values from 1e-12 to 1e-6.
constexpr double singular_raise = 1e-9;
constexpr double raise_growth = 10.0;
constexpr int most_raises = 13;
// Leverages are computed in single precision only where every pivot is at least this share of its diagonal
// entry: their relative error is then about 6e-8 / 1e-3 = 6e-5 at worst and 1e-7 usually (SingleRowSolver).
// At a tenth another digit is lost; at ten times fewer fits gain from the speed.
constexpr double single_tolerance = 1e-3;
// The first evaluations at a lambda are not charged to an old factor, since a new one would need them too.
// Only the speed depends on it.
constexpr int early_evaluations = 3;

// w l'^2 / (2 (l - min l)): the curvature of the parabola that has the value and slope of the loss here and
// the same minimum value. It replaces the curvature where the loss is flat.
Vector stand_in_curvature(const SignedFace& face) {
  const Loss& loss = face.problem->loss();
  const Vector& response = face.problem->data().response;
  const Vector excess =
      face.weights.cwiseProduct(loss.value(face.predictor, response) - loss.minimum(response));
  return face.residual.col(0).binaryExpr(
      excess, [](double slope, double value) { return value > 0.0 ? slope * slope / (2.0 * value) : 0.0; });
}

// The curvature of a squared loss. With it the matrix is singular only if the columns are dependent.
Matrix full_curvature(const SignedFace& face) {
  const Index outputs = face.outputs();
  return face.weights * Matrix::Identity(outputs, outputs).reshaped().transpose();
}

// The members, in their order, that are independent of those before them in M, with their factor, and for
// each of the others a z with M z = 0.
struct Dependences {
  explicit Dependences(const Matrix& matrix);
  std::vector<Index> independent;
  CholeskyFactor factor;
  Matrix directions;
};

Dependences::Dependences(const Matrix& matrix) {
  std::vector<Vector> found;
  const Vector size = matrix.diagonal().cwiseSqrt();
  for (Index j = 0; j < matrix.cols(); ++j) {
    const Vector cross = matrix(independent, j);
    if (factor.append(cross, matrix(j, j), tolerances::dependent_pivot)) {
      independent.push_back(j);
      continue;
    }
    Vector z = Vector::Unit(matrix.cols(), j);
    z(independent) = -factor.solve(cross);
    const double least = no_part * z.cwiseProduct(size).lpNorm<Eigen::Infinity>();
    found.emplace_back((z.cwiseProduct(size).cwiseAbs().array() < least).select(0.0, z));
  }
  directions.resize(matrix.cols(), static_cast<Index>(found.size()));
  for (std::size_t k = 0; k < found.size(); ++k) directions.col(static_cast<Index>(k)) = found[k];
}

}  // namespace

Matrix ReferenceFactor::system(const SignedFace& face, const Matrix& curvature) {
  Matrix system = face.block.curvature_gram(face.members, curvature);
  for (Index m = 0; m < face.size(); ++m) system(m, m) += face.square_of(face.member(m).column);
  return system;
}

bool ReferenceFactor::has_lost_pivot(double tolerance) const {
  return (factor_.pivots().array() <= tolerance * diagonal_.array()).any();
}

bool ReferenceFactor::factor_unless_singular(const Matrix& matrix) {
  diagonal_ = matrix.diagonal();
  const bool regular =
      matrix.diagonal().allFinite() && factor_.factor(matrix) && !has_lost_pivot(tolerances::dependent_pivot);
  if (regular) may_depend_ = false;
  return regular;
}

void ReferenceFactor::make(const SignedFace& face) {
  reference_curvature_ = face.curvature;
  unit_solutions_.clear();
  dependences_.resize(face.size(), 0);
  Matrix matrix = system(face, reference_curvature_);
  outcome_ = factor_unless_singular(matrix) ? Outcome::regular : factor_singular(face, std::move(matrix));
  pairs_.clear();
  spent_ = 0.0;
  is_fresh_ = true;
}

ReferenceFactor::Outcome ReferenceFactor::factor_singular(const SignedFace& face, Matrix matrix) {
  // Some rows have no curvature, or members are dependent. Added curvature makes steps shorter, not wrong.
  if (face.outputs() == 1) {
    const Vector parabola = stand_in_curvature(face);
    // A curvature that is not a number is not larger either.
    reference_curvature_ =
        (reference_curvature_.array() >= parabola.array()).select(reference_curvature_, parabola).eval();
    matrix = system(face, reference_curvature_);
    if (factor_unless_singular(matrix)) return Outcome::raised;
  }
  if (may_depend_) dependences_ = Dependences(system(face, full_curvature(face))).directions;
  may_depend_ = dependences_.cols() > 0;
  double raise = singular_raise * std::max(matrix.diagonal().maxCoeff(), face.weights.maxCoeff());
  for (int count = 0; matrix.diagonal().allFinite() && count < most_raises; ++count, raise *= raise_growth) {
    matrix.diagonal().array() += raise;
    if (factor_.factor(matrix)) return Outcome::raised;
  }
  factor_.factor(Matrix::Identity(face.size(), face.size()));
  return Outcome::not_finite;
}

Matrix ReferenceFactor::parts_of_step(const SignedFace& face) {
  const Dependences flat(system(face, face.curvature));
  Matrix parts = Matrix::Zero(face.size(), 1 + flat.directions.cols());
  const Vector descent = face.descent();
  parts.col(0)(flat.independent) = flat.factor.solve(descent(flat.independent));
  parts.rightCols(flat.directions.cols()) = flat.directions;
  return parts;
}

std::vector<Index> ReferenceFactor::append(const SignedFace& face, const std::vector<Coordinate>& fresh) {
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
    const double diagonal = corner(at, at) + face.square_of(fresh[m].column);
    if (factor_.append(column, diagonal, tolerances::dependent_pivot)) joined.push_back(at);
  }
  if (!joined.empty()) {
    unit_solutions_.clear();
    is_fresh_ = false;
    may_depend_ = may_depend_ || is_raised();
    pairs_.clear();
  }
  return joined;
}

Vector ReferenceFactor::remaining_slopes(const SignedFace& face, const std::vector<Coordinate>& others,
                                         const Vector& slopes) {
  if (face.size() == 0) return slopes;
  const std::vector<Index> held = face.dropped_members();
  const Vector step = solve_held(face.descent(), held, Vector::Zero(static_cast<Index>(held.size())));
  return slopes -
         face.block.curvature_products(face.members, others, reference_curvature_).transpose() * step;
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
  // Solves L L'x + E m = right with E'x = values for x and the multipliers m.
  const Matrix z = unit_solutions(held);
  const Vector v = factor_.solve_lower(right);
  const Matrix inner = blas::gram(z);
  const Vector multipliers = dense::solve_symmetric(inner, blas::transpose_multiply_vector(z, v) - values);
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
  if (is_raised() || has_lost_pivot(tolerances::leverage_pivot)) return {};
  if (face.block.is_worth_single(face.size()) && !has_lost_pivot(single_tolerance)) {
    return face.block.single_hat(face.members, factor_, reference_curvature_);
  }
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
  const Vector length = dense::solve(kept, gradient);
  pairs_.clear();
  pairs_.add(factor_.solve_lower_transposed(half * length), own * gradient);
}

}  // namespace alo
