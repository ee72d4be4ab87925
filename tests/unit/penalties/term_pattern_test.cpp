// SPDX-License-Identifier: MIT
#include "penalties/term_pattern.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "alo/penalties/generalized_lasso.hpp"

namespace alo {
namespace {

struct Example {
  Matrix curvature;
  Vector slopes;
  SparseMatrix terms;
};

// `repeated` rows of D are sums of others.
Example example(unsigned seed, Index columns, Index rows, Index repeated, Index rank) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal;
  const auto draw = [&](Index m, Index n) {
    return Matrix(Matrix::NullaryExpr(m, n, [&] { return normal(generator); }));
  };
  const Matrix x = draw(rank, columns);
  Matrix d = draw(rows, columns);
  for (Index k = 0; k < repeated; ++k) d.row(rows - 1 - k) = d.row(0) - 0.5 * d.row(k + 1);
  return {x.transpose() * x, x.transpose() * draw(rank, 1), d.sparseView()};
}

// Of c - H b = D'u, |u| <= lambda and u = lambda sign(D b) at the marked terms.
void expect_optimal(const Example& e, const TermSolution& found, double lambda) {
  const double size = std::max(lambda, e.slopes.lpNorm<Eigen::Infinity>());
  const Vector missed = e.slopes - e.curvature * found.coefficients - e.terms.transpose() * found.multipliers;
  RC_ASSERT(missed.lpNorm<Eigen::Infinity>() <= 1e-9 * size);
  const Vector terms = e.terms * found.coefficients;
  const double reach = found.coefficients.lpNorm<Eigen::Infinity>();
  for (Index k = 0; k < terms.size(); ++k) {
    RC_ASSERT(std::abs(found.multipliers[k]) <= lambda);
    if (std::abs(found.multipliers[k]) == lambda) {
      RC_ASSERT(terms[k] * found.multipliers[k] > 0.0);
    } else {
      RC_ASSERT(std::abs(terms[k]) <= 1e-9 * reach);
    }
  }
}

RC_GTEST_PROP(TermPattern, MeetsItsOptimalityConditions, ()) {
  const auto seed = *rc::gen::inRange(1u, 1000000u);
  const auto columns = *rc::gen::inRange<Index>(1, 15);
  const auto rows = *rc::gen::inRange<Index>(columns, columns + 15);  // b is unique though X need not be
  const auto repeated = *rc::gen::inRange<Index>(0, std::max<Index>(1, rows - columns));
  const auto rank = *rc::gen::inRange<Index>(1, 20);
  const Example e = example(seed, columns, rows, repeated, rank);
  const double lambda = std::exp(*rc::gen::inRange(-40, 30) / 10.0);
  const TermQuadratic problem{e.curvature, e.slopes, e.terms, lambda};
  const TermSolution found = solve_terms(problem);
  expect_optimal(e, found, lambda);
  // From the pattern of a neighbour the same.
  const TermSolution near =
      solve_terms({e.curvature, e.slopes, e.terms, 1.1 * lambda}, 1.1 * found.multipliers);
  expect_optimal(e, near, 1.1 * lambda);
}

TEST(TermPattern, OfAChainIsTheChain) {
  const auto chain = GeneralizedLasso::differences(30, 1, "fused-lasso");
  const GeneralizedLasso general(chain.analysis()->matrix());
  std::mt19937 generator(4);
  std::normal_distribution<double> normal;
  const Vector y = Vector::NullaryExpr(30, [&] { return normal(generator); });
  for (const double lambda : {0.01, 0.3, 1.0, 50.0}) {
    const TermSolution found = terms_prox(chain.analysis()->matrix(), y, lambda);
    const Proximal expected = chain.prox(y, lambda);
    EXPECT_LT((found.coefficients - expected.point).lpNorm<Eigen::Infinity>(), 1e-11);
    EXPECT_LT((found.multipliers - expected.multipliers).lpNorm<Eigen::Infinity>(), 1e-10 * lambda);
  }
  SparseMatrix ones(30, 1);
  for (int i = 0; i < 30; ++i) ones.insert(i, 0) = 1.0;
  EXPECT_NEAR(terms_gauge(chain.analysis()->matrix(), ones, y), chain.lambda_max(y.array() - y.mean()),
              1e-10);
}

TEST(TermPattern, TheGaugeIsWhereTheProximalPointVanishes) {
  const Example e = example(7, 8, 14, 3, 5);
  const double gauge = terms_gauge(e.terms, SparseMatrix(8, 0), e.slopes);
  EXPECT_LT(terms_prox(e.terms, e.slopes, 1.001 * gauge).coefficients.norm(), 1e-12);
  EXPECT_GT(terms_prox(e.terms, e.slopes, 0.999 * gauge).coefficients.norm(), 1e-6);
}

}  // namespace
}  // namespace alo
