// SPDX-License-Identifier: MIT
// What every penalty must satisfy. A new penalty is one more entry in `cases`.
#include <cmath>
#include <limits>
#include <random>
#include <span>

#include <gtest/gtest.h>
#include <Eigen/QR>
#include <Eigen/SVD>

#include "alo/analysis_operator.hpp"
#include "alo/leave_one_out.hpp"
#include "alo/losses/squared.hpp"
#include "alo/path.hpp"
#include "alo/penalties/elastic_net.hpp"
#include "alo/penalties/frobenius.hpp"
#include "alo/penalties/generalized_lasso.hpp"
#include "alo/penalties/group_lasso.hpp"
#include "alo/penalties/lasso.hpp"
#include "alo/penalties/nuclear.hpp"
#include "alo/penalties/ridge.hpp"
#include "alo/penalties/schatten.hpp"
#include "alo/penalties/slope.hpp"
#include "alo/penalties/sparse_group_lasso.hpp"
#include "alo/registry.hpp"
#include "held_out.hpp"
#include "own_model/nonnegative_lasso.hpp"
#include "random_matrix.hpp"
#include "random_problem.hpp"
#include "seed.hpp"
#include "tangent_basis.hpp"

namespace alo {
namespace {

using testing_support::exact_predictor;
using testing_support::fit_at;
using testing_support::normal_matrix;
using testing_support::tangent_basis;
using testing_support::varied;

constexpr Index columns = 6;
constexpr double infinity = std::numeric_limits<double>::infinity();

struct PenaltyCase {
  std::string label;
  Penalty penalty;
};

// Differences of neighbours, of some others, and two coefficients themselves.
Matrix dependent_rows() {
  Matrix rows = Matrix::Zero(8, columns);
  const Index ends[6][2] = {{0, 1}, {1, 2}, {2, 3}, {4, 5}, {0, 2}, {1, 3}};
  for (Index k = 0; k < 6; ++k) {
    rows(k, ends[k][0]) = -1.0;
    rows(k, ends[k][1]) = 1.0;
  }
  rows(6, 0) = 0.5;
  rows(7, 4) = 0.5;
  return rows;
}

std::vector<PenaltyCase> cases() {
  const Vector weights{{1.0, 0.5, 0.0, 2.0, infinity, 1.0}};
  const std::vector<std::pair<Index, Index>> grid = {{0, 1}, {1, 2}, {3, 4}, {4, 5}, {0, 3}, {1, 4}, {2, 5}};
  const std::vector<std::pair<Index, Index>> chain = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}};
  const std::vector<Index> groups{0, 1, 0, 2, 1, 1};
  const Vector factors{{0.5, 1.0, 0.0}};
  return {{"ridge", Ridge{}},
          {"ridge_weighted", Ridge{weights}},
          {"lasso", Lasso{}},
          {"lasso_weighted", Lasso{weights}},
          {"nonnegative_lasso", own::NonnegativeLasso{}},
          {"elastic_net", ElasticNet{0.4}},
          {"elastic_net_weighted", ElasticNet{0.4, weights}},
          {"fused_lasso", GeneralizedLasso::differences(columns, 1, "fused-lasso")},
          {"trend_filter", GeneralizedLasso::differences(columns, 2, "trend-filter")},
          {"trend_filter_3", GeneralizedLasso::differences(columns, 3, "trend-filter")},
          {"wavelet", GeneralizedLasso::haar(columns)},
          {"grid", GeneralizedLasso::on_graph(columns, grid)},
          {"sparse_fused", GeneralizedLasso::on_graph(columns, chain, 0.6)},
          {"generalized_lasso", GeneralizedLasso(dependent_rows().topRows(4).sparseView())},
          {"dependent_rows", GeneralizedLasso(dependent_rows().sparseView())},
          {"fixed_ridge", ElasticNet::with_fixed_ridge(0.6)},
          {"fixed_ridge_weighted", ElasticNet::with_fixed_ridge(0.6, weights)},
          {"group_lasso", GroupLasso{groups}},
          {"group_lasso_weighted", GroupLasso{groups, factors}},
          {"group_lasso_excluded", GroupLasso{groups, Vector{{1.0, 1.0, infinity}}}},
          {"one_group", GroupLasso{std::vector<Index>(columns, 0)}},
          {"groups_of_one", GroupLasso{{0, 1, 2, 3, 4, 5}}},
          {"sparse_group_lasso", SparseGroupLasso{groups, 0.4}},
          {"sparse_group_lasso_weighted", SparseGroupLasso{groups, 0.4, factors}},
          {"sparse_group_lasso_of_one", SparseGroupLasso{groups, 1.0}},
          {"slope", Slope{Vector{{1.5, 1.2, 1.0, 1.0, 0.4, 0.0}}}},
          {"slope_constant", Slope{Vector::Ones(columns)}},
          {"nuclear", NuclearNorm{{2, 3}}},
          {"nuclear_tall", NuclearNorm{{3, 2}}},
          {"nuclear_of_a_row", NuclearNorm{{1, 6}}},
          {"schatten", Schatten{{3, 2}, 0.4}},
          {"schatten_wide", Schatten{{2, 3}, 0.4}},
          {"frobenius", Frobenius{{2, 3}}}};
}

