// SPDX-License-Identifier: MIT
// Whether a finite fit of what is not penalised is best, and whether a fit is that one.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "alo/penalties/lasso.hpp"
#include "alo/registry.hpp"
#include "certificate/null_fit.hpp"
#include "random_problem.hpp"
#include "seed.hpp"

namespace alo {
namespace {

using testing_support::any_problem;
using testing_support::has_fit;
using testing_support::kinked_losses;
using testing_support::RandomProblem;
using testing_support::smooth_losses;
using testing_support::varied;

// A response in three classes with an unpenalised column (the second) that is one in rows of so many of them.
Problem with_unpenalized_column(RandomProblem p, const std::vector<Index>& ones) {
  p.columns = 4;
  p.rows = 30;
  p.penalty_weights = true;
  Dataset data = p.dataset();
  Matrix x = data.design.dense_values();
  x.col(1).setZero();
  for (const Index i : ones) x(i, 1) = 1.0;
  data.design = Design(x);
  return p.problem(std::move(data));
}

std::vector<Index> rows_with(const RandomProblem& p, double response, std::size_t most) {
  RandomProblem same = p;
  same.columns = 4;
  same.rows = 30;
  const Vector y = same.dataset().response;
  std::vector<Index> rows;
  for (Index i = 0; i < y.size() && rows.size() < most; ++i) {
    if (y[i] == response) rows.push_back(i);
  }
  return rows;
}

// The column is one in rows of a single class, and zero in others of it: its coefficient grows without end,
// while intercepts are finite and keep their curvature.
TEST(NullFit, AColumnThatSeparatesPartOfAClassHasNoFiniteFit) {
  for (const char* loss : {"logistic", "probit", "multinomial"}) {
    for (unsigned seed = 1; seed <= 10; ++seed) {
      for (const bool intercept : {true, false}) {
        RandomProblem p;
        p.loss = loss;
        p.seed = varied(seed);
        p.intercept = intercept;
        EXPECT_FALSE(has_fit(with_unpenalized_column(p, rows_with(p, 1.0, 4)))) << p;
      }
    }
  }
}

// The gain of the last but one step is less than the rounding of a sum over all rows.
TEST(NullFit, ManyRowsHaveAFiniteFit) {
  for (const Index rows : {20'000, 50'000, 100'000, 200'000}) {
    for (const Index more : {77, 154, 500}) {
      Vector y = Vector::Ones(rows);
      y.head(rows / 2 + more).setConstant(-1.0);
      const Problem problem(make_dataset(Design(Matrix(y)), y), make_loss("logistic", {}), Lasso(),
                            {true, false});
      EXPECT_TRUE(null_fit(problem, problem.data().weights).attained) << rows << ' ' << more;
    }
  }
}

TEST(NullFit, OneRowOfAnotherClassMakesItFinite) {
  for (const char* loss : {"logistic", "probit", "multinomial"}) {
    for (unsigned seed = 1; seed <= 10; ++seed) {
      RandomProblem p;
      p.loss = loss;
      p.seed = varied(seed);
      std::vector<Index> ones = rows_with(p, 1.0, 4);
      for (const double other : {0.0, -1.0, 2.0}) {
        for (const Index i : rows_with(p, other, 1)) ones.push_back(i);
      }
      EXPECT_TRUE(has_fit(with_unpenalized_column(p, ones))) << p;
    }
  }
}

// Two unpenalised columns tell one class from the two others, which overlap: its logits grow without end, and
// the steps end in rounding, when nothing is left of their curvature. A row on the wrong side makes them end.
TEST(NullFit, AClassThatIsToldFromTheOthersHasNoFiniteFit) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    RandomProblem p;
    p.loss = "multinomial";
    p.seed = varied(seed);
    p.rows = 30;
    p.columns = 4;
    p.standardize = false;
    Dataset data = p.dataset();
    Matrix x = data.design.dense_values();
    x.rowwise() -= x.colwise().mean().eval();
    const Vector border = x.col(0) / x.col(0).norm() + 0.5 * x.col(1) / x.col(1).norm();
    for (Index i = 0; i < p.rows; ++i) {
      const double other = i % 2 == 0 ? 1.0 : 2.0;
      data.response[i] = border[i] > 0.05 ? 0.0 : other;
    }
    data.design = Design(x);
    ModelParameters parameters;
    parameters.penalty_weights = Vector{{0.0, 0.0, 1.0, 1.0}};
    const auto has_finite_fit = [&](const Dataset& some) {
      return has_fit(Problem(some, p.make_loss_model(), make_penalty("lasso", parameters), {true, false}));
    };
    EXPECT_FALSE(has_finite_fit(data)) << p;
    Index farthest = 0;
    border.minCoeff(&farthest);
    data.response[farthest] = 0.0;
    EXPECT_TRUE(has_finite_fit(data)) << p;
  }
}

