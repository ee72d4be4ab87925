// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "solvers/proximal/working_loss.hpp"

namespace alo {

// The matrix M = B'F B + Q of Newton's steps along the directions of a geometry, factored: F is the second
// derivative of the loss at a point, Q the curvature of the penalty.
class TangentSystem {
 public:
  // By directions; by rows where the directions are many more and most have a curvature of their own; or by
  // the complement where most directions have none, of a loss that keeps X'W X, for a matrix of coefficients.
  // `unit` is what second derivatives are like.
  enum class Form { cheapest, by_directions };
  TangentSystem(WorkingLoss& loss, const Geometry& geometry, const WorkingLoss::Point& point, double unit,
                Form form = Form::cheapest);
  // A singular M gets some of the identity, and t = M^-1 r is long where r is not in its range.
  bool damped() const { return damped_; }
  Vector solve(const Vector& right) const;
  // H_ii where the system was made; empty where it is safer from the fit: dependent directions.
  Vector hat(const WorkingLoss& loss, const Geometry& geometry, const WorkingLoss::Point& point) const;

 private:
  // M = L L'
  struct ByDirections {
    Matrix lower;
  };
  // With A the columns of the directions times the roots of the rows' curvatures, E those with a curvature of
  // their own and F the others, v = A t: Q_E t_E = r_E - A_E'v and A_F'v = r_F, hence
  //     (I + A_E Q_E^-1 A_E') v = A_E Q_E^-1 r_E + A_F t_F.
  struct ByRows {
    std::vector<Index> curved;    // E
    std::vector<Index> straight;  // F
    Vector roots;                 // of Q_E
    Matrix bent;                  // A_E Q_E^-1/2
    Matrix lower;                 // L L' = I + A_E Q_E^-1 A_E'
    Matrix free;                  // L^-1 A_F
    Matrix inner;                 // the factor of its products
  };
  // A direction of a matrix of coefficients from those before the mirrors, each of two of them:
  // own a_first + other a_second.
  struct MirroredPair {
    Index first;
    Index second;
    double own;
    double other;
  };
  // With C = (B'F B)^-1 for the directions of the whole space, closed ones with a curvature without end, and
  // W those that have a curvature:
  //     M^-1 = C - C W S^-1 W'C,    S = Q_W^-1 + W'C W.
  struct ByComplement {
    std::shared_ptr<const WorkingLoss::Inverse> inverse;
    Geometry all;
    Geometry unmirrored;
    std::vector<Index> open;  // the places of the directions among all
    std::vector<Index> bent;  // W
    std::vector<MirroredPair> mirrored;
    Matrix lower;  // L L' = S
    // A W, with A by rows
    Matrix columns(const Matrix& a) const;
  };
  ByDirections by_directions(WorkingLoss& loss, const Geometry& geometry, const WorkingLoss::Point& point,
                             double unit);
  // None where the identity is lost beside the rest of the matrix.
  std::optional<ByRows> by_rows(const WorkingLoss& loss, const Geometry& geometry,
                                const WorkingLoss::Point& point, double unit);
  static std::optional<ByComplement> by_complement(WorkingLoss& loss, const Geometry& geometry);
  static std::vector<MirroredPair> mirrored_pairs(const SparseMatrix& mirrors,
                                                  const std::vector<Index>& some);
  static Vector solve(const ByComplement& form, const Vector& right);
  static Vector hat(const ByComplement& form);
  static Vector free_shares(const ByRows& form);
  static Vector solve(const ByDirections& form, const Vector& right);
  static Vector solve(const ByRows& form, const Vector& right);

  bool damped_ = false;
  std::variant<ByDirections, ByRows, ByComplement> form_;
};

}  // namespace alo
