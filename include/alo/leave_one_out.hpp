// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "alo/fit.hpp"
#include "alo/monitor.hpp"

namespace alo {

enum class RowFlag : std::uint8_t {
  none,
  leverage_one,  // the row alone determines a direction of the fit: no other row predicts it
  singular,      // the linear system without the row is singular
  not_unique,    // fits without the row predict different values: this is the midpoint of their interval
  repaired,      // the formula has no value, and a refit without the row gave it
};

std::string_view to_string(RowFlag flag);
// True when the row has no held-out prediction.
inline bool is_undefined(RowFlag flag) {
  return flag == RowFlag::leverage_one || flag == RowFlag::singular;
}

// A row with 1 - h_i below this has leverage one: the formula divides by 1 - h_i, whose rounding error of
// about 1e-10 (leverages from a Cholesky factor) would then leave fewer than two digits. At a tenth such
// predictions are reported as if they were right; at ten times rows with a usable prediction lose it.
inline constexpr double leverage_tolerance = 1e-8;

// The held-out prediction of every row, by the formula, by refits or by folds. Where a prediction is
// undefined, the flag of the row says why and its numbers are NaN.
struct LeaveOneOut {
  // The prediction of row i by the fit without row i, offset included, output after output.
  Vector linear_predictor;
  Vector leverage;                  // n: the largest eigenvalue of H_ii C_i, in [0, 1]; empty for refits
  double degrees_of_freedom = 0.0;  // the sum of the traces of H_ii C_i
  std::vector<RowFlag> flags;       // n
  // Where rows are flagged not_unique, the ends of the interval of optimal predictions of every row, equal
  // where there is one. An end is infinite where nothing bounds it. Empty where no row is flagged so.
  Vector low{};
  Vector high{};
  // Of exact leave-one-out: fits without a row whose certificate missed the tolerance.
  Index missed = 0;

  Index undefined() const;
};

// The quadratic model of the objective near a fit, on the subspace of directions in which the coefficients
// can move. This is all that approximate leave-one-out needs to know of a loss and a penalty (S. Wang,
// W. Zhou, H. Lu, A. Maleki and V. Mirrokni, "Approximate Leave-One-Out for Fast Parameter Tuning in High
// Dimensions", 2018; called "the paper" in these sources). K is the number of outputs of a row: one, or the
// number of classes of a multinomial.
//
//   A  (n K) x d  tangent design X B, with unpenalised directions, the intercept first
//   Q  d          diagonal of the penalty's curvature at lambda; zero where it has none
//   g  n x K      derivative of the loss, times the weight
//   C  n x K K    curvature of the loss, times the weight: one symmetric block per row
struct LocalModel {
  Matrix tangent_design;
  Vector penalty_curvature;
  Matrix linear_predictor;  // n x K
  Matrix derivative;
  Matrix curvature;
  Vector removed_share;  // n: share of the row's terms that leaving it out removes
  // For a loss with kinks g is a subgradient, and the rows whose linear predictor is at a kink are pinned
  // (ascending; the set V of the paper's theorem on nonsmooth losses). Their curvature counts as zero.
  // Pinned rows whose g is at the end of its interval are undecided: rounding decides that they are not free,
  // or other pinned rows that depend on them could take their place.
  bool has_kinks = false;
  std::vector<Index> pinned;
  std::vector<Index> undecided;
  // The kinks of each row's loss, rising along a column, and the slopes of the pieces between them, times the
  // weight.
  Matrix kinks{};
  Matrix slopes{};

