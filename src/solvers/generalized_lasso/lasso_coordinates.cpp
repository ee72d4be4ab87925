// SPDX-License-Identifier: MIT
#include "solvers/generalized_lasso/lasso_coordinates.hpp"

#include <cmath>

#include "certificate/fit_predictors.hpp"
#include "linalg/decompositions.hpp"
#include "penalties/separable_sums.hpp"
#include "signals/multiplier.hpp"
#include "solvers/certified_solver.hpp"
#include "solvers/fit_scale.hpp"
#include "solvers/proximal/methods.hpp"

namespace alo {

namespace {

// The most columns for which the third attempt uses proximal steps. Each of these finds a spline from
// scratch, which takes seconds per lambda at this size. Only the time until a fit is given up depends on it.
constexpr Index most_pattern_columns = 2000;

// The name of the method that fitted the reduced problem, as part of the name of the whole.
std::string named(const Fit& reduced) {
  return "lasso-coordinates/" + reduced.method;
}

}  // namespace

LassoCoordinates::LassoCoordinates(const Problem& problem)
    : problem_(&problem), analysis_(problem.penalty().analysis()), inverse_(analysis_->right_inverse()) {
  const Index terms = analysis_->matrix().rows();
  // The columns X Z are sums of few or of many columns of X, so their norms differ; they are scaled to one.
  Matrix design = variable_design();
  sizes_ = design.colwise().norm().transpose();
  for (double& size : sizes_) size = size > 0.0 ? size : 1.0;
  design *= sizes_.cwiseInverse().asDiagonal();
  Vector factors = Vector::Zero(problem.columns());
  factors.tail(terms) = sizes_.tail(terms).cwiseInverse();
  Dataset data = make_dataset(Design(std::move(design)), problem.data().response);
  data.weights = problem.data().weights;
  data.weight_kind = problem.data().weight_kind;
  data.offset = problem.data().offset;
  reduced_ = std::make_unique<const Problem>(std::move(data), problem.loss(),
                                             sum_of_absolute_values(std::move(factors)),
                                             ProblemOptions{problem.intercept(), false});
}

Matrix LassoCoordinates::variable_design() const {
  const Design& design = problem_->design();
  const SparseMatrix& null_basis = analysis_->null_basis();
  Matrix result(design.rows(), design.columns());
  result.leftCols(null_basis.cols()) = design.multiply_columns(null_basis.toDense());
  result.rightCols(analysis_->matrix().rows()) = inverse_->multiply_design(design);
  return result;
}

Matrix LassoCoordinates::coefficients(const Matrix& variables) const {
  const SparseMatrix& null_basis = analysis_->null_basis();
  return null_basis * variables.topRows(null_basis.cols()) +
         inverse_->multiply(variables.bottomRows(analysis_->matrix().rows()));
}

Vector LassoCoordinates::variables(const VectorView& coefficients, const VectorView& terms) const {
  const Vector rest = coefficients - inverse_->multiply(terms);
  Vector result(coefficients.size());
  result.tail(terms.size()) = terms;
  result.head(analysis_->null_basis().cols()) = dense::least_squares(analysis_->null_basis().toDense(), rest);
  return result;
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
  const Matrix given = sizes_.cwiseInverse().asDiagonal() * by_output(reduced.coefficients, outputs);
  const auto terms = given.bottomRows(multipliers.rows());
  Matrix expanded = coefficients(given);
  // The rounding of terms that should be zero would enter the penalty with the factor lambda, so the
  // coefficients are projected onto their pattern.
  for (Index k = 0; k < outputs; ++k) {
    std::vector<Index> active;
    for (Index m = 0; m < terms.rows(); ++m) {
      if (terms(m, k) != 0.0) active.push_back(m);
    }
    expanded.col(k) = analysis_->onto_pattern(expanded.col(k), active);
  }
  Fit fit = make_fit(*problem_, reduced.lambda, expanded.reshaped(), reduced.intercept);
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
  const Index terms = analysis_->matrix().rows();
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
  Matrix given(problem_->columns(), outputs);
  for (Index k = 0; k < outputs; ++k) {
    Vector terms = analysis_->matrix() * start.coefficients.col(k);
    const auto multipliers = by_output(fit.multipliers, outputs).col(k);
    for (Index m = 0; m < terms.size(); ++m) {
      if (std::abs(multipliers[m]) < fit.lambda) terms[m] = 0.0;
    }
    given.col(k) = variables(start.coefficients.col(k), terms);
  }
  reduced.coefficients = (sizes_.asDiagonal() * given).reshaped();
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
  // For higher orders the columns, repeated sums of columns, are nearly dependent. The proximal method works
  // on the problem's own coefficients, with a well-conditioned basis of each pattern, but takes seconds.
  const bool alike = problem_.penalty().analysis()->right_inverse()->is_ill_conditioned();
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
