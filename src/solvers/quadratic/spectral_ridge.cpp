// SPDX-License-Identifier: MIT
#include "solvers/quadratic/spectral_ridge.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/blas.hpp"
#include "linalg/tolerances.hpp"

namespace alo {

namespace {

// A lambda below this share of the largest s^2 takes the singular values of A itself. The eigenvalues of A A'
// have an error of epsilon s_1^2, relative to lambda at most 2e-11 here. At a tenth fits come near the
// tolerance 1e-10 of their certificate; at ten times more problems pay for the decomposition of A.
constexpr double least_share = 1e-5;
// Above this leverage 1 - h_i is computed by itself (hat_by_rows) and not from these leverages, whose error
// of up to 2e-11 would be 2e-8 of 1 - h_i. At 0.9999 another digit is lost; at 0.99 more fits take the dearer
// form.
constexpr double near_one = 0.999;
// Columns whose products are added at a time; only speed and memory depend on it.
constexpr Index panel_columns = 1024;

}  // namespace

SpectralRidge::SpectralRidge(const Problem& problem, const VectorView& weights)
    : problem_(problem), root_weights_(weights.cwiseSqrt()), free_(problem, weights) {
  root_factors_ = problem.penalty().separable(problem.columns())->square(free_.penalized()).cwiseSqrt();
  target_ = root_weights_.cwiseProduct(problem.data().response - problem.data().offset);
  off_free_ = target_;
  free_.project_out(off_free_);
  free_components_.resize(free_.rank(), root_factors_.size());
  if (root_factors_.size() > problem.rows()) {
    decompose_rows();
  } else {
    decompose_columns();
  }
}

// Computes some of the penalised columns of A and stores their components along the unpenalised ones.
Matrix SpectralRidge::take_columns(Index first, Index count) {
  const std::span<const Index> columns(free_.penalized());
  Matrix taken =
      root_weights_.asDiagonal() * problem_.design().gather(columns.subspan(static_cast<std::size_t>(first),
                                                                            static_cast<std::size_t>(count)));
  taken.array().rowwise() /= root_factors_.segment(first, count).transpose().array();
  free_components_.middleCols(first, count) = blas::transpose_multiply(free_.basis(), taken);
  free_.project_out(taken);
  return taken;
}

void SpectralRidge::decompose_rows() {
  Matrix products = Matrix::Zero(problem_.rows(), problem_.rows());
  for (Index first = 0; first < root_factors_.size(); first += panel_columns) {
    blas::add_row_gram(products, take_columns(first, std::min(panel_columns, root_factors_.size() - first)));
  }
  blas::SymmetricEigen decomposition = blas::symmetric_eigen(std::move(products));
  left_ = std::move(decomposition.vectors);
  squares_ = decomposition.values.cwiseMax(0.0);
  rotated_target_ = blas::transpose_multiply_vector(left_, off_free_);
}

void SpectralRidge::decompose_columns() {
  blas::SingularValues decomposition = blas::singular_values(take_columns(0, root_factors_.size()));
  left_ = std::move(decomposition.u);
  right_ = std::move(decomposition.v);
  squares_ = decomposition.s.cwiseAbs2();
  rotated_target_ = blas::transpose_multiply_vector(left_, off_free_);
}

bool SpectralRidge::is_too_rough(double lambda) const {
  return right_.size() == 0 && squares_.size() > 0 && !(lambda >= least_share * squares_[0]);
}

// diag(1 / (s^2 + lambda)) L' target goes to the columns by R diag(s), or by A'L where there is no R.
Matrix SpectralRidge::penalized_coefficients(std::span<const double> lambdas) const {
  const Index count = squares_.size();
  // At lambda = 0 directions without data stay at zero.
  const double smallest = count == 0 ? 0.0 : tolerances::column_rank * tolerances::column_rank * squares_[0];
  Matrix rotated = Matrix::Zero(count, static_cast<Index>(lambdas.size()));
  for (std::size_t l = 0; l < lambdas.size(); ++l) {
    for (Index k = 0; k < count; ++k) {
      if (!(lambdas[l] > 0.0 || squares_[k] > smallest)) continue;
      rotated(k, static_cast<Index>(l)) = rotated_target_[k] / (squares_[k] + lambdas[l]);
    }
  }
  Matrix result;
  if (right_.size() > 0) {
    result = blas::multiply(right_, squares_.cwiseSqrt().asDiagonal() * rotated);
  } else {
    Matrix rows = blas::multiply(left_, rotated);
    free_.project_out(rows);
    rows.array().colwise() *= root_weights_.array();
    result = problem_.design().transpose_multiply_columns(free_.penalized(), rows);
    result.array().colwise() /= root_factors_.array();
  }
  result.array().colwise() /= root_factors_.array();
  return result;
}

Matrix SpectralRidge::all_leverages(std::span<const double> lambdas) const {
  Matrix kept(squares_.size(), static_cast<Index>(lambdas.size()));
  for (std::size_t l = 0; l < lambdas.size(); ++l) {
    kept.col(static_cast<Index>(l)) = squares_.array() / (squares_.array() + lambdas[l]);
  }
  Matrix result = blas::multiply(left_.cwiseAbs2(), kept);
  result.colwise() += free_.leverages();
  return result;
}

std::vector<SpectralRidge::Solution> SpectralRidge::solve(std::span<const double> lambdas,
                                                          bool with_leverages) {
  if (std::any_of(lambdas.begin(), lambdas.end(), [this](double lambda) { return is_too_rough(lambda); })) {
    decompose_columns();
  }
  const Matrix coefficients = penalized_coefficients(lambdas);
  const Matrix leverages = with_leverages ? all_leverages(lambdas) : Matrix();
  std::vector<Solution> solutions(lambdas.size());
  for (std::size_t l = 0; l < lambdas.size(); ++l) {
    Solution& solution = solutions[l];
    const auto penalized = coefficients.col(static_cast<Index>(l));
    solution.coefficients = Vector::Zero(problem_.columns());
    solution.coefficients(free_.penalized()) = penalized;
    if (!free_.empty()) {
      // Only the component of the fit along the unpenalised columns changes their coefficients.
      const Vector products =
          free_.basis().transpose() * target_ - free_components_ * root_factors_.cwiseProduct(penalized);
      free_.solve(products, solution.intercept, solution.coefficients);
    }
    if (!with_leverages || !(lambdas[l] > 0.0)) continue;
    solution.leverages = leverages.col(static_cast<Index>(l));
    if (!(solution.leverages.maxCoeff() < near_one)) solution.leverages.resize(0);
  }
  return solutions;
}

// The share of the squared norm of the target, off the unpenalised columns, that the fit explains.
double SpectralRidge::explained_share(double lambda) const {
  // |t|^2 - |t - fit|^2 = sum_k c_k^2 (1 - (lambda / (s_k^2 + lambda))^2).
  const auto kept = lambda / (squares_.array() + lambda);
  return (rotated_target_.array().square() * (1.0 - kept.square())).sum() / off_free_.squaredNorm();
}

// Finds the lambda by bisection in log lambda, since the share falls with lambda; zero where nothing is
// explained.
double SpectralRidge::find_start(double share) const {
  const double full = explained_share(std::numeric_limits<double>::min());
  const double wanted = std::min(share, 0.5 * full);
  if (!(wanted > 0.0)) return 0.0;
  double low = std::log(1e-12);
  double high = std::log(1e12);
  while (explained_share(std::exp(high)) > wanted) high += std::log(1e6);
  while (explained_share(std::exp(low)) < wanted) low -= std::log(1e6);
  for (int step = 0; step < 80; ++step) {
    const double middle = 0.5 * (low + high);
    (explained_share(std::exp(middle)) > wanted ? low : high) = middle;
  }
  return std::exp(low);
}

double SpectralRidge::start(double share) {
  if (off_free_.squaredNorm() == 0.0) return 1.0;
  double lambda = find_start(share);
  if (is_too_rough(lambda)) {
    decompose_columns();
    lambda = find_start(share);
  }
  return lambda > 0.0 ? lambda : 1.0;
}

}  // namespace alo