class PenaltyContract : public testing::TestWithParam<std::size_t> {
 protected:
  const Penalty penalty = cases()[GetParam()].penalty;
  std::mt19937 generator{varied(11)};
  std::normal_distribution<double> normal;
  Vector random_vector() {
    return Vector::NullaryExpr(columns, [this] { return 2.0 * normal(generator); });
  }
  // Orthogonal to what is not penalised.
  Vector without_unpenalized(const Vector& z) const {
    const Matrix free = penalty.unpenalized(columns, 0.7).toDense();
    return free.cols() == 0 ? z : Vector(z - free * free.householderQr().solve(z));
  }
  double prox_objective(const Vector& x, const Vector& b, double lambda) const {
    return 0.5 * (x - b).squaredNorm() + penalty.value(x, lambda);
  }
};

TEST_P(PenaltyContract, IsZeroAtZeroAndConvex) {
  EXPECT_EQ(penalty.value(Vector::Zero(columns), 0.7), 0.0);
  for (int trial = 0; trial < 50; ++trial) {
    const Vector a = penalty.prox(random_vector(), 0.1).point;
    const Vector b = penalty.prox(random_vector(), 0.1).point;
    EXPECT_LE(penalty.value(0.5 * (a + b), 0.7),
              0.5 * (penalty.value(a, 0.7) + penalty.value(b, 0.7)) + 1e-12);
  }
}

TEST_P(PenaltyContract, ProxIsTheMinimiser) {
  for (int trial = 0; trial < 50; ++trial) {
    const Vector b = random_vector();
    const double lambda = 0.7;
    const auto [best, multipliers] = penalty.prox(b, lambda);
    // b - prox is a subgradient of the penalty at the prox.
    const Vector distance = penalty.subgradient_distance(best, {b - best, multipliers}, lambda);
    EXPECT_LT(distance.lpNorm<Eigen::Infinity>(), 1e-12);
    for (int other = 0; other < 10; ++other) {
      const Vector x =
          penalty.prox(best + 0.1 * random_vector(), 1e-9).point;  // keeps excluded entries at zero
      EXPECT_GE(prox_objective(x, b, lambda), prox_objective(best, b, lambda) - 1e-12);
    }
  }
}

TEST_P(PenaltyContract, FenchelGapVanishesExactlyAtSubgradients) {
  for (int trial = 0; trial < 50; ++trial) {
    const Vector b = random_vector();
    const double lambda = 0.7;
    const auto [best, multipliers] = penalty.prox(b, lambda);
    // The difference may be rounded out of the domain.
    const double scale = penalty.dual_scale({b - best, multipliers}, lambda);
    const DualPoint z(scale * (b - best), scale * multipliers);
    EXPECT_NEAR(penalty.fenchel_gap(best, z, lambda), 0.0, 1e-12);
    const Vector other = penalty.prox(random_vector(), lambda).point;
    EXPECT_GE(penalty.fenchel_gap(other, z, lambda), -1e-12);
  }
}

TEST_P(PenaltyContract, DualScaleLeadsIntoTheDomain) {
  for (int trial = 0; trial < 50; ++trial) {
    Vector z = 3.0 * random_vector();
    z = without_unpenalized(z);
    const double scale = penalty.dual_scale(z, 0.7);
    EXPECT_LE(scale, 1.0);
    EXPECT_TRUE(std::isfinite(penalty.fenchel_gap(Vector::Zero(columns), scale * z, 0.7)));
  }
}

