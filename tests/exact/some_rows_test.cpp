// SPDX-License-Identifier: MIT
// Exact leave-one-out of some rows: the same values as of all, counted as less work, and stopped when told.
#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "held_out.hpp"
#include "random_problem.hpp"
#include "solvers/kinked/homotopy/kink_homotopy.hpp"
#include "solvers/method.hpp"
#include "walked_rows.hpp"

namespace alo {
namespace {

using testing_support::all_rows;
using testing_support::exact_predictor;
using testing_support::fit_at;
using testing_support::RandomProblem;

// One problem for every method; without columns a signal (X = I).
struct Case {
  const char* method;
  const char* loss;
  const char* penalty;
  Index rows;
  Index columns;
};

std::ostream& operator<<(std::ostream& stream, const Case& one) {
  return stream << one.method << ' ' << one.loss << ' ' << one.penalty << ' ' << one.rows << 'x'
                << one.columns;
}

Dataset signal_of(const Vector& response) {
  SparseMatrix identity(response.size(), response.size());
  identity.setIdentity();
  return make_dataset(Design(std::move(identity)), response);
}

Problem problem_of(const Case& one) {
  RandomProblem p;
  p.loss = one.loss;
  p.rows = one.rows;
  p.columns = std::max<Index>(one.columns, 2);
  Dataset data = one.columns == 0 ? signal_of(p.dataset().response) : p.dataset();
  ModelParameters parameters;
  parameters.columns = data.design.columns();
  parameters.delta = 0.5;
  parameters.classes = 3;
  for (Index j = 0; j < data.design.columns(); ++j) parameters.groups.push_back(j / 3);
  parameters.shape = MatrixShape{3, data.design.columns() / 3};
  const bool is_signal = one.columns == 0;
  return {std::move(data),
          make_loss(one.loss, parameters),
          make_penalty(one.penalty, parameters),
          {!is_signal, !is_signal && penalty_entry(one.penalty).standardize}};
}

class SomeRows : public testing::TestWithParam<Case> {};

// The tableaus and factors of few rows are not those of all, so values agree up to the tolerance of fits:
// coefficients are good to the root of the gap of 1e-10 where a fit is found by steps, and to 1e-9 where it
// is solved for.
TEST_P(SomeRows, HaveTheValuesOfAllRows) {
  const Problem problem = problem_of(GetParam());
  ASSERT_EQ(route(problem).name(), GetParam().method);
  const double size = 1.0 + problem.data().response.lpNorm<Eigen::Infinity>();
  for (const double share : {0.5, 0.1}) {
    const Fit fit = fit_at(problem, share * lambda_start(problem));
    const Vector all = exact_predictor(problem, fit);
    const std::vector<Index> rows = {2, problem.rows() / 2, problem.rows() - 1};
    const Vector some = exact_predictor(problem, fit, rows);
    for (const Index i : rows) {
      for (Index k = 0; k < problem.outputs(); ++k) {
        const Index at = i + k * problem.rows();
        EXPECT_NEAR(some[at], all[at], 1e-6 * size) << "row " << i << " share " << share;
      }
    }
    EXPECT_EQ((some.array() == some.array()).count(), static_cast<Index>(rows.size()) * problem.outputs());
  }
}

TEST_P(SomeRows, AreCountedAsLessWork) {
  const Problem problem = problem_of(GetParam());
  const Method& method = route(problem);
  for (const Index nonzero : {Index{1}, problem.columns() / 2, problem.columns()}) {
    double before = 0.0;
    for (const Index rows : {Index{1}, problem.rows() / 4, problem.rows()}) {
      const double counted = method.exact_flops(problem, {nonzero, static_cast<double>(nonzero)}, rows);
      EXPECT_TRUE(std::isfinite(counted));
      EXPECT_GT(counted, before) << nonzero << " coefficients, " << rows << " rows";
      before = counted;
    }
    EXPECT_TRUE(std::isfinite(method.path_flops(problem, std::vector<Index>(5, nonzero))));
    EXPECT_GT(method.path_flops(problem, std::vector<Index>(5, nonzero)), 0.0);
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, SomeRows,
                         testing::Values(Case{"lasso-homotopy", "squared", "lasso", 40, 15},
                                         Case{"lasso-homotopy", "squared", "lasso", 30, 900},
                                         Case{"active-set", "squared", "elastic-net", 30, 60},
                                         Case{"spectral-ridge", "squared", "ridge", 30, 60},
                                         Case{"newton", "logistic", "lasso", 40, 20},
                                         Case{"newton", "huber", "elastic-net", 40, 60},
                                         Case{"newton", "multinomial", "ridge", 40, 10},
                                         Case{"newton-in-row-space", "logistic", "ridge", 30, 60},
                                         Case{"kernel-active-set", "hinge", "ridge", 150, 400},
                                         Case{"coefficient-active-set", "absolute", "ridge", 600, 4},
                                         Case{"augmented-lagrangian", "quantile", "elastic-net", 25, 8},
                                         Case{"pattern-newton", "squared", "slope", 30, 12},
                                         Case{"pattern-newton", "logistic", "group-lasso", 30, 12},
                                         Case{"matrix-newton", "squared", "nuclear", 40, 12},
                                         Case{"lasso-coordinates", "squared", "fused-lasso", 30, 12},
                                         Case{"lasso-coordinates", "logistic", "trend-filter", 40, 12},
                                         Case{"signal", "squared", "fused-lasso", 40, 0},
                                         Case{"proximal-signal", "squared", "wavelet", 32, 0}));

// Ten rows and 30,000 columns, of which any could come to its threshold without some row.
Problem flat_problem() {
  std::mt19937 generator(3);
  std::normal_distribution<double> normal;
  const Matrix x = Matrix::NullaryExpr(10, 30'000, [&] { return normal(generator); });
  const Vector y = Vector::NullaryExpr(10, [&] { return normal(generator); });
  return {make_dataset(Design(x), y), make_loss("squared"), make_penalty("lasso")};
}

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

// The design takes 2.4 MB, and a tableau of all columns 7 GB. The bound leaves room for an allocator that
// keeps what is freed, as that of AddressSanitizer does.
TEST(FlatProblem, TakesLittleMemory) {
  const Problem problem = flat_problem();
  const double before = peak_megabytes();
  for (const double share : {0.5, 0.1, 0.02}) {
    const Fit fit = fit_at(problem, share * lambda_start(problem));
    const ExactLeaveOneOut exact = exact_leave_one_out(problem, std::span(&fit, 1), all_rows(problem));
    EXPECT_TRUE(exact.complete);
    EXPECT_EQ(exact.missed(), 0);
    EXPECT_FALSE(exact.values[0].linear_predictor.hasNaN());
  }
  EXPECT_LT(peak_megabytes() - before, 400.0);
}

// Between pieces of work the monitor is asked, before the first row is finished too.
TEST(FlatProblem, StopsBeforeItsFirstRow) {
  const Problem problem = flat_problem();
  const Fit fit = fit_at(problem, 0.1 * lambda_start(problem));
  int asked = 0;
  Monitor monitor;
  monitor.should_stop = [&] { return ++asked >= 2; };
  const ExactLeaveOneOut exact =
      exact_leave_one_out(problem, std::span(&fit, 1), all_rows(problem), {}, monitor);
  EXPECT_FALSE(exact.complete);
  EXPECT_TRUE((exact.values[0].linear_predictor.array() != exact.values[0].linear_predictor.array()).all());
}

// Balanced classes and more columns than rows: at large lambdas no row is at its kink, and the intercept may
// be anywhere between two of them. The walks begin at its ends.
TEST(LooseIntercept, BalancedClassesNeedNoRefits) {
  RandomProblem p;
  p.loss = "hinge";
  p.penalty = "ridge";
  p.rows = 40;
  p.columns = 120;
  Dataset data = p.dataset();
  for (Index i = 0; i < p.rows; ++i) data.response[i] = i % 2 == 0 ? 1.0 : -1.0;
  const Problem problem = p.problem(std::move(data));
  const double start = 20.0 * lambda_start(problem);
  for (const double share : {1.0, 0.3, 1000.0}) {
    const Fit fit = fit_at(problem, share * start);
    ASSERT_TRUE((fit.subgradient.array().abs() == 1.0).all()) << "rows at a kink at " << share;
    KinkHomotopy homotopy(problem, {});
    const KinkHomotopy::Result result = homotopy.run(fit, all_rows(problem), [](Index) { return true; });
    EXPECT_TRUE(result.unsure.empty());
    EXPECT_EQ(result.missed, 0);
    for (const Index i : {0, 7, 39}) {
      const double refitted = testing_support::refit_without(problem, fit, i).linear_predictor[i];
      // Ten digits of the tableau, beside predictions of the order of one.
      EXPECT_NEAR(result.linear_predictor[i], refitted, 1e-9) << i;
    }
  }
}

}  // namespace
}  // namespace alo
