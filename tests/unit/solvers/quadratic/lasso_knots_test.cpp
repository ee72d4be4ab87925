// SPDX-License-Identifier: MIT
#include "solvers/quadratic/lasso_knots.hpp"

#include <random>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <Eigen/LU>

#include "alo/leave_one_out.hpp"
#include "alo/losses/squared.hpp"
#include "alo/penalties/lasso.hpp"
#include "linalg/pivot_tableau.hpp"
#include "random_matrix.hpp"
#include "random_problem.hpp"
#include "solvers/quadratic/active_set.hpp"

namespace alo {
namespace {

using testing_support::any_problem;
using testing_support::max_difference;
using testing_support::normal_matrix;
using testing_support::RandomProblem;
using testing_support::varied;

// Blocks of T from their definition.
Matrix tableau_by_definition(const Matrix& gram, const std::vector<char>& is_active) {
  std::vector<Index> in;
  std::vector<Index> out;
  for (Index k = 0; k < gram.rows(); ++k)
    (is_active[static_cast<std::size_t>(k)] != 0 ? in : out).push_back(k);
  const Matrix inverse = gram(in, in).inverse();
  Matrix t(gram.rows(), gram.rows());
  t(in, in) = -inverse;
  t(in, out) = inverse * gram(in, out);
  t(out, in) = t(in, out).transpose();
  t(out, out) = gram(out, out) - gram(out, in) * inverse * gram(in, out);
  return t;
}

// Pivots in and out with columns joining on the way, past several late updates. The Gram matrix
// has condition 1e2, so 1e-10 is far above rounding and far below a mistake.
TEST(PivotTableau, FollowsPivotsAndNewColumns) {
  const Matrix columns = normal_matrix(90, 40, 4);
  const Matrix gram = columns.transpose() * columns / 90.0;
  PivotTableau tableau;
  std::vector<char> is_active;
  std::mt19937 generator(varied(8));
  for (const Index size : {15, 16, 40}) {
    const Index before = tableau.size();
    tableau.extend(gram.block(0, before, before, size - before),
                   gram.block(before, before, size - before, size - before), is_active);
    is_active.resize(static_cast<std::size_t>(size), 0);
    for (int step = 0; step < 45; ++step) {
      const Index k = static_cast<Index>(generator() % static_cast<unsigned>(size));
      char& active = is_active[static_cast<std::size_t>(k)];
      tableau.pivot(k, tableau.column(k), active == 0);
      active = active == 0 ? 1 : 0;
    }
    const Matrix expected = tableau_by_definition(gram.topLeftCorner(size, size), is_active);
    for (Index k = 0; k < size; ++k) ASSERT_LT((tableau.column(k) - expected.col(k)).norm(), 1e-10);
    const Vector x = Vector::LinSpaced(size, -1.0, 1.0);
    EXPECT_LT((tableau.multiply(x) - expected * x).norm(), 1e-9);
  }
}

// Another algorithm for the same problem, along a path with long and short steps.
RC_GTEST_PROP(LassoKnots, EqualsTheActiveSetSolver, ()) {
  const RandomProblem p = *any_problem({"lasso", "elastic-net"});
  RC_PRE(p.penalty == "lasso" || p.ridge.has_value());
  const Problem problem = p.problem();
  const double start = lambda_start(problem);
  LassoKnots knots(problem, problem.data().weights);
  ActiveSetSolver other(problem, problem.data().weights);
  for (const double share : {1.1, 0.9, 0.5, 0.48, 0.1, 0.02, 0.3, 0.05}) {  // 0.3 goes up: a new start
    const double lambda = share * start;
    const LassoKnots::Solution solution = knots.solve(std::span(&lambda, 1)).front();
    other.solve(lambda);
    const Vector one = problem.design().multiply(solution.coefficients).array() + solution.intercept;
    const Vector two = problem.design().multiply(other.coefficients()).array() + other.intercept();
    RC_ASSERT(max_difference(one, two) <= 1e-8 * (1.0 + problem.data().response.norm()));
  }
}

RC_GTEST_PROP(LassoKnots, CarriedLeveragesAreThoseOfTheFit, ()) {
  const RandomProblem p = *any_problem({"lasso", "elastic-net"});
  RC_PRE(p.penalty == "lasso" || p.ridge.has_value());
  const Problem problem = p.problem();
  FitOptions options;
  options.carry_hat = true;
  const Path path = fit_path(problem, lambda_grid(problem, {.count = 12, .ratio = 0.02}), options);
  for (const Fit& fit : path.fits) {
    RC_ASSERT(fit.status == FitStatus::converged);
    if (fit.hat.size() == 0) continue;  // solved again by the careful solver
    const LeaveOneOut direct = approximate_leave_one_out(problem, fit, Framework::dual);
    RC_ASSERT(max_difference(fit.hat.cwiseProduct(problem.data().weights), direct.leverage) <= 1e-8);
  }
}

// Many more columns than rows: the working set must find all that matter.
TEST(LassoKnots, WorkingSetPathIsCertified) {
  for (const unsigned seed : {1U, 2U, 3U}) {
    const Matrix x = normal_matrix(60, 900, seed);
    const Vector y = x.leftCols(10).rowwise().sum() + normal_matrix(60, 1, seed + 50).col(0);
    const Problem problem(make_dataset(Design(x), y), SquaredLoss{}, Lasso{});
    FitOptions options;
    options.carry_hat = true;
    const Path path = fit_path(problem, lambda_grid(problem, {.count = 30, .ratio = 1e-3}), options);
    for (const Fit& fit : path.fits) {
      EXPECT_EQ(fit.status, FitStatus::converged) << fit.lambda;
      const double active = static_cast<double>((fit.coefficients.array() != 0.0).count());
      EXPECT_EQ(fit.hat.size(), 60) << "the careful solver had to help";
      EXPECT_NEAR(fit.hat.sum(), active + 1.0, 1e-8);
    }
  }
}

// So large that no copies of columns are kept: the leverages are still those of the fit.
TEST(LassoKnots, CarriesLeveragesOfALargeDesign) {
  const Matrix x = normal_matrix(1500, 1400, 5);
  const Vector y = x.leftCols(30).rowwise().sum() + 3.0 * normal_matrix(1500, 1, 6).col(0);
  const Problem problem(make_dataset(Design(x), y), SquaredLoss{}, Lasso{});
  FitOptions options;
  options.carry_hat = true;
  const Path path = fit_path(problem, lambda_grid(problem, {.count = 6, .ratio = 0.05}), options);
  for (const Fit& fit : path.fits) {
    EXPECT_EQ(fit.status, FitStatus::converged) << fit.lambda;
    const LeaveOneOut direct = approximate_leave_one_out(problem, fit, Framework::dual);
    EXPECT_LE(max_difference(fit.hat, direct.leverage), 1e-11) << fit.lambda;
  }
}

// One call from the start to far below every knot.
TEST(LassoKnots, ReachesATinyLambdaAtOnce) {
  const Matrix x = normal_matrix(20, 70, 21);
  const Problem problem(make_dataset(Design(x), normal_matrix(20, 1, 22).col(0)), SquaredLoss{}, Lasso{});
  const double start = lambda_start(problem);
  for (const double share : {1e-4, 1e-8, 1e-14}) {
    const Fit fit = fit_path(problem, {share * start}).fits[0];
    EXPECT_EQ(fit.status, FitStatus::converged) << share;
    EXPECT_EQ((fit.coefficients.array() != 0.0).count(), 19) << share;
  }
}

// Pieces follow each other from the beginning of the path to its end; within one, another solver
// finds the residuals and leverages that it promises.
void expect_affine_pieces(RandomProblem p) {
  p.rows = 40;
  p.columns = 60;
  const Problem problem = p.problem();
  const double start = lambda_start(problem);
  double above = start;
  int pieces = 0;
  LassoKnots knots(problem, problem.data().weights, true);
  ActiveSetSolver other(problem, problem.data().weights);
  knots.visit_pieces(0.05 * start, [&](const AffinePiece& piece) {
    EXPECT_NEAR(piece.upper, above, 1e-9 * above);
    above = piece.lower;
    if (piece.upper - piece.lower < 1e-6 * start || ++pieces % 4 != 0) return;
    const double lambda = 0.4 * piece.upper + 0.6 * piece.lower;
    other.solve(lambda);
    const Fit fit = fit_path(problem, {lambda}).fits[0];
    const Vector fitted =
        (problem.design().multiply(other.coefficients()) + problem.data().offset).array() + other.intercept();
    const Vector residual = problem.data().response - fitted;
    EXPECT_LT(max_difference(residual, piece.residual + (lambda - piece.upper) * piece.slope), 1e-9);
    const LeaveOneOut direct = approximate_leave_one_out(problem, fit, Framework::dual);
    EXPECT_LT(max_difference(direct.leverage, piece.leverages), 1e-9);
  });
  EXPECT_NEAR(above, 0.05 * start, 1e-9 * start);
  EXPECT_GT(pieces, 20);
}

TEST(LassoKnots, PiecesAreAffine) {
  RandomProblem p;
  p.weights = true;
  expect_affine_pieces(p);
}

TEST(LassoKnots, PiecesAreAffineWithAFixedRidgePart) {
  RandomProblem p;
  p.penalty = "elastic-net";
  p.ridge = 5.0;
  p.penalty_weights = true;
  expect_affine_pieces(p);
}

TEST(LassoKnots, DependentColumnsDoNoHarm) {
  Matrix x = normal_matrix(40, 12, 9);
  x.col(3) = x.col(1);
  x.col(7) = -x.col(2);
  x.col(11) = x.col(4) + x.col(5);
  const Vector y = x * Vector::LinSpaced(12, -1.0, 1.0) + normal_matrix(40, 1, 10).col(0);
  const Problem problem(make_dataset(Design(x), y), SquaredLoss{}, Lasso{},
                        {.intercept = false, .standardize = false});
  FitOptions options;
  options.carry_hat = true;
  for (const Fit& fit : fit_path(problem, lambda_grid(problem), options).fits) {
    EXPECT_EQ(fit.status, FitStatus::converged);
    if (fit.hat.size() == 0) continue;
    const LeaveOneOut direct = approximate_leave_one_out(problem, fit, Framework::dual);
    EXPECT_LT(max_difference(fit.hat.cwiseProduct(problem.data().weights), direct.leverage), 1e-9);
  }
}

}  // namespace
}  // namespace alo
