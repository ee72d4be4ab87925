// SPDX-License-Identifier: MIT
#pragma once

#include <limits>
#include <map>
#include <vector>

#include "solvers/cholesky_factor.hpp"
#include "solvers/secant_pairs.hpp"
#include "solvers/signed_face.hpp"

namespace alo {

// The factor of M = X'C X + q on the members of a face at some reference curvature C, kept while the point
// moves: it is appended to when members join, members that are dropped stay in it and are held at zero by
// multipliers, and secant pairs correct its inverse. A fresh one is due when the steps taken for want of it
// have cost as much.
class ReferenceFactor {
 public:
  // At the point of a face without dropped members.
  void make(const SignedFace& face);
  bool is_of(const SignedFace& face) const {
    return factor_.size() == face.size() && reference_curvature_.size() > 0;
  }
  // Appends the columns of coordinates that want to join; returns which did. The others depend on those
  // before them, and are let in only when `forced`.
  std::vector<Index> append(const SignedFace& face, const std::vector<Coordinate>& fresh, bool forced);

  // What happens to the face.
  void lambda_moved(bool curvature_changed);
  void point_moved(const SignedFace& face);
  void forget() { spent_ = std::numeric_limits<double>::infinity(); }

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
  // M at the reference curvature.
  Matrix system(const SignedFace& face) const;
  bool has_lost_pivot(double tolerance) const;

  // L^-1 E for the unit vectors of members: of those that are held, from call to call.
  Matrix unit_solutions(const std::vector<Index>& held);

  CholeskyFactor factor_;
  std::map<Index, Vector> unit_solutions_;
  Matrix reference_curvature_;  // n x K K, weights included
  Vector diagonal_;
  bool is_fresh_ = false;
  bool is_raised_ = false;
  int evaluations_ = 0;  // at this lambda
  double spent_ = 0.0;   // work of evaluations since the factor was made
  SecantPairs pairs_;
};

}  // namespace alo