// Steps of a Huber loss end all at once, without a quadratic approach.
TEST(NullFit, HuberFitsAreFinite) {
  for (const double delta : {1e-3, 0.1, 2.0}) {
    for (unsigned seed = 1; seed <= 20; ++seed) {
      RandomProblem p;
      p.loss = "huber";
      p.delta = delta;
      p.seed = varied(seed);
      p.penalty_weights = true;
      EXPECT_TRUE(has_fit(p.problem())) << p;
    }
  }
}

// Rounding of a sum over many rows, divided by a curvature that is zero, was a move of the level of all
// classes that never ended.
TEST(NullFit, ClassesOfManyRowsHaveOne) {
  const Index rows = 2000;
  std::mt19937 generator(3);
  std::uniform_int_distribution<int> label(0, 4);
  const Vector y = Vector::NullaryExpr(rows, [&] { return label(generator); });
  ModelParameters parameters;
  parameters.classes = 5;
  const Problem problem(make_dataset(Design(Matrix(Vector::LinSpaced(rows, 0.0, 1.0))), y),
                        make_loss("multinomial", parameters), Lasso(), {});
  for (Index row = 0; row < rows; row += 50) {
    Vector weights = Vector::Ones(rows);
    weights[row] = 0.0;
    const NullFit fit = null_fit(problem, weights);
    EXPECT_TRUE(fit.attained) << row;
    EXPECT_LT(by_output(fit.gradient, 5).colwise().sum().lpNorm<Eigen::Infinity>(), 1e-9) << row;
  }
}

// The gradient of a smooth loss, and a subgradient of one with kinks that is held to be the null fit's.
Vector gradient_at(const Problem& problem, const Vector& predictor) {
  Vector gradient = problem.loss().derivative(predictor, problem.data().response);
  by_output(gradient, problem.outputs()).array().colwise() *= problem.data().weights.array();
  return gradient;
}

// Every null fit passes its test; moved along the unpenalised columns, away from them, or with another
// gradient it does not.
void expect_told_apart(const RandomProblem& p) {
  const Problem problem = p.problem();
  const UnpenalizedPart free(problem, problem.data().weights, null_lambda);
  const NullFit fit = null_fit(free);
  RC_PRE(fit.attained);
  RC_LOG() << p << '\n';
  RC_ASSERT(is_null_fit(free, fit));

  NullFit unattained = fit;
  unattained.attained = false;
  RC_ASSERT(!is_null_fit(free, unattained));

  const double size = 1.0 + fit.linear_predictor.lpNorm<Eigen::Infinity>();
  const bool smooth = !problem.loss().has_kinks();
  for (Index k = 0; k < free.columns().cols(); ++k) {
    for (const double error : {1e-3, -1e-5}) {
      NullFit moved = fit;
      moved.linear_predictor.head(p.rows) +=
          error * size / free.columns().col(k).norm() * free.columns().col(k);
      if (smooth) moved.gradient = gradient_at(problem, moved.linear_predictor);
      // A loss may be flat: then a point beside a null fit is one as well.
      const double rise =
          problem.data().weights.dot(problem.loss().value(moved.linear_predictor, problem.data().response) -
                                     problem.loss().value(fit.linear_predictor, problem.data().response));
      const double excess =
          problem.data().weights.dot(problem.loss().value(fit.linear_predictor, problem.data().response) -
                                     problem.loss().minimum(problem.data().response));
      if (rise > 1e-10 * excess) RC_ASSERT(!is_null_fit(free, moved));
    }
  }

  // Orthogonal to the columns, but the gradient of no point of theirs.
  const Vector any = Vector::LinSpaced(p.rows, -1.0, 1.0).array().sin();
  const Vector across = any - free.basis() * (free.basis().transpose() * any);
  NullFit outside = fit;
  outside.linear_predictor.head(p.rows) += 1e-3 * size * across;
  outside.gradient = gradient_at(problem, outside.linear_predictor);
  outside.gradient.head(p.rows) -= free.basis() * (free.basis().transpose() * outside.gradient.head(p.rows));
  RC_ASSERT(!is_null_fit(free, outside));
  NullFit turned = fit;
  turned.gradient.head(p.rows) += 0.05 * problem.data().weights.minCoeff() * across;
  RC_ASSERT(!is_null_fit(free, turned));
}