// The nearest matrix of that rank, row by row.
Vector of_rank(const Vector& b, MatrixShape shape, Index rank) {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Matrix matrix = Eigen::Map<const RowMajor>(b.data(), shape.rows, shape.columns);
  const Eigen::JacobiSVD<Matrix> parts(matrix, Eigen::ComputeThinU | Eigen::ComputeThinV);
  const Matrix nearest = parts.matrixU().leftCols(rank) * parts.singularValues().head(rank).asDiagonal() *
                         parts.matrixV().leftCols(rank).transpose();
  return nearest.reshaped<Eigen::RowMajor>();
}

// Along the tangent space the penalty is smooth: its second difference is the reported curvature. Matrices of
// one rank are a curved manifold: there it is that of the penalty less the subgradient's linear function,
// which has no slope along the manifold.
TEST_P(PenaltyContract, GeometryIsTheSecondDerivative) {
  const auto [b, multipliers] = penalty.prox(random_vector(), 0.7);
  const Geometry geometry = penalty.geometry(b, multipliers, 0.7);
  const bool is_curved = penalty.name() == "nuclear";
  const Vector pull = is_curved ? multipliers : Vector::Zero(columns);
  // The curvature changes over a length of about its inverse: in a thousandth of that by a share of 1e-6.
  const double largest = geometry.dimension() > 0 ? geometry.curvature.maxCoeff() : 0.0;
  const double h = 1e-3 / (1.0 + largest);
  const auto value = [&, &b = b](const Vector& directions) {
    Vector moved = b + along(geometry, directions, columns);
    if (is_curved && geometry.matrix) moved = of_rank(moved, *penalty.shape(), geometry.matrix->rank);
    return penalty.value(moved, 0.7) - pull.dot(moved);
  };
  const Vector slopes = onto(geometry, penalty.subgradient(b, 0.7) - pull);
  const Index dimension = geometry.dimension();
  const double here = value(Vector::Zero(dimension));
  for (Index k = 0; k < dimension; ++k) {
    const Vector one = h * Vector::Unit(dimension, k);
    EXPECT_NEAR(slopes[k], (value(one) - value(-one)) / (2 * h), 1e-6);
    EXPECT_NEAR(geometry.curvature[k], (value(one) - 2.0 * here + value(-one)) / (h * h),
                1e-5 * (1.0 + geometry.curvature[k]));
    for (Index l = 0; l < k; ++l) {
      const Vector other = h * Vector::Unit(dimension, l);
      EXPECT_NEAR(value(one + other) - value(one - other) - value(other - one) + value(-one - other), 0.0,
                  4e-6 * (1.0 + largest) * h * h);
    }
  }
}

TEST_P(PenaltyContract, LambdaMaxIsWhereZeroBecomesOptimal) {
  Vector z = random_vector();
  z = without_unpenalized(z);
  const double largest = penalty.lambda_max(z);
  if (std::isinf(largest) || largest == 0.0) return;  // never, or for every lambda
  const auto distance = [&](double lambda) {
    return penalty.subgradient_distance(Vector::Zero(columns), z, lambda).maxCoeff();
  };
  EXPECT_LT(distance(largest * (1 + 1e-12)), 1e-12);
  EXPECT_GT(distance(largest * 0.99), 1e-3);
}

TEST_P(PenaltyContract, ProxKeepsZerosWhereItIsSaidTo) {
  if (!penalty.keeps_zeros()) GTEST_SKIP() << "it does not";
  for (Index zero = 0; zero < columns; ++zero) {
    Vector b = random_vector();
    b[zero] = 0.0;
    EXPECT_EQ(penalty.prox(b, 0.3).point[zero], 0.0);
    const Vector other = random_vector();
    Vector without = other;
    without[zero] = 0.0;
    EXPECT_LE(penalty.value(without, 0.3), penalty.value(other, 0.3));
  }
}

