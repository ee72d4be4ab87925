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
  not_unique,    // several fits without the row are optimal
  repaired,      // the formula has no value, and a refit without the row gave it
};

std::string_view to_string(RowFlag flag);
// True when the row has no held-out prediction.
inline bool is_undefined(RowFlag flag) {
  return flag != RowFlag::none && flag != RowFlag::repaired;
}

// A row whose 1 - h_i is below this number has leverage one (RowFlag::leverage_one). 1 - h_i is relative to
// one and has an absolute rounding error of about 1e-16 times the condition number of A'CA + Q; the formula
// divides by it. At 1e-8, half of the sixteen digits, a kept row still has a few correct digits. At ten
// times the value rows with a true leverage of 1 - 1e-7 would lose their predictions; at a tenth,
// predictions of rows with leverage one would be noise.
inline constexpr double leverage_tolerance = 1e-8;

// The held-out prediction of every row, by the formula, by refits or by folds. Where a prediction is
// undefined, the flag of the row says why and its numbers are NaN.
struct LeaveOneOut {
  // The prediction of row i by the fit without row i, offset included, output after output.
  Vector linear_predictor;
  Vector leverage;                  // n: the largest eigenvalue of H_ii C_i, in [0, 1]; empty for refits
  double degrees_of_freedom = 0.0;  // the sum of the traces of H_ii C_i
  std::vector<RowFlag> flags;       // n

  Index undefined() const;
};

// The local model of a fit: its quadratic approximation on the tangent space of the penalty. It is all that
// approximate leave-one-out needs to know; the formula names no loss and no penalty. K is the number of
// outputs per row (1, or the classes of a multinomial model).
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
  Vector removed_share;  // n: the share of a row's weight that leaving it out removes
  // A piecewise linear loss has no curvature. g is then a subgradient, and the pinned rows (ascending) are
  // those whose linear predictor is at a kink. A pinned row is undecided where g_i is an end point of its
  // subdifferential: rounding, or a linear dependence among the rows at kinks, decides whether it is pinned.
  bool has_kinks = false;
  std::vector<Index> pinned;
  std::vector<Index> undecided;

  Index rows() const { return derivative.rows(); }
  Index outputs() const { return derivative.cols(); }
  Index dimension() const { return tangent_design.cols(); }
};

LocalModel local_model(const Problem& problem, const Fit& fit);
// The geometry of the penalty at the coefficients of one output, without columns that do not vary (where
// columns are directions of their own). The tangent design has the intercepts first (with several outputs
// all but the last), then these directions, output after output.
Geometry fit_geometry(const Problem& problem, const Fit& fit, Index output = 0);

// Approximate leave-one-out in primal form (Wang, Zhou, Lu, Maleki and Mirrokni 2018; docs/method.md): with
// H = A (A'CA + Q)^-1 A' and r_i the removed share,
//
//     eta~_i = eta_i + (I - r_i H_ii C_i)^-1 r_i H_ii g_i.
//
// For a model with kinks, the directions are those that keep the set V of pinned rows where it is, A_V d =
// 0. With a basis N of them, H = A N (N'QN)^-1 N'A' and eta~_i = eta_i + r_i H_ii g_i. For a pinned row
// H_ii is that of the model in which the row is not pinned.
LeaveOneOut hold_out_primal(const LocalModel& model);

// The same in dual form, from the Jacobian J = I - S'H S of the proximal map of the dual problem, S S' = C:
//
//     eta~_i = eta_i + S'^-1 (J_ii^-1 - I) S^-1 g_i.
//
// A row without curvature takes the limit eta_i + H_ii g_i. For a model with kinks, H comes from the Gram
// matrix of the pinned rows and not from a basis N.
LeaveOneOut hold_out_dual(const LocalModel& model);

enum class Framework { automatic, primal, dual };

// False for a linear program: a piecewise linear loss with absolute values and no squares in the penalty.
// Its fit is a vertex, which leaving a row out either keeps or moves to another vertex. Exact leave-one-out
// and k-fold cross-validation remain.
bool has_approximation(const Problem& problem);

// Throws InvalidArgument unless has_approximation(problem).
LeaveOneOut approximate_leave_one_out(const Problem& problem, const Fit& fit,
                                      Framework framework = Framework::automatic);

// Compares the approximation with exact leave-one-out, row by row. true: both are proved equal; false: the
// fit without the row has another pattern of zeros; none: undecided (a loss with varying curvature, fits
// that are not unique).
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
  Index missed = 0;  // refits whose certificate missed the tolerance
};
ExactLeaveOneOut exact_leave_one_out(const Problem& problem, std::span<const Fit> fits,
                                     const std::vector<Index>& rows, const ExactOptions& options = {},
                                     const Monitor& monitor = {});

struct KFoldOptions {
  FitOptions fit;
  int folds = 10;
  std::uint64_t seed = 1;
  int threads = 1;
  // True when the lambdas are a grid generated from the data, starting at lambda_start. Then each training
  // part generates its own grid, and the grids are matched by position. Otherwise each part is fitted at
  // the same lambdas. In both cases the weights of a training part are scaled up to the sum of all weights,
  // so that lambda means the same per unit of weight.
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
