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
  leverage_one,  // the row alone determines a direction: nothing predicts it
  singular,      // the system without the row cannot be solved
  not_unique,    // several leave-one-out fits are optimal
  repaired,      // settled by an exact refit
};

std::string_view to_string(RowFlag flag);
// The row has no held-out prediction.
inline bool is_undefined(RowFlag flag) {
  return flag != RowFlag::none && flag != RowFlag::repaired;
}

// Leverages 1 - h_i below this are taken for zero.
inline constexpr double leverage_tolerance = 1e-8;

// Held-out predictions of every row, whatever computed them. Where a prediction is
// undefined, its flag says why and the numbers are NaN.
struct LeaveOneOut {
  // Of row i from the fit without row i, offset included; output after output.
  Vector linear_predictor;
  Vector leverage;                  // n: largest eigenvalue of H_ii C_i, in [0, 1]; empty for refits
  double degrees_of_freedom = 0.0;  // sum of the traces of H_ii C_i
  std::vector<RowFlag> flags;       // n

  Index undefined() const;
};

// Near a fit everything is quadratic on a subspace. This is all that approximate
// leave-one-out needs to know of a model; no loss and no penalty is named beyond it.
// K is the number of outputs of a row (1; the classes of a multinomial).
//
//   A  (n K) x d  tangent design X B; unpenalised directions (intercept first) included
//   Q  d          diagonal of the penalty's curvature at lambda; zero where it has none
//   g  n x K      derivative of the loss, weight included
//   C  n x K K    its curvature, weight included, one symmetric block per row
struct LocalModel {
  Matrix tangent_design;
  Vector penalty_curvature;
  Matrix linear_predictor;  // n x K
  Matrix derivative;
  Matrix curvature;
  Vector removed_share;  // n: share of the row's terms that leaving it out removes
  // A loss that is linear between kinks has no curvature; g is then a subgradient, and the rows held at a
  // kink are pinned (ascending). Undecided are those among them whose g is at the end of what it may be: it
  // is a matter of rounding that they are not free, or they stand in for others that they depend on.
  bool has_kinks = false;
  std::vector<Index> pinned;
  std::vector<Index> undecided;

  Index rows() const { return derivative.rows(); }
  Index outputs() const { return derivative.cols(); }
  Index dimension() const { return tangent_design.cols(); }
};

LocalModel local_model(const Problem& problem, const Fit& fit);
// The penalty's geometry at the coefficients of an output, columns without variation left out where they are
// directions of their own. The columns of the tangent design are the intercepts, if any (of several outputs
// all but the last), and these directions, output after output.
Geometry fit_geometry(const Problem& problem, const Fit& fit, Index output = 0);

// H = A (A'CA + Q)^-1 A',  eta~_i = eta_i + (I - r_i H_ii C_i)^-1 r_i H_ii g_i, r_i the removed share.
LeaveOneOut hold_out_primal(const LocalModel& model);

// The same from the Jacobian of the proximal map of the dual problem,
// J = I - S'H S with S S' = C:  eta~_i = eta_i + S'^-1 (J_ii^-1 - I) S^-1 g_i.
// Rows without curvature take the limit eta_i + H_ii g_i.
LeaveOneOut hold_out_dual(const LocalModel& model);

// With pinned rows V, which leave the directions with A_V d = 0: H = A N (N'QN)^-1 N'A', N a basis of those,
// and eta~_i = eta_i + a_i g_i with a_i = H_ii, and for a pinned row H_ii of the model without its pin. By
// directions in the primal form, through the matrix of the rows in V in the dual one.

enum class Framework { automatic, primal, dual };

// False for a linear program, a loss with kinks and absolute values without squares: its fit sits in a
// corner, which leaving a row out does not move a little. Exact leave-one-out and k-fold are there for it.
bool has_approximation(const Problem& problem);

// Throws InvalidArgument where there is none.
LeaveOneOut approximate_leave_one_out(const Problem& problem, const Fit& fit,
                                      Framework framework = Framework::automatic);

// true: proved that the approximation equals exact leave-one-out; false: the fit
// without the row has another pattern; none: cannot be told (curved loss, fits that are not unique).
std::vector<std::optional<bool>> certify_rows(const Problem& problem, const Fit& fit);

struct ExactOptions {
  FitOptions fit;
  int threads = 1;
};

// Fits without each of the rows at the lambda of every full fit, started from it. What was estimated
// from all rows (scales, grid) is kept. One LeaveOneOut per fit, NaN in the rows that were not asked
// for and in those that the monitor's stop left undone.
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
  // The lambdas were generated from the data, the first being lambda_start: each training part generates its
  // own, and they are matched by position. Either way the weights of a part are raised to the sum of all, so
  // that a penalty is as strong as in the whole: without a generated grid a part is fitted at lambda itself.
  bool generated_grid = true;
};

// Held-out predictions of every row at every lambda (which fall) by k-fold cross validation. Scales
// and filled means are recomputed in each training part.
struct KFold {
  std::vector<LeaveOneOut> values;  // one per lambda
  bool complete = true;
  Index missed = 0;  // fits whose certificate missed the tolerance
};
// Throws unless there are at least two folds and no more than rows.
void check_folds(const Problem& problem, int folds);
KFold k_fold(const Problem& problem, const std::vector<double>& lambdas, const KFoldOptions& options,
             const Monitor& monitor = {});

}  // namespace alo
