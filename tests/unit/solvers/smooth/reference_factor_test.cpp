// SPDX-License-Identifier: MIT
// The factor of a face whose curvature is not a number, or not finite: its retries end, with a name.
#include "solvers/smooth/reference_factor.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "alo/penalties/lasso.hpp"
#include "fixed_curvature.hpp"
#include "random_problem.hpp"
#include "solvers/smooth/newton_solver.hpp"

namespace alo {
namespace {

using testing_support::FixedCurvature;
using testing_support::RandomProblem;
using Outcome = ReferenceFactor::Outcome;

Problem problem_with(double curvature) {
  RandomProblem p;
  p.rows = 20;
  p.columns = 3;
  return {p.dataset(), FixedCurvature(curvature), Lasso(), {}};
}

Outcome outcome_of(double curvature) {
  const Problem problem = problem_with(curvature);
  SignedFace face(problem, problem.data().weights);
  face.lambda = 1.0;
  face.begin_at(Vector::Ones(3), Vector::Zero(1));
  ReferenceFactor factor;
  factor.make(face);
  EXPECT_TRUE(factor.direction(face, face.descent()).allFinite());
  EXPECT_EQ(factor.hat(face).size() == 0, factor.outcome() != Outcome::regular);
  return factor.outcome();
}

TEST(ReferenceFactor, CurvatureHasAnOutcome) {
  EXPECT_EQ(outcome_of(1.0), Outcome::regular);
  EXPECT_EQ(outcome_of(0.0), Outcome::raised);
  // The curvature of a parabola stands in for what is not a number.
  EXPECT_EQ(outcome_of(std::numeric_limits<double>::quiet_NaN()), Outcome::raised);
  EXPECT_EQ(outcome_of(std::numeric_limits<double>::infinity()), Outcome::not_finite);
}

TEST(ReferenceFactor, ASolverEndsWithFiniteCoefficients) {
  for (const double curvature :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    const Problem problem = problem_with(curvature);
    NewtonSolver solver(problem, problem.data().weights);
    solver.solve(0.1);
    EXPECT_TRUE(solver.coefficients().allFinite());
  }
}

}  // namespace
}  // namespace alo
