// SPDX-License-Identifier: MIT
#include "solvers/kinked/tall_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "certificate/null_fit.hpp"
#include "linalg/blas.hpp"
#include "solvers/fit_scale.hpp"

namespace alo {

namespace {

// The number of rows near their kinks that are solved for: near_per_coordinate for each coordinate, of which
// at most one is pinned in the end, and at least least_near. Ten times as many cost as much as all rows of
// usual data; with a tenth of them rows stray in every round. After rounds that end far off the number grows
// by the factor `near_growth`.
constexpr Index near_per_coordinate = 30;
constexpr Index least_near = 500;
constexpr Index near_growth = 3;
// The first envelopes pin this number of rows for each coordinate, because at most one for each stays pinned.
// Only the time depends on it.
constexpr Index pinned_per_coordinate = 2;
// A safeguard: rounds of screening at one lambda, of which two or three are usual; then all rows are solved
// for.
constexpr int most_tall_rounds = 30;
// The number of rows near their kinks grows if the strayed rows are more than one stray_share of it, and in
// any case after patient_rounds. Only the time depends on these.
constexpr Index stray_share = 4;
constexpr int patient_rounds = 3;
// Without a solution to start from, envelopes pin one row in first_share of a sample, and each sample is
// larger than the one before by the factor sample_growth. Only the time depends on these.
constexpr Index first_share = 4;
constexpr Index sample_growth = 4;
// The secant through the last two solutions is extrapolated by at most this multiple of their distance.
// Longer ones predict rows less well than the last solution does; only the time depends on it.
constexpr double longest_secant = 1.5;

}  // namespace

TallSolver::TallSolver(const Problem& problem, const Vector& weights)
    : problem_(problem),
      weights_(weights),
      scaled_(problem),
      free_(unpenalized_columns(problem, null_lambda)),
      rows_(row_kinks(problem.loss(), problem.data().response, weights)) {
  const RidgeColumns& columns = scaled_.columns();
  const auto penalized = static_cast<Index>(columns.penalized.size());
  penalized_ = Vector::Zero(penalized + free_.cols());
  penalized_.head(penalized).setOnes();
  Vector squares = free_.rowwise().squaredNorm();
  for (Index k = 0; k < penalized; ++k) {
    const Index j = columns.penalized[static_cast<std::size_t>(k)];
    squares += problem.design().gather(std::span(&j, 1)).col(0).cwiseAbs2() / columns.factors[k];
  }
  row_norms_ = squares.cwiseSqrt().cwiseMax(std::numeric_limits<double>::min());
  const NullFit null = null_fit(problem, weights);
  current_.coordinates = Vector::Zero(penalized_.size());
  if (problem.intercept()) {
    current_.coordinates[penalized] = (null.linear_predictor - problem.data().offset).mean();
  }
  current_.predictor = predict(current_.coordinates);
  gradient_ = null.gradient;
}

void TallSolver::start_from(const Fit& fit) {
  const StartingPoint start = starting_point(problem_, fit);
  current_.lambda = fit.lambda;
  current_.coordinates = coordinates_of(start.coefficients.col(0), start.intercept[0]);
  current_.predictor = predict(current_.coordinates);
  before_ = {};
  gradient_ = fit.subgradient;
  for (Index i = 0; i < rows_.size(); ++i) {
    if (rows_.is_idle(i)) gradient_[i] = 0.0;
  }
  begun_ = true;
  trusted_ = true;
}

Vector TallSolver::coordinates_of(const Vector& coefficients, double intercept) const {
  const RidgeColumns& columns = scaled_.columns();
  const auto penalized = static_cast<Index>(columns.penalized.size());
  Vector result(penalized_.size());
  result.head(penalized) = coefficients(columns.penalized).cwiseProduct(columns.factors.cwiseSqrt());
  if (problem_.intercept()) result[penalized] = intercept;
  result.tail(static_cast<Index>(columns.free.size())) = coefficients(columns.free);
  return result;
}

Vector TallSolver::original_coefficients(const Vector& coordinates) const {
  const RidgeColumns& columns = scaled_.columns();
  const auto penalized = static_cast<Index>(columns.penalized.size());
  Vector result = Vector::Zero(problem_.columns());
  result(columns.penalized) = coordinates.head(penalized).cwiseQuotient(columns.factors.cwiseSqrt());
  result(columns.free) = coordinates.tail(static_cast<Index>(columns.free.size()));
  return result;
}

double TallSolver::original_intercept(const Vector& coordinates) const {
  return problem_.intercept() ? coordinates[static_cast<Index>(scaled_.columns().penalized.size())] : 0.0;
}

Vector TallSolver::coefficients() const {
  return original_coefficients(current_.coordinates);
}

Vector TallSolver::intercept() const {
  return Vector::Constant(1, original_intercept(current_.coordinates));
}

Vector TallSolver::predict(const Vector& coordinates) const {
  Vector predictor = problem_.design().multiply(original_coefficients(coordinates)) + problem_.data().offset;
  predictor.array() += original_intercept(coordinates);
  return predictor;
}

Vector TallSolver::slopes(const Vector& gradient) const {
  const RidgeColumns& columns = scaled_.columns();
  const auto penalized = static_cast<Index>(columns.penalized.size());
  const Vector products = problem_.design().transpose_multiply(gradient);
  Vector result(penalized_.size());
  result.head(penalized) = products(columns.penalized).cwiseQuotient(columns.factors.cwiseSqrt());
  if (problem_.intercept()) result[penalized] = gradient.sum();
  result.tail(static_cast<Index>(columns.free.size())) = products(columns.free);
  return result;
}

Matrix TallSolver::gather(std::span<const Index> rows) const {
  Matrix result(penalized_.size(), static_cast<Index>(rows.size()));
  result.topRows(penalized_.size() - free_.cols()) = scaled_.gather(rows);
  result.bottomRows(free_.cols()) =
      free_(std::vector<Index>(rows.begin(), rows.end()), Eigen::all).transpose();
  return result;
}

Index TallSolver::first_count() const {
  return std::max(least_near, near_per_coordinate * penalized_.size());
}

void TallSolver::solve(double lambda) {
  if (!begun_) begin(lambda);
  Point expected = expect(lambda);
  before_ = current_;
  if (!solve_near(std::move(expected), lambda)) fall_back(lambda);
  begun_ = true;
  trusted_ = false;
}

// Without a solution to start from, the first augmented Lagrangian is minimised on growing samples of the
// rows, with lambda in proportion to the size of the sample.
void TallSolver::begin(double lambda) {
  std::vector<Index> all;
  for (Index i = 0; i < rows_.size(); ++i) {
    if (!rows_.is_idle(i)) all.push_back(i);
  }
  const auto whole = static_cast<Index>(all.size());
  const Vector nothing = Vector::Zero(penalized_.size());
  for (Index count = first_count(); count < whole; count *= sample_growth) {
    std::vector<Index> sample;
    for (Index k = 0; k < count; ++k) sample.push_back(all[static_cast<std::size_t>(k * whole / count)]);
    CoefficientActiveSet problem = near_problem(sample, nothing);
    problem.start_from(current_.coordinates, gradient_(sample));
    const double share = static_cast<double>(count) / static_cast<double>(whole);
    problem.approach(share * lambda, count / first_share);
    current_.coordinates = problem.coordinates();
    current_.predictor = predict(current_.coordinates);
    take_slopes(current_.predictor);
  }
}

TallSolver::Point TallSolver::expect(double lambda) const {
  Point expected = current_;
  expected.lambda = lambda;
  if (!(before_.lambda > 0.0 && current_.lambda > 0.0) || before_.lambda == current_.lambda) return expected;
  const double share = std::log(lambda / current_.lambda) / std::log(current_.lambda / before_.lambda);
  if (!(share > 0.0 && share <= longest_secant)) return expected;
  expected.coordinates += share * (current_.coordinates - before_.coordinates);
  expected.predictor += share * (current_.predictor - before_.predictor);
  return expected;
}

std::vector<Index> TallSolver::nearest(const Vector& predictor, Index count,
                                       const std::vector<Index>& joining) const {
  std::vector<std::pair<double, Index>> distances;
  for (Index i = 0; i < rows_.size(); ++i) {
    if (rows_.is_idle(i)) continue;
    distances.emplace_back(rows_.kinks().distance_to_kink(i, predictor[i]) / row_norms_[i], i);
  }
  const auto size = std::min(count, static_cast<Index>(distances.size()));
  std::nth_element(distances.begin(), distances.begin() + size, distances.end());
  std::vector<Index> near(joining);
  for (Index k = 0; k < size; ++k) near.push_back(distances[static_cast<std::size_t>(k)].second);
  std::sort(near.begin(), near.end());
  near.erase(std::unique(near.begin(), near.end()), near.end());
  return near;
}

CoefficientActiveSet TallSolver::near_problem(const std::vector<Index>& near, const Vector& linear) const {
  const RowKinks& kinks = rows_.kinks();
  RowPlaces places({kinks.position(Eigen::all, near), kinks.slope(Eigen::all, near)});
  return {gather(near), std::move(places), problem_.data().offset(near), penalized_, linear};
}

void TallSolver::take_slopes(const Vector& predictor) {
  rows_.place_by_predictor(predictor);
  for (Index i = 0; i < rows_.size(); ++i) gradient_[i] = rows_.low_gradient(i);
}

std::vector<Index> TallSolver::strayed(const std::vector<Index>& near, const Vector& predictor) const {
  std::vector<Index> rows;
  const double slack = RowPlaces::end_tolerance * rows_.kinks().predictor_size(predictor);
  auto next = near.begin();
  for (Index i = 0; i < rows_.size(); ++i) {
    if (next != near.end() && *next == i) {
      ++next;
    } else if (!rows_.is_idle(i) && rows_.is_beyond(i, predictor[i], slack)) {
      rows.push_back(i);
    }
  }
  return rows;
}

bool TallSolver::solve_near(Point expected, double lambda) {
  Index count = first_count();
  std::vector<Index> joining;
  bool trusted = trusted_;
  for (int round = 0; round < most_tall_rounds; ++round) {
    const std::vector<Index> near = nearest(expected.predictor, count, joining);
    const Vector before = gradient_(near);
    take_slopes(expected.predictor);
    gradient_(near).setZero();
    CoefficientActiveSet problem = near_problem(near, slopes(gradient_));
    problem.start_from(expected.coordinates, before);
    const bool solved = problem.solve(lambda, pinned_per_coordinate * penalized_.size(), trusted);
    if (!solved && static_cast<Index>(near.size()) >= rows_.size()) return false;
    for (std::size_t k = 0; k < near.size(); ++k) {
      rows_.set_place(near[k], problem.places().place(static_cast<Index>(k)));
    }
    gradient_(near) = problem.gradient();
    expected.coordinates = problem.coordinates();
    expected.predictor = predict(expected.coordinates);
    joining = strayed(near, expected.predictor);
    if (solved && joining.empty()) {
      current_ = std::move(expected);
      return true;
    }
    trusted = solved;
    const bool far = static_cast<Index>(joining.size()) > count / stray_share;
    if (!solved || far || round >= patient_rounds) count = std::min(rows_.size(), near_growth * count);
  }
  return false;
}

void TallSolver::fall_back(double lambda) {
  if (!whole_) whole_ = std::make_unique<AugmentedLagrangian>(problem_, weights_);
  whole_->solve(lambda);
  current_ = {lambda, coordinates_of(whole_->coefficients(), whole_->intercept()[0]),
              whole_->linear_predictor()};
  gradient_ = whole_->subgradient();
  rows_.place_by_gradient(gradient_, current_.predictor);
}

Vector TallSolver::hat() {
  if (rows_.touches_kink(current_.predictor)) return {};
  const std::vector<Index> pinned = rows_.pinned();
  const PinnedFace face(gather(pinned), current_.lambda * penalized_);
  if (!face.is_determined() || face.chosen().size() < pinned.size()) return {};
  const Matrix directions = face.free_directions();
  Vector result = Vector::Zero(rows_.size());
  if (directions.cols() > 0) {
    Matrix coefficients(problem_.columns(), directions.cols());
    Vector intercepts(directions.cols());
    for (Index k = 0; k < directions.cols(); ++k) {
      coefficients.col(k) = original_coefficients(directions.col(k));
      intercepts[k] = original_intercept(directions.col(k));
    }
    Matrix products = problem_.design().multiply_columns(coefficients);
    products.rowwise() += intercepts.transpose();
    result = products.rowwise().squaredNorm();
  }
  result(pinned) = face.hat();
  return result;
}

}  // namespace alo
