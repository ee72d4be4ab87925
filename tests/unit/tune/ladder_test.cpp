// SPDX-License-Identifier: MIT
// The order in which effort is spent: which lambda gets which evidence.
#include "tune/ladder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alo/select.hpp"
#include "random_problem.hpp"
#include "solvers/method.hpp"
#include "tune/chance.hpp"
#include "tune/verdict.hpp"
#include "unit/tune/nearly_separable.hpp"

namespace alo {
namespace {

using testing_support::medium_problem;
using testing_support::nearly_separable;
using testing_support::RandomProblem;

// A lasso with more columns than rows, whose approximation is in doubt where the path ends.
Problem wide_lasso(unsigned seed = 1) {
  RandomProblem p = medium_problem();
  p.rows = 60;
  p.columns = 120;
  p.seed = seed;
  return p.problem();
}

Problem kinked(unsigned seed) {
  RandomProblem p = medium_problem();
  p.loss = "hinge";
  p.penalty = "elastic-net";
  p.rows = 40;
  p.columns = 20;
  p.seed = seed;
  return p.problem();
}

// The evidence on a path, with an effort of so many times exact leave-one-out of all rows at the lambda that
// the formula prefers.
class Climb {
 public:
  Climb(Problem problem, double evaluations, std::vector<double> lambdas = {})
      : problem_(std::move(problem)), result_(tune(problem_, alone(std::move(lambdas)))) {
    center_ = *result_.minimum->choice.index;
    const PathPoint& point = result_.path[at(center_)];
    const double all =
        route(problem_).exact_flops(problem_, {point.nonzero, point.degrees_of_freedom}, problem_.rows());
    options_.effort = evaluations * all / route(problem_).path_flops(problem_, nonzero());
    evidence_.emplace(problem_, options_, monitor_, result_, looks());
  }

  Index center() const { return center_; }  // the choice of the formula
  double lambda(Index k) const { return result_.path[at(k)].fit.lambda; }
  const TuneResult& result() const { return result_; }
  ExactEvidence& evidence() { return *evidence_; }

  std::vector<Index> of_kind(EstimateKind kind) const {
    std::vector<Index> found;
    for (Index k = 0; k < evidence_->size(); ++k) {
      if (evidence_->at(k).kind == kind) found.push_back(k);
    }
    return found;
  }

  // Where the risk is exact or sampled.
  std::vector<Index> examined() const {
    std::vector<Index> found;
    for (Index k = 0; k < evidence_->size(); ++k) {
      if (evidence_->at(k).kind >= EstimateKind::sampled) found.push_back(k);
    }
    return found;
  }

  std::optional<Choices> choices() const {
    const RiskCurve& curve = result_.risk.front();
    std::vector<double> lambdas;
    for (const PathPoint& point : result_.path) lambdas.push_back(point.fit.lambda);
    return choose_on_grid(curve.metric, lambdas, {curve.estimate.begin(), curve.estimate.end()});
  }

  Index best() const {
    Index found = 0;
    for (Index k = 0; k < evidence_->size(); ++k) {
      if (evidence_->looks(k) < evidence_->looks(found)) found = k;
    }
    return found;
  }

 private:
  static std::size_t at(Index k) { return static_cast<std::size_t>(k); }

  static TuneOptions alone(std::vector<double> lambdas) {
    TuneOptions options;
    options.choose = ChooseBy::alo;
    options.grid.count = 60;
    options.lambdas = std::move(lambdas);
    return options;
  }

  std::vector<Index> nonzero() const {
    std::vector<Index> counts;
    for (const PathPoint& point : result_.path) counts.push_back(point.nonzero);
    return counts;
  }

  std::vector<double> looks() const {
    std::vector<double> found;
    for (const Estimate& risk : result_.risk.front().alo) found.push_back(risk.mean.value_or(1e300));
    return found;
  }

  Problem problem_;
  TuneResult result_;
  TuneOptions options_;
  Monitor monitor_;
  Index center_ = 0;
  std::optional<ExactEvidence> evidence_;
};

TEST(Ladder, SettlesEveryLambdaWhereThatIsAffordable) {
  Climb climb(wide_lasso(), 1e4);
  find_minimum(climb.evidence(), climb.result());
  EXPECT_EQ(climb.of_kind(EstimateKind::exact).size(), climb.result().path.size());
}

// What suffices for one lambda is spent at the one that the formula prefers. It is settled in two steps, of
// which each has its own costs beside those of the rows.
TEST(Ladder, SettlesTheMinimumFirst) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    Climb climb(wide_lasso(seed), 2.5);
    find_minimum(climb.evidence(), climb.result());
    EXPECT_THAT(climb.of_kind(EstimateKind::exact), testing::ElementsAre(climb.center())) << seed;
  }
}

