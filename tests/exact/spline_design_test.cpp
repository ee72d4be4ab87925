// SPDX-License-Identifier: MIT
// Trend filters of higher orders with a design: in the variables of a lasso their columns are much alike.
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "alo/leave_one_out.hpp"
#include "alo/path.hpp"
#include "alo/penalties/generalized_lasso.hpp"
#include "alo/registry.hpp"
#include "random_problem.hpp"

namespace alo {
namespace {

using testing_support::max_difference;

Problem smooth_effects(int order, Index rows, Index columns, const std::string& loss) {
  std::mt19937 generator(7);
  std::normal_distribution<double> normal;
  const Matrix design = Matrix::NullaryExpr(rows, columns, [&] { return normal(generator); });
  const Vector effects =
      (Vector::LinSpaced(columns, 0.0, 6.0).array().sin() / std::sqrt(static_cast<double>(columns)));
  Vector response = design * effects;
  for (double& value : response) {
    value += 0.5 * normal(generator);
    if (loss == "logistic") value = value > 0.0 ? 1.0 : -1.0;
  }
  return {make_dataset(Design(design), response),
          make_loss(loss),
          GeneralizedLasso::differences(columns, order, "trend-filter"),
          {true, false}};
}

TEST(SplineDesign, FitsAreCertifiedAndAllFormsAgree) {
  for (const int order : {3, 4, 5}) {
    for (const std::string loss : {"squared", "logistic"}) {
      const Problem problem = smooth_effects(order, 60, 40, loss);
      const double start = lambda_start(problem);
      std::vector<double> lambdas;
      for (int k = 0; k < 5; ++k) lambdas.push_back(start * std::pow(0.1, k));
      for (const Fit& fit : fit_path(problem, lambdas).fits) {
        ASSERT_TRUE(fit.certificate.gap) << order << ' ' << loss << " at " << fit.lambda;
        EXPECT_LT(*fit.certificate.gap, 1e-9) << order << ' ' << loss << " at " << fit.lambda;
        const LeaveOneOut primal = approximate_leave_one_out(problem, fit, Framework::primal);
        const LeaveOneOut dual = approximate_leave_one_out(problem, fit, Framework::dual);
        EXPECT_LT(max_difference(primal.leverage, dual.leverage), 1e-8);
      }
    }
  }
}

}  // namespace
}  // namespace alo
