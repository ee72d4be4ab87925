// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>

#include "formula/hat.hpp"
#include "linalg/blas.hpp"
#include "linalg/decompositions.hpp"
#include "linalg/special_values.hpp"

namespace alo {

namespace {

// The numerical rank of the pinned rows B_V: a singular value of E'B_V below 1e-7 of the longest row is zero.
// Rows that are copies differ by rounding, and features of a kernel by its root, 1e-8. At a tenth such copies
// are told apart by rounding; at ten times rows that differ by 1e-6 count as copies, and a_i of another row
// is wrong by its squared component along their difference.
constexpr double rank_tolerance = 1e-7;
// An eigenvector of the Gram matrix of the pinned rows has an error of |V| epsilon over the share that its
// eigenvalue is of the largest diagonal entry, 1e-5 for 500 rows at this share. An eigenvalue that is
// smaller, and is not rounding, is therefore left to the singular values of the rows, whose errors are not
// squared. At a tenth range_tolerance may be exceeded by rounding; at ten times more fits take the singular
// value decomposition, which costs a few times as much.
constexpr double rough_tolerance = 1e-8;
// A unit vector is in a subspace when its squared distance from it is at most this. The bases have errors of
// at most epsilon / 1e-7 = 2e-9 (rank_tolerance) and 1e-5 (rough_tolerance), squared 1e-10. At a tenth a row
// may get a_i = 0 by rounding; at ten times a row that depends on the others up to 1e-4 is treated as
// independent of them.
constexpr double range_tolerance = 1e-9;

// An eigenvalue of Y below this share of the largest one is zero: sums of d rounded terms. At a tenth
// rounding may count as curvature; at ten times directions with that little curvature count as free.
constexpr double no_curvature = 1e-14;

// The factors W_ii of the theorem on nonsmooth losses of Wang, Zhou, Lu, Maleki and Mirrokni (2018), extended
// to unpenalised columns: a_i for a free row without curvature, a_i (1 - c_i W_ii) for one with curvature
// c_i, and a_i = 1 / [(X_V Y^-1 X_V')^-1]_ii for a pinned row. (The theorem's formula for g_V has a wrong
// sign in the paper; g is taken from the fit here.) Below Y is diagonal; in_diagonal_coordinates sees to it
// where the loss has curvature off its kinks.
//
// The tangent design is split into its penalised columns divided by the roots of their curvature, B, and its
// unpenalised columns F. Then, with V the pinned rows other than i,
//
//     a_i = min_u |B_i - B_V'u|^2  subject to  F_V'u = F_i.
//
// So u = G F_i + E t, with G the pseudo-inverse of F_V' and E a basis of the null space of F_V', and a_i is
// the squared distance of B_i - B_V'G F_i from the row space of E'B_V. For a pinned row i, with V now all
// pinned rows, a_i = 1 / [E (E'B_V B_V'E)^-1 E']_ii. It is zero where row i depends on the others, and NaN
// where row i alone determines an unpenalised direction.
struct PinnedModel {
  Matrix penalized;             // B
  Matrix free;                  // F
  Matrix null_basis;            // E
  Matrix inverse;               // G
  std::vector<char> undecided;  // F_i is not in the row space of F_V
};

bool has_curved_rows(const LocalModel& model) {
  return (model.curvature.array() != 0.0).any();
}

// The directions in which Y = Q + A'CA is diagonal, with C the curvatures of the rows that are not pinned:
// from Y = V diag(y) V' they are V diag(y)^-1/2, with Y the identity, and those without curvature as they
// are.
LocalModel in_diagonal_coordinates(const LocalModel& model) {
  LocalModel result = model;
  Vector curvature = model.curvature.col(0);
  curvature(model.pinned).setZero();
  const Matrix rooted = curvature.cwiseSqrt().asDiagonal() * model.tangent_design;
  Matrix whole = blas::gram(rooted);
  whole.diagonal() += model.penalty_curvature;
  const dense::Eigenpairs eigen = dense::eigenpairs(whole);
  const double least = no_curvature * static_cast<double>(whole.rows()) * eigen.values.maxCoeff();
  const auto curved = eigen.values.array() > least;
  const Vector factors = curved.select(eigen.values.array().max(least).rsqrt(), 1.0);
  result.tangent_design = blas::multiply(model.tangent_design, eigen.vectors) * factors.asDiagonal();
  result.penalty_curvature = curved.cast<double>();
  result.curvature.setZero();
  return result;
}

PinnedModel split(const LocalModel& model) {
  std::vector<Index> penalized;
  std::vector<Index> free;
  for (Index k = 0; k < model.dimension(); ++k) {
    (model.penalty_curvature[k] > 0.0 ? penalized : free).push_back(k);
  }
  PinnedModel result;
  result.penalized = model.tangent_design(Eigen::all, penalized);
  result.penalized.array().rowwise() /= model.penalty_curvature(penalized).transpose().array().sqrt();
  result.free = model.tangent_design(Eigen::all, free);
  const Matrix pinned = result.free(model.pinned, Eigen::all);
  const auto count = pinned.rows();
  result.undecided.assign(static_cast<std::size_t>(model.rows()), 0);
  if (free.empty()) {
    result.null_basis = Matrix::Identity(count, count);
    result.inverse = Matrix::Zero(count, 0);
    return result;
  }
  if (count == 0) {
    result.inverse = Matrix::Zero(0, pinned.cols());
    result.null_basis = Matrix::Zero(0, 0);
  } else {
    result.null_basis = dense::CompleteOrthogonal(pinned).complement();
    result.inverse = dense::CompleteOrthogonal(pinned.transpose()).pseudo_inverse();
  }
  const Matrix reproduced = (result.free * result.inverse.transpose()) * pinned;
  for (Index i = 0; i < model.rows(); ++i) {
    const double off = (reproduced.row(i) - result.free.row(i)).squaredNorm();
    const bool out = off > range_tolerance * result.free.row(i).squaredNorm();
    result.undecided[static_cast<std::size_t>(i)] = out ? 1 : 0;
  }
  return result;
}

// a_i of the pinned row number `place`, from U and s of E'B_V = U diag(s) V'.
double pinned_hat(const PinnedModel& model, const Matrix& u, const Vector& s, Index place) {
  const Vector own = model.null_basis.row(place);
  if (own.squaredNorm() <= range_tolerance) return undefined;  // it alone holds an unpenalised direction
  const Vector coordinates = u.transpose() * own;
  if (own.squaredNorm() - coordinates.squaredNorm() > range_tolerance * own.squaredNorm()) return 0.0;
  return 1.0 / coordinates.cwiseQuotient(s).squaredNorm();
}

Vector assemble(const LocalModel& local, const PinnedModel& model, const Vector& distances, const Matrix& u,
                const Vector& s) {
  Vector hat = distances;
  for (Index i = 0; i < local.rows(); ++i) {
    if (model.undecided[static_cast<std::size_t>(i)] != 0) hat[i] = undefined;
  }
  for (std::size_t k = 0; k < local.pinned.size(); ++k) {
    hat[local.pinned[k]] = pinned_hat(model, u, s, static_cast<Index>(k));
  }
  return hat;
}

}  // namespace

Vector pinned_hat_by_directions(const LocalModel& local) {
  if (has_curved_rows(local)) return pinned_hat_by_directions(in_diagonal_coordinates(local));
  const PinnedModel model = split(local);
  const Matrix pinned = model.penalized(local.pinned, Eigen::all);
  const Matrix carried = model.free * (model.inverse.transpose() * pinned);
  Matrix rest = model.penalized - carried;
  const Matrix reduced = model.null_basis.transpose() * pinned;
  if (reduced.size() == 0) {
    return assemble(local, model, rest.rowwise().squaredNorm(), Matrix::Zero(reduced.rows(), 0), {});
  }
  const blas::SingularValues decomposition = blas::singular_values(reduced);
  const double size = pinned.rowwise().norm().maxCoeff();  // of which differences may be left
  const Index rank = (decomposition.s.array() > rank_tolerance * size).count();
  const Matrix directions = decomposition.v.leftCols(rank);
  blas::add_product_transposed(rest, -1.0, blas::multiply(rest, directions), directions);
  return assemble(local, model, rest.rowwise().squaredNorm(), decomposition.u.leftCols(rank),
                  decomposition.s.head(rank));
}

Vector pinned_hat_by_rows(const LocalModel& local) {
  if (has_curved_rows(local)) return pinned_hat_by_rows(in_diagonal_coordinates(local));
  const PinnedModel model = split(local);
  const Matrix pinned = model.penalized(local.pinned, Eigen::all);
  const Matrix cross = blas::multiply(pinned, model.penalized.transpose());  // K_V.
  const Matrix own = cross(Eigen::all, local.pinned);
  // B_V (B_i - B_V'G F_i)' for all rows i: the kernel without the part that the unpenalised columns
  // determine.
  const Matrix carried = model.inverse * model.free.transpose();
  const Matrix rest = cross - own * carried;
  Vector distances = model.penalized.rowwise().squaredNorm() -
                     (carried.cwiseProduct(cross + rest)).colwise().sum().transpose();
  const Matrix reduced = model.null_basis.transpose() * own * model.null_basis;
  if (reduced.size() == 0) return assemble(local, model, distances, Matrix::Zero(reduced.rows(), 0), {});
  const dense::Eigenpairs eigen = dense::eigenpairs(reduced);
  const double largest = own.diagonal().maxCoeff();
  const double rounding =
      std::numeric_limits<double>::epsilon() * static_cast<double>(own.rows()) * eigen.values.maxCoeff();
  const auto in_doubt = eigen.values.array() > rounding && eigen.values.array() < rough_tolerance * largest;
  if (in_doubt.any()) return pinned_hat_by_directions(local);
  // Without a penalised direction, or where all are zero, every eigenvalue is zero and `largest` too.
  const Index rank =
      (eigen.values.array() > rounding && eigen.values.array() >= rough_tolerance * largest).count();
  const Matrix vectors = eigen.vectors.rightCols(rank);
  const Vector roots = eigen.values.tail(rank).cwiseSqrt();
  const Matrix coordinates =
      roots.cwiseInverse().asDiagonal() * (vectors.transpose() * (model.null_basis.transpose() * rest));
  distances -= coordinates.colwise().squaredNorm().transpose();
  return assemble(local, model, distances.cwiseMax(0.0), vectors, roots);
}

}  // namespace alo
