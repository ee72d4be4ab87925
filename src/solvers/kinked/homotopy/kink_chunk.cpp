// SPDX-License-Identifier: MIT
// The walks of some rows from their common start, and the checks at their ends.
#include <algorithm>
#include <cmath>

#include "certificate/null_fit.hpp"
#include "formula/hat.hpp"
#include "linalg/decompositions.hpp"
#include "linalg/tolerances.hpp"
#include "solvers/fit_scale.hpp"
#include "solvers/kinked/homotopy/kink_start.hpp"

namespace alo {

namespace {

using End = HeldOutRowWalked::End;

// Predictions that a walk has updated must agree with those computed from its end up to this share of their
// size, and rows must be between their walls up to this share of predictions or slopes: ten digits of the
// tableau less one. At a tenth more walks are discarded and refitted; at ten times errors of 1e-8 pass.
constexpr double slack = 1e-9;

}  // namespace

HeldOutRow KinkHomotopy::held_out_row(const Start& start, Index row) const {
  const RowKinks& kinks = start.places.kinks();
  return {start.coordinate_of[static_cast<std::size_t>(row)],
          start.subgradient[row],
          start.predictor[row],
          1.0 - share_[row],
          kinks.position.col(row),
          kinks.slope.col(row),
          start.places.is_pinned(row),
          start.number(row),
          start.all && problem_.intercept() && free_.cols() == 1};
}

// The changes of the subgradients of the rows that are coordinates, and of c.
Vector KinkHomotopy::change_of(const Start& start, const HeldOutRow& row, const HeldOutRowWalked& walked,
                               const KinkWalk& walk) const {
  Vector change = walk.subgradients() - start.walk.subgradients();
  if (row.at >= 0) change[row.at] = walked.subgradient - row.subgradient;
  const auto c = [&](const KinkWalk& at) { return at.state().segment(start.pinned, free_.cols()); };
  change.segment(start.pinned, free_.cols()) = c(walk) - c(start.walk);
  return change;
}

// The norm |t| of the move of the fit. The squared change of the coefficients is
// -(change of g)'(change of eta) / lambda, because F'g = 0.
double KinkHomotopy::size_of_move(const Start& start, const HeldOutRow& row, const HeldOutRowWalked& walked,
                                  const VectorView& change, const KinkWalk& walk) const {
  double product = (walked.subgradient - row.subgradient) * (walked.predictor - row.predictor);
  const Index c_end = start.pinned + free_.cols();
  for (Index k = 0; k < walk.size(); ++k) {
    if (change[k] == 0.0 || k == row.at || (k >= start.pinned && k < c_end)) continue;
    product += change[k] * (walk.predictor(k) - start.walk.predictor(k));
  }
  const double free = change.segment(start.pinned, free_.cols()).squaredNorm() / free_weight_;
  return std::sqrt(std::max(0.0, -product / start.lambda) + free);
}

// Checks a walk at its end. The row's prediction, which the walk has updated, must equal the one computed
// from the end,
//     eta_i - (eta_i of before) = -sum_j G_ij (change of g_j) + F_i (change of c),
// and all rows must be between their walls.
bool KinkHomotopy::is_consistent(const Start& start, Index row, const HeldOutRowWalked& walked,
                                 const VectorView& entries, const VectorView& change,
                                 const KinkWalk& walk) const {
  double computed = -entries.dot(change);
  if (start.coordinate_of[static_cast<std::size_t>(row)] < 0) {
    const double own = feature_norms_[row] * feature_norms_[row] / start.lambda;
    computed -= own * (walked.subgradient - start.subgradient[row]);
  }
  const double carried = walked.predictor - start.predictor[row];
  const KinkWalk::Excess excess = walk.largest_excess();
  const double size = start.places.kinks().predictor_size(start.predictor) + std::abs(carried);
  return std::abs(computed - carried) <= slack * size && excess.predictor <= slack * size &&
         excess.subgradient <= slack * start.places.kinks().slope.lpNorm<Eigen::Infinity>();
}

KinkHomotopy::Chunk KinkHomotopy::walk_rows(const Start& start, std::span<const Index> rows, bool first_piece,
                                            bool certify) const {
  const Index pivoted = start.pinned + free_.cols();
  const Matrix at_rows = entries(start, rows);
  Matrix directions = at_rows;  // T[:,i], of rows outside by the formula of the tableau
  if (!start.all) {
    directions.topRows(pivoted).setZero();
    blas::add_product(directions, -1.0, start.tableau.leftCols(pivoted), at_rows.topRows(pivoted));
  }
  Matrix changes = Matrix::Zero(directions.rows(), directions.cols());
  Chunk chunk;
  chunk.met_outside.assign(rows.size(), 0);
  KinkWalk walk;
  OwnPivots pivots(start.tableau);
  for (std::size_t m = 0; m < rows.size(); ++m) {
    const auto column = static_cast<Index>(m);
    const HeldOutRow row = held_out_row(start, rows[m]);
    double gain = 0.0;
    if (row.at >= 0) {
      directions.col(column) = start.tableau.col(row.at);
      gain = start.tableau(row.at, row.at);
    } else {
      gain = feature_norms_[rows[m]] * feature_norms_[rows[m]] / start.lambda -
             at_rows.col(column).head(pivoted).dot(directions.col(column).head(pivoted));
    }
    walk = start.walk;
    pivots.clear();
    HeldOutRowWalked walked =
        hold_out(row, directions.col(column), gain, start.scale, walk, pivots, first_piece);
    const bool alone = row.kept == 0.0 && free_.row(rows[m]).squaredNorm() > 1.0 - tolerances::alone;
    if (alone) walked.end = End::failed;
    if (walked.end == End::arrived) {
      changes.col(column) = change_of(start, row, walked, walk);
      if (!is_consistent(start, rows[m], walked, at_rows.col(column), changes.col(column), walk)) {
        walked.end = End::failed;
      }
    }
    chunk.moved.push_back(start.all ? 0.0 : size_of_move(start, row, walked, changes.col(column), walk));
    chunk.walked.push_back(walked);
  }
  if (!start.all) check_outside(start, rows, changes, chunk);
  if (certify) {
    const auto longest = std::max_element(
        chunk.walked.begin(), chunk.walked.end(),
        [](const HeldOutRowWalked& a, const HeldOutRowWalked& b) { return a.knots < b.knots; });
    const auto m = static_cast<std::size_t>(longest - chunk.walked.begin());
    const bool arrived = longest->end == End::arrived && chunk.met_outside[m] == 0;
    if (arrived && !is_certified(start, rows[m], *longest, changes.col(static_cast<Index>(m)))) {
      chunk.missed = 1;
    }
  }
  return chunk;
}

// Judges the fit without a row by the code that certifies fits, from the original data.
bool KinkHomotopy::is_certified(const Start& start, Index row, const HeldOutRowWalked& walked,
                                const VectorView& change) const {
  const Vector weights = weights_without(problem_, row);
  if (weights.sum() == 0.0) return true;
  Vector rise = Vector::Zero(problem_.rows());  // of the subgradients
  for (std::size_t k = 0; k < start.order.size(); ++k) {
    rise[start.order[k]] = change[start.coordinate(k, free_.cols())];
  }
  rise[row] = walked.subgradient - start.subgradient[row];
  const Vector slopes = problem_.design().transpose_multiply(rise);
  Vector coefficients = problem_.scale().cwiseProduct(start.fit->coefficients);
  double intercept = start.fit->intercept[0];
  if (problem_.intercept()) intercept += start.fit->coefficients.dot(problem_.design().center());
  const RidgeColumns& columns = rows_.columns();
  for (std::size_t k = 0; k < columns.penalized.size(); ++k) {
    const Index j = columns.penalized[k];
    coefficients[j] -= slopes[j] / (start.lambda * columns.factors[static_cast<Index>(k)]);
  }
  if (free_.cols() > 0) {  // from the basis U to the columns that it stands for
    const Matrix all = (problem_.data().weights.array() > 0.0).cast<double>().matrix().asDiagonal() *
                       unpenalized_columns(problem_, null_lambda);
    Vector shift = change.segment(start.pinned, free_.cols());
    if (start.leant != 0.0) shift[0] += start.leant;
    const Vector target = free_ * shift;
    const Vector moves = dense::least_squares(all, target);
    if (problem_.intercept()) intercept += moves[0];
    coefficients(columns.free) += moves.tail(static_cast<Index>(columns.free.size()));
  }
  Fit fit = make_fit(problem_, start.fit->lambda, coefficients, Vector::Constant(1, intercept));
  fit.subgradient = (start.subgradient + rise) / start.unit;
  Certifier(problem_, weights).certify(std::span(&fit, 1));
  const double size = start.places.kinks().predictor_size(start.predictor);
  return meets(fit.certificate, options_.fit.tolerance) &&
         std::abs(fit.linear_predictor[row] - walked.predictor) <= 1e-8 * size;
}

// Finds the rows outside the tableau that the fit without a row moves beyond a kink.
void KinkHomotopy::check_outside(const Start& start, std::span<const Index> rows, const Matrix& changes,
                                 Chunk& chunk) const {
  std::vector<Index> doubtful;  // of the chunk
  for (std::size_t m = 0; m < rows.size(); ++m) {
    if (chunk.walked[m].end == End::arrived && chunk.moved[m] * (1.0 + slack) > start.radius) {
      doubtful.push_back(static_cast<Index>(m));
    }
  }
  if (doubtful.empty()) return;
  // The move of the fit, on the penalised columns and on U.
  const Index own = start.features.rows() - free_.cols();
  Matrix moves = Matrix::Zero(own, static_cast<Index>(doubtful.size()));
  Matrix free_moves(free_.cols(), moves.cols());
  for (Index d = 0; d < moves.cols(); ++d) {
    const Index m = doubtful[static_cast<std::size_t>(d)];
    const Index row = rows[static_cast<std::size_t>(m)];
    for (std::size_t k = 0; k < start.order.size(); ++k) {
      const double change = changes(start.coordinate(k, free_.cols()), m);
      if (change != 0.0)
        moves.col(d) -= change / start.lambda * start.features.col(static_cast<Index>(k)).head(own);
    }
    if (start.coordinate_of[static_cast<std::size_t>(row)] < 0) {
      const double change = chunk.walked[static_cast<std::size_t>(m)].subgradient - start.subgradient[row];
      moves.col(d) -= change / start.lambda * rows_.gather(std::span(&row, 1));
    }
    free_moves.col(d) = changes.col(m).segment(start.pinned, free_.cols());
  }
  moves.array().colwise() /= rows_.columns().factors.array().sqrt();
  Matrix shifts = problem_.design().multiply_columns(rows_.columns().penalized, moves);
  blas::add_product(shifts, 1.0, free_, free_moves);

  const double allowed = slack * start.places.kinks().predictor_size(start.predictor);
  for (Index j = 0; j < problem_.rows(); ++j) {
    if (start.coordinate_of[static_cast<std::size_t>(j)] >= 0 || start.places.is_idle(j)) continue;
    bool met = false;
    for (Index d = 0; d < shifts.cols(); ++d) {
      const auto m = static_cast<std::size_t>(doubtful[static_cast<std::size_t>(d)]);
      const double predictor = start.predictor[j] + shifts(j, d);
      if (!start.places.is_beyond(j, predictor, allowed) || rows[m] == j) continue;
      chunk.met_outside[m] = 1;
      met = true;
    }
    if (met) chunk.outside.push_back(j);
  }
}

}  // namespace alo
