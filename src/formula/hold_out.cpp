// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "alo/error.hpp"
#include "formula/curvature_factor.hpp"
#include "formula/hat.hpp"
#include "formula/loose_intercept.hpp"
#include "linalg/blas.hpp"
#include "linalg/decompositions.hpp"
#include "linalg/row_pass.hpp"
#include "linalg/special_values.hpp"
#include "linalg/tolerances.hpp"

namespace alo {

namespace {

LeaveOneOut nothing_moved(const LocalModel& model) {
  return {model.linear_predictor.reshaped(), Vector::Zero(model.rows()), 0.0,
          std::vector<RowFlag>(static_cast<std::size_t>(model.rows()), RowFlag::none)};
}

// The linear predictors of row i.
auto predictor_row(LeaveOneOut& result, Index i) {
  const auto rows = static_cast<Index>(result.flags.size());
  return result.linear_predictor(Eigen::seqN(i, result.linear_predictor.size() / rows, rows));
}

void flag(LeaveOneOut& result, Index i, RowFlag reason) {
  result.flags[static_cast<std::size_t>(i)] = reason;
  predictor_row(result, i).setConstant(undefined);
}

// The numbers of a row that the formula for one output needs.
struct ScalarRow {
  double linear_predictor;
  double derivative;  // weight included
  double curvature;
  double removed_share;
};
ScalarRow scalar_row(const LocalModel& model, Index i) {
  return {model.linear_predictor(i, 0), model.derivative(i, 0), model.curvature(i, 0),
          model.removed_share[i]};
}

// The formula for one output, eta~ = eta + r H g / (1 - r h). `complement` is 1 - h, which some callers know
// without the cancellation of the subtraction.
inline void hold_out_scalar(const ScalarRow& row, Index i, double hat, double complement,
                            LeaveOneOut& result) {
  const double share = row.removed_share;
  const double kept = (1.0 - share) + share * complement;
  result.leverage[i] = std::clamp(1.0 - complement, 0.0, 1.0);
  result.linear_predictor[i] = row.linear_predictor;
  if (row.derivative == 0.0 && row.curvature == 0.0) return;  // a row of weight zero has no part in the fit
  if (std::isnan(hat)) {
    flag(result, i, RowFlag::singular);
  } else if (kept < leverage_tolerance) {
    flag(result, i, RowFlag::leverage_one);
  } else {
    result.linear_predictor[i] += share * hat * row.derivative / kept;
  }
}

// Notes the leverage of a row with several outputs: the largest eigenvalue of S'HS, which has the eigenvalues
// of HC since S S' = C. False, and the row is flagged, where the row alone determines a direction.
bool take_leverage(const LocalModel& model, Index i, const Matrix& leverages, LeaveOneOut& result) {
  const double largest = dense::eigenvalues(leverages).maxCoeff();
  result.leverage[i] = std::clamp(largest, 0.0, 1.0);
  result.degrees_of_freedom += leverages.trace();
  const bool held = 1.0 - model.removed_share[i] * largest >= leverage_tolerance;
  if (!held) flag(result, i, RowFlag::leverage_one);
  return held;
}

// The formula for several outputs, eta~ = eta + (I - r H C)^-1 r H g.
void hold_out_block(const LocalModel& model, Index i, const Matrix& hat, LeaveOneOut& result) {
  const double share = model.removed_share[i];
  const Matrix curvature = block(model.curvature, i);
  const Matrix product = hat * curvature;
  const Matrix root = CurvatureFactor(curvature).root();
  if (!take_leverage(model, i, root.transpose() * hat * root, result)) return;
  const Matrix kept = Matrix::Identity(product.rows(), product.cols()) - share * product;
  const Vector step = share * (hat * model.derivative.row(i).transpose());
  predictor_row(result, i) += dense::solve(kept, step);
}

LeaveOneOut from_pinned_hat(const LocalModel& model, const Vector& hat) {
  LeaveOneOut result = nothing_moved(model);
  result.degrees_of_freedom = static_cast<double>(model.pinned.size());
  const LooseIntercept loose(model);
  for (Index i = 0; i < model.rows(); ++i) {
    const bool pinned = std::binary_search(model.pinned.begin(), model.pinned.end(), i);
    if (pinned && model.removed_share[i] < 1.0) continue;  // its other copies keep it at its kink
    if (loose.concerns(i)) {
      const double move = loose.move(i);
      result.linear_predictor[i] += move;
      if (std::isnan(move)) flag(result, i, RowFlag::singular);
      continue;
    }
    if (!pinned && model.curvature(i, 0) > 0.0) {
      hold_out_scalar(scalar_row(model, i), i, hat[i], 1.0 - hat[i] * model.curvature(i, 0), result);
      continue;
    }
    if (model.derivative(i, 0) == 0.0) continue;  // the fit is optimal without it too
    const bool undecided = std::binary_search(model.undecided.begin(), model.undecided.end(), i);
    if (std::isnan(hat[i]) || (undecided && hat[i] != 0.0)) {
      flag(result, i, RowFlag::singular);
    } else {
      result.linear_predictor[i] += model.removed_share[i] * hat[i] * model.derivative(i, 0);
    }
  }
  return result;
}

LeaveOneOut from_hat(const LocalModel& model, const HatBlocks& hat) {
  LeaveOneOut result = nothing_moved(model);
  for (Index i = 0; i < model.rows(); ++i) {
    if (model.outputs() > 1) {
      hold_out_block(model, i, block(hat.blocks, i), result);
      continue;
    }
    const double own = hat.blocks(i, 0);
    const double complement = hat.complement ? (*hat.complement)[i] : 1.0 - own * model.curvature(i, 0);
    hold_out_scalar(scalar_row(model, i), i, own, complement, result);
    result.degrees_of_freedom += result.leverage[i];
  }
  return result;
}

// True for a row on a linear piece of its loss, with a derivative and without curvature. With several outputs
// the curvature vanishes in some direction: the probability of a class is zero, for example.
bool is_flat(const LocalModel& model, Index i) {
  if ((model.derivative.row(i).array() == 0.0).all()) return false;
  if (model.outputs() == 1) return model.curvature(i, 0) == 0.0;
  return !CurvatureFactor(block(model.curvature, i)).is_complete();
}

bool has_flat_row(const LocalModel& model) {
  for (Index i = 0; i < model.rows(); ++i) {
    if (is_flat(model, i)) return true;
  }
  return false;
}

// The n x n form is cheaper when there are more directions than rows. It exists when the unpenalised ones do
// not outnumber the rows.
bool prefers_rows(const LocalModel& model) {
  return model.outputs() == 1 && model.dimension() > model.rows() &&
         (model.penalty_curvature.array() == 0.0).count() <= model.rows();
}

// H for the rows without curvature: the dual formula divides by the curvature.
std::optional<HatBlocks> flat_rows_hat(const LocalModel& model) {
  if (!has_flat_row(model)) return std::nullopt;
  return prefers_rows(model) ? hat_by_rows(model) : hat_by_coefficients(model);
}

// The U of the Jacobian J = I - U U' of the dual's proximal map: the top rows of an orthonormal basis of
// [S'A; sqrt(Q)]. The factorisation reveals the rank, so dependent tangent directions only reduce the
// dimension. The basis is computed as [S'A; sqrt(Q)] R^-1 and not as a product of Householder reflections,
// whose rounding errors are relative to the largest rows: this way a row of S'A with a small curvature keeps
// its relative precision. A second factorisation (Cholesky QR, as in "CholeskyQR2" of Yamamoto, Nakatsukasa,
// Yanagisawa and Fukaya 2015, ETNA 44) restores the orthogonality that R loses if its condition number is at
// most about epsilon^(-1/2).
Matrix dual_basis(const LocalModel& model) {
  Matrix stacked = root_times_design(model);
  const Index rows = stacked.rows();
  if ((model.penalty_curvature.array() > 0.0).any()) {
    stacked.conservativeResize(rows + model.dimension(), Eigen::NoChange);
    stacked.bottomRows(model.dimension()) = Matrix(model.penalty_curvature.cwiseSqrt().asDiagonal());
  }
  const blas::PivotedTriangle triangle = blas::pivoted_triangle(stacked, tolerances::tangent_rank);
  if (triangle.columns.empty()) return Matrix::Zero(rows, 0);
  Matrix basis = stacked(Eigen::all, triangle.columns);
  blas::solve_right_transposed_in_place(triangle.upper.transpose().eval(), basis);
  if (const auto again = blas::cholesky(blas::gram(basis))) {
    blas::solve_right_transposed_in_place(*again, basis);
  }
  return basis.topRows(rows);
}

// The diagonal of I - J for one output. With more directions than rows it comes from a singular value
// decomposition: with P the projector on the unpenalised columns and (I - P) sqrt(C) A Q^-1/2 = U diag(s) V',
// I - J = P + U diag(s^2 / (1 + s^2)) U'.
Vector dual_leverages(const LocalModel& model) {
  if (!prefers_rows(model)) return dual_basis(model).rowwise().squaredNorm();
  const PenalizedRows rows = penalized_rows(model);
  const blas::SingularValues decomposition = blas::singular_values(rows.scaled);
  const Vector share = decomposition.s.array().square() / (1.0 + decomposition.s.array().square());
  return rows.free_basis.rowwise().squaredNorm() + decomposition.u.cwiseAbs2() * share;
}

// The dual formula for several outputs. With S S' = C, U the rows of the basis, J = I - r U U' and g = S c
// the step is
//     S'^-1 (J^-1 - I) S^-1 g = S'^-1 J^-1 r U U' c.
// It equals the primal step (I - r H C)^-1 r H g, because U U' = S'HS and (I - r H S S')^-1 H S = H S J^-1.
// The only subtraction from one is that in J. Small probabilities keep their relative precision: their rows
// of S, of U and of J^-1 r U U'c have the same small size, by which S'^-1 divides.
void dual_block(const LocalModel& model, Index i, const Matrix& rows, LeaveOneOut& result) {
  const CurvatureFactor factor(block(model.curvature, i));
  const double share = model.removed_share[i];
  const Matrix leverages = rows * rows.transpose();
  if (!take_leverage(model, i, leverages, result)) return;
  const Vector scaled = factor.solve(model.derivative.row(i).transpose());
  const Matrix jacobian = Matrix::Identity(rows.rows(), rows.rows()) - share * leverages;
  const Vector step = dense::solve_positive_definite(jacobian, share * (rows * (rows.transpose() * scaled)));
  predictor_row(result, i) += factor.solve_transposed(step);
}

}  // namespace

LeaveOneOut hold_out_primal(const LocalModel& model) {
  if (model.has_kinks) return from_pinned_hat(model, pinned_hat_by_directions(model));
  if (prefers_rows(model)) return from_hat(model, hat_by_rows(model));
  if (const auto hat = hat_by_coefficients(model)) return from_hat(model, *hat);
  return hold_out_dual(model);  // dependent tangent directions need the rank-revealing form
}

LeaveOneOut hold_out_dual(const LocalModel& model) {
  if (model.has_kinks) return from_pinned_hat(model, pinned_hat_by_rows(model));
  const Vector leverages = model.outputs() == 1 ? dual_leverages(model) : Vector();
  const Matrix basis = model.outputs() == 1 ? Matrix() : dual_basis(model);
  const std::optional<HatBlocks> flat_hat = flat_rows_hat(model);
  LeaveOneOut result = nothing_moved(model);
  for (Index i = 0; i < model.rows(); ++i) {
    if (is_flat(model, i) && !flat_hat) {
      flag(result, i, RowFlag::singular);
    } else if (is_flat(model, i) && model.outputs() > 1) {
      hold_out_block(model, i, block(flat_hat->blocks, i), result);
    } else if (model.outputs() > 1) {
      dual_block(model, i, basis.middleRows(i * model.outputs(), model.outputs()), result);
    } else if (is_flat(model, i)) {
      hold_out_scalar(scalar_row(model, i), i, flat_hat->blocks(i, 0), 1.0, result);
      result.degrees_of_freedom += result.leverage[i];
    } else if (const double curvature = model.curvature(i, 0); curvature > 0.0) {
      hold_out_scalar(scalar_row(model, i), i, leverages[i] / curvature, 1.0 - leverages[i], result);
      result.degrees_of_freedom += result.leverage[i];
    }
  }
  return result;
}

namespace {

// The rows of a block, for one output; returns their degrees of freedom.
double hold_out_block_by_hat(const Problem& problem, const Fit& fit, const Vector& hat, const RowBlock& rows,
                             LeaveOneOut& result) {
  const Dataset& data = problem.data();
  const auto predictor = fit.linear_predictor.segment(rows.first, rows.count);
  const auto response = data.response.segment(rows.first, rows.count);
  const Vector derivative = problem.loss().derivative(predictor, response);
  const Vector curvature = problem.loss().curvature(predictor, response);
  double degrees_of_freedom = 0.0;
  for (Index k = 0; k < rows.count; ++k) {
    const Index i = rows.first + k;
    const double weight = data.weights[i];
    const ScalarRow row{predictor[k], weight * derivative[k], weight * curvature[k],
                        problem.removed_share(i)};
    hold_out_scalar(row, i, hat[i], 1.0 - hat[i] * row.curvature, result);
    degrees_of_freedom += result.leverage[i];
  }
  return degrees_of_freedom;
}

}  // namespace

LeaveOneOut hold_out_by_hat(const Problem& problem, const Fit& fit, const Vector& hat) {
  if (problem.loss().has_kinks()) return from_pinned_hat(row_model(problem, fit), hat);
  if (problem.outputs() > 1) {
    const LocalModel model = row_model(problem, fit);
    return from_hat(model, {by_output(hat, model.curvature.cols()), std::nullopt});
  }
  // The four vectors of 2048 rows take 64 KB; any block between 500 and 10,000 rows serves.
  constexpr Index at_once = 2048;
  const Index rows = problem.rows();
  LeaveOneOut result{Vector(rows), Vector(rows), 0.0,
                     std::vector<RowFlag>(static_cast<std::size_t>(rows), RowFlag::none)};
  result.degrees_of_freedom =
      pass_over_rows(rows, at_once, 0.0, [&](const RowBlock& block, double& degrees_of_freedom) {
        degrees_of_freedom += hold_out_block_by_hat(problem, fit, hat, block, result);
      });
  return result;
}

LeaveOneOut hold_out_cheapest(const LocalModel& model) {
  const bool by_rows = model.has_kinks && model.dimension() > static_cast<Index>(model.pinned.size());
  return by_rows ? hold_out_dual(model) : hold_out_primal(model);
}

}  // namespace alo
