// SPDX-License-Identifier: MIT
// Exact leave-one-out of losses with kinks by walking every row's kinks, against refits without the row.
#include "solvers/kinked/homotopy/kink_homotopy.hpp"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "alo/losses/hinge.hpp"
#include "alo/penalties/ridge.hpp"
#include "certificate/null_fit.hpp"
#include "formula/hat.hpp"
#include "golden/fixture.hpp"
#include "random_problem.hpp"
#include "walked_rows.hpp"

namespace alo {
namespace {

using testing_support::all_rows;
using testing_support::any_problem;
using testing_support::design_values;
using testing_support::RandomProblem;
using testing_support::refit_without;
using testing_support::walk_all_rows;

constexpr auto go_on = [](Index) { return true; };

RandomProblem any_kinked_problem() {
  return *any_problem({"ridge"}, {"hinge", "absolute", "quantile", "epsilon-insensitive"});
}

// Some rows are copies of others, with their response or another.
Dataset with_copies(const RandomProblem& p) {
  Dataset data = p.dataset();
  if (p.seed % 3 != 0) return data;
  Matrix x = design_values(data);
  std::mt19937 generator(p.seed);
  for (int copy = 0; copy < 3; ++copy) {
    const auto to = static_cast<Index>(generator() % static_cast<unsigned>(p.rows));
    const auto from = static_cast<Index>(generator() % static_cast<unsigned>(p.rows));
    x.row(to) = x.row(from);
    data.offset[to] = data.offset[from];
    if (generator() % 2 == 0) data.response[to] = data.response[from];
  }
  data.design = Design(x);
  return data;
}

bool has_two_values(const Vector& values) {
  return values.minCoeff() < values.maxCoeff();
}

// Converged, and the unpenalised part is where the subgradient says: it is orthogonal to those columns.
bool is_unique(const Problem& problem, const Fit& fit) {
  const Matrix free = unpenalized_columns(problem, null_lambda);
  return fit.status == FitStatus::converged &&
         (free.transpose() * fit.subgradient).norm() <= 1e-9 * (1.0 + free.norm());
}

// A walk either says that it is unsure or ends where the refit ends.
RC_GTEST_PROP(KinkHomotopy, EqualsRefits, ()) {
  const RandomProblem p = any_kinked_problem();
  const Dataset data = with_copies(p);
  RC_PRE(has_two_values(data.response));
  const Problem problem = p.problem(data);
  const Fit fit = fit_path(problem, {p.lambda_share * lambda_start(problem)}).fits.at(0);
  RC_PRE(is_unique(problem, fit));
  const KinkHomotopy::Result result = walk_all_rows<KinkHomotopy>(problem, fit);
  RC_ASSERT(result.missed == 0);
  const double size = 1.0 + fit.linear_predictor.lpNorm<Eigen::Infinity>();
  for (Index i = 0; i < problem.rows(); ++i) {
    if (std::isnan(result.linear_predictor[i])) continue;
    const Fit without = refit_without(problem, fit, i);
    if (!is_unique(problem, without)) continue;
    RC_ASSERT(std::abs(result.linear_predictor[i] - without.linear_predictor[i]) <= 1e-8 * size);
  }
}

// Certified rows have an exact approximation; the others, where it can be told, have not.
RC_GTEST_PROP(KinkHomotopy, CertifiesTheFirstPiece, ()) {
  const RandomProblem p = any_kinked_problem();
  const Problem problem = p.problem();
  const Fit fit = fit_path(problem, {p.lambda_share * lambda_start(problem)}).fits.at(0);
  RC_PRE(is_unique(problem, fit));
  const LeaveOneOut approximate = approximate_leave_one_out(problem, fit);
  const auto certified = certify_rows(problem, fit);
  KinkHomotopy homotopy(problem, {});
  const KinkHomotopy::Result exact = homotopy.run(fit, all_rows(problem), go_on);
  const double size = 1.0 + fit.linear_predictor.lpNorm<Eigen::Infinity>();
  for (Index i = 0; i < problem.rows(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (!certified[at].value_or(false)) continue;
    RC_ASSERT(approximate.flags[at] == RowFlag::none);
    RC_ASSERT(std::abs(approximate.linear_predictor[i] - exact.linear_predictor[i]) <= 1e-8 * size);
  }
}

class KinkFixture : public testing::TestWithParam<const char*> {};

// From the fixture's own fit, so that nothing but the walk is tested.
TEST_P(KinkFixture, WalksToTheRefits) {
  const golden::Fixture fixture = golden::load(GetParam());
  const Problem problem = fixture.problem();
  Fit fit;
  fit.lambda = fixture.lambda;
  fit.intercept = fixture.intercept;
  fit.coefficients = fixture.beta;
  fit.linear_predictor = fixture.fitted;
  fit.subgradient = golden::to_vector(fixture.json.at("subgradient"));
  KinkHomotopy homotopy(problem, {});
  const KinkHomotopy::Result result = homotopy.run(fit, all_rows(problem), go_on);
  EXPECT_TRUE(result.unsure.empty());
  EXPECT_EQ(result.missed, 0);
  EXPECT_LT((result.linear_predictor - fixture.loo).lpNorm<Eigen::Infinity>(), 1e-11);
  const auto certified = homotopy.certify(fit);
  for (Index i = 0; i < problem.rows(); ++i) {
    const bool equal = std::abs(fixture.alo[i] - fixture.loo[i]) < 1e-12;
    EXPECT_EQ(certified[static_cast<std::size_t>(i)], equal) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Golden, KinkFixture,
                         testing::Values("svm-a", "svm-intercept-a", "lad-ridge-a", "quantile-ridge-a",
                                         "quantile-ridge-intercept-a", "svr-ridge-a",
                                         "svr-ridge-intercept-a"),
                         [](const auto& parameter) {
                           std::string name = parameter.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

Problem tall_problem(Index rows, bool intercept) {
  std::mt19937 generator(11);
  std::normal_distribution<double> normal;
  Matrix x = Matrix::NullaryExpr(rows, 6, [&] { return normal(generator); });
  x.row(3) *= 8.0;  // a row that moves others from far away
  Vector y = x.col(0) + 0.5 * x.col(1) + 1.5 * Vector::NullaryExpr(rows, [&] { return normal(generator); });
  y = y.unaryExpr([](double value) { return value > 0.3 ? 1.0 : -1.0; });
  return {make_dataset(Design(x), y), HingeLoss{}, Ridge{}, {.intercept = intercept, .standardize = false}};
}

// Many rows, few columns: only the rows near their kinks are coordinates, and what was left out is found.
TEST(KinkHomotopy, FindsRowsOutsideTheTableau) {
  for (const bool intercept : {false, true}) {
    const Problem problem = tall_problem(3000, intercept);
    const Fit fit = fit_path(problem, {3.0}).fits.at(0);
    ASSERT_EQ(fit.status, FitStatus::converged);
    const std::vector<Index> rows = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 500, 1111, 2222, 2999};
    KinkHomotopy homotopy(problem, {.fit = {}, .threads = 2});
    const KinkHomotopy::Result result = homotopy.run(fit, rows, go_on);
    EXPECT_TRUE(result.unsure.empty());
    EXPECT_EQ(result.missed, 0);
    for (const Index i : rows) {
      EXPECT_NEAR(result.linear_predictor[i], refit_without(problem, fit, i).linear_predictor[i], 1e-8)
          << intercept << ' ' << i;
    }
  }
}

TEST(KinkHomotopy, StopsWhenTold) {
  const Problem problem = tall_problem(300, true);
  const Fit fit = fit_path(problem, {3.0}).fits.at(0);
  KinkHomotopy homotopy(problem, {});
  const KinkHomotopy::Result result = homotopy.run(fit, all_rows(problem), [](Index) { return false; });
  const auto left = std::count_if(result.linear_predictor.begin(), result.linear_predictor.end(),
                                  [](double value) { return std::isnan(value); });
  EXPECT_GT(left, 0);
  EXPECT_LT(left, 300);
}

}  // namespace
}  // namespace alo