RC_GTEST_PROP(NullFit, IsToldFromOthersOfASmoothLoss, ()) {
  std::vector<std::string> losses = smooth_losses();
  losses.emplace_back("squared");
  expect_told_apart(*any_problem({"lasso"}, losses));
}

RC_GTEST_PROP(NullFit, IsToldFromOthersOfALossWithKinks, ()) {
  expect_told_apart(*any_problem({"lasso"}, kinked_losses()));
}

// Classes that are balanced without a row, whose null fit is zero up to rounding. The rounding of Newton's
// steps there is as large as what they add up to.
TEST(NullFit, OfBalancedClassesIsVerified) {
  for (const char* loss : {"logistic", "probit", "squared-hinge"}) {
    for (Index rows = 7; rows < 60; rows += 2) {
      RandomProblem p;
      p.loss = loss;
      p.rows = rows;
      Dataset data = p.dataset();
      for (Index i = 0; i < rows; ++i) data.response[i] = i % 2 == 0 ? 1.0 : -1.0;
      for (const Index row : {Index{0}, Index{2}, rows - 1}) {
        Dataset without = data;
        without.weights[row] = 0.0;
        const Problem problem = p.problem(without);
        const UnpenalizedPart free(problem, without.weights, null_lambda);
        EXPECT_TRUE(is_null_fit(free, null_fit(free))) << p << " without row " << row;
      }
    }
  }
}

// Residuals of a squared loss that are orthogonal to the columns, at a point where no coefficients lead.
TEST(NullFit, APointBesideTheSpanIsNone) {
  RandomProblem p;
  const Problem problem = p.problem();
  const UnpenalizedPart free(problem, problem.data().weights, null_lambda);
  NullFit fit = null_fit(free);
  fit.linear_predictor += fit.gradient;
  fit.gradient *= 2.0;
  EXPECT_FALSE(is_null_fit(free, fit));
}

// A subgradient that is not orthogonal to the columns, at the null fit itself.
TEST(NullFit, ASubgradientThatIsNotOrthogonalIsNone) {
  for (const std::string& loss : kinked_losses()) {
    RandomProblem p;
    p.loss = loss;
    p.penalty_weights = true;
    const Problem problem = p.problem();
    const UnpenalizedPart free(problem, problem.data().weights, null_lambda);
    NullFit fit = null_fit(free);
    const Vector lowest = problem.loss().kinks(problem.data().response).slope.col(0);
    bool changed = false;
    for (Index i = 0; i < p.rows && !changed; ++i) {
      NullFit lower = fit;
      lower.gradient[i] = lowest[i];
      const bool is_subgradient =
          problem.loss().fenchel_gap(lower.linear_predictor, lower.gradient, problem.data().response).sum() ==
          0.0;
      if (!is_subgradient || lower.gradient[i] == fit.gradient[i]) continue;
      changed = true;
      EXPECT_FALSE(is_null_fit(free, lower)) << p;
    }
    EXPECT_TRUE(changed) << p;
  }
}

}  // namespace
}  // namespace alo
