// SPDX-License-Identifier: MIT
// The values of lambda of a generated path: where it begins, where it ends, and what lies between.
#include "path/grid.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "alo/error.hpp"
#include "certificate/null_fit.hpp"
#include "formula/hat.hpp"
#include "linalg/tolerances.hpp"
#include "problem/observations.hpp"
#include "problem/signal.hpp"
#include "solvers/ridge_spectrum.hpp"

namespace alo {

namespace {

// A path begins this share above lambda_max, whose slopes are rounded: at lambda_max itself rounding decides
// whether the first term, which is zero, takes part in the degrees of freedom. At a hundredth sums of 1e5
// numbers are rounded by as much; at ten times nothing changes, and from 1e-6 on the printed value does.
constexpr double start_margin = 1e-12;
// A path without a finite lambda_max starts where the fit explains this share of the null deviance. At ten
// times the value it would start at fits that explain one percent, and weak signals would be chosen at its
// end; at a tenth a decade of the grid would be spent on null fits.
constexpr double start_share = 1e-3;
// It ends where the degrees of freedom have come to this share of their limit. What is left of the penalty
// then changes predictions by a few percent of what it changes at the start; at 0.8 the best lambda of strong
// signals lies beyond the end, and at 0.998 a decade is spent where nothing changes. The same share is asked
// of the linear predictors of a loss with kinks (kinked_end).
constexpr double end_share = 0.98;
// Smallest over largest lambda where there is a lambda_max: with more rows than columns, and else. These are
// glmnet's, whose paths users know.
constexpr double tall_ratio = 1e-4;
constexpr double wide_ratio = 1e-2;
// A path is at least a decade long, whatever its end is found to be, and at most twelve, below which lambda
// is lost in the rounding of what it is added to.
constexpr double shortest_ratio = 0.1;
constexpr int most_decades = 12;
constexpr double decade = 10.0;
// The length of a block of a signal at the end of its path, in rows: two, since shorter ones are the rows
// themselves. Ten times longer blocks would smooth most signals too much.
constexpr double end_block_rows = 2.0;
// Lambdas found by bisection are known to this factor. A grid of a hundred values over two decades has a
// spacing of 1.05; at ten times the excess over one a few values are spent beyond the end, at a tenth the
// search takes three more fits.
constexpr double search_factor = 1.3;
// A share of the deviance that grows by less than this power of 1 / lambda is at its limit. Any value between
// 1e-6 and 0.1 serves; at one the share counts as limited where it is proportional to 1 / lambda.
constexpr double limit_slope = 0.01;
// Excess loss of the null fit, relative to that at the offset alone, below which the null fit is perfect up
// to the rounding error of the sum. At ten times the value nothing changes for data whose response has at
// most thirteen digits.
constexpr double perfect_fit = 1e-14;

// Fits at a few lambdas that tell where a path begins and ends.
class Probes {
 public:
  explicit Probes(const Problem& problem)
      : problem_(problem),
        solver_(problem, problem.data().weights, {}, Use::path),
        null_(null_fit(problem, problem.data().weights).linear_predictor),
        null_excess_(excess(null_)) {}

  double null_excess() const { return null_excess_; }
  // True when the null fit is perfect up to rounding. This happens when unpenalised columns separate two
  // classes and the loss is zero beyond a margin.
  bool nothing_left() const {
    const Vector offset = problem_.data().offset.replicate(problem_.outputs(), 1);
    return !(null_excess_ > perfect_fit * excess(offset));
  }
  Fit fit(double lambda) {
    Fit fit = solver_.solve(std::span(&lambda, 1)).front();
    fit.linear_predictor = problem_.linear_predictor(fit.intercept, fit.coefficients);
    return fit;
  }
  // The share of the null deviance that the fit explains.
  double explained(double lambda) { return 1.0 - excess(fit(lambda).linear_predictor) / null_excess_; }
  // The linear predictor less that of the null fit, and the share that is explained.
  struct Reached {
    Vector from_null;
    double explained;
  };
  Reached reached(double lambda) {
    const Vector predictor = fit(lambda).linear_predictor;
    return {predictor - null_, 1.0 - excess(predictor) / null_excess_};
  }

 private:
  double excess(const Vector& predictor) const {
    const Dataset& data = problem_.data();
    return data.weights.dot(problem_.loss().value(predictor, data.response) -
                            problem_.loss().minimum(data.response));
  }