// With more, lambdas at which the formula is in doubt are examined, the last of them among the first, and at
// most eight.
TEST(Ladder, ExaminesLambdasInDoubt) {
  for (unsigned seed = 2; seed <= 5; ++seed) {
    Climb climb(wide_lasso(seed), 30.0);
    const Index last = climb.evidence().size() - 1;
    ASSERT_TRUE(climb.evidence().is_doubtful(last)) << seed;
    find_minimum(climb.evidence(), climb.result());
    const std::vector<Index> examined = climb.examined();
    EXPECT_THAT(examined, testing::Contains(last)) << seed;
    EXPECT_THAT(examined, testing::Contains(climb.best())) << seed;
    EXPECT_GE(examined.size(), 4U) << seed;
    // Beside anchors these are the choice of the formula and minima that turned out not to be any.
    EXPECT_LE(examined.size(), 8U + 4U) << seed;
  }
}

// What is left of the effort goes to the two neighbours of the minimum, and to the choice of the rule of one
// standard error.
TEST(Ladder, SettlesTheSurroundingsOfTheMinimum) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    Climb climb(wide_lasso(seed), 30.0);
    find_minimum(climb.evidence(), climb.result());
    settle_doubts(climb.evidence(), climb.result());
    const Index best = climb.best();
    for (Index k = std::max<Index>(best - 1, 0); k <= std::min(best + 1, climb.evidence().size() - 1); ++k) {
      EXPECT_EQ(climb.evidence().at(k).kind, EstimateKind::exact) << seed << " at " << k;
    }
    const auto choices = climb.choices();
    ASSERT_TRUE(choices && choices->one_se.index) << seed;
    EXPECT_GE(climb.evidence().at(*choices->one_se.index).kind, EstimateKind::sampled) << seed;
  }
}

// Of a loss with kinks the formula is in doubt everywhere. Between what is known nothing is left that is
// likely to be better, unless the effort is.
TEST(Ladder, ExploresBetweenWhatIsKnown) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    Climb before(kinked(seed), 25.0);
    find_minimum(before.evidence(), before.result());
    Climb climb(kinked(seed), 25.0);
    find_minimum(climb.evidence(), climb.result());
    settle_doubts(climb.evidence(), climb.result());
    EXPECT_GE(climb.examined().size(), before.examined().size()) << seed;
    for (const Gap& gap : gaps_of_path(climb.result())) {
      if (!(gap.chance > least_chance)) continue;
      const auto k = static_cast<Index>((gap.above + gap.below) / 2);
      EXPECT_LT(climb.evidence().left(), 2.0 * climb.evidence().all_rows_flops(k)) << seed;
    }
  }
}

// Where not even one lambda can be settled, rows of high leverage are, at lambdas on both sides of the
// minimum that are a factor of two apart, and the minimum is sampled.
TEST(Ladder, FollowsTheRiskByRowsOfHighLeverage) {
  for (const unsigned seed : {1U, 2U, 7U}) {
    Climb climb(nearly_separable(seed), 0.5);
    find_minimum(climb.evidence(), climb.result());
    EXPECT_THAT(climb.of_kind(EstimateKind::exact), testing::IsEmpty()) << seed;
    const std::vector<Index> repaired = climb.of_kind(EstimateKind::repaired);
    ASSERT_GE(repaired.size(), 2U) << seed;
    for (std::size_t a = 1; a < repaired.size(); ++a) {
      EXPECT_GE(climb.lambda(repaired[a - 1]), 2.0 * climb.lambda(repaired[a]) * (1.0 - 1e-12)) << seed;
    }
    for (const Index k : repaired) {
      const KnownRows& rows = climb.evidence().rows(k);
      for (Index i = 0; i < rows.formula.leverage.size(); ++i) {
        const bool is_settled = rows.settled[static_cast<std::size_t>(i)];
        if (!is_undefined(rows.formula.flags[static_cast<std::size_t>(i)])) {
          EXPECT_EQ(is_settled, rows.formula.leverage[i] >= 0.5) << seed << " row " << i;
        }
      }
    }
  }
}

// The effort is never exceeded, however little it is, and more of it never leaves less known.
TEST(Ladder, KeepsToTheEffort) {
  for (const bool has_kinks : {false, true}) {
    std::size_t known = 0;
    for (const double evaluations : {0.01, 0.3, 1.0, 3.0, 10.0, 30.0, 1e4}) {
      Climb climb(has_kinks ? kinked(1) : nearly_separable(1), evaluations);
      const double allowed = climb.evidence().left();
      find_minimum(climb.evidence(), climb.result());
      settle_doubts(climb.evidence(), climb.result());
      EXPECT_LE(climb.evidence().spent(), allowed) << evaluations;
      EXPECT_GE(climb.examined().size(), known) << evaluations;
      known = climb.examined().size();
    }
  }
}

// Distances are in log lambda, of which zero has none.
TEST(Ladder, TakesAPathThatEndsAtZero) {
  RandomProblem p = medium_problem();
  p.rows = 60;
  p.columns = 30;
  Climb climb(p.problem(), 6.0, {40.0, 20.0, 10.0, 5.0, 2.0, 1.0, 0.5, 0.0});
  find_minimum(climb.evidence(), climb.result());
  settle_doubts(climb.evidence(), climb.result());
  EXPECT_GE(climb.evidence().at(climb.best()).kind, EstimateKind::sampled);
}

}  // namespace
}  // namespace alo
