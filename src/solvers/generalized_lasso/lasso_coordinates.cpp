// SPDX-License-Identifier: MIT
#include "solvers/generalized_lasso/lasso_coordinates.hpp"

#include <cmath>

#include "alo/penalties/lasso.hpp"
#include "certificate/fit_predictors.hpp"
#include "signals/multiplier.hpp"
#include "signals/spline.hpp"
#include "solvers/certified_solver.hpp"
#include "solvers/fit_scale.hpp"
#include "solvers/proximal/methods.hpp"

namespace alo {

namespace {

// Proximal steps in splines search each of them afresh, which takes seconds a lambda at this many columns.
constexpr Index most_pattern_columns = 2000;

// How a fit of the reduced problem was found, as part of the name of the whole.
std::string named(const Fit& reduced) {
  return "lasso-coordinates/" + reduced.method;
}

}  // namespace

LassoCoordinates::LassoCoordinates(const Problem& problem)
    : problem_(&problem), penalty_(problem.penalty().as<GeneralizedLasso>()) {
  const Index terms = penalty_->matrix().rows();
  // Sums of many columns are long and those of few are short.
  Matrix design = penalty_->term_design(problem.design());
  sizes_ = design.colwise().norm().transpose();
  for (double& size : sizes_) size = size > 0.0 ? size : 1.0;
  design *= sizes_.cwiseInverse().asDiagonal();
  Vector factors = Vector::Zero(problem.columns());
  factors.tail(terms) = sizes_.tail(terms).cwiseInverse();
  Dataset data = make_dataset(Design(std::move(design)), problem.data().response);
  data.weights = problem.data().weights;
  data.weight_kind = problem.data().weight_kind;
  data.offset = problem.data().offset;
  reduced_ = std::make_unique<const Problem>(std::move(data), problem.loss(), Lasso(std::move(factors)),
                                             ProblemOptions{problem.intercept(), false});
}

void LassoCoordinates::predict(std::span<Fit> reduced) const {
  const Index outputs = problem_->outputs();
  const Matrix predictors = fit_predictors(*reduced_, reduced);
  for (std::size_t k = 0; k < reduced.size(); ++k) {
    reduced[k].linear_predictor = predictors.middleCols(static_cast<Index>(k) * outputs, outputs).reshaped();
  }
}

Vector LassoCoordinates::gradient_of(const Fit& reduced, const Vector& weights) const {
  if (reduced.subgradient.size() > 0) return reduced.subgradient;
  Vector gradient = problem_->loss().derivative(reduced.linear_predictor, reduced_->data().response);
  by_output(gradient, problem_->outputs()).array().colwise() *= weights.array();
  return gradient;
}

Fit LassoCoordinates::with_multipliers(const Fit& reduced, Matrix multipliers) const {
  const Index outputs = problem_->outputs();
  const Matrix variables = sizes_.cwiseInverse().asDiagonal() * by_output(reduced.coefficients, outputs);
  const auto terms = variables.bottomRows(multipliers.rows());
  Matrix coefficients = penalty_->from_terms(variables);
  if (penalty_->order() > 1 && terms.rows() > 0) {
    // What rounding left of differences that are zero would count lambda times.
    for (Index k = 0; k < outputs; ++k) {
      std::vector<Index> active;
      for (Index m = 0; m < terms.rows(); ++m) {
        if (terms(m, k) != 0.0) active.push_back(m);
      }
      coefficients.col(k) = nearest_spline(coefficients.col(k), penalty_->order(), active);
    }
  }
  Fit fit = make_fit(*problem_, reduced.lambda, coefficients.reshaped(), reduced.intercept);
  fit.subgradient = reduced.subgradient;
  fit.hat = reduced.hat;
  for (Index k = 0; k < outputs; ++k) {
    for (Index m = 0; m < multipliers.rows(); ++m) {
      multipliers(m, k) = marked_multiplier(multipliers(m, k), terms(m, k), fit.lambda);
    }
  }
  fit.multipliers = multipliers.reshaped();
  return fit;
}

std::vector<Fit> LassoCoordinates::expand(std::span<const Fit> reduced, const Vector& weights) const {
  const Index outputs = problem_->outputs();
  Matrix gradients(problem_->rows(), static_cast<Index>(reduced.size()) * outputs);
  for (std::size_t k = 0; k < reduced.size(); ++k) {
    gradients.middleCols(static_cast<Index>(k) * outputs, outputs) =
        by_output(gradient_of(reduced[k], weights), outputs);
  }
  const Index terms = penalty_->matrix().rows();
  Matrix multipliers = -reduced_->data().design.transpose_multiply_columns(gradients).bottomRows(terms);
  multipliers.array().colwise() *= sizes_.tail(terms).array();
  std::vector<Fit> fits;
  for (std::size_t k = 0; k < reduced.size(); ++k) {
    fits.push_back(
        with_multipliers(reduced[k], multipliers.middleCols(static_cast<Index>(k) * outputs, outputs)));
  }
  return fits;
}

Fit LassoCoordinates::expand(const Fit& reduced, const Vector& weights) const {
  return std::move(expand(std::span(&reduced, 1), weights).front());
}

Fit LassoCoordinates::reduce(const Fit& fit) const {
  const Index outputs = problem_->outputs();
  const StartingPoint start = starting_point(*problem_, fit);
  Fit reduced = fit;
  reduced.multipliers = Vector();
  reduced.intercept = start.intercept;
  Matrix variables(problem_->columns(), outputs);
  for (Index k = 0; k < outputs; ++k) {
    Vector terms = penalty_->matrix() * start.coefficients.col(k);
    const auto multipliers = by_output(fit.multipliers, outputs).col(k);
    for (Index m = 0; m < terms.size(); ++m) {
      if (std::abs(multipliers[m]) < fit.lambda) terms[m] = 0.0;
    }
    variables.col(k) = penalty_->to_variables(start.coefficients.col(k), terms);
  }
  reduced.coefficients = (sizes_.asDiagonal() * variables).reshaped();
  return reduced;
}

std::vector<Fit> LassoCoordinates::reduce(std::span<const Fit> fits) const {
  std::vector<Fit> result;
  for (const Fit& fit : fits) result.push_back(reduce(fit));
  return result;
}

LassoCoordinatesSolver::LassoCoordinatesSolver(const Problem& problem, const Vector& weights,
                                               const FitOptions& options, Use use)
    : problem_(problem),
      coordinates_(std::make_unique<LassoCoordinates>(problem)),
      weights_(weights),
      options_(options),
      solver_(std::make_unique<CertifiedSolver>(coordinates_->reduced(), weights, options, use)) {}
LassoCoordinatesSolver::~LassoCoordinatesSolver() = default;

void LassoCoordinatesSolver::start_from(const Fit& fit) {
  solver_->start_from(coordinates_->reduce(fit));
}

std::vector<Fit> LassoCoordinatesSolver::solve(std::span<const double> lambdas, const Monitor& monitor) {
  std::vector<Fit> reduced = solver_->solve(lambdas, monitor);
  coordinates_->predict(reduced);
  std::vector<Fit> fits = coordinates_->expand(reduced, weights_);
  for (std::size_t k = 0; k < fits.size(); ++k) fits[k].method = named(reduced[k]);
  return fits;
}

std::optional<Fit> LassoCoordinatesSolver::retry(const Fit& missed, int attempt) {
  if (attempt == 2) {
    Fit reduced = coordinates_->reduce(missed);
    reduced.method = solver_->method().name();
    solver_->certify(std::span(&reduced, 1));
    Fit fit = coordinates_->expand(reduced, weights_);
    fit.method = named(reduced);
    return fit;
  }
  // Sums of sums of columns are too much alike. Patterns have well-conditioned bases, but take seconds.
  const bool alike = problem_.penalty().as<GeneralizedLasso>()->order() > 2;
  const bool has_patterns = problem_.outputs() == 1 && !problem_.loss().has_kinks();
  if (attempt > 3 || !alike || !has_patterns || problem_.columns() > most_pattern_columns)
    return std::nullopt;
  const PatternMethod patterns;
  const auto solver = patterns.solver(problem_, weights_, options_, Use::refit);
  Fit fit = std::move(solver->solve(std::span(&missed.lambda, 1), {}).front());
  fit.method = patterns.name();
  return fit;
}

}  // namespace alo
