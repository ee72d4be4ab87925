// SPDX-License-Identifier: MIT
// Several classes with penalties lambda |D b|_1 whose rows depend on each other: graphs with cycles, fused
// lassos with an extra |b|_1, any other matrix. Certificates, the formula and its forms, exact leave-one-out,
// and symmetries.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <Eigen/QR>

#include "alo/error.hpp"
#include "alo/leave_one_out.hpp"
#include "alo/losses/multinomial.hpp"
#include "alo/penalties/generalized_lasso.hpp"
#include "changed_problem.hpp"
#include "formula/hat.hpp"
#include "held_out.hpp"
#include "linalg/blas.hpp"
#include "random_problem.hpp"
#include "random_terms.hpp"

namespace alo {
namespace {

using testing_support::all_rows;
using testing_support::comparable;
using testing_support::fit_at;
using testing_support::has_fit;
using testing_support::leveled;
using testing_support::RandomProblem;
using testing_support::repeated_rows;
using testing_support::with_rows;

using Edges = std::vector<std::pair<Index, Index>>;

Edges ring(Index columns) {
  Edges edges;
  for (Index j = 0; j < columns; ++j) edges.emplace_back(j, (j + 1) % columns);
  return edges;
}

// Two lines of coefficients, each joined to its neighbours in both.
Edges ladder(Index columns) {
  Edges edges;
  for (Index j = 0; j + 2 < columns; ++j) edges.emplace_back(j, j + 2);
  for (Index j = 0; j + 1 < columns; j += 2) edges.emplace_back(j, j + 1);
  return edges;
}

Penalty make_terms(const std::string& kind, Index columns, unsigned seed) {
  if (kind == "ring") return GeneralizedLasso::on_graph(columns, ring(columns));
  if (kind == "ladder") return GeneralizedLasso::on_graph(columns, ladder(columns));
  if (kind == "sparse fused") return GeneralizedLasso::on_graph(columns, ladder(columns), 0.5);
  return testing_support::dependent_terms(columns, seed + 3);
}

struct Classes {
  RandomProblem base;
  std::string kind;

