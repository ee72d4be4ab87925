// SPDX-License-Identifier: MIT
// Signals with an identity design: their own solvers against the general ones, and leave-one-out.
#include <cmath>
#include <random>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "alo/leave_one_out.hpp"
#include "alo/path.hpp"
#include "alo/penalties/generalized_lasso.hpp"
#include "alo/registry.hpp"
#include "random_problem.hpp"
#include "signal_path.hpp"
#include "solvers/generalized_lasso/lasso_coordinates.hpp"
#include "solvers/generalized_lasso/signal_solver.hpp"
#include "solvers/method.hpp"

namespace alo {
namespace {

using testing_support::assert_signal_path;
using testing_support::fit_at;
using testing_support::has_fit;
using testing_support::leave_any_row_out;
using testing_support::max_difference;
using testing_support::RowLeftOut;

struct Signal {
  unsigned seed = 1;
  Index rows = 10;
  std::string kind;
  bool weights = false;
  bool offset = false;
  std::string loss = "squared";
  double delta = 0.7;  // of the Huber losses

  Penalty penalty() const {
    if (kind == "chain") return GeneralizedLasso::differences(rows, 1, "fused-lasso");
    if (kind == "trend") return GeneralizedLasso::differences(rows, 2, "trend-filter");
    if (kind == "parabolas") return GeneralizedLasso::differences(rows, 3, "trend-filter");
    if (kind == "cubics") return GeneralizedLasso::differences(rows, 4, "trend-filter");
    std::vector<std::pair<Index, Index>> edges;  // a ladder with some rungs, or a ring
    for (Index i = 0; i + 1 < rows; ++i) edges.emplace_back(i, i + 1);
    for (Index i = 0; i + 5 < rows; i += 3) edges.emplace_back(i, i + 5);
    return GeneralizedLasso::on_graph(rows, edges);
  }
  Problem problem() const {
    std::mt19937 generator(seed);
    std::normal_distribution<double> normal;
    Vector y(rows);
    for (Index i = 0; i < rows; ++i) y[i] = (i < rows / 2 ? 0.0 : 3.0) + normal(generator);
    for (double& value : y) {
      if (loss == "logistic") value = (value > 1.5) != (normal(generator) > 0.8) ? 1.0 : -1.0;
      if (loss == "poisson") value = std::floor(std::exp(0.5 * value));
      if (loss == "gamma") value = std::exp(0.5 * value);
    }
    if (loss == "logistic" && (y.array() == y[0]).all()) y[0] = -y[0];  // both classes
    SparseMatrix identity(rows, rows);
    identity.setIdentity();
    Dataset data = make_dataset(Design(identity), y);
    for (Index i = 0; i < rows; ++i) {
      if (weights) data.weights[i] = std::exp(normal(generator));
      if (offset) data.offset[i] = normal(generator);
    }
    ModelParameters parameters;
    parameters.delta = delta;
    return {std::move(data), make_loss(loss, parameters), penalty(), {false, false}};
  }
};

std::ostream& operator<<(std::ostream& stream, const Signal& s) {
  return stream << s.kind << " seed " << s.seed << " rows " << s.rows << ' ' << s.loss
                << (s.weights ? " weights" : "") << (s.offset ? " offset" : "");
}

Signal any_signal() {
  Signal s;
  s.seed = *rc::gen::inRange(1u, 1000000u);
  s.rows = *rc::gen::inRange<Index>(5, 40);
  s.kind = *rc::gen::element<std::string>("chain", "trend", "parabolas", "cubics", "graph");
  s.weights = *rc::gen::arbitrary<bool>();
  s.offset = *rc::gen::arbitrary<bool>();
  return s;
}

RC_GTEST_PROP(Signal, EveryFitIsCertifiedAndAllFormsAgree, ()) {
  const Signal s = any_signal();
  RC_LOG() << s << '\n';
  const Problem problem = s.problem();
  RC_ASSERT(route(problem).name() == "signal");
  assert_signal_path(problem);
}

// Neighbours that are equal by chance are no block where nothing holds them together.
TEST(Signal, WithoutAPenaltyEveryRowStandsAlone) {
  for (const std::string kind : {"chain", "trend", "parabolas", "graph"}) {
    Signal s{.rows = 12, .kind = kind};
    const Problem noise = s.problem();
    Dataset data = noise.data();
    data.response = data.response.array().round();
    const Problem problem(data, make_loss("squared", {}), s.penalty(), {false, false});
    const LeaveOneOut held_out = approximate_leave_one_out(problem, fit_path(problem, {0.0}).fits.front());
    EXPECT_EQ(held_out.undefined(), 12) << kind;
  }
}

// A dense matrix of all rows and blocks would take more than 10 GB.
TEST(Signal, ALongOneNeedsNoMatrixOfItsPattern) {
  for (const std::string kind : {"chain", "trend", "parabolas", "graph"}) {
    const Signal s{.rows = 50'000, .kind = kind};
    const Problem problem = s.problem();
    Fit fit = fit_path(problem, {0.2}).fits.front();
    const LeaveOneOut carried = approximate_leave_one_out(problem, fit);
    EXPECT_GT(carried.degrees_of_freedom, 25'000.0) << kind;
    fit.hat.resize(0);
    EXPECT_EQ(approximate_leave_one_out(problem, fit).leverage, carried.leverage) << kind;
  }
}

RC_GTEST_PROP(Signal, IsTheLassoInOtherVariables, ()) {
  const Signal s = any_signal();
  RC_PRE(s.kind != "graph" && s.kind != "cubics");  // sums of sums of sums are too much alike as columns
  RC_LOG() << s << '\n';
  const Problem problem = s.problem();
  const double lambda = 0.1 * lambda_start(problem);
  const Fit fit = fit_path(problem, {lambda}).fits.at(0);
  LassoCoordinatesSolver general(problem, problem.data().weights, {}, Use::path);
  const Fit other = general.solve(std::span(&lambda, 1), {}).at(0);
  const bool alike = s.kind == "parabolas";
  RC_ASSERT(max_difference(fit.coefficients, other.coefficients) < (alike ? 1e-5 : 1e-7));
  RC_ASSERT(max_difference(fit.multipliers, other.multipliers) < (alike ? 1e-4 : 1e-6) * lambda);
  const double best = problem.objective(Vector::Zero(1), other.coefficients, lambda);
  RC_ASSERT(problem.objective(Vector::Zero(1), fit.coefficients, lambda) < best + 1e-12 * (1.0 + best));
}

// Newton's method on weighted signals against Newton's method on the dense reduced problem.
RC_GTEST_PROP(Signal, OfASmoothLossIsTheLassoInOtherVariables, ()) {
  Signal s = any_signal();
  s.kind = *rc::gen::element<std::string>("chain", "trend", "parabolas");
  s.loss = *rc::gen::element<std::string>("logistic", "poisson", "gamma", "huber", "pseudo-huber");
  s.rows += 3;
  RC_LOG() << s << '\n';
  const Problem problem = s.problem();
  RC_ASSERT(route(problem).name() == "signal");
  RC_PRE(has_fit(problem));
  const double start = lambda_start(problem);
  RC_PRE(start > 1e-6);
  const std::vector<double> lambdas = {start, 0.3 * start, 0.1 * start};
  LassoCoordinatesSolver general(problem, problem.data().weights, {}, Use::path);
  const std::vector<Fit> others = general.solve(lambdas, {});
  const Path path = fit_path(problem, lambdas, {.carry_hat = true});
  for (std::size_t k = 0; k < lambdas.size(); ++k) {
    const Fit& fit = path.fits.at(k);
    RC_LOG() << "lambda " << fit.lambda << " gap " << fit.certificate.gap.value_or(-1.0) << " kkt "
             << fit.certificate.kkt << " unexplained " << fit.unexplained << '\n';
    if (fit.unexplained < 1e-3) break;  // classes told apart
    RC_ASSERT(fit.status == FitStatus::converged);
    const double best = problem.objective(Vector::Zero(1), others[k].coefficients, fit.lambda);
    const double own = problem.objective(Vector::Zero(1), fit.coefficients, fit.lambda);
    RC_ASSERT(own <= best + 1e-9 * (1.0 + std::abs(best)));
    const double size = 1.0 + fit.coefficients.lpNorm<Eigen::Infinity>();
    const double difference = max_difference(fit.coefficients, others[k].coefficients);
    if (s.loss == "huber") {
      // Its rows may leave a coefficient open. But minima of a convex loss with a continuous derivative share
      // that derivative, up to the root of their gaps: 1e-5 for gaps of 1e-11 and objectives of about ten.
      const auto derivative = [&](const Fit& one) -> Vector {
        const Vector predictor = problem.linear_predictor(one.intercept, one.coefficients);
        return problem.loss().derivative(predictor, problem.data().response);
      };
      RC_ASSERT(max_difference(derivative(fit), derivative(others[k])) < 1e-4);
      if (difference > 1e-5 * size) continue;
    }
    RC_ASSERT(difference < 1e-5 * size);
    const LeaveOneOut carried = approximate_leave_one_out(problem, fit);
    const LeaveOneOut dense = approximate_leave_one_out(problem, fit, Framework::primal);
    RC_ASSERT(max_difference(carried.leverage, dense.leverage) < 1e-7);
  }
}

// Multipliers grow with the cube of the rows here, and what rounding leaves of differences counts as often.
TEST(Signal, LongParabolasAreCertified) {
  const Signal s{.rows = 3000, .kind = "parabolas"};
  const Problem problem = s.problem();
  const double start = lambda_start(problem);
  std::vector<double> lambdas;
  for (int k = 0; k < 8; ++k) lambdas.push_back(start * std::pow(0.1, k));
  for (const Fit& fit : fit_path(problem, lambdas).fits) {
    ASSERT_TRUE(fit.certificate.gap) << fit.lambda;
    EXPECT_LT(*fit.certificate.gap, 1e-12) << fit.lambda;
    EXPECT_LT(fit.certificate.kkt, 1e-9) << fit.lambda;
  }
}

// Rows beyond delta have a slope and no curvature, so that models have weights of very different sizes, rows
// stand where the loss bends, and what decides is lost in the rounding of the objective; two of these signals
// were said to have no null fit.
TEST(Signal, OfAFlatLossIsCertified) {
  const std::vector<std::pair<unsigned, std::string>> cases = {
      {12, "trend"},      {73, "trend"},      {75, "trend"},       {136, "chain"},
      {188, "parabolas"}, {233, "trend"},     {306, "trend"},      {327, "parabolas"},
      {487, "parabolas"}, {747, "parabolas"}, {1001, "parabolas"}, {1799, "parabolas"}};
  for (const auto& [seed, kind] : cases) {
    Signal s{.seed = seed, .rows = 8 + seed % 40, .kind = kind, .weights = seed % 2 == 1, .loss = "huber"};
    s.delta = 0.05;
    const Problem problem = s.problem();
    const double start = lambda_start(problem);
    std::vector<double> lambdas;
    for (int k = 0; k < 8; ++k) lambdas.push_back(start * std::pow(10.0, -k / 3.0));
    for (const Fit& fit : fit_path(problem, lambdas).fits) {
      ASSERT_TRUE(fit.certificate.gap) << s << " at " << fit.lambda;
      EXPECT_LT(*fit.certificate.gap, 1e-10) << s << " at " << fit.lambda;
    }
  }
}

// Counts of a long signal: nothing that grows with the square of its length may be made.
TEST(Signal, OfCountsMayBeLong) {
  Signal s;
  s.rows = 20'000;
  s.loss = "poisson";
  for (const std::string kind : {"chain", "trend", "parabolas"}) {
    s.kind = kind;
    const Problem problem = s.problem();
    const double start = lambda_start(problem);
    for (const Fit& fit : fit_path(problem, {0.1 * start, 0.01 * start}, {.carry_hat = true}).fits) {
      EXPECT_EQ(fit.status, FitStatus::converged) << kind << " at " << fit.lambda;
      const LeaveOneOut held_out = approximate_leave_one_out(problem, fit);
      EXPECT_LT(held_out.undefined(), 10) << "blocks of one row";
      EXPECT_GT(held_out.degrees_of_freedom, 1.0);
    }
  }
}

// The mean of a canonical loss is the fit of the squared loss: blocks have the mean of their rows either way.
TEST(Signal, MeansOfCountsAreTheSquaredFit) {
  for (const std::string kind : {"chain", "graph"}) {
    Signal s;
    s.kind = kind;
    s.rows = 60;
    s.loss = "poisson";
    const Problem counts = s.problem();
    const Problem squares(counts.data(), make_loss("squared"), s.penalty(), {false, false});
    const double lambda = 0.2 * lambda_start(squares);
    const Vector mean = fit_path(counts, {lambda}).fits.at(0).coefficients.array().exp();
    const Vector expected = fit_path(squares, {lambda}).fits.at(0).coefficients;
    EXPECT_LT(max_difference(mean, expected), 1e-9);
  }
}

// True where both fits without the row leave it the same interval. Huber's loss may leave other coefficients
// open, those of blocks whose rows are all outliers.
bool are_the_others_equal(const RowLeftOut& out) {
  const Dataset& data = out.without.data();
  const AnalysisOperator& analysis = *out.without.penalty().analysis();
  const auto [low, high] = analysis.best_values(out.refit.coefficients, data.weights, out.row);
  const double offset = data.offset[out.row];
  const double rounding = 1e-7 * (1.0 + out.refit.coefficients.lpNorm<Eigen::Infinity>());  // of two fits
  return std::abs(offset + low - out.low) < rounding && std::abs(offset + high - out.high) < rounding;
}

// The least objective with the row as an observation of this value. Huber's loss of the row is zero at it, so
// that this is the least objective without the row if and only if some best fit without it passes there.
double least_with(const Problem& problem, const RowLeftOut& out, double value) {
  Dataset data = problem.data();
  data.response[out.row] = value;
  const Problem with(std::move(data), problem.loss(), problem.penalty(), {false, false});
  const Fit fit = fit_at(with, out.fit.lambda);
  return with.objective(Vector::Zero(1), fit.coefficients, fit.lambda);
}

// Where a coefficient without its row could have several values, the prediction is the midpoint of all of
// them: the objective, with the coefficient fixed, is as low at both ends and higher beyond. Where others are
// open too it is the midpoint for one choice of them, and all of that interval are best values.
void assert_interval(const Signal& s) {
  const Problem problem = s.problem();
  const RowLeftOut out = leave_any_row_out(problem);
  const double best = out.objective(out.refit.coefficients);
  const double offset = problem.data().offset[out.row];
  RC_ASSERT(std::abs(out.prediction - 0.5 * (out.low + out.high)) <=
            1e-12 * (1.0 + std::abs(out.prediction)));
  const auto objective_at = [&](double value) {
    Vector coefficients = out.refit.coefficients;
    coefficients[out.row] = value - offset;
    return out.objective(coefficients);
  };
  // Objectives carry the rounding of their sums, and fits of losses other than the squared one that of
  // Newton's method.
  const double rounding = 1e-9 * (1.0 + std::abs(best));
  if (s.loss == "huber" && !are_the_others_equal(out)) {
    for (const double share : {0.0, 0.5, 1.0}) {
      RC_ASSERT(least_with(problem, out, out.low + share * (out.high - out.low)) < best + rounding);
    }
    return;
  }
  for (const double share : {0.0, 0.5, 1.0}) {
    RC_ASSERT(objective_at(out.low + share * (out.high - out.low)) < best + rounding);
  }
  // Beyond the interval it rises at least by lambda times the distance, the least weight of a term being one.
  const double step = 1e-3;
  RC_ASSERT(objective_at(out.low - step) > best + 0.5 * step * out.fit.lambda);
  RC_ASSERT(objective_at(out.high + step) > best + 0.5 * step * out.fit.lambda);
}

RC_GTEST_PROP(Signal, ExactIsTheMidpointOfAllBestValues, ()) {
  Signal s = any_signal();
  s.loss = *rc::gen::element<std::string>("squared", "squared", "poisson", "huber");
  RC_LOG() << s << '\n';
  RC_PRE(has_fit(s.problem()));
  // Four rows are a cubic. The excess of a count that is fitted without error is a difference of two numbers
  // that are not zero, so that a gap relative to it is rounding.
  RC_PRE(s.loss != "poisson" || s.rows > 5);
  assert_interval(s);
}

// The same from refits of the lasso in other variables, which knows nothing of signals.
RC_GTEST_PROP(Signal, ExactIsThatOfTheGeneralForm, ()) {
  Signal s = any_signal();
  s.kind = *rc::gen::element<std::string>("chain", "trend");
  RC_LOG() << s << '\n';
  const RowLeftOut out = leave_any_row_out(s.problem());
  const Dataset& data = out.without.data();
  LassoCoordinatesSolver general(out.without, data.weights, {}, Use::refit);
  const Vector values = general.solve(std::span(&out.fit.lambda, 1), {}).at(0).coefficients;
  const auto [low, high] = s.penalty().analysis()->best_values(values, data.weights, out.row);
  const double rounding = 1e-7 * (1.0 + values.lpNorm<Eigen::Infinity>());  // as of the fits above
  RC_ASSERT(std::abs(data.offset[out.row] + low - out.low) < rounding);
  RC_ASSERT(std::abs(data.offset[out.row] + high - out.high) < rounding);
}

// By hand: without the middle row of 0, 1, 10 the others are 0.5 and 9.5 at lambda = 0.5, and any value
// between them is optimal. An end row takes the value of its neighbour. Rows without weight are passed over.
TEST(Signal, ARowBetweenTwoBlocksHasAnInterval) {
  SparseMatrix identity(3, 3);
  identity.setIdentity();
  Dataset data = make_dataset(Design(identity), Vector{{0.0, 1.0, 10.0}});
  const auto exact_of = [](Dataset of) {
    const Problem problem(std::move(of), make_loss("squared", {}),
                          GeneralizedLasso::differences(3, 1, "fused-lasso"), {false, false});
    const Fit fit = fit_path(problem, {0.5}).fits.front();
    return exact_leave_one_out(problem, std::span(&fit, 1), {0, 1, 2}).values.front();
  };
  const LeaveOneOut exact = exact_of(data);
  EXPECT_NEAR(exact.linear_predictor[1], 5.0, 1e-12);
  EXPECT_NEAR(exact.low[1], 0.5, 1e-12);
  EXPECT_NEAR(exact.high[1], 9.5, 1e-12);
  EXPECT_EQ(exact.flags, (std::vector{RowFlag::none, RowFlag::not_unique, RowFlag::none}));
  EXPECT_NEAR(exact.linear_predictor[0], 1.5, 1e-12);
  EXPECT_EQ(exact.low[0], exact.linear_predictor[0]);
  EXPECT_NEAR(exact.linear_predictor[2], 0.5, 1e-12);
  data.weights[0] = 0.0;
  EXPECT_NEAR(exact_of(data).linear_predictor[1], 10.0, 1e-12);
}

// Of rows of an absolute loss that are fitted exactly most are held there by their own loss alone.
TEST(Signal, ARowAtItsKinkPulls) {
  SparseMatrix identity(3, 3);
  identity.setIdentity();
  const Problem problem(make_dataset(Design(identity), Vector{{0.0, 5.0, 0.0}}), make_loss("absolute", {}),
                        GeneralizedLasso::differences(3, 1, "fused-lasso"), {false, false});
  const Fit fit = fit_path(problem, {0.3}).fits.front();
  ASSERT_NEAR(fit.coefficients[1], 5.0, 1e-9);
  const auto exact = exact_leave_one_out(problem, std::span(&fit, 1), {0, 1, 2});
  EXPECT_NEAR(exact.values.front().linear_predictor[1], 0.0, 1e-9);
}

// Nothing says anything of a node that no edge joins to others: it gets the mean of the others, flagged, with
// no ends.
TEST(Signal, ANodeWithoutNeighboursHasNoEnds) {
  SparseMatrix identity(4, 4);
  identity.setIdentity();
  const Problem problem(make_dataset(Design(identity), Vector{{1.0, 2.0, 3.0, 70.0}}),
                        make_loss("squared", {}), GeneralizedLasso::on_graph(4, {{0, 1}, {1, 2}}),
                        {false, false});
  const Fit fit = fit_path(problem, {10.0}).fits.front();
  const LeaveOneOut exact = exact_leave_one_out(problem, std::span(&fit, 1), {3}).values.front();
  EXPECT_NEAR(exact.linear_predictor[3], 2.0, 1e-12);
  EXPECT_EQ(exact.flags[3], RowFlag::not_unique);
  EXPECT_TRUE(std::isinf(exact.low[3]) && std::isinf(exact.high[3]));
}

}  // namespace
}  // namespace alo
