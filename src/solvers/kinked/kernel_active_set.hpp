// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "linalg/cholesky_factor.hpp"
#include "solvers/kinked/row_places.hpp"

namespace alo {

// Minimises a loss with kinks and a ridge penalty in the coordinates of the rows (row_kernel.hpp): over g and
// c
//
//     eta = o + F c - K g / lambda,   F'g = 0,   g_i a subgradient of row i's loss at eta_i.
//
// If it were known which rows V are pinned to which kinks v, and on which pieces the others lie, this would
// be one linear system,
//
//     K_VV g_V - lambda F_V c = lambda (o_V - v_V) - K_VS g_S,   F_V'g_V = -F_S'g_S.
//
// So rows that outgrow their places move to the next ones, all at once, and the system is solved again: a
// primal-dual active set, which from a neighbouring lambda ends after a few rounds. Where it does not, an
// augmented Lagrangian leads there: pinned rows are then bound to their kinks by springs,
// eta_i = v_i + (g_i - t_i) / sigma, which adds lambda / sigma to the diagonal of K_VV; for given targets t
// that is Newton's method, with a line search, on a smooth convex function. Its minimiser gives the next
// targets, and springs become stiffer.
class KernelActiveSet {
 public:
  KernelActiveSet(Matrix kernel, Matrix free, RowPlaces rows, Vector offset);

  // Begins near a solution.
  void start_from(const Vector& gradient, const Vector& free_coefficients);
  // False where the optimality conditions could not be met.
  bool solve(double lambda);

  const Vector& gradient() const { return gradient_; }
  const Vector& free_coefficients() const { return free_coefficients_; }
  const Vector& linear_predictor() const { return predictor_; }

  // a_i, with which leaving row i out takes its predictor to eta_i + a_i g_i; not asked of rows with g_i = 0.
  // Empty where it is not for the pinned rows alone to say: they depend on each other or do not determine the
  // unpenalised part, or a row on a piece is at its end. NaN where a row alone holds the unpenalised part.
  Vector hat();

 private:
  struct Step {
    Vector gradient;
    Vector free_coefficients;
    Vector product;    // K times that of the gradient
    Vector predictor;  // what the step adds to eta
  };
  struct State {
    Vector gradient, free_coefficients;
    RowPlaces rows;
  };

  void refresh();
  void settle_factor(double ridge);
  bool is_aside(Index i) const { return aside_[static_cast<std::size_t>(i)] != 0; }
  // The move to where rows on pieces have their slopes and pinned ones meet their springs. None where the
  // pinned rows do not determine the unpenalised part.
  std::optional<Step> step(double ridge, const Vector& targets);
  void apply(const Step& step, double length);

  bool pivot_to_solution(int patience);
  Index move_outgrown();
  bool refine();
  // A row whose gradient reached the end of what it may be is on the piece there.
  void leave_ends();
  void centre_intercept();

  bool approach();
  void minimise_with_springs(const Vector& targets, double sigma);
  Step along_free_columns(const Vector& gradient) const;
  double best_length(const Step& step, const Vector& targets, double sigma, bool is_newton) const;
  double descent_at(const Step& step, const Vector& targets, double sigma, double length) const;
  bool place_by_springs(const Vector& targets, double sigma, Vector& gradient);
  void hat_on_pieces(const Matrix& reduced, const Matrix& basis, Vector& hat) const;
  void hat_of_pinned(const Matrix& basis, Vector& hat) const;
  bool has_row_at_end() const;

  Matrix kernel_;
  Matrix free_;
  RowPlaces rows_;
  Vector offset_;
  double lambda_ = 1.0;
  double size_ = 1.0;  // of linear predictors: what their rounding is relative to

  Vector gradient_;  // g
  Vector free_coefficients_;
  Vector product_;    // K g
  Vector predictor_;  // eta

  std::vector<Index> order_;  // pinned rows in the factor of K_VV + ridge, in its order
  CholeskyFactor factor_;
  double factor_ridge_ = -1.0;
  std::vector<Index> hat_places_;  // at which the hat below was computed
  Vector hat_;                     // times lambda: a change of lambda alone leaves it as it is
  std::vector<char> aside_;        // pinned rows that depend on those in the factor; their g stays
};

}  // namespace alo
