// SPDX-License-Identifier: MIT
// Faults in what the certificate is made from, each planted in a fit that is certified without it: none of
// the faulty fits may be certified. Each test names the check that it would miss.
#include <limits>

#include <gtest/gtest.h>

#include "alo/fit.hpp"
#include "alo/losses/squared.hpp"
#include "alo/penalties/generalized_lasso.hpp"
#include "alo/penalties/lasso.hpp"
#include "alo/penalties/nuclear.hpp"
#include "alo/penalties/ridge.hpp"
#include "alo/penalties/schatten.hpp"
#include "certificate/null_fit.hpp"
#include "random_problem.hpp"

namespace alo {
namespace {

using testing_support::has_fit;
using testing_support::kinked_losses;
using testing_support::RandomProblem;
using testing_support::smooth_losses;

constexpr double tolerance = FitOptions{}.tolerance;

std::vector<std::string> all_losses() {
  std::vector<std::string> names = {"squared"};
  names.insert(names.end(), smooth_losses().begin(), smooth_losses().end());
  names.insert(names.end(), kinked_losses().begin(), kinked_losses().end());
  return names;
}

// Problems of every loss that have an intercept, an unpenalised column, weights and an offset.
std::vector<RandomProblem> problems(const std::vector<std::string>& losses) {
  std::vector<RandomProblem> result;
  for (const std::string& loss : losses) {
    for (const char* penalty : {"lasso", "ridge", "elastic-net"}) {
      RandomProblem p;
      p.loss = loss;
      p.penalty = penalty;
      p.seed = 3;
      p.rows = 40;
      p.columns = 6;
      p.weights = true;
      p.offset = true;
      p.penalty_weights = true;
      p.lambda_share = 0.1;
      EXPECT_TRUE(has_fit(p.problem())) << p;
      result.push_back(p);
    }
  }
  return result;
}

Fit fit_at(const Problem& problem, double lambda) {
  Fit fit = fit_path(problem, {lambda}).fits.at(0);
  EXPECT_EQ(fit.status, FitStatus::converged) << problem.describe();
  return fit;
}

Fit fit_of(const RandomProblem& p, const Problem& problem) {
  return fit_at(problem, p.lambda_share * lambda_start(problem));
}

Certificate certificate_of(const Certifier& certifier, Fit fit) {
  certifier.certify(std::span(&fit, 1));
  return fit.certificate;
}

bool passes(const Problem& problem, const Fit& fit) {
  return meets(certificate_of(Certifier(problem), fit), tolerance);
}

TEST(PlantedFault, WrongCoefficients) {
  for (const RandomProblem& p : problems(all_losses())) {
    const Problem problem = p.problem();
    const Fit fit = fit_of(p, problem);
    EXPECT_TRUE(passes(problem, fit)) << p;
    for (Index j = 0; j < fit.coefficients.size(); ++j) {
      if (j % p.columns == 3) continue;  // it is left out
      Fit wrong = fit;
      wrong.coefficients[j] += 0.02;
      EXPECT_FALSE(passes(problem, wrong)) << p << " column " << j;
    }
  }
}

TEST(PlantedFault, WrongIntercept) {
  for (const RandomProblem& p : problems(all_losses())) {
    const Problem problem = p.problem();
    Fit wrong = fit_of(p, problem);
    wrong.intercept[0] += 0.05;
    EXPECT_FALSE(passes(problem, wrong)) << p;
  }
}

// Fits that are optimal but for their intercept, which was held at a wrong value: everything but the sum of
// the gradients is as it should be.
TEST(PlantedFault, OptimalForAnotherIntercept) {
  for (RandomProblem p : problems(all_losses())) {
    p.standardize = false;
    const Problem problem = p.problem();
    const Fit fit = fit_of(p, problem);
    for (const double error : {0.3, -2.0}) {
      Vector intercept = fit.intercept;
      intercept[0] += error;
      if (problem.outputs() > 1) continue;  // an offset is the same for all outputs
      Dataset moved = problem.data();
      moved.offset.array() += intercept[0];
      Fit held =
          fit_at(Problem(std::move(moved), problem.loss(), problem.penalty(), {false, false}), fit.lambda);
      held.intercept = intercept;
      const Certificate certificate = certificate_of(Certifier(problem), held);
      EXPECT_FALSE(meets(certificate, tolerance)) << p << " error " << error;
      // No dual point is made from subgradients that are not orthogonal to the column of ones.
      if (problem.loss().has_kinks()) {
        EXPECT_FALSE(certificate.gap.has_value()) << p;
      }
    }
  }
}

// A multiple of lambda hides a sum of gradients from the conditions on slopes, which are relative to lambda.
TEST(PlantedFault, SmallSlopesProveNothingAtALargeLambda) {
  for (const std::string& loss : kinked_losses()) {
    RandomProblem p;
    p.loss = loss;
    p.penalty = "ridge";
    const Problem problem = p.problem();
    Fit fit;
    fit.lambda = 1e15;
    fit.intercept = Vector::Constant(1, loss == "hinge" ? 0.2 : 25.0);
    fit.coefficients = Vector::Zero(p.columns);
    fit.subgradient = problem.loss().derivative(problem.linear_predictor(fit.intercept, fit.coefficients),
                                                problem.data().response);
    fit.coefficients =
        -problem.design().transpose_multiply(fit.subgradient).cwiseQuotient(problem.scale()) / fit.lambda;
    const Certificate certificate = certificate_of(Certifier(problem), fit);
    EXPECT_LT(certificate.kkt, tolerance) << loss;
    EXPECT_FALSE(meets(certificate, tolerance)) << loss;
  }
}

// Without lambda all columns are unpenalised, and the dual point has to be orthogonal to every one.
TEST(PlantedFault, NullFitWithoutLambda) {
  for (const std::string& loss : all_losses()) {
    RandomProblem p;
    p.loss = loss;
    p.rows = 40;
    const Problem problem = p.problem();
    const NullFit null = null_fit(problem, problem.data().weights);
    Fit fit;
    fit.intercept = null.linear_predictor(Eigen::seqN(0, problem.outputs(), p.rows));
    fit.coefficients = Vector::Zero(p.columns * problem.outputs());
    if (problem.loss().has_kinks()) fit.subgradient = null.gradient;
    EXPECT_FALSE(passes(problem, fit)) << loss;
    fit.lambda = 1.01 * lambda_start(problem);
    EXPECT_TRUE(passes(problem, fit)) << loss;
  }
}

// A row between two slopes, its subgradient being what the others leave for it.
Index pinned_row(const Problem& problem, const Fit& fit) {
  const Matrix slope =
      problem.data().weights.asDiagonal() * problem.loss().kinks(problem.data().response).slope;
  for (Index i = 0; i < slope.rows(); ++i) {
    const double room = 0.05 * (slope(i, slope.cols() - 1) - slope(i, 0));
    if (((slope.row(i).array() - fit.subgradient[i]).abs() > room).all()) return i;
  }
  return -1;
}

// The certificate may move a subgradient by rounding, to make it orthogonal to the unpenalised columns, and
// by no more: leave-one-out relies on what the fit says.
TEST(PlantedFault, WrongSubgradient) {
  for (const RandomProblem& p : problems(kinked_losses())) {
    const Problem problem = p.problem();
    const Fit fit = fit_of(p, problem);
    const Index pinned = pinned_row(problem, fit);
    ASSERT_GE(pinned, 0) << p;
    for (const double error : {1e-3, -1e-2}) {
      Fit wrong = fit;
      wrong.subgradient[pinned] += error * problem.data().weights[pinned];
      EXPECT_FALSE(passes(problem, wrong)) << p << " error " << error;
    }
    Fit beyond = fit;  // a subgradient of no point
    for (double& entry : beyond.subgradient) entry *= 1.5;
    EXPECT_FALSE(passes(problem, beyond)) << p;
    Fit turned = fit;
    turned.subgradient *= -1.0;
    EXPECT_FALSE(passes(problem, turned)) << p;
  }
}

void expect_judged_multipliers(const Problem& problem) {
  const Fit fit = fit_at(problem, 0.2 * lambda_start(problem));
  ASSERT_GT(fit.multipliers.size(), 0) << problem.describe();
  EXPECT_TRUE(passes(problem, fit)) << problem.describe();
  for (Index k = 0; k < fit.multipliers.size(); ++k) {
    Fit wrong = fit;
    wrong.multipliers[k] -= std::copysign(1e-2 * fit.lambda, fit.multipliers[k]);
    EXPECT_FALSE(passes(problem, wrong)) << problem.describe() << " term " << k;
  }
}

TEST(PlantedFault, WrongMultipliers) {
  RandomProblem p;
  p.rows = 40;
  p.columns = 12;
  const auto with = [&](const Penalty& penalty) {
    return Problem(p.dataset(), p.make_loss_model(), penalty, {true, false});
  };
  for (const char* loss : {"squared", "huber"}) {
    p.loss = loss;
    expect_judged_multipliers(with(GeneralizedLasso::differences(p.columns, 1, "fused-lasso")));
    expect_judged_multipliers(with(GeneralizedLasso::differences(p.columns, 2, "trend-filter")));
    expect_judged_multipliers(with(
        GeneralizedLasso::on_graph(p.columns, {{0, 1}, {1, 2}, {0, 2}, {3, 4}, {4, 5}, {5, 6}, {3, 6}})));
  }
}

// A signal of a few blocks with some noise, whose certificate is code of its own.
Problem chain_problem() {
  const Index rows = 30;
  const Vector signal =
      Vector::LinSpaced(rows, 0.0, 3.0).array().round() + Vector::LinSpaced(rows, 0.0, 9.0).array().sin();
  return {make_dataset(Design(Matrix(Matrix::Identity(rows, rows))), signal),
          SquaredLoss(),
          GeneralizedLasso::differences(rows, 1, "fused-lasso"),
          {false, false}};
}

// Leave-one-out takes the blocks from the multipliers: a jump that is not marked joins two of them, and a
// mark without a jump parts one.
TEST(PlantedFault, WrongMultipliersOfASignal) {
  const Problem problem = chain_problem();
  expect_judged_multipliers(problem);
  const Fit fit = fit_at(problem, 0.2 * lambda_start(problem));
  const Index last = fit.multipliers.size() - 1;
  for (Index k = 0; k <= last; ++k) {
    Fit wrong = fit;
    const double multiplier = fit.multipliers[k];
    wrong.multipliers[k] = std::abs(multiplier) < fit.lambda ? std::copysign(fit.lambda, multiplier)
                                                             : (1.0 - 1e-14) * multiplier;
    EXPECT_FALSE(passes(problem, wrong)) << "term " << k;
  }
  Fit cut = fit;
  cut.multipliers.conservativeResize(last);
  EXPECT_FALSE(passes(problem, cut));
}

// A penalty on the singular values of a 4 x 3 matrix, and a fit of rank one or two.
Problem matrix_problem(const char* loss, const Penalty& penalty) {
  RandomProblem p;
  p.rows = 40;
  p.columns = 12;
  p.loss = loss;
  return {p.dataset(), p.make_loss_model(), penalty, {true, false}};
}

// Leave-one-out takes the singular vectors and the rank from the multipliers. An error of a millionth of
// lambda moves them by that over the distance of the inner singular values from lambda.
TEST(PlantedFault, WrongSubgradientOfAMatrixNorm) {
  for (const char* loss : {"squared", "logistic"}) {
    const Problem problem = matrix_problem(loss, NuclearNorm({4, 3}));
    const double lambda = 0.4 * lambda_start(problem);
    const Fit fit = fit_at(problem, lambda);
    ASSERT_EQ(fit.multipliers.size(), 12) << loss;
    EXPECT_TRUE(passes(problem, fit)) << loss;
    for (Index k = 0; k < fit.multipliers.size(); ++k) {
      Fit wrong = fit;
      wrong.multipliers[k] += 1e-6 * lambda;
      EXPECT_FALSE(passes(problem, wrong)) << loss << " entry " << k;
    }
    // The subgradient of smallest norm is one of the penalty, but not minus the gradient of the loss.
    Fit smallest = fit;
    smallest.multipliers = problem.penalty().subgradient(fit.coefficients, lambda);
    ASSERT_GT((smallest.multipliers - fit.multipliers).norm(), 1e-3 * lambda) << loss;
    EXPECT_FALSE(passes(problem, smallest)) << loss;
    // Those of another fit, and none at all for some of the entries.
    Fit stale = fit;
    stale.multipliers = fit_at(problem, 0.99 * lambda).multipliers;
    EXPECT_FALSE(passes(problem, stale)) << loss;
    Fit cut = fit;
    cut.multipliers.conservativeResize(11);
    EXPECT_FALSE(passes(problem, cut)) << loss;
    Fit turned = fit;
    turned.multipliers *= -1.0;
    EXPECT_FALSE(passes(problem, turned)) << loss;
  }
}

// Where the coefficients are zero the multipliers are all that is said of the inner singular values.
TEST(PlantedFault, WrongSubgradientOfAZeroMatrix) {
  const Problem problem = matrix_problem("squared", NuclearNorm({4, 3}));
  const double lambda = 1.1 * lambda_start(problem);
  const Fit fit = fit_at(problem, lambda);
  ASSERT_TRUE(fit.coefficients.isZero(0.0));
  EXPECT_TRUE(passes(problem, fit));
  for (const double factor : {0.999, 1.2}) {
    Fit wrong = fit;
    wrong.multipliers *= factor;
    EXPECT_FALSE(passes(problem, wrong)) << factor;
  }
}

TEST(PlantedFault, WrongGradientOfASmoothMatrixNorm) {
  const Problem problem = matrix_problem("squared", Schatten({4, 3}, 0.5));
  Fit fit = fit_at(problem, 5.0);
  fit.multipliers = problem.penalty().subgradient(fit.coefficients, fit.lambda);
  EXPECT_TRUE(passes(problem, fit));
  fit.multipliers[5] += 1e-4 * fit.lambda;  // this lambda is a hundredth of the slopes of the null fit
  EXPECT_FALSE(passes(problem, fit));
}

// With a null fit whose loss is too large, gaps would be too small.
TEST(PlantedFault, WrongNullFit) {
  for (const RandomProblem& p : problems(all_losses())) {
    const Problem problem = p.problem();
    const Fit fit = fit_of(p, problem);
    const Vector& weights = problem.data().weights;
    const NullFit null = null_fit(problem, weights);
    EXPECT_TRUE(meets(certificate_of(Certifier(problem, weights, null), fit), tolerance)) << p;
    NullFit wrong = null;
    wrong.linear_predictor.head(p.rows).array() += 1.0;
    if (!problem.loss().has_kinks()) {
      wrong.gradient = problem.loss().derivative(wrong.linear_predictor, problem.data().response);
      by_output(wrong.gradient, problem.outputs()).array().colwise() *= weights.array();
    }
    const Certificate certificate = certificate_of(Certifier(problem, weights, wrong), fit);
    EXPECT_FALSE(certificate.gap.has_value()) << p;
    EXPECT_FALSE(meets(certificate, tolerance)) << p;
  }
}

TEST(PlantedFault, WrongNullFitOfASignal) {
  const Problem problem = chain_problem();
  const Fit fit = fit_at(problem, 0.5);
  const Vector& weights = problem.data().weights;
  NullFit null = null_fit(problem, weights);
  EXPECT_TRUE(meets(certificate_of(Certifier(problem, weights, null), fit), tolerance));
  null.linear_predictor.array() += 1.0;
  null.gradient.array() += 1.0;
  EXPECT_FALSE(certificate_of(Certifier(problem, weights, null), fit).gap.has_value());
}

// The dual objective at a point that is not feasible may exceed the primal one by any amount.
TEST(PlantedFault, AGapBelowZero) {
  EXPECT_TRUE(meets({1e-11, 0.0}, tolerance));
  EXPECT_TRUE(meets({-1e-17, 0.0}, tolerance));
  EXPECT_FALSE(meets({-1e-3, 0.0}, tolerance));
  EXPECT_FALSE(meets({std::nullopt, 0.0}, tolerance));
}

// A squared loss that claims a million times its curvature: Newton's steps with it go nowhere and look as
// though they had arrived.
struct StiffLoss : SquaredLoss {
  std::string name() const { return "stiff"; }
  Vector curvature(const VectorView& u, const VectorView&) const { return Vector::Constant(u.size(), 1e6); }
  bool is_quadratic() const { return false; }
};

// A search for a dual point of a smooth loss that ends at a point which is none: a wrong intercept or
// coefficient of an unpenalised column would go unnoticed.
TEST(PlantedFault, DualPointOfASmoothLossThatIsNotFeasible) {
  for (const char* penalty : {"lasso", "ridge", "elastic-net"}) {
    RandomProblem p;
    p.penalty = penalty;
    p.standardize = false;
    p.penalty_weights = true;
    const Problem problem = p.problem();
    const Problem stiff(p.dataset(), StiffLoss(), problem.penalty(), {true, false});
    const Vector& weights = problem.data().weights;
    const NullFit null = null_fit(problem, weights);
    const Fit fit = fit_of(p, problem);
    const Certifier certifier(stiff, weights, null);
    EXPECT_TRUE(meets(certificate_of(certifier, fit), tolerance)) << penalty;
    Fit wrong = fit;
    wrong.intercept[0] += 0.05;
    EXPECT_FALSE(certificate_of(certifier, wrong).gap.has_value()) << penalty;
    // Its own null fit it finds no better.
    EXPECT_FALSE(certificate_of(Certifier(stiff), fit).gap.has_value()) << penalty;
  }
}

}  // namespace
}  // namespace alo
