// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "solvers/proximal/row_elimination.hpp"

namespace alo {

// The matrix M = B'F B + Q of Newton's steps along the directions B of a geometry, factored: F is the second
// derivative of the loss at a point, Q the curvature of the penalty.
class TangentSystem {
 public:
  // M is factored by directions; by rows (row_elimination.hpp) where the directions are many more and most
  // have a curvature of their own; or by the complement where most directions have none, for a matrix of
  // coefficients and a loss that keeps X'W X.
  enum class Form { cheapest, by_directions };
  // `unit` is the size of typical second derivatives (damped_factor).
  TangentSystem(WorkingLoss& loss, const Geometry& geometry, const WorkingLoss::Point& point, double unit,
                Form form = Form::cheapest);
  // A singular M gets some of the identity, and t = M^-1 r is long where r is not in its range. Where M is
  // not finite, t is zero.
  DampedFactor::Outcome outcome() const { return outcome_; }
  bool damped() const { return outcome_ == DampedFactor::Outcome::damped; }
  Vector solve(const Vector& right) const;
  // H_ii at the point of the system; empty where directions are nearly dependent.
  Vector hat(const WorkingLoss& loss, const Geometry& geometry, const WorkingLoss::Point& point) const;

 private:
  // M = L L'
  struct ByDirections {
    Matrix lower;
  };
  struct ByRows {
    TangentColumns columns;
    RowElimination elimination;
  };
  // A mirror (Geometry) takes two directions of a matrix of coefficients to two others, each of which is
  // own a_first + other a_second.
  struct MirroredPair {
    Index first;
    Index second;
    double own;
    double other;
  };
  // By Woodbury's formula: with C = (B'F B)^-1 for the directions of the whole space, in which those that are
  // closed have infinite curvature, and W the directions that have curvature,
  //     M^-1 = C - C W S^-1 W'C,    S = Q_W^-1 + W'C W.
  struct ByComplement {
    std::shared_ptr<const WorkingLoss::Inverse> inverse;
    Geometry all;
    Geometry unmirrored;        // the same without mirrors
    std::vector<Index> open;    // the places of the geometry's directions among all
    std::vector<Index> curved;  // W
    std::vector<MirroredPair> mirrored;
    Matrix lower;  // L L' = S
    // A W for a matrix A with a column for each coefficient
    Matrix columns(const Matrix& a) const;
  };
  ByDirections by_directions(WorkingLoss& loss, const Geometry& geometry, const WorkingLoss::Point& point,
                             double unit);
  // None where the identity in S is lost beside the rest of it.
  std::optional<ByRows> by_rows(const WorkingLoss& loss, const Geometry& geometry,
                                const WorkingLoss::Point& point, double unit);
  static std::optional<ByComplement> by_complement(WorkingLoss& loss, const Geometry& geometry);
  static std::vector<MirroredPair> mirrored_pairs(const SparseMatrix& mirrors,
                                                  const std::vector<Index>& some);
  static Vector solve(const ByComplement& form, const Vector& right);
  static Vector hat(const ByComplement& form);
  static Vector solve(const ByDirections& form, const Vector& right);
  static Vector solve(const ByRows& form, const Vector& right);

  DampedFactor::Outcome outcome_ = DampedFactor::Outcome::regular;
  std::variant<ByDirections, ByRows, ByComplement> form_;
};

}  // namespace alo
