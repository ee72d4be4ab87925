// SPDX-License-Identifier: MIT
#pragma once

#include <random>
#include <vector>

#include "alo/loss.hpp"
#include "alo/types.hpp"
#include "completion/factored_loss.hpp"

namespace alo {

// Matrix completion with a nuclear norm. Observation j is a noisy observation of the entry (row_j, column_j)
// of a p1 x p2 matrix, and
//
//   min over B and b0 of  sum_j w_j l(o_j + b0 + B[row_j, column_j]; y_j) + lambda |B|_*
//
// where b0 is optional. The same entry may be observed several times, or never. l is any smooth loss with one
// output. With G the sparse matrix of the numbers w_j l'_j at their entries, (B, b0) is optimal if and only
// if
//
//   G V = -lambda U,   G'U = -lambda V   for B = U diag(sigma) V', sigma > 0,
//   |(I - UU') G (I - VV')|_2 <= lambda,   sum_j w_j l'_j = 0 (with b0).
//
// No p1 x p2 matrix is formed.
struct CompletionFit {
  double lambda = 0.0;
  // B = u diag(sigma) v', sigma > 0 and falling; no columns where B = 0. The rank is exact: it is that of a
  // proximal step from this point.
  Matrix u;      // p1 x rank
  Vector sigma;  // rank
  Matrix v;      // p2 x rank
  double intercept = 0.0;
  // One number per observation, in the caller's order: the linear predictor, offset included, and w_j l'_j,
  // which are the gradient of the loss as a sparse matrix.
  Vector predictor;
  Vector slope;
  // |G V + lambda U|_F and |G'U + lambda V|_F, the larger one, over lambda.
  double tangent_residual = 0.0;
  // The largest singular value of (I - UU') G (I - VV') over lambda: the nearer to one, the nearer is another
  // rank.
  double next_value = 0.0;
  // A bound on |G|_2 from the two, over lambda.
  double dual_norm = 0.0;
  // Primal less dual objective, over sum_j w_j [loss at the null fit - min_u l(u; y_j)].
  double gap = 0.0;
  bool converged = false;  // the conditions above hold to the tolerances of CompletionOptions

  Index rank() const { return sigma.size(); }
};

struct CompletionOptions {
  double gap_tolerance = 1e-10;  // on CompletionFit::gap
  double dual_tolerance = 1e-9;  // on CompletionFit::dual_norm - 1
};

// Fits for falling lambda (any order works; falling ones are fast). Each starts from the one before it.
//
// The nuclear norm is |B|_* = min (|L|^2 + |R|^2) / 2 over all factors B = L R' (Srebro, Rennie and Jaakkola
// 2004), so Newton's method works on a smooth function of the factors, for which neither singular values near
// zero nor equal ones are special. A singular value that a proximal step within the range of B would set to
// zero is set to zero. Singular vectors of G off that range with values above lambda join, all at once, with
// a length that a line search finds. A stationary point of the factored function at which neither happens
// meets the conditions above, so it is the minimiser.
class CompletionSolver {
 public:
  // Throws InvalidData where the entries do not fit the matrix or sizes differ.
  CompletionSolver(const CompletionData& data, Loss loss, bool intercept, CompletionOptions options = {});

  // The smallest lambda at which B = 0.
  double lambda_max() const { return lambda_max_; }
  // The excess loss of the null fit, sum_j w_j [l - min_u l(u; y_j)].
  double null_excess() const { return null_excess_; }
  // lambda > 0.
  CompletionFit fit(double lambda);
  // The next fit starts from this one, which may be that of a problem with other weights.
  void start_from(const CompletionFit& fit);

 private:
  using Point = FactoredLoss::Point;

  // Moves to a lambda below that of point_, until the tangent residual is at most `tolerance` and the rank is
  // right as far as that tolerance shows.
  void approach(double lambda, double tolerance);
  // Moves along the tangent of the path.
  void predict(double lambda);
  // Newton's method at a fixed rank; the rank falls where singular values vanish.
  void minimize(double lambda, double tolerance);
  // Singular vectors of G off the range with values above lambda join. True where there were some.
  bool grow(double lambda, double accuracy);
  // The length at which they join: roughly the minimiser of the objective along the move.
  double best_length(const Vector& move, double price) const;
  // Takes a point, less its singular values that a proximal step would set to zero.
  void take(Point point, double lambda);
  double objective(const Point& point, double lambda) const {
    return point.loss + lambda * point.sigma.sum();
  }
  double tangent_residual(double lambda) const;
  CompletionFit describe() const;

  FactoredLoss loss_;
  CompletionOptions options_;
  // Draws the start vectors of Lanczos runs, a new one for each: a run finds only one vector of a multiple
  // singular value.
  std::mt19937_64 engine_{1};
  Point null_point_;
  double lambda_max_ = 0.0;
  double null_excess_ = 0.0;
  Point point_;
  Matrix products_;          // G R and G'L at point_
  double lambda_ = 0.0;      // of point_
  double next_value_ = 0.0;  // largest singular value of G off the range of B, at point_
  Vector next_vector_;       // its right singular vector
};

}  // namespace alo
