// SPDX-License-Identifier: MIT
#include "penalties/analysis/operators.hpp"

#include <cmath>
#include <limits>
#include <random>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <Eigen/LU>

#include "alo/error.hpp"
#include "alo/signal_patterns.hpp"
#include "penalties/term_pattern.hpp"

namespace alo {
namespace {

using Operator = std::shared_ptr<const AnalysisOperator>;
using EdgeList = std::vector<std::pair<Index, Index>>;

constexpr Index columns = 7;

struct OperatorCase {
  std::string label;
  Operator analysis;
};

// Every structure, and matrices that have none.
std::vector<OperatorCase> cases() {
  const EdgeList cycle{{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}};
  const EdgeList forest{{1, 0}, {1, 4}, {2, 6}, {4, 3}};
  const EdgeList chain{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}};
  Matrix dependent = graph_differences(columns, cycle)->matrix().toDense();
  dependent(4, 6) = 2.0;
  return {{"chain_1", chain_differences(columns, 1)},
          {"chain_2", chain_differences(columns, 2)},
          {"chain_3", chain_differences(columns, 3)},
          {"chain_5", chain_differences(columns, 5)},
          {"chain_8", chain_differences(columns, 8)},
          {"cycle", graph_differences(columns, cycle)},
          {"forest", graph_differences(columns, forest)},
          {"graph_chain", graph_differences(columns, chain)},
          {"sparse_cycle", sparse_graph_differences(columns, cycle, 0.4)},
          {"sparse_chain", sparse_graph_differences(columns, chain, 1.5)},
          {"haar", haar_wavelet(columns)},
          {"independent", matrix_operator(dependent.bottomRows(3).sparseView())},
          {"dependent", matrix_operator(dependent.sparseView())},
          {"empty", matrix_operator(SparseMatrix(0, columns))}};
}

class AnalysisOperatorTest : public testing::TestWithParam<std::size_t> {
 protected:
  Vector draw(Index size) {
    return Vector::NullaryExpr(size, [this] { return normal(generator); });
  }
  std::vector<Index> some_terms() {
    std::vector<Index> active;
    for (Index k = 0; k < analysis.matrix().rows(); ++k) {
      if (generator() % 3 == 0) active.push_back(k);
    }
    return active;
  }

