// SPDX-License-Identifier: MIT
#include "solvers/kinked_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "linalg/blas.hpp"
#include "solvers/null_fit.hpp"

namespace alo {

namespace {

// Up to so many rows for each column, and in all, the kernel of all rows is worth making.
constexpr Index rows_per_column = 6;
constexpr Index most_rows_at_once = 5000;
constexpr Index few_rows = 600;
// Rows in a band, beside those for each column.
constexpr Index least_band = 300;
constexpr Index band_per_column = 8;
constexpr int most_bands = 30;
// A distance to a kink, relative to linear predictors, that is rounding.
constexpr double touching_share = 1e-10;

bool works_in_bands(const Problem& problem) {
  const Index rows = problem.rows();
  if (rows <= few_rows) return false;
  return rows > most_rows_at_once || rows > rows_per_column * problem.columns();
}

}  // namespace

KinkedSolver::KinkedSolver(const Problem& problem, const Vector& weights)
    : problem_(problem),
      columns_(ridge_columns(problem)),
      free_(unpenalized_columns(problem, null_lambda)),
      places_(problem.loss(), problem.data().response, weights),
      in_bands_(works_in_bands(problem)) {
  const NullFit null = null_fit(problem, weights);
  gradient_ = null.gradient;
  predictor_ = null.linear_predictor;
  free_coefficients_ = Vector::Zero(free_.cols());
  if (problem.intercept()) free_coefficients_[0] = (null.linear_predictor - problem.data().offset).mean();
  if (in_bands_) {
    Vector factors = Vector::Ones(problem.columns());
    for (std::size_t k = 0; k < columns_.penalized.size(); ++k) {
      factors[columns_.penalized[k]] = columns_.factors[static_cast<Index>(k)];
    }
    norms_ = Vector::Zero(problem.rows());
    for (Index i = 0; i < problem.rows(); ++i) {
      norms_[i] = problem.design().row(i).cwiseQuotient(factors.cwiseSqrt()).norm();
    }
    return;
  }
  rows_.emplace(weighted_kernel(problem.design(), columns_.penalized, columns_.factors), free_, places_,
                problem.data().offset);
  rows_->start_from(gradient_, free_coefficients_);
}

void KinkedSolver::start_from(const Fit& fit) {
  gradient_ = fit.subgradient;
  const Vector scaled = problem_.scale().cwiseProduct(fit.coefficients);
  if (problem_.intercept()) {
    free_coefficients_[0] = fit.intercept[0] + fit.coefficients.dot(problem_.design().center());
  }
  free_coefficients_.tail(static_cast<Index>(columns_.free.size())) = scaled(columns_.free);
  predictor_ = problem_.linear_predictor(fit.intercept, fit.coefficients);
  predictor_before_ = {};
  if (!in_bands_) rows_->start_from(gradient_, free_coefficients_);
}

void KinkedSolver::solve(double lambda) {
  lambda_ = lambda;
  if (in_bands_) {
    solve_in_bands(lambda);
  } else {
    solve_all_rows(lambda);
  }
}

void KinkedSolver::solve_all_rows(double lambda) {
  rows_->solve(lambda);
  gradient_ = rows_->gradient();
  free_coefficients_ = rows_->free_coefficients();
  predictor_ = rows_->linear_predictor();
}

// Where the last two solutions lead tells which rows will be near a kink.
void KinkedSolver::solve_in_bands(double lambda) {
  const Vector last = predictor_;
  if (predictor_before_.size() > 0) predictor_ += predictor_ - predictor_before_;
  for (Index i = 0; i < problem_.rows(); ++i) {
    places_.set_place(i, places_.place_of_predictor(i, predictor_[i]));
    if (!places_.is_pinned(i)) gradient_[i] = places_.slope(i);
  }
  make_band(nearest_rows(std::max(least_band, band_per_column * problem_.columns())));
  for (int round = 0; round < most_bands; ++round) {
    solve_band(lambda);
    const std::vector<Index> passed = passed_rows();
    if (passed.empty()) break;
    std::vector<Index> band = band_;
    band.insert(band.end(), passed.begin(), passed.end());
    make_band(std::move(band));
  }
  predictor_before_ = last;
}

std::vector<Index> KinkedSolver::nearest_rows(Index count) const {
  std::vector<double> distance(static_cast<std::size_t>(problem_.rows()));
  for (Index i = 0; i < problem_.rows(); ++i) {
    const double far = places_.distance_to_kink(i, predictor_[i]) / std::max(norms_[i], 1e-300);
    distance[static_cast<std::size_t>(i)] =
        places_.is_idle(i) ? std::numeric_limits<double>::infinity() : far;
  }
  std::vector<Index> order(distance.size());
  std::iota(order.begin(), order.end(), Index{0});
  const auto middle = order.begin() + std::min(count, problem_.rows());
  std::nth_element(order.begin(), middle - 1, order.end(), [&](Index a, Index b) {
    return distance[static_cast<std::size_t>(a)] < distance[static_cast<std::size_t>(b)];
  });
  order.erase(middle, order.end());
  return order;
}

Matrix KinkedSolver::scaled_rows(const std::vector<Index>& rows) const {
  Matrix result(static_cast<Index>(rows.size()), static_cast<Index>(columns_.penalized.size()));
  const Vector roots = columns_.factors.cwiseSqrt();
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const Vector row = problem_.design().row(rows[k]);
    result.row(static_cast<Index>(k)) = row(columns_.penalized).cwiseQuotient(roots).transpose();
  }
  return result;
}

