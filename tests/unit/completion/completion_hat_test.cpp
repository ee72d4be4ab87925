// SPDX-License-Identifier: MIT
#include "completion/completion_hat.hpp"

#include <gtest/gtest.h>
#include <Eigen/LU>
#include <Eigen/QR>
#include <cmath>

#include "alo/error.hpp"
#include "seed.hpp"
#include "unit/completion/dense_completion.hpp"

namespace alo {
namespace {

using testing_support::as_matrix;
using testing_support::CompletionCase;
using testing_support::LossChoice;
using testing_support::random_case;
using testing_support::varied;

// An orthogonal matrix whose first columns are these.
Matrix completed(const Matrix& columns) {
  Matrix result = columns.householderQr().householderQ();
  result.leftCols(columns.cols()) = columns;
  return result;
}

// H_jj from full matrices, entry by entry: A has one column u_k v_l' for each (k, l) with k or l among the m
// singular directions, and the curvature of the nuclear norm couples (k, l) with (l, k) within them and, off
// them, (s, l) with (k, s) by -C_kl / sigma_s, C being minus the gradient over lambda in the completed bases.
Vector dense_hat(const CompletionCase& given, const CompletionFit& fit) {
  const Index m = fit.rank();
  const Index rows = given.data.rows;
  const Index columns = given.data.columns;
  const Matrix u = completed(fit.u);
  const Matrix v = completed(fit.v);
  const Matrix c = -u.transpose() * as_matrix(given.data, fit.slope) * v / fit.lambda;
  Eigen::MatrixXi place = Eigen::MatrixXi::Constant(rows, columns, -1);
  int count = 0;
  for (Index k = 0; k < rows; ++k) {
    for (Index l = 0; l < columns; ++l) {
      if (k < m || l < m) place(k, l) = count++;
    }
  }
  const Index size = count + (given.intercept ? 1 : 0);
  Matrix curvature = Matrix::Zero(size, size);
  for (Index k = 0; k < m; ++k) {
    for (Index l = 0; l < m; ++l) {
      if (k == l) continue;
      const double value = 1.0 / (fit.sigma[k] + fit.sigma[l]);
      curvature(place(k, l), place(k, l)) = value;
      curvature(place(k, l), place(l, k)) = -value;
    }
  }
  for (Index s = 0; s < m; ++s) {
    for (Index l = m; l < columns; ++l) curvature(place(s, l), place(s, l)) = 1.0 / fit.sigma[s];
    for (Index k = m; k < rows; ++k) curvature(place(k, s), place(k, s)) = 1.0 / fit.sigma[s];
    for (Index k = m; k < rows; ++k) {
      for (Index l = m; l < columns; ++l) {
        curvature(place(s, l), place(k, s)) = curvature(place(k, s), place(s, l)) = -c(k, l) / fit.sigma[s];
      }
    }
  }
  const Index observations = fit.predictor.size();
  Matrix design = Matrix::Zero(observations, size);
  for (Index j = 0; j < observations; ++j) {
    const auto at = static_cast<std::size_t>(j);
    for (Index k = 0; k < rows; ++k) {
      for (Index l = 0; l < columns; ++l) {
        if (place(k, l) < 0) continue;
        design(j, place(k, l)) = u(given.data.row[at], k) * v(given.data.column[at], l);
      }
    }
    if (given.intercept) design(j, size - 1) = 1.0;
  }
  const Vector bend =
      given.data.weight.cwiseProduct(given.loss.curvature(fit.predictor, given.data.response));
  const Matrix second = design.transpose() * bend.asDiagonal() * design + fit.lambda * curvature;
  return (design * second.fullPivLu().solve(design.transpose())).diagonal();
}

CompletionFit fit_of(const CompletionCase& given, double share) {
  CompletionSolver solver(given.data, given.loss, given.intercept);
  return solver.fit(share * solver.lambda_max());
}

CompletionHat hat_of(const CompletionCase& given, const CompletionFit& fit) {
  return completion_hat(given.data, given.loss, given.intercept, fit, {});
}

struct HatCase {
  Index rows;
  Index columns;
  Index count;
  double share;
};

class CompletionHats : public testing::TestWithParam<LossChoice> {};

TEST_P(CompletionHats, EqualTheDenseFormula) {
  unsigned seed = 20;
  for (const HatCase size : {HatCase{6, 5, 45, 0.3}, {5, 6, 45, 0.3}, {5, 5, 40, 0.5}, {4, 3, 40, 0.02}}) {
    for (const bool intercept : {false, true}) {
      const CompletionCase given =
          random_case(size.rows, size.columns, size.count, GetParam(), intercept, varied(++seed));
      const CompletionFit fit = fit_of(given, size.share);
      ASSERT_TRUE(fit.converged);
      const CompletionHat result = hat_of(given, fit);
      ASSERT_TRUE(result.defined);
      const Vector expected = dense_hat(given, fit);
      EXPECT_LT((result.hat - expected).norm(), 1e-7 * expected.norm())
          << size.rows << " x " << size.columns << (intercept ? " with" : " without") << " intercept, rank "
          << fit.rank();
    }
  }
}

// If the weight of an observation grows by a share t, its linear predictor moves by -t H_jj w_j l'_j.
TEST_P(CompletionHats, AreTheMovesOfRefits) {
  const CompletionCase given = random_case(6, 5, 40, GetParam(), true, 31);
  const CompletionFit fit = fit_of(given, 0.3);
  const Vector hat = hat_of(given, fit).hat;
  const double step = 1e-5;
  for (Index j = 0; j < 40; j += 3) {
    Vector moved(2);
    for (const int sign : {0, 1}) {
      CompletionCase other = given;
      other.data.weight[j] *= 1.0 + (sign == 0 ? -step : step);
      CompletionSolver solver(other.data, other.loss, other.intercept);
      moved[sign] = solver.fit(fit.lambda).predictor[j];
    }
    const double derivative = (moved[1] - moved[0]) / (2.0 * step);
    EXPECT_NEAR(derivative, -hat[j] * fit.slope[j], 1e-4 * (std::abs(derivative) + 0.01)) << j;
  }
}

double held_out_loss(const CompletionCase& given, const CompletionFit& fit, const Vector& hat) {
  const Vector bend =
      given.data.weight.cwiseProduct(given.loss.curvature(fit.predictor, given.data.response));
  const Vector predictor =
      fit.predictor.array() + hat.array() * fit.slope.array() / (1.0 - hat.array() * bend.array());
  return given.data.weight.dot(given.loss.value(predictor, given.data.response) -
                               given.loss.minimum(given.data.response));
}

TEST_P(CompletionHats, FromProbesGiveNearlyTheSameRisk) {
  const CompletionCase given = random_case(40, 30, 500, GetParam(), true, 9);
  const CompletionFit fit = fit_of(given, 0.4);
  const Vector exact = hat_of(given, fit).hat;
  const CompletionHatOptions options{CompletionHatMethod::probes, 100, 1};
  const CompletionHat probed = completion_hat(given.data, given.loss, given.intercept, fit, options);
  const double risk = held_out_loss(given, fit, exact);
  // Three standard errors, the scatter's bias, and what is left of higher order.
  const double allowed = 3.0 * probed.standard_error + std::abs(probed.scatter_bias) + 0.005;
  EXPECT_LT(allowed, 0.1);
  EXPECT_NEAR(held_out_loss(given, fit, probed.hat), risk, allowed * risk);
  EXPECT_LT((probed.hat - exact).norm(), 0.3 * exact.norm());
  const CompletionHat again = completion_hat(given.data, given.loss, given.intercept, fit, options);
  EXPECT_EQ(again.hat, probed.hat);
}

INSTANTIATE_TEST_SUITE_P(All, CompletionHats,
                         testing::Values(LossChoice::squared, LossChoice::logistic, LossChoice::poisson,
                                         LossChoice::huber));

TEST(CompletionHat, OfRankZeroIsThatOfTheIntercept) {
  CompletionCase given = random_case(5, 4, 12, LossChoice::squared, true, 2);
  const Vector with = hat_of(given, fit_of(given, 1.0)).hat;
  EXPECT_LT((with.array() - 1.0 / given.data.weight.sum()).abs().maxCoeff(), 1e-14);
  given.intercept = false;
  EXPECT_EQ(hat_of(given, fit_of(given, 1.0)).hat, Vector::Zero(12));
}

TEST(CompletionHat, CostsMoreExactlyThanByProbesWhereTheMatrixIsLarge) {
  CompletionData data;
  data.rows = data.columns = 1000;
  data.row.resize(100000);
  // 30 probes of some 15 steps, each of twelve operations per entry and factor.
  const auto by_probes = [&](double rank) {
    return 12.0 * 15.0 * 30.0 * rank * static_cast<double>(data.row.size());
  };
  EXPECT_GT(exact_hat_operations(data, 10), 10.0 * by_probes(10));
  EXPECT_NEAR(exact_hat_bytes(data, 10), 0.88e9, 0.01e9);
  data.rows = data.columns = 20;
  data.row.resize(600);
  EXPECT_LT(exact_hat_operations(data, 2), by_probes(2));
}

TEST(CompletionHat, NeedsTwoProbes) {
  const CompletionCase given = random_case(5, 4, 12, LossChoice::squared, true, 2);
  EXPECT_THROW(
      completion_hat(given.data, given.loss, true, fit_of(given, 0.5), {CompletionHatMethod::probes, 1, 1}),
      InvalidArgument);
}

}  // namespace
}  // namespace alo