  Operator owner = cases()[GetParam()].analysis;
  const AnalysisOperator& analysis = *owner;
  std::mt19937 generator{3};
  std::normal_distribution<double> normal;
};

TEST_P(AnalysisOperatorTest, ProximalPointIsThatOfTheMatrix) {
  for (const double lambda : {0.02, 0.3, 2.0}) {
    const Vector b = draw(columns);
    const Proximal found = analysis.prox(b, lambda);
    ASSERT_EQ(found.multipliers.size(), analysis.matrix().rows());
    // b - x = D'u, which is all that is optimal with |u| <= lambda and u'D x = lambda |D x|_1.
    EXPECT_LT((b - found.point - analysis.matrix().transpose() * found.multipliers).norm(), 1e-10);
    const Vector terms = analysis.matrix() * found.point;
    EXPECT_NEAR(found.multipliers.dot(terms), lambda * terms.lpNorm<1>(), 1e-10);
    if (terms.size() > 0) {
      EXPECT_LE(found.multipliers.cwiseAbs().maxCoeff(), lambda * (1.0 + 1e-12));
    }
  }
}

TEST_P(AnalysisOperatorTest, BasesSpanWhatTheTermsLeaveFree) {
  EXPECT_LT(Matrix(analysis.matrix() * analysis.null_basis()).norm(), 1e-12);
  for (int count = 0; count < 10; ++count) {
    const std::vector<Index> active = count == 0 ? std::vector<Index>{} : some_terms();
    Matrix rest = analysis.matrix().toDense();
    for (const Index k : active) rest.row(k).setZero();
    const Matrix basis = analysis.tangent_basis(active).toDense();
    const Index rank = rest.rows() == 0 ? 0 : Eigen::FullPivLU<Matrix>(rest).rank();
    EXPECT_EQ(basis.cols(), columns - rank);
    EXPECT_LT((rest * basis).norm(), 1e-12);
    if (basis.cols() > 0) {
      EXPECT_EQ(Eigen::FullPivLU<Matrix>(basis).rank(), basis.cols());
    }
  }
}

TEST_P(AnalysisOperatorTest, APointOfThePatternStaysThere) {
  for (int count = 0; count < 10; ++count) {
    const std::vector<Index> active = some_terms();
    const SparseMatrix basis = analysis.tangent_basis(active);
    const Vector point = basis * draw(basis.cols());
    const Vector again = analysis.onto_pattern(point, active);
    EXPECT_LT((again - point).norm(), 1e-12);
    // Rounding that the point does not have is not brought in.
    EXPECT_LE((analysis.matrix() * again).cwiseAbs().sum(),
              (analysis.matrix() * point).cwiseAbs().sum() + 1e-12);
  }
}

TEST_P(AnalysisOperatorTest, GaugeIsTheLeastBound) {
  const SparseMatrix& matrix = analysis.matrix();
  const Vector slopes = matrix.transpose() * draw(matrix.rows());
  const double gauge = analysis.gauge(slopes);
  const double general = terms_gauge(matrix, analysis.null_basis(), slopes);
  EXPECT_NEAR(gauge, general, 1e-8 * (1.0 + general));
}

TEST_P(AnalysisOperatorTest, RightInverse) {
  const RightInverse* inverse = analysis.right_inverse();
  const SparseMatrix& matrix = analysis.matrix();
  const bool independent =
      matrix.rows() == 0 || Eigen::FullPivLU<Matrix>(matrix.toDense()).rank() == matrix.rows();
  ASSERT_EQ(inverse != nullptr, independent);
  if (inverse == nullptr) return;
  const Matrix units = Matrix::Identity(matrix.rows(), matrix.rows());
  const Matrix z = inverse->multiply(units);
  EXPECT_LT((matrix * z - units).norm(), 1e-12);
  const Matrix x = Matrix::NullaryExpr(4, columns, [this] { return normal(generator); });
  EXPECT_LT((inverse->multiply_design(Design(x)) - x * z).norm(), 1e-11);
  EXPECT_LT((inverse->transpose_multiply(x.transpose()) - z.transpose() * x.transpose()).norm(), 1e-11);
}

TEST_P(AnalysisOperatorTest, SlopesOfTheProximalMap) {
  const ProximalMap* map = analysis.proximal_map();
  if (map == nullptr) GTEST_SKIP() << "it is not written down";
  constexpr double step = 1e-6;
  for (const double lambda : {0.1, 0.4, 1.0}) {
    const Vector signal = draw(columns);
    const Proximal here = map->at(signal, lambda);
    EXPECT_LT((here.point - analysis.prox(signal, lambda).point).norm(), 1e-14);
    const Vector slopes = map->slopes(here.multipliers, lambda);
    for (Index i = 0; i < columns; ++i) {
      const Vector move = step * Vector::Unit(columns, i);
      const double up = map->at(signal + move, lambda).point[i];
      const double down = map->at(signal - move, lambda).point[i];
      EXPECT_NEAR(slopes[i], (up - down) / (2.0 * step), 1e-7);
    }
  }
}

TEST_P(AnalysisOperatorTest, SignalsAreProximalPoints) {
  const SignalPatterns* signals = analysis.signals();
  if (signals == nullptr) GTEST_SKIP() << "they are not solved for directly";
  const Vector signal = draw(columns);
  const Vector ones = Vector::Ones(columns);
  const std::vector<double> lambdas{1.0, 0.3, 0.05};
  const auto search = signals->search(signal, ones);
  const auto patterns = search->solve(lambdas, {});
  ASSERT_EQ(patterns.size(), lambdas.size());
  for (std::size_t k = 0; k < lambdas.size(); ++k) {
    const Vector values = patterns[k]->values();
    EXPECT_LT((values - analysis.prox(signal, lambdas[k]).point).norm(), 1e-10);
    EXPECT_NEAR(patterns[k]->variation(), (analysis.matrix() * values).lpNorm<1>(), 1e-11);
    const Vector multipliers = patterns[k]->multipliers(signal, ones, lambdas[k]);
    EXPECT_LT((signal - values - analysis.matrix().transpose() * multipliers).norm(), 1e-10);
    // The marked terms are the pattern, whose values are a projection: the trace is its dimension.
    const std::vector<Index> active = analysis.active_terms(values, multipliers, lambdas[k]);
    const Vector hat = patterns[k]->hat(ones, ones);
    EXPECT_NEAR(hat.sum(), static_cast<double>(analysis.tangent_basis(active).cols()), 1e-10);
    EXPECT_LT((signals->marked(ones, active)->hat(ones, ones) - hat).norm(), 1e-10);
  }
}

INSTANTIATE_TEST_SUITE_P(All, AnalysisOperatorTest, testing::Range(std::size_t{0}, cases().size()),
                         [](const auto& parameter) { return cases()[parameter.param].label; });

// Members of a block that rounding has parted are equal again, and those at zero are zero.
TEST(AnalysisOperators, BlocksHoldExactly) {
  const Vector b{{1.0, 1.0 + 1e-15, 3.0, 3.0 - 2e-15, -2.0, 1e-17, 7.0}};
  const Vector chain = chain_differences(columns, 1)->onto_pattern(b, {1, 3, 4, 5});
  EXPECT_EQ(chain[0], chain[1]);
  EXPECT_EQ(chain[2], chain[3]);
  EXPECT_EQ(chain.tail(3), b.tail(3));
  const auto sparse = sparse_graph_differences(columns, {{0, 1}, {2, 3}}, 0.5);
  const Vector zero = sparse->onto_pattern(b, {2, 3, 4, 5, 6, 8});
  EXPECT_EQ(zero[0], zero[1]);
  EXPECT_NEAR(zero[0], 1.0, 1e-14);
  EXPECT_EQ(zero[2], zero[3]);
  EXPECT_EQ(zero[4], -2.0);
  EXPECT_EQ(zero[5], 0.0);
  EXPECT_EQ(zero[6], 7.0);
}

TEST(AnalysisOperators, RefuseWhatIsNone) {
  const double nan = std::nan("");
  EXPECT_THROW(chain_differences(columns, 0), InvalidArgument);
  EXPECT_THROW(graph_differences(columns, {{0, columns}}), InvalidData);
  EXPECT_THROW(sparse_graph_differences(columns, {{0, 1}}, -1.0), InvalidArgument);
  EXPECT_THROW(sparse_graph_differences(columns, {{0, 1}}, nan), InvalidArgument);
  Matrix differences = chain_differences(columns, 1)->matrix().toDense();
  differences(2, 3) = nan;
  EXPECT_THROW(matrix_operator(differences.sparseView()), InvalidData);
}

// The values of a coefficient that minimise |D b|_1 are the weighted medians of those of its neighbours.
TEST(AnalysisOperator, BestValuesAreWeightedMedians) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const Vector values{{0.0, 1.0, 5.0, 9.0}};
  const Vector weights = Vector::Ones(4);
  const auto at_center = [&](const EdgeList& edges) {
    return graph_differences(4, edges)->best_values(values, weights, 0);
  };
  EXPECT_EQ(at_center({{0, 1}, {2, 0}, {0, 3}}), std::pair(5.0, 5.0));
  // A double edge to the last neighbour: from 5 to 9 the sum stays as it is.
  EXPECT_EQ(at_center({{0, 1}, {2, 0}, {0, 3}, {3, 0}}), std::pair(5.0, 9.0));
  EXPECT_EQ(at_center({{1, 2}}), std::pair(-infinity, infinity));  // without neighbours
  EXPECT_EQ(chain_differences(4, 1)->best_values(Vector{{3.0, 7.0, -1.0, 2.0}}, weights, 1),
            std::pair(-1.0, 3.0));
}

// What differences find from the nearest neighbours, their matrix gives as weighted medians.
TEST(AnalysisOperator, AllBestValuesAreThoseOfEachCoefficient) {
  const Vector values{{3.0, 7.0, -1.0, 2.0, 2.0, 5.0}};
  const Vector weights = Vector::Ones(6);
  for (const auto& analysis : {chain_differences(6, 1), chain_differences(6, 2),
                               graph_differences(6, {{0, 1}, {1, 2}, {1, 5}, {2, 3}, {4, 5}, {1, 4}})}) {
    const auto all = analysis->all_best_values(values);
    ASSERT_EQ(all.size(), 6u);
    for (Index j = 0; j < 6; ++j)
      EXPECT_EQ(all[static_cast<std::size_t>(j)], analysis->best_values(values, weights, j)) << j;
  }
}

}  // namespace
}  // namespace alo
