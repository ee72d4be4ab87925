// SPDX-License-Identifier: MIT
// Group lasso, sparse group lasso and SLOPE: certificates, exact structure, known special cases, and the
// leave-one-out formula against its other form, refits and derivatives of refits.
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "alo/error.hpp"
#include "alo/leave_one_out.hpp"
#include "alo/losses/hinge.hpp"
#include "alo/losses/multinomial.hpp"
#include "alo/losses/squared.hpp"
#include "alo/penalties/group_lasso.hpp"
#include "alo/penalties/lasso.hpp"
#include "alo/penalties/slope.hpp"
#include "alo/penalties/sparse_group_lasso.hpp"
#include "alo/registry.hpp"
#include "changed_problem.hpp"
#include "form_agreement.hpp"
#include "random_problem.hpp"
#include "refit_derivative.hpp"

namespace alo {
namespace {

using testing_support::all_rows;
using testing_support::expect_derivative;
using testing_support::fit_at;
using testing_support::has_fit;
using testing_support::max_difference;
using testing_support::RandomProblem;
using testing_support::row_where_forms_differ;
using testing_support::with_rows;

// A random problem with one of the penalties, some columns of which may be copies of others.
struct Patterned {
  RandomProblem base;
  std::string kind;
  bool copies = false;

  std::vector<Index> groups() const {
    std::mt19937 generator(base.seed + 3);
    const Index count = std::max<Index>(1, base.columns / 3);
    std::vector<Index> groups;
    for (Index j = 0; j < base.columns; ++j) {
      groups.push_back(j < count ? j : std::uniform_int_distribution<Index>(0, count - 1)(generator));
    }
    return groups;
  }
  Penalty penalty() const {
    const Index p = base.columns;
    Vector factors;
    if (base.penalty_weights) {
      factors = Vector::LinSpaced(std::max<Index>(1, p / 3), 0.5, 2.0);
      if (factors.size() > 3) factors[1] = std::numeric_limits<double>::infinity();
    }
    if (kind == "group") return GroupLasso(groups(), factors);
    if (kind == "one group") return GroupLasso(std::vector<Index>(static_cast<std::size_t>(p), 0));
    if (kind == "sparse group") return SparseGroupLasso(groups(), base.mix, factors);
    if (kind == "oscar") return Slope(oscar_sequence(p, 0.3));
    return Slope(benjamini_hochberg_sequence(p, 0.2));
  }
  Dataset dataset() const {
    Dataset data = base.dataset();
    if (!copies || base.sparse) return data;
    Matrix x = data.design.dense_values();
    for (Index j = 1; j < x.cols(); j += 3) x.col(j) = x.col(j - 1);
    data.design = Design(x);
    return data;
  }
  Problem problem() const { return problem(dataset()); }
  Problem problem(Dataset data) const {
    return {std::move(data), base.make_loss_model(), penalty(), {base.intercept, base.standardize}};
  }
};

std::ostream& operator<<(std::ostream& stream, const Patterned& p) {
  return stream << p.kind << (p.copies ? " copies: " : ": ") << p.base;
}

Patterned any_patterned(std::vector<std::string> pattern_losses) {
  Patterned p;
  p.base = *testing_support::any_problem({"lasso"}, std::move(pattern_losses));
  p.kind = *rc::gen::element<std::string>("group", "one group", "sparse group", "oscar", "slope");
  p.copies = *rc::gen::arbitrary<bool>();
  return p;
}

const std::vector<std::string> pattern_losses = {"squared", "logistic", "poisson", "huber", "squared-hinge"};

RC_GTEST_PROP(Patterns, EveryFitIsCertified, ()) {
  const Patterned p = any_patterned(pattern_losses);
  const Problem problem = p.problem();
  RC_PRE(has_fit(problem));
  const double start = lambda_start(problem);
  for (const Fit& fit : fit_path(problem, {start, 0.3 * start, 0.1 * start, 0.03 * start}).fits) {
    RC_LOG() << p << " lambda " << fit.lambda << " gap " << fit.certificate.gap.value_or(-1) << " kkt "
             << fit.certificate.kkt << '\n';
    RC_ASSERT(fit.status == FitStatus::converged);
  }
}

RC_GTEST_PROP(Patterns, NothingIsLeftAtTheStartOfThePath, ()) {
  const Patterned p = any_patterned(pattern_losses);
  const Problem problem = p.problem();
  RC_PRE(has_fit(problem));
  const double start = lambda_start(problem);
  RC_ASSERT(fit_at(problem, 1.000001 * start).coefficients.isZero(0.0));
  const Vector slopes =
      problem.design().transpose_multiply(null_fit(problem, problem.data().weights).gradient);
  if (slopes.isZero(1e-9)) return;
  RC_ASSERT(!fit_at(problem, 0.9 * start).coefficients.isZero(0.0));
}

// Many more directions than rows: systems by rows, with a factor that serves several points (RowSystem).
TEST(Patterns, ManyDirectionsForFewRows) {
  for (const char* loss : {"squared", "logistic"}) {
    for (const bool intercept : {true, false}) {
      Patterned p;
      p.base.rows = 40;
      p.base.columns = 160;
      p.base.loss = loss;
      p.base.intercept = intercept;
      const Dataset data = p.dataset();
      std::vector<Index> groups;
      for (Index j = 0; j < p.base.columns; ++j) groups.push_back(j / 16);
      const Problem problem(data, p.base.make_loss_model(), GroupLasso(groups), {intercept, false});
      const double start = lambda_start(problem);
      std::vector<double> lambdas;
      for (double lambda = 0.3 * start; lambda > 0.003 * start; lambda *= 0.7) lambdas.push_back(lambda);
      double largest = 0.0;
      int by_rows = 0;
      for (const Fit& fit : fit_path(problem, lambdas, {.carry_hat = true}).fits) {
        EXPECT_LE(fit.certificate.gap.value_or(1.0), 1e-9) << loss << " " << fit.lambda;
        by_rows += (fit.coefficients.array() != 0.0).count() > 52 && fit.hat.size() > 0 ? 1 : 0;
        const LeaveOneOut carried = approximate_leave_one_out(problem, fit);
        const LeaveOneOut dual = approximate_leave_one_out(problem, fit, Framework::dual);
        largest = std::max(largest, max_difference(carried.linear_predictor, dual.linear_predictor));
        EXPECT_EQ(carried.undefined(), 0);
      }
      EXPECT_LT(largest, 1e-7) << loss << intercept;
      EXPECT_GT(by_rows, 1) << loss << intercept;
    }
  }
}

// Near the solution objectives differ by rounding alone, and slopes still tell which point is nearer.
TEST(Patterns, SlopesTellWhereObjectivesDoNot) {
  RandomProblem p;
  p.loss = "huber";
  p.seed = 58282;
  p.rows = 7;
  p.columns = 4;
  p.sparse = true;
  const Problem problem(p.dataset(), p.make_loss_model(), GroupLasso({0, 0, 0, 0}), {false, false});
  const double start = lambda_start(problem);
  for (const Fit& fit : fit_path(problem, {start, 0.3 * start, 0.1 * start}).fits) {
    EXPECT_LT(fit.certificate.kkt, 1e-11) << fit.lambda;
  }
}

// Long proximal steps that show one wrong pattern again and again, which leads down by less and less.
TEST(Patterns, APatternThatLeadsNowhere) {
  Patterned p;
  p.base.loss = "squared-hinge";
  p.base.seed = 3520;
  p.base.rows = 9;
  p.base.columns = 6;
  p.base.sparse = true;
  p.base.penalty_weights = true;
  p.base.intercept = false;
  p.base.standardize = false;
  p.kind = "sparse group";
  const Problem problem = p.problem();
  const double start = lambda_start(problem);
  for (const Fit& fit : fit_path(problem, {start, 0.3 * start, 0.1 * start}).fits) {
    EXPECT_LT(fit.certificate.kkt, 1e-11) << fit.lambda;
  }
}

// SLOPE with twice as many columns as rows, and a Huber loss so narrow that most rows are beyond its bends.
Problem narrow_huber(unsigned seed, double delta, bool intercept) {
  ModelParameters parameters;
  parameters.delta = delta;
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal;
  const Index rows = 20 + seed % 15;
  const Matrix x = Matrix::NullaryExpr(rows, 2 * rows, [&] { return normal(generator); });
  Vector y = 2.0 * x.leftCols(5) * Vector::NullaryExpr(5, [&] { return normal(generator); });
  for (double& value : y) value += normal(generator);
  return {make_dataset(Design(x), y),
          make_loss("huber", parameters),
          Slope(benjamini_hochberg_sequence(2 * rows, 0.1)),
          {intercept, true}};
}

// Near interpolation most of what a step gains is rounding.
TEST(Patterns, NarrowHuberLossesNearInterpolation) {
  for (const unsigned seed : {2u, 4u, 6u, 7u, 8u}) {
    const Problem problem = narrow_huber(seed, 0.1, false);
    const double start = lambda_start(problem);
    for (const Fit& fit : fit_path(problem, {0.1 * start, 0.06 * start, 0.03 * start}).fits) {
      EXPECT_LE(fit.certificate.gap.value_or(1.0), 1e-10)
          << "seed " << seed << ", " << fit.lambda / start << " lambda_start";
    }
  }
}

// As many directions as rows within the bends, one too many beside an intercept: along one of them only a
// slope of 1e-7 is left, and a bend or a tie lies right ahead, the tie of the last seed hidden by rounding.
TEST(Patterns, ANearlyFlatWayEndsAtABendOrATie) {
  struct Path {
    unsigned seed;
    double ratio;
  };
  for (const auto& [seed, ratio] : {Path{101, 0.03}, Path{225, 0.03}, Path{566, 0.03}, Path{224, 0.003}}) {
    const Problem problem = narrow_huber(seed, 0.02, true);
    const double start = lambda_start(problem);
    std::vector<double> lambdas;
    for (int k = 0; k <= 10; ++k) lambdas.push_back(start * std::pow(ratio, k / 10.0));
    for (const Fit& fit : fit_path(problem, lambdas).fits) {
      EXPECT_LE(fit.certificate.gap.value_or(1.0), 1e-10)
          << "seed " << seed << ", " << fit.lambda / start << " lambda_start";
    }
  }
}

// A fit does not depend on the fits before it.
RC_GTEST_PROP(Patterns, OneLambdaIsAsGoodAsAPath, ()) {
  Patterned p = any_patterned({"squared", "logistic"});
  p.copies = false;
  p.base.columns = std::min(p.base.columns, p.base.rows / 2);
  const Problem problem = p.problem();
  RC_PRE(has_fit(problem));
  const double start = lambda_start(problem);
  const Fit alone = fit_at(problem, 0.1 * start);
  const Fit last = fit_path(problem, {start, 0.5 * start, 0.2 * start, 0.1 * start}).fits.back();
  RC_LOG() << p << '\n';
  RC_ASSERT(max_difference(alone.linear_predictor, last.linear_predictor) < 1e-6);
}

RC_GTEST_PROP(Patterns, ApproximationDoesNotDependOnTheForm, ()) {
  Patterned p = any_patterned({"squared", "logistic", "poisson"});
  p.copies = false;
  const Problem problem = p.problem();
  RC_PRE(has_fit(problem));
  const Fit fit = fit_at(problem, p.base.lambda_share * lambda_start(problem), {.carry_hat = true});
  RC_PRE(fit.status == FitStatus::converged);
  RC_LOG() << p << '\n';
  RC_ASSERT(!row_where_forms_differ(problem, fit));
}

TEST(Patterns, HatIsTheDerivativeOfARefit) {
  for (const std::string kind : {"group", "sparse group", "oscar", "slope"}) {
    for (const std::string loss : {"squared", "logistic"}) {
      for (unsigned seed = 1; seed <= 3; ++seed) {
        SCOPED_TRACE(kind + ' ' + loss + " seed " + std::to_string(seed));
        Patterned p;
        p.kind = kind;
        p.base.loss = loss;
        p.base.seed = seed;
        p.base.rows = 40;
        p.base.columns = 12;
        p.base.standardize = false;
        const Problem problem = p.problem();
        const double lambda = 0.1 * lambda_start(problem);
        for (Index row = 0; row < problem.rows(); row += 7) expect_derivative(problem, lambda, row);
      }
    }
  }
}

RC_GTEST_PROP(Patterns, RowsMayBePermuted, ()) {
  Patterned p = any_patterned({"squared", "logistic"});
  p.copies = false;
  p.base.columns = std::min(p.base.columns, p.base.rows / 2);
  const Problem problem = p.problem();
  RC_PRE(has_fit(problem));
  std::vector<Index> order = all_rows(problem);
  std::shuffle(order.begin(), order.end(), std::mt19937(p.base.seed));
  const Problem permuted = p.problem(with_rows(problem.data(), order));
  const double lambda = p.base.lambda_share * lambda_start(problem);
  const LeaveOneOut one = approximate_leave_one_out(problem, fit_at(problem, lambda));
  const LeaveOneOut other = approximate_leave_one_out(permuted, fit_at(permuted, lambda));
  for (Index i = 0; i < problem.rows(); ++i) {
    const Index k = order[static_cast<std::size_t>(i)];
    if (!(one.leverage[k] < 0.99)) continue;
    RC_LOG() << p << " row " << k << '\n';
    RC_ASSERT(std::abs(one.linear_predictor[k] - other.linear_predictor[i]) <
              1e-6 * (1.0 + std::abs(one.linear_predictor[k])));
  }
}

// Without the short cut to the solver of the lasso: one group has two members, one of which is constant.
TEST(Patterns, GroupsOfOneAreALasso) {
  RandomProblem base;
  base.rows = 30;
  base.columns = 9;
  Dataset data = base.dataset();
  Matrix x = data.design.dense_values();
  x.col(8).setOnes();
  data.design = Design(x);
  std::vector<Index> groups{0, 1, 2, 3, 4, 5, 6, 7, 7};
  Vector factors = Vector::Ones(8);
  factors[7] = 1.0 / std::sqrt(2.0);
  const Problem grouped(data, SquaredLoss{}, GroupLasso(groups, factors));
  const Problem lasso(data, SquaredLoss{}, Lasso{});
  for (const double share : {0.5, 0.1, 0.01}) {
    const double lambda = share * lambda_start(lasso);
    const Fit one = fit_at(grouped, lambda);
    const Fit other = fit_at(lasso, lambda);
    EXPECT_LT(max_difference(one.coefficients, other.coefficients), 1e-11);
    for (Index j = 0; j < 9; ++j) EXPECT_EQ(one.coefficients[j] == 0.0, other.coefficients[j] == 0.0);
    EXPECT_LT(max_difference(approximate_leave_one_out(grouped, one).linear_predictor,
                             approximate_leave_one_out(lasso, other).linear_predictor),
              1e-10);
  }
}

TEST(Patterns, ClustersAndZerosAreExact) {
  RandomProblem base;
  base.rows = 60;
  base.columns = 40;
  base.standardize = false;
  const Problem problem(base.dataset(), SquaredLoss{}, Slope(oscar_sequence(40, 0.2)), {true, false});
  const Fit fit = fit_at(problem, 0.2 * lambda_start(problem));
  ASSERT_EQ(fit.status, FitStatus::converged);
  std::vector<double> sizes;
  for (const double b : fit.coefficients) sizes.push_back(std::abs(b));
  std::sort(sizes.begin(), sizes.end());
  Index ties = 0;
  for (std::size_t k = 1; k < sizes.size(); ++k) {
    if (sizes[k] > 0.0 && sizes[k] == sizes[k - 1]) ++ties;
    // Nearly equal is exactly equal.
    EXPECT_TRUE(sizes[k] == sizes[k - 1] || sizes[k] - sizes[k - 1] > 1e-9 * sizes[k]);
  }
  EXPECT_GT(ties, 0);
  EXPECT_EQ(sizes.front(), 0.0);
}

TEST(Patterns, OtherLossesAreRefusedByName) {
  RandomProblem base;
  base.loss = "hinge";
  Patterned p;
  p.kind = "group";
  p.base = base;
  EXPECT_THAT([&] { fit_at(p.problem(), 1.0); },
              testing::ThrowsMessage<InvalidArgument>(
                  testing::HasSubstr("there is no solver for hinge loss with a group-lasso penalty")));
  p.base.loss = "multinomial";
  EXPECT_THAT([&] { fit_at(p.problem(), 1.0); },
              testing::ThrowsMessage<InvalidArgument>(testing::HasSubstr("multinomial")));
}

}  // namespace
}  // namespace alo
