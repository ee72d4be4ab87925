// SPDX-License-Identifier: MIT
// Fits of smooth losses: every one certified, whatever the data, from a cold start at a single lambda and
// along a path.
#include <cmath>
#include <functional>
#include <random>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <Eigen/QR>

#include "alo/losses/huber.hpp"
#include "alo/losses/logistic.hpp"
#include "alo/losses/poisson.hpp"
#include "alo/losses/squared_hinge.hpp"
#include "alo/penalties/generalized_lasso.hpp"
#include "alo/penalties/lasso.hpp"
#include "alo/penalties/ridge.hpp"
#include "random_problem.hpp"
#include "seed.hpp"

namespace alo {
namespace {

using testing_support::any_problem;
using testing_support::fit_at;
using testing_support::has_fit;
using testing_support::max_difference;
using testing_support::RandomProblem;
using testing_support::smooth_losses;
using testing_support::varied;

const std::vector<std::string> penalties = {"lasso", "elastic-net", "ridge"};

double gap_of(const Fit& fit) {
  return fit.certificate.gap.value_or(std::numeric_limits<double>::infinity());
}

// A problem for each loss, penalty and presence of an intercept.
void for_each_model(const std::function<void(const RandomProblem&)>& check) {
  for (const std::string& loss : smooth_losses()) {
    for (const std::string& penalty : penalties) {
      for (const bool intercept : {true, false}) {
        RandomProblem p;
        p.loss = loss;
        p.penalty = penalty;
        p.intercept = intercept;
        check(p);
      }
    }
  }
}

void expect_certified(const Problem& problem, double lambda, double tolerance, const RandomProblem& p) {
  const Fit fit = fit_at(problem, lambda);
  EXPECT_LE(gap_of(fit), tolerance) << p << ", lambda " << lambda << ", kkt " << fit.certificate.kkt;
}

RC_GTEST_PROP(NewtonSolver, EveryFitIsCertified, ()) {
  RandomProblem p = *any_problem(penalties, smooth_losses());
  p.lambda_share = *rc::gen::element(0.9, 0.3, 0.1, 0.01, 1e-3, 1e-4);
  const Problem problem = p.problem();
  RC_PRE(has_fit(problem));
  const Fit fit = fit_at(problem, p.lambda_share * lambda_start(problem));
  RC_ASSERT(gap_of(fit) <= 1e-9);
  RC_ASSERT(gap_of(fit) >= 0.0);
}

// The bound of the property is for the worst; a typical fit ends at rounding.
TEST(NewtonSolver, MostFitsAreBetterThanAsked) {
  for (const std::string& loss : smooth_losses()) {
    int good = 0;
    int fitted = 0;
    for (unsigned seed = 1; seed <= 60; ++seed) {
      RandomProblem p;
      p.loss = loss;
      p.seed = varied(seed);
      p.rows = 10 + seed % 20;
      p.columns = 1 + (7 * seed) % 40;
      p.penalty = penalties[seed % 3];
      p.weights = seed % 5 == 0;
      p.offset = seed % 4 == 0;
      p.penalty_weights = seed % 7 == 0;
      const Problem problem = p.problem();
      if (!has_fit(problem)) continue;
      ++fitted;
      if (gap_of(fit_at(problem, 0.05 * lambda_start(problem))) <= 1e-11) ++good;
    }
    EXPECT_GE(fitted, 50) << loss;
    EXPECT_GE(good, 0.95 * fitted) << loss;
  }
}

TEST(NewtonSolver, PathsAreCertified) {
  for_each_model([](RandomProblem p) {
    for (const Index columns : {6, 40}) {
      p.columns = columns;
      const Problem problem = p.problem();
      for (const Fit& fit : fit_path(problem, lambda_grid(problem, {.count = 20, .ratio = 1e-3})).fits) {
        EXPECT_LE(gap_of(fit), 1e-10) << p << ", columns " << columns << ", lambda " << fit.lambda;
      }
    }
  });
}

// Where the fit came from must not show in it.
TEST(NewtonSolver, ColdAndWarmStartsAgree) {
  for_each_model([](const RandomProblem& p) {
    const Problem problem = p.problem();
    const std::vector<double> lambdas = lambda_grid(problem, {.count = 12, .ratio = 1e-2});
    const Fit warm = fit_path(problem, lambdas).fits.back();
    const Fit cold = fit_at(problem, lambdas.back());
    EXPECT_LT(max_difference(warm.linear_predictor, cold.linear_predictor),
              1e-7 * (1.0 + cold.linear_predictor.lpNorm<Eigen::Infinity>()))
        << p;
  });
}

TEST(NewtonSolver, FromLambdaStartOnOnlyTheNullModelIsLeft) {
  for_each_model([](const RandomProblem& p) {
    if (p.penalty == "ridge") return;
    const Problem problem = p.problem();
    const double start = lambda_start(problem);
    EXPECT_TRUE(fit_at(problem, 1.0001 * start).coefficients.isZero(0.0)) << p;
    EXPECT_FALSE(fit_at(problem, 0.999 * start).coefficients.isZero(0.0)) << p;
  });
}

TEST(NewtonSolver, DependentAndConstantColumns) {
  for_each_model([](RandomProblem p) {
    p.columns = 12;
    Dataset data = p.dataset();
    Matrix x = data.design.dense_values();
    x.col(5) = x.col(0);
    x.col(6) = -2.0 * x.col(1);
    x.col(7) = x.col(0) + 0.5 * x.col(2);
    x.col(8).setConstant(3.0);
    x.col(9).setZero();
    x.col(10) = x.col(0) + x.col(1) - x.col(2) + x.col(3);
    data.design = Design(x);
    const Problem problem = p.problem(std::move(data));
    const double start = lambda_start(problem);
    for (const double share : {0.5, 0.05, 1e-3}) expect_certified(problem, share * start, 1e-9, p);
  });
}

// About a third of the columns are copies of others, turned and stretched or not, or sums of two.
Dataset with_dependent_columns(Dataset data, unsigned seed) {
  std::mt19937 generator(seed);
  Matrix x = data.design.dense_values();
  for (Index j = 2; j < x.cols(); ++j) {
    const auto any_before = [&] { return static_cast<Index>(generator() % static_cast<unsigned>(j)); };
    const unsigned kind = generator() % 8;
    if (kind == 0) x.col(j) = x.col(any_before()).eval();
    if (kind == 1) x.col(j) = -2.0 * x.col(any_before());
    if (kind == 2) x.col(j) = x.col(any_before()) + x.col(any_before());
  }
  data.design = Design(x);
  return data;
}

RC_GTEST_PROP(NewtonSolver, EveryFitWithDependentColumnsIsCertified, ()) {
  RandomProblem p = *any_problem({"lasso", "elastic-net"}, smooth_losses());
  p.sparse = false;
  p.rows = *rc::gen::inRange<Index>(10, 61);
  p.columns = *rc::gen::inRange<Index>(5, 101);
  p.lambda_share = *rc::gen::element(0.5, 0.2, 0.05, 0.01);
  const Problem problem = p.problem(with_dependent_columns(p.dataset(), p.seed));
  RC_PRE(has_fit(problem));
  RC_ASSERT(gap_of(fit_at(problem, p.lambda_share * lambda_start(problem))) <= 1e-9);
}

// Rows beyond delta have next to no curvature, and what is left is soon singular: many sets, for few are
// hard.
TEST(NewtonSolver, HuberLossesWithDependentColumns) {
  for (const char* loss : {"huber", "pseudo-huber"}) {
    for (unsigned seed = 1; seed <= 100; ++seed) {
      RandomProblem p;
      p.loss = loss;
      p.seed = varied(seed);
      p.rows = 20 + (13 * seed) % 41;
      p.columns = 10 + (7 * seed) % 90;
      p.delta = seed % 3 == 0 ? 0.1 : 0.5;
      p.weights = seed % 4 == 0;
      p.intercept = seed % 2 == 0;
      const Problem problem = p.problem(with_dependent_columns(p.dataset(), p.seed));
      const double start = lambda_start(problem);
      for (const double share : {0.2, 0.05}) expect_certified(problem, share * start, 1e-10, p);
    }
  }
}

// From the null fit Newton's method ends here on a wrong active set, and from a neighbouring lambda it does
// not.
TEST(NewtonSolver, AMissedFitIsFoundAlongThePath) {
  RandomProblem p;
  p.loss = "huber";
  p.seed = 200229633;
  p.rows = 21;
  p.columns = 53;
  p.intercept = false;
  const Problem problem = p.problem(with_dependent_columns(p.dataset(), p.seed));
  expect_certified(problem, 0.2 * lambda_start(problem), 1e-10, p);
}

// A fit needs none of the columns that its others span.
TEST(NewtonSolver, ActiveColumnsAreIndependent) {
  for_each_model([](RandomProblem p) {
    if (p.penalty != "lasso") return;
    p.rows = 30;
    p.columns = 30;
    const Problem problem = p.problem(with_dependent_columns(p.dataset(), 4));
    const Fit fit = fit_at(problem, 0.05 * lambda_start(problem));
    for (Index k = 0; k < problem.outputs(); ++k) {
      std::vector<Index> active;
      for (Index j = 0; j < p.columns; ++j) {
        if (fit.coefficients[k * p.columns + j] != 0.0) active.push_back(j);
      }
      Matrix columns = problem.design().gather(active);
      EXPECT_EQ(columns.fullPivHouseholderQr().rank(), columns.cols()) << p << ", output " << k;
    }
  });
}

TEST(NewtonSolver, UnpenalisedAndExcludedColumns) {
  for_each_model([](RandomProblem p) {
    p.rows = 30;
    p.penalty_weights = true;
    const Problem problem = p.problem();
    const double start = lambda_start(problem);
    for (const double share : {0.5, 0.05, 1e-3}) {
      const Fit fit = fit_at(problem, share * start);
      EXPECT_LE(gap_of(fit), 1e-10) << p;
      for (Index k = 0; k < problem.outputs(); ++k) {
        EXPECT_EQ(fit.coefficients[k * p.columns + 3], 0.0) << p;
      }
    }
  });
}

TEST(NewtonSolver, TwoRows) {
  for_each_model([](RandomProblem p) {
    if (p.loss == "multinomial") return;  // three classes need three rows
    p.rows = 2;
    for (const Index columns : {1, 5}) {
      p.columns = columns;
      const Problem problem = p.problem();
      const double start = lambda_start(problem);
      for (const double share : {0.5, 0.01}) expect_certified(problem, share * start, 1e-9, p);
    }
  });
}

// Classes that a hyperplane separates: coefficients grow without bound as lambda falls.
TEST(NewtonSolver, SeparableClasses) {
  for (const char* loss : {"logistic", "probit", "squared-hinge", "multinomial"}) {
    for (const std::string& penalty : penalties) {
      for (const Index columns : {3, 50}) {
        RandomProblem p;
        p.loss = loss;
        p.penalty = penalty;
        p.rows = 30;
        p.columns = columns;
        Dataset data = p.dataset();
        Matrix x = data.design.dense_values();
        x.col(0) = data.response.array() - 1.0 + 0.3 * (x.col(1).array() - x.col(1).mean()).sin();
        data.design = Design(x);
        const Problem problem = p.problem(std::move(data));
        const double start = lambda_start(problem);
        for (const double share : {1e-2, 1e-4, 1e-6}) expect_certified(problem, share * start, 1e-9, p);
      }
    }
  }
}

TEST(NewtonSolver, LargeCountsAndOffsets) {
  for (const std::string& penalty : penalties) {
    for (const double level : {0.0, 14.0}) {
      for (const double offset : {0.0, -20.0, 20.0}) {
        RandomProblem p;
        p.loss = "poisson";
        p.penalty = penalty;
        Dataset data = p.dataset();
        // Means of exp(14) are counts of a million; an offset moves the intercept and nothing else.
        data.response = (data.response.array().log1p() + level).exp().round();
        data.offset = Vector::LinSpaced(p.rows, offset, offset + 1.0);
        const Problem problem = p.problem(std::move(data));
        const double start = lambda_start(problem);
        for (const double share : {0.5, 0.05, 1e-3, 1e-5}) {
          expect_certified(problem, share * start, 1e-9, p);
        }
      }
    }
  }
}

TEST(NewtonSolver, OffsetsWithoutAnInterceptToTakeThemUp) {
  for_each_model([](RandomProblem p) {
    if (p.intercept) return;
    Dataset data = p.dataset();
    data.offset = Vector::LinSpaced(p.rows, -6.0, 6.0);
    const Problem problem = p.problem(std::move(data));
    const double start = lambda_start(problem);
    for (const double share : {0.5, 0.05, 1e-3}) expect_certified(problem, share * start, 1e-9, p);
  });
}

// Almost every residual is beyond delta: the loss is nearly that of the median, with hardly any curvature.
TEST(NewtonSolver, HuberWithMostRowsInTheFlatPart) {
  for (const std::string& penalty : penalties) {
    for (const double delta : {1e-1, 1e-2, 1e-4}) {
      for (const Index columns : {5, 60}) {
        RandomProblem p;
        p.loss = "huber";
        p.delta = delta;
        p.penalty = penalty;
        p.rows = 31;
        p.columns = columns;
        const Problem problem = p.problem();
        const double start = lambda_start(problem);
        for (const double share : {0.7, 0.1, 1e-2}) expect_certified(problem, share * start, 1e-9, p);
      }
    }
  }
}

TEST(NewtonSolver, SquaredHingeWithRowsFarBeyondTheMargin) {
  for (const std::string& penalty : penalties) {
    RandomProblem p;
    p.loss = "squared-hinge";
    p.penalty = penalty;
    p.rows = 60;
    Dataset data = p.dataset();
    Matrix x = data.design.dense_values();
    x.col(2) = 5.0 * data.response;
    x.col(2)[0] = -0.1 * data.response[0];
    x.col(2)[1] = 0.1 * data.response[1];
    data.design = Design(x);
    const Problem problem = p.problem(std::move(data));
    const double start = lambda_start(problem);
    for (const double share : {0.1, 1e-2, 1e-4}) {
      const Fit fit = fit_at(problem, share * start);
      EXPECT_LE(gap_of(fit), 1e-9) << p << ", share " << share;
    }
  }
}

// The rounding of an objective with so many terms hides what the last steps gain.
TEST(NewtonSolver, ManyRows) {
  constexpr Index rows = 20000;
  std::mt19937_64 generator(1);
  std::normal_distribution<double> normal;
  std::uniform_int_distribution<Index> any_row(0, rows - 1);
  SparseMatrix x(rows, 300);
  Vector signal = Vector::Constant(rows, 0.1);
  for (Index j = 0; j < x.cols(); ++j) {
    for (int entry = 0; entry < 20; ++entry) {
      const Index i = any_row(generator);
      x.coeffRef(i, j) = normal(generator);
      signal[i] += x.coeff(i, j);
    }
  }
  const Vector y =
      Vector::NullaryExpr(rows, [&](Index i) { return signal[i] + normal(generator) > 0.0 ? 1.0 : -1.0; });
  const Problem problem(make_dataset(Design(x), y), LogisticLoss{}, Lasso{}, {});
  for (const Fit& fit : fit_path(problem, lambda_grid(problem, {.count = 20, .ratio = 0.3})).fits) {
    EXPECT_LE(fit.certificate.kkt, 1e-10) << fit.lambda;
  }
}

// No row is near enough to its prediction for a narrow Huber loss to have a curvature: Newton's steps lead
// nowhere from zero, and nothing but free columns is in the model.
TEST(NewtonSolver, FreeColumnsOfANarrowHuberLoss) {
  RandomProblem p;
  p.loss = "huber";
  p.delta = 0.1;
  p.seed = 24242;
  p.rows = 6;
  p.columns = 4;
  p.weights = true;
  p.offset = true;
  std::mt19937 generator(24245);
  std::normal_distribution<double> normal;
  const Matrix terms = Matrix::NullaryExpr(2, 4, [&] { return normal(generator); });
  const Problem problem(p.dataset(), p.make_loss_model(), GeneralizedLasso(terms.sparseView()), {});
  const double start = lambda_start(problem);
  for (const Fit& fit : fit_path(problem, {start, 0.3 * start, 0.1 * start}).fits) {
    EXPECT_LE(fit.certificate.gap.value_or(1.0), 1e-10) << fit.lambda;
  }
}

}  // namespace
}  // namespace alo
