// SPDX-License-Identifier: MIT
// Matrix completion against the same problem as a matrix regression on a dense design, which has its own
// solver and its own leave-one-out.
#include <cmath>
#include <random>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <Eigen/Eigenvalues>

#include "alo/leave_one_out.hpp"
#include "alo/penalties/nuclear.hpp"
#include "random_problem.hpp"
#include "solvers/method.hpp"
#include "solvers/proximal/completion_path.hpp"

namespace alo {
namespace {

using testing_support::all_rows;
using testing_support::in_domain;
using testing_support::max_difference;

// Entries of a matrix of rank two with noise, some of them twice.
struct Entries {
  MatrixShape shape{5, 6};
  Index observations = 40;
  std::string loss = "squared";
  bool intercept = true;
  bool weights = false;
  unsigned seed = 1;

  Dataset dataset(bool sparse) const {
    std::mt19937 generator(seed);
    std::normal_distribution<double> normal;
    const auto random = [&](Index rows, Index columns) {
      return Matrix(Matrix::NullaryExpr(rows, columns, [&] { return normal(generator); }));
    };
    const Matrix truth = random(shape.rows, 2) * random(2, shape.columns);
    std::uniform_int_distribution<Index> place(0, shape.rows * shape.columns - 1);
    Matrix x = Matrix::Zero(observations, shape.rows * shape.columns);
    Vector y(observations);
    for (Index i = 0; i < observations; ++i) {
      const Index j = place(generator);
      x(i, j) = 1.0;
      y[i] = 1.0 + truth(j / shape.columns, j % shape.columns) + 0.3 * normal(generator);
    }
    Dataset data =
        make_dataset(sparse ? Design(SparseMatrix(x.sparseView())) : Design(x), in_domain(loss, y));
    if (weights) data.weights = Vector::LinSpaced(observations, 0.5, 2.0);
    return data;
  }
  Problem problem(bool sparse) const {
    ModelParameters parameters;
    parameters.delta = 0.5;
    return {dataset(sparse), make_loss(loss, parameters), NuclearNorm(shape), {intercept, false}};
  }
};

std::ostream& operator<<(std::ostream& stream, const Entries& e) {
  return stream << e.shape.rows << 'x' << e.shape.columns << ' ' << e.observations << ' ' << e.loss
                << " seed " << e.seed << (e.intercept ? " intercept" : "") << (e.weights ? " weights" : "");
}

Entries any_entries() {
  Entries e;
  e.shape = {*rc::gen::inRange<Index>(2, 7), *rc::gen::inRange<Index>(2, 7)};
  e.observations = *rc::gen::inRange<Index>(15, 50);
  e.loss = *rc::gen::element<std::string>("squared", "logistic", "poisson", "pseudo-huber");
  e.intercept = *rc::gen::arbitrary<bool>();
  e.weights = *rc::gen::arbitrary<bool>();
  e.seed = *rc::gen::inRange(1u, 100000u);
  return e;
}

TEST(Completion, IsKnownByItsDesign) {
  Entries e;
  EXPECT_EQ(route(e.problem(true)).name(), "matrix-completion");
  EXPECT_EQ(route(e.problem(false)).name(), "matrix-newton");
}

// So that progress is seen, and a time limit kept, where a fit takes seconds.
TEST(Completion, IsFittedOneLambdaAtATime) {
  Entries e;
  EXPECT_EQ(PathSolver::fits_at_once(e.problem(true)), 1U);
  EXPECT_GT(PathSolver::fits_at_once(e.problem(false)), 1U);
}

// The second derivative along the tangent space is positive.
bool is_unique(const Problem& problem, const Fit& fit) {
  const LocalModel model = local_model(problem, fit);
  if (model.dimension() == 0) return true;
  Matrix system =
      model.tangent_design.transpose() * model.curvature.col(0).asDiagonal() * model.tangent_design;
  system.diagonal() += model.penalty_curvature;
  const Vector values = Eigen::SelfAdjointEigenSolver<Matrix>(system).eigenvalues();
  return values.minCoeff() > 1e-6 * values.maxCoeff();
}

RC_GTEST_PROP(Completion, AgreesWithTheDenseDesign, ()) {
  const Entries e = any_entries();
  const Problem sparse = e.problem(true);
  const Problem dense = e.problem(false);
  RC_PRE(testing_support::has_fit(dense));
  const double start = lambda_start(sparse);
  RC_ASSERT(std::abs(start - lambda_start(dense)) <= 1e-9 * start);
  const std::vector<double> lambdas = {1.1 * start, 0.6 * start, 0.3 * start, 0.15 * start};
  const Path one = fit_path(sparse, lambdas, {.carry_hat = true});
  const Path other = fit_path(dense, lambdas);
  for (std::size_t k = 0; k < lambdas.size(); ++k) {
    const Fit& fit = one.fits[k];
    RC_LOG() << e << " lambda " << fit.lambda << " gap " << fit.certificate.gap.value_or(-1) << '\n';
    RC_ASSERT(fit.status == FitStatus::converged);
    RC_ASSERT(fit.hat_error == 0.0);
    // Where directions that no observation sees are dear to no one, more than one rank is best.
    if (other.fits[k].status != FitStatus::converged || !is_unique(sparse, fit)) continue;
    const double size = 1.0 + fit.linear_predictor.lpNorm<Eigen::Infinity>();
    RC_ASSERT(max_difference(fit.linear_predictor, other.fits[k].linear_predictor) < 1e-6 * size);
    RC_ASSERT(fit_geometry(sparse, fit).dimension() == fit_geometry(dense, other.fits[k]).dimension());
    const LeaveOneOut carried = approximate_leave_one_out(sparse, fit);
    const LeaveOneOut primal = approximate_leave_one_out(sparse, fit, Framework::primal);
    for (Index i = 0; i < sparse.rows(); ++i) {
      if (!(primal.leverage[i] < 0.99)) continue;
      RC_LOG() << "row " << i << " leverage " << primal.leverage[i] << ' ' << carried.leverage[i] << '\n';
      RC_ASSERT(std::abs(carried.linear_predictor[i] - primal.linear_predictor[i]) <
                1e-6 * (1.0 + std::abs(primal.linear_predictor[i])));
    }
  }
}

TEST(Completion, ExactLeaveOneOutAgrees) {
  Entries e;
  const Problem sparse = e.problem(true);
  const Problem dense = e.problem(false);
  const double lambda = 0.3 * lambda_start(sparse);
  const Fit one = fit_path(sparse, {lambda}).fits.at(0);
  const Fit other = fit_path(dense, {lambda}).fits.at(0);
  const auto refit = [](const Problem& problem, const Fit& fit) {
    return exact_leave_one_out(problem, std::span(&fit, 1), all_rows(problem), {.fit = {}, .threads = 1});
  };
  const ExactLeaveOneOut first = refit(sparse, one);
  EXPECT_EQ(first.missed(), 0);
  EXPECT_LT(
      max_difference(first.values.at(0).linear_predictor, refit(dense, other).values.at(0).linear_predictor),
      1e-7);
}

// Sides beyond which not all singular values are computed for a certificate.
TEST(Completion, LargeMatricesAreCertified) {
  Entries e;
  e.shape = {120, 150};
  e.observations = 6000;
  const Problem problem = e.problem(true);
  const double start = lambda_start(problem);
  for (const Fit& fit : fit_path(problem, {0.9 * start, 0.4 * start}).fits) {
    EXPECT_EQ(fit.status, FitStatus::converged) << "gap " << fit.certificate.gap.value_or(-1);
    EXPECT_GT(fit_geometry(problem, fit).matrix->rank, 0);
  }
}

}  // namespace
}  // namespace alo
