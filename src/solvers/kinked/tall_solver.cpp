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

// Rows in the band, for each coordinate and at least; how it grows; how many rows springs bind at first.
constexpr Index band_share = 30;
constexpr Index least_band = 500;
constexpr Index growth = 3;
constexpr Index bound_share = 2;
constexpr int most_rounds = 30;
// The band grows when more than one in so many of its rows strayed, and after so many rounds.
constexpr Index stray_share = 4;
constexpr int patient_rounds = 3;
// One row in so many is bound where nothing is known.
constexpr Index first_share = 4;
constexpr Index sample_growth = 4;
// A secant this many times as long as the step before it is not to be trusted.
constexpr double longest_secant = 1.5;
// Beyond the end of its piece by this much, relative to linear predictors, a row has left it.
constexpr double outgrown = 1e-11;
// A distance to a kink, relative to linear predictors, that is rounding.
constexpr double touching_share = 1e-10;

double size_of(const Vector& predictor) {
  return 1.0 + predictor.lpNorm<Eigen::Infinity>();
}

}  // namespace

TallSolver::TallSolver(const Problem& problem, const Vector& weights)
    : problem_(problem),
      weights_(weights),
      scaled_(problem),
      free_(unpenalized_columns(problem, null_lambda)),
      rows_(problem.loss(), problem.data().response, weights) {
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
  const RidgeColumns& columns = scaled_.columns();
  const auto penalized = static_cast<Index>(columns.penalized.size());
  const StartingPoint start = starting_point(problem_, fit);
  const auto scaled = start.coefficients.col(0);
  current_.lambda = fit.lambda;
  current_.coordinates.head(penalized) = scaled(columns.penalized).cwiseProduct(columns.factors.cwiseSqrt());
  current_.coordinates.tail(static_cast<Index>(columns.free.size())) = scaled(columns.free);
  if (problem_.intercept()) current_.coordinates[penalized] = start.intercept[0];
  current_.predictor = predict(current_.coordinates);
  before_ = {};
  gradient_ = fit.subgradient;
  for (Index i = 0; i < rows_.size(); ++i) {
    if (rows_.is_idle(i)) gradient_[i] = 0.0;
  }
  begun_ = true;
  trusted_ = true;
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

Index TallSolver::first_band() const {
  return std::max(least_band, band_share * penalized_.size());
}

void TallSolver::solve(double lambda) {
  if (!begun_) begin(lambda);
  Point expected = expect(lambda);
  before_ = current_;
  if (!solve_near(std::move(expected), lambda)) fall_back(lambda);
  begun_ = true;
  trusted_ = false;
}

// Where nothing is known: springs on samples of the rows, each larger than the one before. Their losses weigh
// as much as all when lambda is less in proportion.
void TallSolver::begin(double lambda) {
  std::vector<Index> all;
  for (Index i = 0; i < rows_.size(); ++i) {
    if (!rows_.is_idle(i)) all.push_back(i);
  }
  const auto whole = static_cast<Index>(all.size());
  const Vector nothing = Vector::Zero(penalized_.size());
  for (Index count = first_band(); count < whole; count *= sample_growth) {
    std::vector<Index> sample;
    for (Index k = 0; k < count; ++k) sample.push_back(all[static_cast<std::size_t>(k * whole / count)]);
    CoefficientActiveSet springs = band_problem(sample, nothing);
    springs.start_from(current_.coordinates, gradient_(sample));
    const double share = static_cast<double>(count) / static_cast<double>(whole);
    springs.approach(share * lambda, count / first_share);
    current_.coordinates = springs.coordinates();
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
    distances.emplace_back(rows_.distance_to_kink(i, predictor[i]) / row_norms_[i], i);
  }
  const auto size = std::min(count, static_cast<Index>(distances.size()));
  std::nth_element(distances.begin(), distances.begin() + size, distances.end());
  std::vector<Index> band(joining);
  for (Index k = 0; k < size; ++k) band.push_back(distances[static_cast<std::size_t>(k)].second);
  std::sort(band.begin(), band.end());
  band.erase(std::unique(band.begin(), band.end()), band.end());
  return band;
}

CoefficientActiveSet TallSolver::band_problem(const std::vector<Index>& band, const Vector& linear) const {
  const Dataset& data = problem_.data();
  return {gather(band), RowPlaces(problem_.loss(), data.response(band), weights_(band)), data.offset(band),
          penalized_, linear};
}

void TallSolver::take_slopes(const Vector& predictor) {
  for (Index i = 0; i < rows_.size(); ++i) {
    rows_.set_place(i, rows_.place_of_predictor(i, predictor[i]));
    gradient_[i] = rows_.low_gradient(i);
  }
}

std::vector<Index> TallSolver::strayed(const std::vector<Index>& band, const Vector& predictor) const {
  std::vector<Index> rows;
  const double slack = outgrown * size_of(predictor);
  auto inside = band.begin();
  for (Index i = 0; i < rows_.size(); ++i) {
    if (inside != band.end() && *inside == i) {
      ++inside;
      continue;
    }
    if (rows_.is_idle(i)) continue;
    const bool left =
        predictor[i] > rows_.high_predictor(i) + slack || predictor[i] < rows_.low_predictor(i) - slack;
    if (left) rows.push_back(i);
  }
  return rows;
}

bool TallSolver::solve_near(Point expected, double lambda) {
  Index size = first_band();
  std::vector<Index> joining;
  bool pinned = trusted_;
  for (int round = 0; round < most_rounds; ++round) {
    const std::vector<Index> band = nearest(expected.predictor, size, joining);
    const Vector targets = gradient_(band);
    take_slopes(expected.predictor);
    gradient_(band).setZero();
    CoefficientActiveSet problem = band_problem(band, slopes(gradient_));
    problem.start_from(expected.coordinates, targets);
    const bool solved =
        (pinned && problem.solve_pinned(lambda)) || problem.solve(lambda, bound_share * penalized_.size());
    if (!solved && static_cast<Index>(band.size()) >= rows_.size()) return false;
    for (std::size_t k = 0; k < band.size(); ++k) {
      rows_.set_place(band[k], problem.places().place(static_cast<Index>(k)));
    }
    gradient_(band) = problem.gradient();
    expected.coordinates = problem.coordinates();
    expected.predictor = predict(expected.coordinates);
    joining = strayed(band, expected.predictor);
    if (solved && joining.empty()) {
      current_ = std::move(expected);
      return true;
    }
    pinned = solved;
    const bool far = static_cast<Index>(joining.size()) > size / stray_share;
    if (!solved || far || round >= patient_rounds) size = std::min(rows_.size(), growth * size);
  }
  return false;
}

void TallSolver::fall_back(double lambda) {
  if (!springs_) springs_ = std::make_unique<AugmentedLagrangian>(problem_, weights_);
  springs_->solve(lambda);
  const RidgeColumns& columns = scaled_.columns();
  const auto penalized = static_cast<Index>(columns.penalized.size());
  current_.lambda = lambda;
  current_.coordinates.head(penalized) =
      springs_->coefficients()(columns.penalized).cwiseProduct(columns.factors.cwiseSqrt());
  if (problem_.intercept()) current_.coordinates[penalized] = springs_->intercept()[0];
  current_.coordinates.tail(static_cast<Index>(columns.free.size())) = springs_->coefficients()(columns.free);
  current_.predictor = springs_->linear_predictor();
  gradient_ = springs_->subgradient();
  for (Index i = 0; i < rows_.size(); ++i) {
    rows_.set_place(i, rows_.place_of_gradient(i, gradient_[i], current_.predictor[i]));
  }
}

bool TallSolver::has_row_at_end() const {
  const double touching = touching_share * size_of(current_.predictor);
  for (Index i = 0; i < rows_.size(); ++i) {
    if (rows_.is_idle(i) || rows_.is_pinned(i)) continue;
    if (rows_.distance_to_kink(i, current_.predictor[i]) <= touching) return true;
  }
  return false;
}

Vector TallSolver::hat() {
  if (has_row_at_end()) return {};
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
  const Vector own = face.hat();
  for (std::size_t k = 0; k < pinned.size(); ++k) {
    result[pinned[static_cast<std::size_t>(face.chosen()[k])]] = own[static_cast<Index>(k)];
  }
  return result;
}

}  // namespace alo
