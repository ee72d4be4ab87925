// SPDX-License-Identifier: MIT
#pragma once

#include <limits>
#include <map>
#include <vector>

#include "linalg/cholesky_factor.hpp"
#include "linalg/secant_pairs.hpp"
#include "solvers/smooth/signed_face.hpp"

namespace alo {

// The factor of M = X'C X + q on the members of a face at some reference curvature C, kept while the point
// moves: it is appended to when members join, members that are dropped stay in it and are held at zero by
// multipliers, and secant pairs correct its inverse. A fresh one is due when the steps taken for want of it
// have cost as much.
class ReferenceFactor {
 public:
  // At the point of a face without dropped members.
  void make(const SignedFace& face);
  // Of members that depend on each other, one per column: z with X z = 0 and q z = 0. What the last make()
  // found, which looks for them where M is singular.
  const Matrix& dependences() const { return dependences_; }
  // The step in the range of the curvature at the point, then directions in which there is none.
  static Matrix parts_of_step(const SignedFace& face);
  // Members have joined without append().
  void members_changed() { may_depend_ = true; }
  bool is_of(const SignedFace& face) const {
    return factor_.size() == face.size() && reference_curvature_.size() > 0;
  }
  // Appends the columns of coordinates that want to join; returns which did. The others depend on those
  // before them.
  std::vector<Index> append(const SignedFace& face, const std::vector<Coordinate>& fresh);
  // What is left of slopes of other coordinates when the members have made their step. Of a column that
  // depends on members it is the slope along the dependence.
  Vector remaining_slopes(const SignedFace& face, const std::vector<Coordinate>& others,
                          const Vector& slopes);

  // What happens to the face.
  void lambda_moved(bool curvature_changed);
  void point_moved(const SignedFace& face);
  void forget() {
    spent_ = std::numeric_limits<double>::infinity();
    may_depend_ = true;
  }

  bool is_fresh() const { return is_fresh_; }    // the factor is that of the point
  bool is_raised() const { return is_raised_; }  // it has more on its diagonal than the curvature
  bool is_due(const SignedFace& face) const;

  // The step M^-1 e corrected by the pairs, with dropped members at zero.
  Vector direction(const SignedFace& face, const Vector& descent);
  // x with M x = right, and given values where members are held.
  Vector solve_held(const Vector& right, const std::vector<Index>& held, const Vector& values);
  SecantPairs& pairs() { return pairs_; }

  // H_ii = x_i'M^-1 x_i, laid out as the curvature of a loss; empty where the matrix is too close to
  // singular for it.
  Vector hat(const SignedFace& face) const;
  // A pair with which the corrected inverse takes the descent that is left when so much of a row is gone,
  // A_i'g_i, to the step of approximate leave-one-out, M^-1 A_i'(I - C_i H_ii)^-1 g_i.
  void aim_without(const SignedFace& face, Index row, double removed_share);

 private:
  // M at a curvature.
  static Matrix system(const SignedFace& face, const Matrix& curvature);
  bool has_lost_pivot(double tolerance) const;
  bool factor_unless_singular(const Matrix& matrix);
  void factor_singular(const SignedFace& face, Matrix matrix);

  // L^-1 E for the unit vectors of members: of those that are held, from call to call.
  Matrix unit_solutions(const std::vector<Index>& held);

  CholeskyFactor factor_;
  std::map<Index, Vector> unit_solutions_;
  Matrix reference_curvature_;  // n x K K, weights included
  Vector diagonal_;
  Matrix dependences_;
  bool may_depend_ = true;  // false where the members are known to be independent
  bool is_fresh_ = false;
  bool is_raised_ = false;
  int evaluations_ = 0;  // at this lambda
  double spent_ = 0.0;   // work of evaluations since the factor was made
  SecantPairs pairs_;
};

}  // namespace alo