TEST_P(PenaltyContract, SeparableTermsGiveTheValue) {
  const auto terms = penalty.separable(columns);
  if (!terms) return;
  ASSERT_EQ(terms->fixed_square.size(), columns);
  const Vector b = penalty.prox(random_vector(), 0.1).point;
  const double lambda = 0.7;
  double sum = 0.0;
  for (Index j = 0; j < columns; ++j) {
    if (b[j] == 0.0) continue;
    sum += lambda * terms->absolute[j] * std::abs(b[j]) +
           0.5 * (lambda * terms->square[j] + terms->fixed_square[j]) * b[j] * b[j];
  }
  EXPECT_NEAR(sum, penalty.value(b, lambda), 1e-12);
}

TEST_P(PenaltyContract, AnalysisOperatorGivesTheValue) {
  const AnalysisOperator* analysis = penalty.analysis();
  if (analysis == nullptr) GTEST_SKIP() << "it has none";
  const Vector b = random_vector();
  EXPECT_NEAR(penalty.value(b, 0.7), 0.7 * (analysis->matrix() * b).lpNorm<1>(), 1e-12);
  EXPECT_EQ(analysis->null_basis().cols(), penalty.unpenalized(columns, 0.7).cols());
}

TEST_P(PenaltyContract, SumOfSingularValuesIsTheValue) {
  if (!penalty.sums_singular_values()) GTEST_SKIP() << "it is not said to be";
  const MatrixShape shape = penalty.shape().value();
  const Vector b = random_vector();
  const Matrix coefficients = b.reshaped(shape.columns, shape.rows).transpose();
  EXPECT_NEAR(penalty.value(b, 0.7), 0.7 * coefficients.jacobiSvd().singularValues().sum(), 1e-12);
}

// In a small neighbourhood of zero each group but the unpenalised ones has a proximal point of zero.
TEST_P(PenaltyContract, GroupsAreNumberedAndZeroTogether) {
  const std::span<const Index> groups = penalty.groups();
  if (groups.empty()) GTEST_SKIP() << "it has none";
  ASSERT_EQ(groups.size(), static_cast<std::size_t>(columns));
  const Matrix free = penalty.unpenalized(columns, 0.7).toDense();
  const Vector point = penalty.prox(1e-3 * random_vector(), 0.7).point;
  for (Index j = 0; j < columns; ++j) {
    EXPECT_GE(groups[static_cast<std::size_t>(j)], 0);
    if (free.row(j).isZero()) {
      EXPECT_EQ(point[j], 0.0);
    }
    for (Index k = 0; k < columns; ++k) {
      if (groups[static_cast<std::size_t>(j)] != groups[static_cast<std::size_t>(k)]) continue;
      EXPECT_EQ(free.row(j).isZero(), free.row(k).isZero());
    }
  }
}

TEST_P(PenaltyContract, ClustersMoveAsOne) {
  if (!penalty.has_clusters() || penalty.separable(columns)) GTEST_SKIP() << "there are none";
  const Vector alike{{1.3, -1.3, 1.3, 1.3, -1.3, 1.3}};
  EXPECT_LT(penalty.geometry(alike, Vector(), 0.7).dimension(), columns);
}

// Whether the tangent spaces of two fits are the same.
bool on_one_pattern(const Problem& problem, const Fit& one, const Fit& other) {
  const Matrix here = tangent_basis(fit_geometry(problem, one), columns);
  const Matrix there = tangent_basis(fit_geometry(problem, other), columns);
  if (here.cols() != there.cols()) return false;
  if (here.cols() == 0) return true;
  Matrix both(columns, 2 * here.cols());
  both << here, there;
  return both.colPivHouseholderQr().rank() == here.cols();
}

// Whether the penalty is one quadratic function around both: the slopes along their tangent space differ by
// the curvature times the way from one to the other.
bool on_one_piece(const Problem& problem, const Fit& one, const Fit& other) {
  if (!on_one_pattern(problem, one, other)) return false;
  const Geometry geometry = fit_geometry(problem, one);
  if (geometry.dimension() == 0) return true;
  const auto slopes = [&](const Fit& fit) -> Vector {
    return onto(geometry, problem.penalty().subgradient(fit.coefficients, fit.lambda));
  };
  const Vector way = onto(geometry, other.coefficients - one.coefficients);
  const Vector bend = slopes(other) - slopes(one) - geometry.curvature.cwiseProduct(way);
  return bend.lpNorm<Eigen::Infinity>() <= 1e-9 * one.lambda;
}