  const Problem& problem_;
  CertifiedSolver solver_;
  Vector null_;
  double null_excess_;
};

// The lambda at which a ridge fit explains start_share of the null deviance, or half of what any fit explains
// if that is less. For large lambda the fit is one gradient step, b_j = slope_j / (lambda f_j), and the share
// is proportional to 1 / lambda; hence the fixed-point iteration in log lambda.
double separable_start(const Problem& problem, const Vector& steepest, Probes& probes) {
  const Vector factors = problem.penalty().separable(problem.columns())->square;
  double gain = 0.0;
  for (Index k = 0; k < problem.outputs(); ++k) {
    for (Index j = 0; j < problem.columns(); ++j) {
      const double slope = by_output(steepest, problem.outputs())(j, k);
      if (factors[j] > 0.0 && std::isfinite(factors[j])) gain += slope * slope / factors[j];
    }
  }
  if (probes.nothing_left()) return 1.0;
  const double largest = gain / (start_share * probes.null_excess());
  if (!(largest > 0.0) || !std::isfinite(largest)) return 1.0;
  const double smallest = std::pow(decade, -most_decades) * largest;
  double wanted = start_share;
  double lambda = largest;
  double before = 0.0;  // the share explained one step ago
  double fallen = 0.0;  // the step of log lambda since then
  for (int step = 0; step < 100; ++step) {
    const double explained = probes.explained(lambda);
    // A lower lambda explains no more: this is what any fit explains. Far below fits would be rounding.
    const bool is_limit = fallen > 0.0 && std::log(explained / before) < limit_slope * fallen;
    if (is_limit && explained < wanted) wanted = 0.5 * explained;
    const double error = std::log(explained / wanted);
    if (!std::isfinite(error)) break;
    lambda *= std::exp(error);
    before = explained;
    fallen = -error;
    if (std::abs(error) < 1e-9) break;
    if (lambda > smallest) continue;
    wanted = std::min(wanted, 0.5 * probes.explained(smallest));
    if (!(wanted > 0.0)) return 1.0;
    lambda = smallest;
  }
  return lambda;
}

// The same for a smooth penalty that is not a sum over coefficients, by bisection in log lambda. A share of
// explained deviance below `nothing`, the default tolerance of fits, cannot be told from zero.
double curved_start(const Vector& steepest, Probes& probes) {
  constexpr double nothing = 1e-10;
  const double slope = steepest.norm();
  if (!(slope > 0.0) || probes.nothing_left()) return 1.0;
  double wanted = start_share;
  double high = slope;
  for (int step = 0; step < most_decades && probes.explained(high) > wanted; ++step) high *= decade;
  double low = high / decade;
  for (int step = 0; step < most_decades && probes.explained(low) < wanted; ++step) low /= decade;
  wanted = std::min(wanted, 0.5 * probes.explained(low));
  if (!(wanted > nothing)) return 1.0;
  while (high > 1.001 * low) {
    const double middle = std::sqrt(low * high);
    (probes.explained(middle) > wanted ? low : high) = middle;
  }
  return low;
}

// The largest lambda, up to search_factor, at which the measure has come to `wanted`. It grows as lambda
// falls from `start`, where it is less; one that comes to a halt below is taken by its last value.
template <class Measure>
double search_end(double start, double wanted, const Measure& measure) {
  double high = start;
  double low = start;
  double last = 0.0;
  for (int step = 0; step < most_decades && last < wanted; ++step) {
    high = low;
    low /= decade;
    last = measure(low);
  }
  if (last < wanted) {
    wanted = end_share * last;
    high = start;
  }
  while (high > search_factor * low) {
    const double middle = std::sqrt(low * high);
    (measure(middle) >= wanted ? low : high) = middle;
  }
  return low;
}

// Where blocks of a signal are two rows long, counting what is free to move.
double signal_end(const Problem& problem, double start) {
  CertifiedSolver solver(problem, problem.data().weights, {}, Use::path);
  return search_end(start, static_cast<double>(problem.rows()) / end_block_rows, [&](double lambda) {
    const Fit fit = solver.solve(std::span(&lambda, 1)).front();
    return static_cast<double>(fit_geometry(problem, fit).dimension());
  });
}

// The mean curvature of each row's outputs at the null fit. Rows without curvature there, outliers to a Huber
// loss, come to have it as they are fitted, and take the mean of the others.
Vector null_curvature(const Problem& problem) {
  const Dataset& data = problem.data();
  const Index outputs = problem.outputs();
  const Vector predictor = null_fit(problem, data.weights).linear_predictor;
  const Matrix blocks =
      problem.loss().curvature(predictor, data.response).reshaped(problem.rows(), outputs * outputs);
  Vector curvature = Vector::Zero(problem.rows());
  for (Index k = 0; k < outputs; ++k) curvature += blocks.col(k * (outputs + 1));
  curvature = data.weights.cwiseProduct(curvature) / static_cast<double>(std::max<Index>(1, outputs - 1));
  const auto curved = (curvature.array() > 0.0).count();
  if (curved == 0) return curvature;
  const double mean = curvature.sum() / static_cast<double>(curved);
  return (curvature.array() > 0.0 || data.weights.array() == 0.0).select(curvature, mean);
}

// Where the degrees of freedom of a ridge have come to end_share of their limit. Of a loss that is not
// quadratic they are taken with the curvature at the null fit. That of a likelihood of classes falls along
// the path, so that its degrees of freedom are less than these and the end is, if anything, early: a minimum
// there makes the path go on.
std::optional<double> ridge_end(const Problem& problem, const SolverAtHand& solver) {
  if (problem.loss().is_quadratic()) return solver().end(end_share);
  return ridge_spectrum(problem, null_curvature(problem)).lambda_at(end_share);
}

// Of a loss with kinks the pinned rows count the degrees of freedom, and their number rises and falls. But
// the fit of a piecewise linear loss with a ridge does not change at all below some lambda: there it is the
// smallest among those of least loss (the hard margin, where classes can be separated). So the path ends
// where another decade would change the predictions by less than 1 - end_share of all that they have changed,
// or where less than start_share of the null deviance is left.
double kinked_end(double start, Probes& probes) {
  const auto is_end = [](const Probes::Reached& here, const Vector& below) {
    return here.explained >= 1.0 - start_share ||
           (below - here.from_null).norm() <= (1.0 - end_share) * below.norm();
  };
  double lambda = start / decade;
  Probes::Reached here = probes.reached(lambda);
  for (int step = 1; step < most_decades; ++step) {
    const Probes::Reached below = probes.reached(lambda / decade);
    if (is_end(here, below.from_null)) {
      const double middle = lambda * std::sqrt(decade);
      return is_end(probes.reached(middle), below.from_null) ? middle : lambda;
    }
    lambda /= decade;
    here = below;
  }
  return lambda;
}

// Of a smooth penalty that is not a sum over coefficients, by the degrees of freedom of a few fits.
double curved_end(const Problem& problem, double start, Probes& probes) {
  const Index most = std::min(problem.rows(), problem.columns() + (problem.intercept() ? 1 : 0));
  return search_end(start, end_share * static_cast<double>(most), [&](double lambda) {
    return hold_out_cheapest(local_model(problem, probes.fit(lambda))).degrees_of_freedom;
  });
}

// Whether all slopes at a null fit are no more than the rounding of their terms x_ij g_i, and of the g_i
// themselves: a linear predictor is known to some epsilon of its size, which its curvature makes a change of
// the gradient. Where what is not penalised fits the response there is nothing but such rounding.
bool is_rounding(const Problem& problem, const NullFit& null, const Vector& slopes) {
  const Dataset& data = problem.data();
  const Index outputs = problem.outputs();
  const Vector flat_curvature = problem.loss().curvature(null.linear_predictor, data.response);
  const auto curvature = by_output(flat_curvature, outputs * outputs);
  const auto predictor = by_output(null.linear_predictor, outputs);
  Matrix sizes = by_output(null.gradient, outputs).cwiseAbs();
  for (Index block = 0; block < outputs * outputs; ++block) {
    sizes.col(block % outputs).array() += data.weights.array() * curvature.col(block).array().abs() *
                                          predictor.col(block / outputs).array().abs();
  }
  const Vector norms = problem.design().weighted_square_norms(Vector::Ones(problem.rows())).cwiseSqrt();
  const Matrix bounds = tolerances::slope_rounding * norms * sizes.colwise().norm();
  return (by_output(slopes, outputs).array().abs() <= bounds.array()).all();
}

// Slopes of the loss at the null fit, downwards; zero where they are rounding.
Vector steepest_slopes(const Problem& problem) {
  const NullFit null = null_fit(problem, problem.data().weights);
  const Matrix products =
      problem.design().transpose_multiply_columns(by_output(null.gradient, problem.outputs()));
  const Vector steepest = without_constant_columns(problem, -products.reshaped());
  if (is_rounding(problem, null, steepest)) return Vector::Zero(steepest.size());
  return steepest;
}

double largest_lambda(const Problem& problem, const Vector& steepest) {
  double largest = 0.0;
  for (Index k = 0; k < problem.outputs(); ++k) {
    largest = std::max(largest, problem.penalty().lambda_max(by_output(steepest, problem.outputs()).col(k)));
  }
  return largest;
}

// The first and the last lambda of a grid. `start_only` leaves the last one out.
struct Ends {
  double start;
  double end;
};
Ends unbounded_ends(const Problem& problem, const Vector& steepest, const SolverAtHand& solver,
                    bool start_only) {
  const bool is_separable = problem.penalty().separable(problem.columns()).has_value();
  std::optional<double> start = solver().start(start_share);
  std::optional<Probes> probes;
  if (!start || (!start_only && !is_separable) || problem.loss().has_kinks()) probes.emplace(problem);
  if (!start) {
    start = is_separable ? separable_start(problem, steepest, *probes) : curved_start(steepest, *probes);
  }
  if (start_only || (probes && probes->nothing_left())) return {*start, tall_ratio * *start};
  double end = 0.0;
  if (problem.loss().has_kinks()) {
    end = kinked_end(*start, *probes);
  } else if (is_separable) {
    end = ridge_end(problem, solver).value_or(tall_ratio * *start);
  } else {
    end = curved_end(problem, *start, *probes);
  }
  return {*start, std::min(end, shortest_ratio * *start)};
}

Ends find_ends(const Problem& problem, const SolverAtHand& solver, bool start_only) {
  const Vector steepest = steepest_slopes(problem);
  const double largest = largest_lambda(problem, steepest);
  if (std::isinf(largest)) return unbounded_ends(problem, steepest, solver, start_only);
  // A gradient of zero (constant response, no columns): any lambda gives the null fit.
  const double start = largest > 0.0 ? (1.0 + start_margin) * largest : 1.0;
  const bool is_tall = observation_count(problem.data()) > static_cast<double>(problem.columns());
  const Ends fixed = {start, (is_tall ? tall_ratio : wide_ratio) * start};
  if (start_only || largest == 0.0) return fixed;
  if (signal_operator(problem) != nullptr) {
    return {start, std::min(signal_end(problem, start), shortest_ratio * start)};
  }
  if (!problem.loss().has_kinks()) return fixed;
  Probes probes(problem);
  if (probes.nothing_left()) return fixed;
  const double end = std::min(kinked_end(start, probes), shortest_ratio * start);
  // With as many columns as rows fits come to interpolate long before nothing changes.
  return {start, is_tall ? end : std::max(end, fixed.end)};
}

void check_grid(const GridOptions& options) {
  if (options.count < 1) {
    throw InvalidArgument(fmt::format("the number of lambdas must be at least 1, but is {}", options.count));
  }
  if (!(options.ratio >= 0.0 && options.ratio < 1.0)) {
    throw InvalidArgument(
        fmt::format("the ratio of the smallest to the largest lambda must lie between 0 and 1, but is {}",
                    options.ratio));
  }
}

}  // namespace

double find_start(const Problem& problem, const SolverAtHand& solver) {
  return find_ends(problem, solver, true).start;
}

std::vector<double> make_grid(const Problem& problem, const GridOptions& options,
                              const SolverAtHand& solver) {
  check_grid(options);
  const Ends ends = find_ends(problem, solver, options.ratio > 0.0 || options.count == 1);
  const double ratio = options.ratio > 0.0 ? options.ratio : ends.end / ends.start;
  std::vector<double> lambdas;
  for (int k = 0; k < options.count; ++k) {
    lambdas.push_back(k == 0 ? ends.start
                             : ends.start * std::pow(ratio, static_cast<double>(k) / (options.count - 1)));
  }
  return lambdas;
}

}  // namespace alo
