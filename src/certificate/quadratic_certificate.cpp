// SPDX-License-Identifier: MIT
// The certificates of fits of a quadratic loss from sums over the rows, for which one pass is enough.
//
// With g = w l'(eta), C = diag(w l'') and the unpenalised columns F, the gradient at the minimiser over their
// coefficients is g + C F d, where F'C F d = -F'g, because l' is linear. The dual point is
// theta = -(g + C F d), with the products
//
//     X'theta = -(X'g + (X'C F) d),    F'theta = -(F'g + (F'C F) d), which is rounding.
//
// The Fenchel gap of a row at s theta / w is w (l' + s theta / w)^2 / (2 l''). Since l' = -theta / w - l'' F
// d and F'theta = 0, the sum over the rows is
//
//     [(1 - s)^2 sum theta^2 / (w l'')  +  d'F'C F d] / 2,    sum theta^2 / (w l'') = sum w l'^2 / l'' -
//     d'F'C F d,
//
// in which nothing cancels: d is rounding where the fit has its unpenalised coefficients right.
#include <cmath>

#include "certificate/fit_predictors.hpp"
#include "certificate/null_fit.hpp"
#include "certificate/row_part.hpp"
#include "data/row_products.hpp"
#include "linalg/decompositions.hpp"
#include "linalg/special_values.hpp"

namespace alo {

namespace {

// Of K fits and f unpenalised columns.
struct QuadraticSums {
  QuadraticSums(Index columns, Index free, Index fits)
      : slopes(Matrix::Zero(columns, fits + free)),
        free_slopes(Matrix::Zero(free, fits + free)),
        totals(Vector::Zero(fits)),
        excess(Vector::Zero(fits)),
        squares(Vector::Zero(fits)),
        norms(Vector::Zero(fits)),
        changes(Vector::Zero(fits)) {}

  QuadraticSums& operator+=(const QuadraticSums& other) {
    slopes += other.slopes;
    free_slopes += other.free_slopes;
    totals += other.totals;
    excess += other.excess;
    squares += other.squares;
    norms += other.norms;
    changes += other.changes;
    return *this;
  }

  Matrix slopes;  // X' and F', times g of each fit and C F
  Matrix free_slopes;
  Vector totals;   // sum g
  Vector excess;   // sum w (l - min l)
  Vector squares;  // sum w l'^2 / l''
  Vector norms;    // sum g^2
  Vector changes;  // sum (w l'' eta)^2
};

// l'^2 / l'' of a row; infinite where the loss has a slope and no curvature.
constexpr auto square_over = [](double slope, double curvature) {
  if (curvature > 0.0) return slope * slope / curvature;
  return slope == 0.0 ? 0.0 : infinity;
};

// Adds what a block of rows has, and notes the linear predictors of the fits there.
void add_block(const Problem& problem, const Vector& weights, const Matrix& free, const UsedColumns& used,
               std::span<Fit> fits, const RowBlock& rows, QuadraticSums& sums) {
  const Design& design = problem.data().design;
  const auto part = [&](const Vector& values) { return values.segment(rows.first, rows.count); };
  const auto response = part(problem.data().response);
  const auto weight = part(weights);
  const auto count = static_cast<Index>(fits.size());
  const Vector least = problem.loss().minimum(response);
  const Matrix predictors = multiply_rows(design, rows, used.columns, used.coefficients);
  Matrix gradients(rows.count, count + free.cols());
  Vector curvature;
  for (Index k = 0; k < count; ++k) {
    Fit& fit = fits[static_cast<std::size_t>(k)];
    auto predictor = fit.linear_predictor.segment(rows.first, rows.count);
    predictor = (predictors.col(k) + part(problem.data().offset)).array() + fit.intercept[0];
    const Vector slope = problem.loss().derivative(predictor, response);
    if (k == 0) curvature = problem.loss().curvature(predictor, response);  // that of every fit
    gradients.col(k) = weight.cwiseProduct(slope);
    sums.totals[k] += gradients.col(k).sum();
    sums.excess[k] += weight.dot(problem.loss().value(predictor, response) - least);
    sums.squares[k] += weight.dot(slope.binaryExpr(curvature, square_over));
    sums.norms[k] += gradients.col(k).squaredNorm();
    sums.changes[k] += weight.cwiseProduct(curvature).cwiseProduct(predictor).squaredNorm();
  }
  const auto own = free.middleRows(rows.first, rows.count);
  gradients.rightCols(free.cols()) = weight.cwiseProduct(curvature).asDiagonal() * own;
  add_transposed_rows(design, rows, gradients, sums.slopes);
  sums.free_slopes += own.transpose() * gradients;
}

}  // namespace

void Certifier::certify_quadratic(std::span<Fit> fits) const {
  if (fits.empty()) return;
  const Problem& problem = *problem_;
  const Design& design = problem.data().design;
  const Matrix& free = free_->columns();
  const auto count = static_cast<Index>(fits.size());
  const UsedColumns used(fits, problem.columns(), 1);
  for (Fit& fit : fits) fit.linear_predictor.resize(problem.rows());
  const QuadraticSums sums = pass_over_rows(problem.rows(), rows_of_block(design),
                                            QuadraticSums(problem.columns(), free.cols(), count),
                                            [&](const RowBlock& rows, QuadraticSums& some) {
                                              add_block(problem, weights_, free, used, fits, rows, some);
                                            });
  const auto free_system = sums.free_slopes.rightCols(free.cols());
  Matrix moves = Matrix::Zero(free.cols(), count);
  if (free.cols() > 0) moves = dense::least_squares(free_system, -sums.free_slopes.leftCols(count));
  const Matrix free_products = sums.free_slopes.leftCols(count) + free_system * moves;
  const Matrix dual_slopes = sums.slopes.leftCols(count) + sums.slopes.rightCols(free.cols()) * moves;
  for (Index k = 0; k < count; ++k) {
    Fit& fit = fits[static_cast<std::size_t>(k)];
    Vector steepest = -sums.slopes.col(k);
    if (problem.design().center().size() != 0) steepest += problem.design().center() * sums.totals[k];
    steepest.array() /= problem.scale().array();
    const Vector slope = -dual_slopes.col(k).cwiseQuotient(problem.scale());
    const double moved = moves.col(k).dot(free_system * moves.col(k));
    const double square = sums.squares[k] - moved;
    const RowPart rows{Vector::Constant(1, sums.totals[k]), 0.0,
                       [=](double scale) { return 0.5 * ((1.0 - scale) * (1.0 - scale) * square + moved); }};
    fit.unexplained = null_excess_ > 0.0 ? sums.excess[k] / null_excess_ : 1.0;
    fit.certificate = assemble(fit, rows, without_constant_columns(problem, steepest),
                               without_constant_columns(problem, slope));
    const bool is_feasible =
        free_->is_orthogonal(free_products.col(k), std::sqrt(sums.norms[k]), std::sqrt(sums.changes[k]));
    if (!has_null_fit_ || !is_feasible || !keeps_multipliers(fit, steepest)) fit.certificate.gap.reset();
  }
}

}  // namespace alo