  Index rows() const { return derivative.rows(); }
  Index outputs() const { return derivative.cols(); }
  Index dimension() const { return tangent_design.cols(); }
};

LocalModel local_model(const Problem& problem, const Fit& fit);
// The geometry of the penalty at the coefficients of one output, without columns that do not vary (where
// columns are directions of their own). The tangent design has the intercepts first (with several outputs
// all but the last), then these directions, output after output.
Geometry fit_geometry(const Problem& problem, const Fit& fit, Index output = 0);

// The paper's primal approximation, one Newton step for the problem without row i by the Sherman-Morrison
// formula: H = A (A'CA + Q)^-1 A',  eta~_i = eta_i + (I - r_i H_ii C_i)^-1 r_i H_ii g_i, with r_i the removed
// share of the row (one in the paper) and blocks H_ii, C_i for several outputs.
LeaveOneOut hold_out_primal(const LocalModel& model);

// The paper's dual approximation, the same numbers from the Jacobian of the proximal map of the dual problem:
// J = I - S'H S with S S' = C,  eta~_i = eta_i + S'^-1 (J_ii^-1 - I) S^-1 g_i.
// Rows without curvature take the limit eta_i + H_ii g_i.
LeaveOneOut hold_out_dual(const LocalModel& model);

// Both also take a loss with kinks. Pinned rows V leave the directions d with A_V d = 0. With N a basis of
// these and H = A N (N'(Q + A'CA)N)^-1 N'A', eta~_i = eta_i + a_i g_i, where a_i = H_ii / (1 - c_i H_ii) for
// a free row and H_ii of the model in which it is free for a pinned one (theorem on nonsmooth losses).
// The primal form computes a_i in the space of directions, the dual form from the Gram matrix of the rows in
// V.

enum class Framework { automatic, primal, dual };

// False for a linear program, that is a loss with kinks and a penalty of absolute values without squares. Its
// fit is a vertex of a polyhedron, which does not move smoothly when the weight of a row does, so there is no
// quadratic model. Exact leave-one-out and k-fold cross validation remain.
bool has_approximation(const Problem& problem);

// Throws InvalidArgument unless has_approximation(problem).
LeaveOneOut approximate_leave_one_out(const Problem& problem, const Fit& fit,
                                      Framework framework = Framework::automatic);

// For every row: true where it is proved that the approximation equals exact leave-one-out, false where the
// fit without the row has another pattern, none where neither can be told (curved losses, fits that are not
// unique).
std::vector<std::optional<bool>> certify_rows(const Problem& problem, const Fit& fit);

struct ExactOptions {
  FitOptions fit;
  int threads = 1;
};

// Refits the problem without each of the rows at the lambda of every given fit. What all rows determined
// (scales, grid) is kept. There is one LeaveOneOut per fit; it is NaN in rows that were not asked for and
// in those that remained undone when the monitor stopped the work.
struct ExactLeaveOneOut {
  std::vector<LeaveOneOut> values;
  bool complete = true;

  // Fits without a row whose certificate missed the tolerance, at all lambdas together.
  Index missed() const;
};
ExactLeaveOneOut exact_leave_one_out(const Problem& problem, std::span<const Fit> fits,
                                     const std::vector<Index>& rows, const ExactOptions& options = {},
                                     const Monitor& monitor = {});

struct KFoldOptions {
  FitOptions fit;
  int folds = 10;
  std::uint64_t seed = 1;
  int threads = 1;
  // True where the lambdas were generated from the data, the first being lambda_start. Then each training
  // part generates its own lambdas, and they are matched by position; otherwise each part is fitted at the
  // given lambdas. In both cases the weights of a part are scaled to the sum of all weights, so that a
  // penalty is as strong as in the whole.
  bool generated_grid = true;
};

// The held-out predictions of every row at each of the falling lambdas by k-fold cross-validation. Scales
// and means of filled entries are recomputed in each training part.
struct KFold {
  std::vector<LeaveOneOut> values;  // one per lambda
  bool complete = true;
  Index missed = 0;  // fits whose certificate missed the tolerance
};
// Throws InvalidArgument for fewer than two folds and InvalidData for more folds than rows.
void check_folds(const Problem& problem, int folds);
KFold k_fold(const Problem& problem, const std::vector<double>& lambdas, const KFoldOptions& options,
             const Monitor& monitor = {});

}  // namespace alo