// A regression with noise, many rows and a moderate lambda.
struct Regression {
  Problem problem;
  Fit fit;
  Vector exact;  // leave-one-out
};
Regression regression(const Penalty& penalty) {
  const Index rows = 80;
  std::mt19937 generator(varied(11));
  std::normal_distribution<double> normal;
  const Matrix x = Matrix::NullaryExpr(rows, columns, [&] { return normal(generator); });
  const Vector y = x * Vector{{2.0, -1.0, 0.5, 0.0, 0.3, 1.0}} +
                   Vector::NullaryExpr(rows, [&] { return normal(generator); });
  const Problem problem(make_dataset(Design(x), y), SquaredLoss{}, penalty,
                        {.intercept = true, .standardize = false});
  const Fit fit = fit_at(problem, 5.0);
  EXPECT_EQ(fit.status, FitStatus::converged);
  return {problem, fit, exact_predictor(problem, fit)};
}

Fit fit_without(const Problem& problem, const Fit& fit, Index row) {
  Dataset data = problem.data();
  data.weights[row] = 0.0;
  return fit_at(Problem(std::move(data), problem.loss(), problem.penalty(), {true, false}), fit.lambda);
}

// The formula solves the problem on the pattern. For a squared loss and a penalty that is quadratic there, it
// has nothing left to approximate in rows without which the pattern is the same.
TEST_P(PenaltyContract, ApproximateIsExactWhereThePatternStays) {
  const auto [problem, fit, exact] = regression(penalty);
  const Vector approximate = approximate_leave_one_out(problem, fit).linear_predictor;
  Index kept = 0;
  for (Index row = 0; row < problem.rows(); ++row) {
    if (!on_one_piece(problem, fit, fit_without(problem, fit, row))) continue;
    ++kept;
    // Refits meet a gap of 1e-10 or better, of which a prediction has the root.
    EXPECT_NEAR(approximate[row], exact[row], 1e-9) << "row " << row;
  }
  const Geometry geometry = fit_geometry(problem, fit);
  const bool is_curved = geometry.mirrors.size() > 0 || geometry.matrix;
  if (!is_curved) {
    EXPECT_GE(kept, problem.rows() / 2);
  }
}

// Where the pattern stays and is curved, a Newton step is left to approximate. At one seed in ten a change of
// the pattern moves a prediction by as much as the formula moves all: the bounds hold at the test's own seed.
TEST_P(PenaltyContract, ApproximateIsNearExactLeaveOneOut) {
  const auto [problem, fit, exact] = regression(penalty);
  const LeaveOneOut approximate = approximate_leave_one_out(problem, fit);
  const LeaveOneOut dual = approximate_leave_one_out(problem, fit, Framework::dual);
  const double move = (exact - fit.linear_predictor).norm();
  const Vector error = approximate.linear_predictor - exact;
  double on_pattern = 0.0;
  for (Index row = 0; row < problem.rows(); ++row) {
    if (on_one_pattern(problem, fit, fit_without(problem, fit, row))) on_pattern += error[row] * error[row];
  }
  EXPECT_LT(std::sqrt(on_pattern), 0.02 * move);
  // Blocks and clusters change more often than zeros, and so do coefficients at a bound that half of them
  // meet.
  const bool changes_often =
      penalty.analysis() != nullptr || penalty.name() == "slope" || penalty.name() == "nonnegative-lasso";
  EXPECT_LT(error.norm(), (varied(11) != 11 ? 1.0 : changes_often ? 0.2 : 0.02) * move);
  EXPECT_LT((approximate.linear_predictor - dual.linear_predictor).norm(), 1e-10 * move);
}

TEST(PenaltyContract, CoversTheRegistry) {
  std::vector<std::string> covered;
  for (const PenaltyCase& one : cases()) covered.push_back(one.penalty.name());
  for (const ModelEntry& entry : penalties()) {
    EXPECT_NE(std::find(covered.begin(), covered.end(), entry.name), covered.end())
        << entry.name << " has no case";
  }
}

INSTANTIATE_TEST_SUITE_P(All, PenaltyContract, testing::Range(std::size_t{0}, cases().size()),
                         [](const auto& parameter) { return cases()[parameter.param].label; });

}  // namespace
}  // namespace alo