  Problem problem() const { return problem(base.dataset()); }
  Problem problem(Dataset data) const {
    return {std::move(data),
            base.make_loss_model(),
            make_terms(kind, base.columns, base.seed),
            {base.intercept, base.standardize}};
  }
  // With another weight of one row; the columns keep their scales.
  Problem reweighted(Index row, double factor) const {
    Dataset data = base.dataset();
    data.weights[row] *= factor;
    data.weight_kind = WeightKind::importance;
    return problem(std::move(data));
  }
};

std::ostream& operator<<(std::ostream& stream, const Classes& c) {
  return stream << c.kind << ": " << c.base;
}

Classes any_classes() {
  Classes c;
  c.base = *testing_support::any_problem({"lasso"});
  c.base.loss = "multinomial";
  c.base.columns = *rc::gen::inRange<Index>(3, 20);
  c.base.sparse = false;       // columns of few rows are dependent, and fits not unique
  c.base.standardize = false;  // scales would change with the weights
  c.kind = *rc::gen::element<std::string>("ring", "ladder", "sparse fused", "matrix");
  return c;
}

// Unpenalised directions that the rows tell apart, and a null fit.
bool is_posed(const Problem& problem) {
  const Matrix free = unpenalized_columns(problem, null_lambda);
  if (free.cols() > 0 && blas::orthonormal_basis(free, 1e-4).cols() < free.cols()) return false;
  return has_fit(problem) && lambda_start(problem) > 1e-8;
}

// Linear predictors of classes that are as good as impossible have lost digits, and probabilities not.
Matrix probabilities(const Problem& problem, const Vector& predictor) {
  const Vector mean = problem.loss().mean(predictor);
  return by_output(mean, problem.outputs());
}

// What the rows with a weight say determines all predictions, and not by a hair: directions that move some
// have curvature, relative to how they move them.
bool are_determined(const Problem& problem, const Fit& fit) {
  if (fit.status != FitStatus::converged || fit.unexplained < 0.02) return false;
  const LocalModel model = local_model(problem, fit);
  if (model.dimension() == 0) return true;
  Matrix moves = model.tangent_design;
  for (Index i = 0; i < problem.rows(); ++i) {
    auto own = moves.middleRows(i * problem.outputs(), problem.outputs());
    own.rowwise() -= own.colwise().mean().eval();
  }
  const Vector sizes = moves.colwise().norm().cwiseMax(1e-300).cwiseInverse();
  const Matrix seen = root_times_design(model) * sizes.asDiagonal();
  return blas::orthonormal_basis(seen, 1e-3).cols() ==
         blas::orthonormal_basis(moves * sizes.asDiagonal(), 1e-10).cols();
}

bool close(const Matrix& a, const Matrix& b, double tolerance) {
  return (a - b).cwiseAbs().maxCoeff() <= tolerance * (1.0 + a.cwiseAbs().maxCoeff());
}

RC_GTEST_PROP(ClassTerms, EveryFitIsCertified, ()) {
  const Classes c = any_classes();
  const Problem problem = c.problem();
  RC_PRE(is_posed(problem));
  const double start = lambda_start(problem);
  for (const Fit& fit : fit_path(problem, {start, 0.3 * start, 0.1 * start, 0.03 * start}).fits) {
    RC_LOG() << c << " lambda " << fit.lambda / start << " gap " << fit.certificate.gap.value_or(-1)
             << " kkt " << fit.certificate.kkt << '\n';
    RC_ASSERT(fit.status == FitStatus::converged);
    RC_ASSERT(fit.certificate.gap.value() < 1e-10);
    RC_ASSERT(fit.certificate.kkt < 1e-8);
  }
}

RC_GTEST_PROP(ClassTerms, PrimalAndDualAgree, ()) {
  const Classes c = any_classes();
  const Problem problem = c.problem();
  RC_PRE(is_posed(problem));
  const Fit fit = fit_at(problem, c.base.lambda_share * lambda_start(problem));
  RC_PRE(are_determined(problem, fit));
  const LeaveOneOut primal = approximate_leave_one_out(problem, fit, Framework::primal);
  const LeaveOneOut dual = approximate_leave_one_out(problem, fit, Framework::dual);
  const Matrix left = probabilities(problem, primal.linear_predictor);
  const Matrix right = probabilities(problem, dual.linear_predictor);
  for (Index i = 0; i < problem.rows(); ++i) {
    if (!comparable(primal, i)) continue;
    // An error of a predictor far away is one share of it.
    const double far = leveled(problem, primal.linear_predictor).row(i).lpNorm<Eigen::Infinity>();
    RC_LOG() << c << " row " << i << " primal " << left.row(i) << " dual " << right.row(i) << '\n';
    RC_ASSERT(close(left.row(i), right.row(i), 1e-8 * (1.0 + far)));
    RC_ASSERT(std::abs(primal.leverage[i] - dual.leverage[i]) <= 1e-8);
  }
}

// With the weight of a row lowered by a share e, its linear predictors move by e H_ii g_i.
RC_GTEST_PROP(ClassTerms, DerivativeInTheWeight, ()) {
  Classes c = any_classes();
  c.base.frequency = false;
  const Problem problem = c.problem();
  RC_PRE(is_posed(problem));
  const double lambda = c.base.lambda_share * lambda_start(problem);
  const Fit fit = fit_at(problem, lambda);
  RC_PRE(are_determined(problem, fit));
  const LocalModel model = local_model(problem, fit);
  const Index row = *rc::gen::inRange<Index>(0, problem.rows());
  const double share = 1e-5;
  const Fit below = fit_at(c.reweighted(row, 1.0 - share), lambda);
  const Fit above = fit_at(c.reweighted(row, 1.0 + share), lambda);
  // Only where the pattern stays: else the derivative has two sides.
  const auto pattern = [&](const Fit& one) { return (one.multipliers.array().abs() >= lambda).eval(); };
  RC_PRE((pattern(below) == pattern(fit)).all());
  RC_PRE((pattern(above) == pattern(fit)).all());
  // H of dependent directions, which move no probability, by the directions that do.
  const Matrix system = root_times_design(model).transpose() * root_times_design(model);
  const Matrix own = model.tangent_design.middleRows(row * problem.outputs(), problem.outputs());
  const Vector pull = own.transpose() * model.derivative.row(row).transpose();
  Matrix predicted = Matrix::Zero(1, problem.outputs());
  if (pull.size() > 0) {
    Eigen::CompleteOrthogonalDecomposition<Matrix> factor;
    factor.setThreshold(1e-10);
    predicted = (own * factor.compute(system).solve(pull)).transpose();
  }
  predicted.array() -= predicted.mean();
  const Vector move = (below.linear_predictor - above.linear_predictor) / (2.0 * share);
  RC_LOG() << c << " row " << row << " predicted " << predicted << " moved "
           << leveled(problem, move).row(row) << '\n';
  RC_ASSERT(close(predicted, leveled(problem, move).row(row), 1e-4));
}

RC_GTEST_PROP(ClassTerms, ExactLeaveOneOutEqualsRefitsFromNothing, ()) {
  const Classes c = any_classes();
  const Problem problem = c.problem();
  RC_PRE(is_posed(problem));
  const Fit fit = fit_at(problem, c.base.lambda_share * lambda_start(problem));
  const Index row = *rc::gen::inRange<Index>(0, problem.rows());
  const Problem without = c.reweighted(row, 1.0 - problem.removed_share(row));
  RC_PRE(is_posed(without));
  const Fit refit = fit_at(without, fit.lambda);
  RC_PRE(are_determined(without, refit));
  const ExactLeaveOneOut exact = exact_leave_one_out(problem, std::span(&fit, 1), {row});
  const Matrix left = leveled(problem, exact.values[0].linear_predictor).row(row);
  const Matrix right = leveled(problem, refit.linear_predictor).row(row);
  RC_LOG() << c << " row " << row << " exact " << left << " refit " << right << '\n';
  RC_ASSERT(exact.missed() == 0);
  RC_ASSERT(close(left, right, 1e-7));
}

RC_GTEST_PROP(ClassTerms, OrderOfRowsDoesNotMatter, ()) {
  const Classes c = any_classes();
  const Problem problem = c.problem();
  RC_PRE(is_posed(problem));
  const Fit fit = fit_at(problem, c.base.lambda_share * lambda_start(problem));
  RC_PRE(are_determined(problem, fit));
  std::vector<Index> order = all_rows(problem);
  std::shuffle(order.begin(), order.end(), std::mt19937(c.base.seed));
  const Problem permuted = c.problem(with_rows(c.base.dataset(), order));
  const LeaveOneOut one = approximate_leave_one_out(problem, fit);
  const LeaveOneOut other = approximate_leave_one_out(permuted, fit_at(permuted, fit.lambda));
  const Matrix left = probabilities(problem, one.linear_predictor);
  const Matrix right = probabilities(permuted, other.linear_predictor);
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (!comparable(one, order[k])) continue;
    RC_LOG() << c << " row " << order[k] << " leverage " << one.leverage[order[k]] << " one "
             << left.row(order[k]) << " other " << right.row(static_cast<Index>(k)) << '\n';
    RC_ASSERT(close(left.row(order[k]), right.row(static_cast<Index>(k)), 1e-7));
  }
}

RC_GTEST_PROP(ClassTerms, RepeatedRowsAreFrequencyWeights, ()) {
  Classes c = any_classes();
  c.base.weights = false;
  c.base.frequency = true;
  const Problem counted = c.problem();
  RC_PRE(is_posed(counted));
  auto [repeated, copies] = repeated_rows(c.base.dataset());
  const Problem plain = c.problem(std::move(repeated));
  const Fit one = fit_at(counted, c.base.lambda_share * lambda_start(counted));
  RC_PRE(are_determined(counted, one));
  const Fit other = fit_at(plain, one.lambda);
  const Matrix fitted = probabilities(counted, one.linear_predictor);
  RC_LOG() << c << '\n';
  RC_ASSERT(close(fitted(copies, Eigen::all), probabilities(plain, other.linear_predictor), 1e-7));
  const LeaveOneOut by_weight = approximate_leave_one_out(counted, one);
  const LeaveOneOut by_row = approximate_leave_one_out(plain, other);
  const Matrix left = probabilities(counted, by_weight.linear_predictor);
  const Matrix right = probabilities(plain, by_row.linear_predictor);
  for (std::size_t k = 0; k < copies.size(); ++k) {
    const auto row = static_cast<Index>(k);
    if (comparable(by_row, row)) RC_ASSERT(close(left.row(copies[k]), right.row(row), 1e-7));
  }
}

// |D b_1|_1 + |D b_2|_1 is least at |D (b_1 - b_2)|_1: two classes are the logistic loss at the same lambda.
RC_GTEST_PROP(ClassTerms, TwoClassesAreLogistic, ()) {
  Classes c = any_classes();
  c.base.loss = "logistic";
  const Problem logistic = c.problem();
  RC_PRE(is_posed(logistic));
  Dataset data = c.base.dataset();
  data.response = (data.response.array() > 0.0).cast<double>();
  // Offsets are of every class, and so of none.
  const Vector offset = data.offset;
  RC_PRE(offset.isZero(0.0));
  const Problem classes(std::move(data), MultinomialLoss(2), logistic.penalty(), {c.base.intercept, false});
  const double start = lambda_start(logistic);
  RC_ASSERT(std::abs(lambda_start(classes) - start) <= 1e-7 * start);
  const Fit one = fit_at(logistic, c.base.lambda_share * start);
  const Fit two = fit_at(classes, one.lambda);
  RC_PRE(one.unexplained > 0.02);
  RC_LOG() << c << " gap " << two.certificate.gap.value_or(-1) << '\n';
  RC_ASSERT(two.status == FitStatus::converged);
  const auto margin = [&](const Vector& predictor) -> Vector {
    return by_output(predictor, 2).col(1) - by_output(predictor, 2).col(0);
  };
  RC_ASSERT(close(one.linear_predictor, margin(two.linear_predictor), 1e-6));
  const LeaveOneOut left = approximate_leave_one_out(logistic, one);
  const LeaveOneOut right = approximate_leave_one_out(classes, two);
  const Vector margins = margin(right.linear_predictor);
  for (Index i = 0; i < logistic.rows(); ++i) {
    if (!comparable(left, i)) continue;
    RC_LOG() << "row " << i << ' ' << left.linear_predictor[i] << ' ' << margins[i] << '\n';
    RC_ASSERT(std::abs(left.linear_predictor[i] - margins[i]) <= 1e-5 * (1.0 + std::abs(margins[i])));
  }
}

RandomProblem some_classes() {
  RandomProblem p = testing_support::medium_problem();
  p.loss = "multinomial";
  return p;
}

TEST(ClassTerms, CoefficientsAreExactlyEqualAndExactlyZero) {
  const RandomProblem p = some_classes();
  const Edges edges = ladder(p.columns);
  const Problem problem(p.dataset(), p.make_loss_model(), GeneralizedLasso::on_graph(p.columns, edges, 0.5),
                        {true, false});
  const Fit fit = fit_at(problem, 0.2 * lambda_start(problem));
  ASSERT_EQ(fit.status, FitStatus::converged);
  const auto coefficients = by_output(fit.coefficients, 3);
  const auto multipliers = by_output(fit.multipliers, 3);
  Index ties = 0;
  Index zeros = 0;
  for (Index k = 0; k < 3; ++k) {
    for (std::size_t m = 0; m < edges.size(); ++m) {
      const bool joined = std::abs(multipliers(static_cast<Index>(m), k)) < fit.lambda;
      EXPECT_EQ(joined, coefficients(edges[m].first, k) == coefficients(edges[m].second, k));
      ties += joined ? 1 : 0;
    }
    for (Index j = 0; j < p.columns; ++j) {
      const bool zero = std::abs(multipliers(static_cast<Index>(edges.size()) + j, k)) < fit.lambda;
      EXPECT_EQ(zero, coefficients(j, k) == 0.0);
      zeros += zero ? 1 : 0;
    }
  }
  EXPECT_GT(ties, 0);
  EXPECT_LT(ties, static_cast<Index>(3 * edges.size()));
  EXPECT_GT(zeros, 0);
  EXPECT_LT(zeros, 3 * p.columns);
}

// A chain with an edge twice is a chain whose edge counts twice: the same by the change of variables.
TEST(ClassTerms, AnEdgeTwiceIsTwiceTheEdge) {
  const RandomProblem p = some_classes();
  Edges edges;
  for (Index j = 0; j + 1 < p.columns; ++j) edges.emplace_back(j, j + 1);
  edges.emplace_back(4, 5);
  Matrix chain = GeneralizedLasso::differences(p.columns, 1, "fused-lasso").analysis()->matrix().toDense();
  chain.row(4) *= 2.0;
  const Problem graph(p.dataset(), p.make_loss_model(), GeneralizedLasso::on_graph(p.columns, edges), {});
  const Problem matrix(p.dataset(), p.make_loss_model(), GeneralizedLasso(chain.sparseView()), {});
  const double lambda = 0.2 * lambda_start(matrix);
  EXPECT_NEAR(lambda_start(graph), lambda_start(matrix), 1e-9 * lambda);
  const Fit a = fit_at(graph, lambda);
  const Fit b = fit_at(matrix, lambda);
  EXPECT_TRUE(close(leveled(graph, a.linear_predictor), leveled(matrix, b.linear_predictor), 1e-8));
  EXPECT_TRUE(close(probabilities(graph, approximate_leave_one_out(graph, a).linear_predictor),
                    probabilities(matrix, approximate_leave_one_out(matrix, b).linear_predictor), 1e-7));
}

// The way from nothing to a small lambda in one step, with rows that are as good as told apart.
TEST(ClassTerms, FarDownAtOnceAndAlongAPath) {
  RandomProblem p = some_classes();
  p.rows = 15;
  const Problem problem = Classes{p, "sparse fused"}.problem();
  const double start = lambda_start(problem);
  std::vector<double> lambdas;
  for (double lambda = start; lambda > 1e-5 * start; lambda *= 0.3) lambdas.push_back(lambda);
  const Fit along = fit_path(problem, lambdas).fits.back();
  const Fit at_once = fit_at(problem, lambdas.back());
  EXPECT_EQ(along.status, FitStatus::converged);
  EXPECT_EQ(at_once.status, FitStatus::converged);
  EXPECT_LT(along.unexplained, 1e-3);
  EXPECT_TRUE(
      close(leveled(problem, along.linear_predictor), leveled(problem, at_once.linear_predictor), 1e-5));
}

TEST(ClassTerms, ClassesThatUnpenalisedDirectionsSeparateAreRefused) {
  Matrix x(6, 3);
  x << 1, 1, 1, 2, 1, 1, 3, 2, 3, 4, 4, 4, 6, 5, 5, 7, 6, 6;
  const Vector y{{0, 0, 1, 1, 2, 2}};
  const Problem problem(make_dataset(Design(x), y), MultinomialLoss(3),
                        GeneralizedLasso::on_graph(3, ring(3)), {true, false});
  EXPECT_THROW(fit_path(problem, {1.0}), InvalidData);
  EXPECT_THROW(fit_path(problem, {0.0}), InvalidData);
}

}  // namespace
}  // namespace alo