void KinkedSolver::make_band(std::vector<Index> band) {
  std::sort(band.begin(), band.end());
  band_ = std::move(band);
  band_rows_ = scaled_rows(band_);
  rows_.emplace(blas::multiply(band_rows_, band_rows_.transpose()), free_(band_, Eigen::all),
                places_.subset(band_), problem_.data().offset(band_));
}

Vector KinkedSolver::penalized_coefficients(const Vector& gradient, double lambda) const {
  const Vector slopes = problem_.design().transpose_multiply(gradient);
  Vector result = Vector::Zero(problem_.columns());
  for (std::size_t k = 0; k < columns_.penalized.size(); ++k) {
    const Index j = columns_.penalized[k];
    result[j] = -slopes[j] / (lambda * columns_.factors[static_cast<Index>(k)]);
  }
  return result;
}

bool KinkedSolver::solve_band(double lambda) {
  Vector outside = gradient_;
  outside(band_).setZero();
  const Vector from_outside = problem_.design().multiply(penalized_coefficients(outside, lambda));
  rows_->set_outside(problem_.data().offset(band_) + from_outside(band_), free_.transpose() * outside);
  rows_->start_from(gradient_(band_), free_coefficients_);
  const bool solved = rows_->solve(lambda);
  gradient_(band_) = rows_->gradient();
  free_coefficients_ = rows_->free_coefficients();
  predictor_ = problem_.data().offset + free_ * free_coefficients_ +
               problem_.design().multiply(penalized_coefficients(gradient_, lambda));
  return solved;
}

std::vector<Index> KinkedSolver::passed_rows() const {
  std::vector<Index> passed;
  auto next = band_.begin();
  for (Index i = 0; i < problem_.rows(); ++i) {
    if (next != band_.end() && *next == i) {
      ++next;
    } else if (places_.place_of_predictor(i, predictor_[i]) != places_.place(i) && !places_.is_idle(i)) {
      passed.push_back(i);
    }
  }
  return passed;
}

Vector KinkedSolver::coefficients() const {
  Vector result = penalized_coefficients(gradient_, lambda_);
  const Index intercepts = problem_.intercept() ? 1 : 0;
  for (std::size_t k = 0; k < columns_.free.size(); ++k) {
    result[columns_.free[k]] = free_coefficients_[intercepts + static_cast<Index>(k)];
  }
  return result;
}

bool KinkedSolver::has_row_at_end() const {
  const double touching = touching_share * (1.0 + predictor_.lpNorm<Eigen::Infinity>());
  for (Index i = 0; i < problem_.rows(); ++i) {
    if (places_.is_idle(i) || places_.place_of_gradient(i, gradient_[i], 0.0) % 2 == 1) continue;
    if (places_.distance_to_kink(i, predictor_[i]) <= touching) return true;
  }
  return false;
}

Vector KinkedSolver::hat() {
  const PinnedRows::Hat hat = rows_->hat();
  if (!hat.is_determined || has_row_at_end()) return {};
  std::vector<Index> pinned = rows_->pinned();
  std::vector<Index> moved;  // on a piece with a slope
  for (Index i = 0; i < problem_.rows(); ++i) {
    const Index place = places_.place_of_gradient(i, gradient_[i], 0.0);
    if (place % 2 == 0 && gradient_[i] != 0.0) moved.push_back(i);
  }
  Vector result = Vector::Zero(problem_.rows());
  Vector on_pieces;
  if (in_bands_) {
    const Matrix moved_rows = scaled_rows(moved);
    const Matrix cross = blas::multiply(band_rows_(pinned, Eigen::all), moved_rows.transpose());
    on_pieces =
        rows_->hat_on_pieces(hat, cross, moved_rows.rowwise().squaredNorm(), free_(moved, Eigen::all));
    for (Index& i : pinned) i = band_[static_cast<std::size_t>(i)];
  } else {
    const Matrix& kernel = rows_->kernel();
    on_pieces =
        rows_->hat_on_pieces(hat, kernel(pinned, moved), kernel.diagonal()(moved), free_(moved, Eigen::all));
  }
  result(moved) = on_pieces;
  result(pinned) = hat.pinned;
  return result;
}

}  // namespace alo
