// SPDX-License-Identifier: MIT
#pragma once

#include <limits>
#include <map>
#include <vector>

#include "linalg/cholesky_factor.hpp"
#include "linalg/secant_pairs.hpp"
#include "solvers/smooth/signed_face.hpp"

namespace alo {

// The Cholesky factor of M = X'C X + q on the members of a face at the curvature C of an earlier point, with
// which steps are computed while the point moves (the chord method, or Newton's method with an old Hessian).
// Members that join are appended to it; members that are dropped stay in it and are held at zero by
// multipliers; secant pairs correct its inverse (SecantPairs). A new factor is due when the evaluations spent
// with the old one have cost as much as it would.
class ReferenceFactor {
 public:
  // Factors the Hessian at the point of a face, which must have no dropped members.
  void make(const SignedFace& face);
  // The dependences of the members, one per column: z with X z = 0 and q z = 0. The last make() found them;
  // it looks for them only where M is singular.
  const Matrix& dependences() const { return dependences_; }
  // The Newton step in the range of the Hessian at the point, followed by a basis of its null space.
  static Matrix parts_of_step(const SignedFace& face);
  // To be called when members have joined without append().
  void members_changed() { may_depend_ = true; }
  bool is_of(const SignedFace& face) const {
    return factor_.size() == face.size() && reference_curvature_.size() > 0;
  }
  // Appends the columns of coordinates; returns those that were appended. The others depend on the columns
  // before them.
  std::vector<Index> append(const SignedFace& face, const std::vector<Coordinate>& fresh);
  // The slopes of other coordinates, to first order, after the members have made their Newton step. For a
  // column that depends on members it is the slope of the objective along the dependence.
  Vector remaining_slopes(const SignedFace& face, const std::vector<Coordinate>& others,
                          const Vector& slopes);

  // To be called when lambda or the point of the face has changed.
  void lambda_moved(bool curvature_changed);
  void point_moved(const SignedFace& face);
  void forget() {
    spent_ = std::numeric_limits<double>::infinity();
    may_depend_ = true;
  }

  // The outcome of the last make().
  enum class Outcome {
    regular,     // the factor is that of M
    raised,      // of M with more curvature, or more on its diagonal, since M is singular
    not_finite,  // of the identity, since M has entries that are infinite or not numbers
  };
  Outcome outcome() const { return outcome_; }
  bool is_raised() const { return outcome_ != Outcome::regular; }
  bool is_fresh() const { return is_fresh_; }  // the factor is that of the point
  bool is_due(const SignedFace& face) const;

  // The step M^-1 e corrected by the pairs, with dropped members at zero.
  Vector direction(const SignedFace& face, const Vector& descent);
  // x with M x = right, and given values where members are held.
  Vector solve_held(const Vector& right, const std::vector<Index>& held, const Vector& values);
  SecantPairs& pairs() { return pairs_; }

  // H_ii = x_i'M^-1 x_i, laid out as the curvature of a loss; empty where the matrix is too close to
  // singular.
  Vector hat(const SignedFace& face) const;
  // Sets a secant pair by which the corrected inverse takes the gradient that arises when a share of a row is
  // removed, A_i'g_i, to the step of approximate leave-one-out, M^-1 A_i'(I - C_i H_ii)^-1 g_i.
  void aim_without(const SignedFace& face, Index row, double removed_share);

 private:
  // M at a curvature.
  static Matrix system(const SignedFace& face, const Matrix& curvature);
  bool has_lost_pivot(double tolerance) const;
  bool factor_unless_singular(const Matrix& matrix);
  Outcome factor_singular(const SignedFace& face, Matrix matrix);

  // L^-1 E for the unit vectors of the held members; they are kept between calls.
  Matrix unit_solutions(const std::vector<Index>& held);

  CholeskyFactor factor_;
  std::map<Index, Vector> unit_solutions_;
  Matrix reference_curvature_;  // n x K K, weights included
  Vector diagonal_;
  Matrix dependences_;
  bool may_depend_ = true;  // false where the members are known to be independent
  bool is_fresh_ = false;
  Outcome outcome_ = Outcome::regular;
  int evaluations_ = 0;  // at this lambda
  double spent_ = 0.0;   // work of evaluations since the factor was made
  SecantPairs pairs_;
};

}  // namespace alo
