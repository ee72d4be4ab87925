// SPDX-License-Identifier: MIT
// Exact leave-one-out along a path as far as the effort allows, and what is chosen by it.
#include "tune/evidence.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "messages.hpp"
#include "random_problem.hpp"
#include "solvers/method.hpp"
#include "tune/ladder.hpp"
#include "tune/verdict.hpp"

namespace alo {
namespace {

using testing_support::hints_at;
using testing_support::medium_problem;
using testing_support::RandomProblem;
using testing_support::says;

// A lasso with more columns than rows, whose approximation is off where the path ends.
RandomProblem wide_problem() {
  RandomProblem p = medium_problem();
  p.rows = 60;
  p.columns = 120;
  return p;
}

LeaveOneOut exact_at(const Problem& problem, const Fit& fit) {
  return exact_leave_one_out(problem, std::span(&fit, 1), testing_support::all_rows(problem)).values[0];
}

TuneOptions alone() {
  TuneOptions options;
  options.choose = ChooseBy::alo;
  return options;
}

// What the formula makes of every lambda.
std::vector<double> looks_of(const TuneResult& result) {
  std::vector<double> looks;
  for (const Estimate& alo : result.risk.front().alo) {
    looks.push_back(alo.mean.value_or(-std::numeric_limits<double>::infinity()));
  }
  return looks;
}

Index place_of_minimum(const std::vector<BestEstimate>& curve) {
  Index best = 0;
  for (Index k = 0; k < static_cast<Index>(curve.size()); ++k) {
    if (curve[static_cast<std::size_t>(k)].mean < curve[static_cast<std::size_t>(best)].mean) best = k;
  }
  return best;
}

double effort_for(const Problem& problem, const TuneResult& result, double flops) {
  std::vector<Index> nonzero;
  for (const PathPoint& point : result.path) nonzero.push_back(point.nonzero);
  return flops / route(problem).path_flops(problem, nonzero);
}

double flops_of_all_rows(const Problem& problem, const PathPoint& point) {
  return route(problem).exact_flops(problem, {point.nonzero, point.degrees_of_freedom}, problem.rows());
}

TEST(Evidence, IsExactAtEveryLambdaOfASmallProblem) {
  const Problem problem = wide_problem().problem();
  TuneOptions options;
  options.metrics = {Metric::mse, Metric::mae, Metric::r2};
  const TuneResult result = tune(problem, options);
  EXPECT_EQ(result.chosen_by, ChooseBy::exact);
  EXPECT_FALSE(result.exact_cost);
  for (std::size_t k = 0; k < result.path.size(); k += 7) {
    const LeaveOneOut exact = exact_at(problem, result.path[k].fit);
    for (const RiskCurve& curve : result.risk) {
      EXPECT_EQ(curve.estimate[k].kind, EstimateKind::exact);
      EXPECT_EQ(curve.estimate[k].error, 0.0);
      // Rounding: BLAS may have another number of threads inside tune().
      EXPECT_NEAR(*curve.estimate[k].mean, *estimate_risk(problem, curve.metric, exact).mean, 1e-10);
      EXPECT_EQ(curve.exact[k].mean, curve.estimate[k].mean);
    }
  }
  const Selected& best = *result.minimum;
  EXPECT_EQ(best.choice.index, place_of_minimum(result.risk[0].estimate));
  EXPECT_EQ(best.kind, EstimateKind::exact);
  EXPECT_EQ(best.exact.size(), 3U);
  EXPECT_EQ(best.choice.risk.mean, best.exact[0].mean);
  const LeaveOneOut exact = exact_at(problem, best.point.fit);
  EXPECT_LT((best.point.rows->exact - exact.linear_predictor).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_GT(result.timing.exact_s, 0.0);
}

TEST(Evidence, NoEffortMeansTheApproximationAlone) {
  const Problem problem = wide_problem().problem();
  TuneOptions options;
  options.effort = 0.0;
  for (const TuneResult& result : {tune(problem, options), tune(problem, alone())}) {
    EXPECT_EQ(result.chosen_by, ChooseBy::alo);
    EXPECT_TRUE(result.minimum->exact.empty());
    EXPECT_TRUE(result.risk[0].exact.empty());
    EXPECT_EQ(result.minimum->point.rows->exact.size(), 0);
    for (std::size_t k = 0; k < result.path.size(); ++k) {
      EXPECT_EQ(result.risk[0].estimate[k].mean, result.risk[0].alo[k].mean);
      EXPECT_EQ(result.risk[0].estimate[k].kind, EstimateKind::alo);
    }
    EXPECT_TRUE(result.exact_cost);
  }
}

// Of a ridge the formula is exact, so that no effort is spent.
TEST(Evidence, OfARidgeIsTheFormula) {
  RandomProblem p = wide_problem();
  p.penalty = "ridge";
  const Problem problem = p.problem();
  const TuneResult result = tune(problem);
  EXPECT_EQ(result.chosen_by, ChooseBy::exact);
  EXPECT_TRUE(result.risk[0].exact.empty());
  EXPECT_TRUE(result.minimum->exact.empty());
  EXPECT_EQ(result.minimum->kind, EstimateKind::exact);
  EXPECT_TRUE(result.verdict.reliable);
  // The formula and refits agree to the certificate's tolerance.
  const LeaveOneOut exact = exact_at(problem, result.minimum->point.fit);
  EXPECT_NEAR(*result.minimum->choice.risk.mean, *estimate_risk(problem, Metric::mse, exact).mean,
              1e-6 * *result.minimum->choice.risk.mean);
}

// The choice is one of which more is known than the formula says; with effort for some tens of lambdas it and
// its neighbours are exact, and it is the smallest of the exact risks. The effort is not exceeded.
TEST(Evidence, IsSpentWhereTheChoiceIsMade) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    RandomProblem p = wide_problem();
    p.seed = seed;
    const Problem problem = p.problem();
    const TuneResult by_formula = tune(problem, alone());
    const double one = flops_of_all_rows(problem, by_formula.minimum->point);
    for (const double evaluations : {8.0, 40.0}) {
      TuneOptions options;
      options.effort = effort_for(problem, by_formula, evaluations * one);
      const TuneResult result = tune(problem, options);
      EXPECT_EQ(result.chosen_by, ChooseBy::automatic) << seed;
      EXPECT_GE(result.minimum->kind, EstimateKind::repaired) << seed;
      const bool is_ample = evaluations > 8.0;
      const Index at = *result.minimum->choice.index;
      const auto& curve = result.risk[0].estimate;
      double spent = 0.0;
      for (Index k = 0; k < static_cast<Index>(curve.size()); ++k) {
        const BestEstimate& estimate = curve[static_cast<std::size_t>(k)];
        if (is_ample && std::abs(k - at) <= 1) {
          EXPECT_EQ(estimate.kind, EstimateKind::exact) << seed << " at " << k;
        }
        if (estimate.kind != EstimateKind::exact) continue;
        spent += flops_of_all_rows(problem, result.path[static_cast<std::size_t>(k)]);
        if (is_ample) {
          EXPECT_GE(*estimate.mean, *result.minimum->choice.risk.mean) << seed;
        }
      }
      // What each call costs beside its rows is counted once here, and for each of several calls by the
      // ladder.
      EXPECT_LE(spent, evaluations * one * 1.2) << seed;
    }
  }
}

struct OpenCase {
  OpenCase() : problem(wide_problem().problem()), result(tune(problem, alone())) { options.effort = 1e9; }
  Problem problem;
  TuneResult result;
  TuneOptions options;
  Monitor monitor;
  ExactEvidence evidence{problem, options, monitor, result, looks_of(result)};
};

TEST(Evidence, RepairSettlesRowsInDoubt) {
  OpenCase c;
  const Index k = c.evidence.size() / 3;
  const double before = *c.evidence.at(k).mean;
  ASSERT_TRUE(c.evidence.repair(k));
  EXPECT_EQ(c.evidence.at(k).kind, EstimateKind::repaired);
  EXPECT_FALSE(c.evidence.at(k).error);
  const KnownRows& rows = c.evidence.rows(k);
  const LeaveOneOut exact = exact_at(c.problem, c.result.path[static_cast<std::size_t>(k)].fit);
  Index settled = 0;
  for (Index i = 0; i < c.problem.rows(); ++i) {
    const bool is_settled = rows.settled[static_cast<std::size_t>(i)];
    settled += is_settled ? 1 : 0;
    if (rows.formula.leverage[i] >= 0.5) {
      EXPECT_TRUE(is_settled) << i;
    }
    if (is_settled) {
      EXPECT_NEAR(rows.best.linear_predictor[i], exact.linear_predictor[i], 1e-9) << i;
    }
    if (!is_settled) {
      EXPECT_EQ(rows.best.linear_predictor[i], rows.formula.linear_predictor[i]) << i;
    }
  }
  EXPECT_EQ(settled, rows.count);
  EXPECT_GE(settled, 3) << "5 % of 60 rows";
  const double truth = *estimate_risk(c.problem, Metric::mse, exact).mean;
  EXPECT_LT(std::abs(*c.evidence.at(k).mean - truth), std::abs(before - truth));
}

TEST(Evidence, SampleHasTheExactRiskInItsInterval) {
  OpenCase c;
  for (const Index k : {c.evidence.size() / 3, c.evidence.size() / 2}) {
    const LeaveOneOut exact = exact_at(c.problem, c.result.path[static_cast<std::size_t>(k)].fit);
    c.evidence.repair(k);
    ASSERT_TRUE(c.evidence.sample(k, c.evidence.left()));
    const BestEstimate& estimate = c.evidence.at(k);
    ASSERT_TRUE(estimate.error.has_value());
    const double truth = *estimate_risk(c.problem, Metric::mse, exact).mean;
    EXPECT_LE(std::abs(*estimate.mean - truth), *estimate.error + 1e-9) << k;
  }
}

TEST(Evidence, InterpolationMeetsTheExactValues) {
  OpenCase c;
  ASSERT_TRUE(c.evidence.settle(10));
  ASSERT_TRUE(c.evidence.settle(14));
  c.evidence.interpolate();
  const auto& curve = c.result.risk[0];
  EXPECT_EQ(c.evidence.at(9).kind, EstimateKind::alo);
  EXPECT_EQ(c.evidence.at(15).kind, EstimateKind::alo);
  for (const std::size_t k : {11, 12, 13}) {
    ASSERT_EQ(curve.estimate[k].kind, EstimateKind::corrected);
    const double first = *curve.exact[10].mean / *curve.alo[10].mean;
    const double last = *curve.exact[14].mean / *curve.alo[14].mean;
    const double ratio = *curve.estimate[k].mean / *curve.alo[k].mean;
    const double place = (static_cast<double>(k) - 10.0) / 4.0;  // the grid is even in log lambda
    EXPECT_NEAR(std::log(ratio), (1.0 - place) * std::log(first) + place * std::log(last), 1e-9);
  }
}

TEST(Evidence, WorkBeyondTheEffortIsNotDone) {
  OpenCase c;
  c.options.effort = 1e-6;
  ExactEvidence evidence(c.problem, c.options, c.monitor, c.result, looks_of(c.result));
  EXPECT_FALSE(evidence.settle(5));
  EXPECT_FALSE(evidence.repair(5));
  EXPECT_FALSE(evidence.sample(5, evidence.left()));
  EXPECT_FALSE(evidence.settle_all(true));
  EXPECT_EQ(evidence.spent(), 0.0);
  EXPECT_TRUE(evidence.settle_all(false));
  EXPECT_TRUE(evidence.is_exact(5));
}

TEST(Evidence, OtherCurvesChooseWhereTheyAreAskedTo) {
  const Problem problem = wide_problem().problem();
  TuneOptions options;
  options.choose = ChooseBy::kfold;
  const TuneResult folds = tune(problem, options);
  EXPECT_EQ(folds.chosen_by, ChooseBy::kfold);
  const auto at = static_cast<std::size_t>(*folds.minimum->choice.index);
  for (const Estimate& risk : folds.risk[0].kfold) EXPECT_GE(*risk.mean, *folds.risk[0].kfold[at].mean);
  options.choose = ChooseBy::exact;
  options.effort = 0.0;  // what is asked for is done whatever it costs
  const TuneResult exact = tune(problem, options);
  EXPECT_EQ(exact.chosen_by, ChooseBy::exact);
  EXPECT_EQ(exact.minimum->choice.index, tune(problem).minimum->choice.index);
}

TEST(Evidence, PairedRuleComparesRowByRow) {
  const Problem problem = wide_problem().problem();
  TuneOptions options;
  const TuneResult by_se = tune(problem, options);
  options.rule = Rule::one_se_paired;
  const TuneResult paired = tune(problem, options);
  ASSERT_TRUE(paired.chosen());
  const Selected& chosen = *paired.chosen();
  EXPECT_GE(chosen.choice.lambda, paired.minimum->choice.lambda);
  EXPECT_EQ(paired.minimum->choice.lambda, by_se.minimum->choice.lambda);
  const LeaveOneOut best = exact_at(problem, paired.minimum->point.fit);
  const auto difference = [&](Index k) {
    return paired_difference(problem, Metric::mse,
                             exact_at(problem, paired.path[static_cast<std::size_t>(k)].fit), best);
  };
  const Estimate here = difference(*chosen.choice.index);
  EXPECT_LE(*here.mean, *here.se);
  for (Index k = 0; k < *chosen.choice.index; ++k) EXPECT_GT(*difference(k).mean, *difference(k).se);
}

TEST(Evidence, IsNotReportedWhenStopped) {
  RandomProblem p = wide_problem();
  p.rows = 200;  // more than are walked between two questions
  bool stop = false;
  Monitor monitor;
  monitor.progress = [&](std::string_view stage, double, double) { stop = stage == "exact leave-one-out"; };
  monitor.should_stop = [&] { return stop; };
  const TuneResult result = tune(p.problem(), {}, monitor);
  EXPECT_FALSE(result.complete);
  EXPECT_EQ(result.path.size(), result.risk[0].alo.size());
  EXPECT_EQ(result.path.size(), result.risk[0].estimate.size());
  EXPECT_TRUE(result.minimum->exact.empty());
  EXPECT_THAT(result.warnings, testing::Contains(says("was stopped")));
}

// Every row of the first lambdas is as good as every other, and the sums differ by rounding.
TEST(Evidence, LambdasInDoubtAreNotChosenUnsettledWhereOthersAreSettled) {
  const Problem problem = wide_problem().problem();
  const TuneResult by_formula = tune(problem, alone());
  TuneOptions options;
  const double one = flops_of_all_rows(problem, by_formula.minimum->point);
  for (const double allowed : {1.5, 3.0, 6.0}) {
    options.effort = effort_for(problem, by_formula, allowed * one);
    const TuneResult result = tune(problem, options);
    const Selected& best = *result.minimum;
    const auto at = static_cast<std::size_t>(*best.choice.index);
    const auto& curve = result.risk[0].estimate;
    const bool some = std::any_of(curve.begin(), curve.end(),
                                  [](const BestEstimate& e) { return e.kind == EstimateKind::exact; });
    if (some && is_doubtful(result, at)) {
      EXPECT_GE(best.kind, EstimateKind::sampled) << allowed;
    }
  }
}

TEST(Verdict, JudgesTheNumberByWhatIsKnownOfIt) {
  TuneResult result = tune(wide_problem().problem());
  ASSERT_TRUE(result.verdict.reliable);
  // Exact values win over leverages.
  result.minimum->point.rows->leverage[3] = 0.99;
  EXPECT_TRUE(judge(result).reliable);
  Selected& best = *result.minimum;
  best.exact.clear();
  best.kind = EstimateKind::sampled;
  best.error = 0.04 * *best.choice.risk.mean;
  EXPECT_TRUE(judge(result).reliable);
  best.error = std::max(0.06 * *best.choice.risk.mean, 0.3 * *best.choice.risk.se);
  EXPECT_THAT(judge(result).reasons, testing::ElementsAre(says("known to +-")));
  best.error.reset();
  best.kind = EstimateKind::repaired;
  EXPECT_THAT(judge(result).reasons, testing::ElementsAre(says("error is not known")));
  best.kind = EstimateKind::alo;
  EXPECT_THAT(judge(result).reasons, testing::ElementsAre(says("leverage 0.990")));
  best.point.rows->leverage[3] = 0.1;
  best.point.rows->leverage = best.point.rows->leverage.cwiseMin(0.5);
  EXPECT_TRUE(judge(result).reliable);
}

TEST(Verdict, NamesLambdasThatWereNotExamined) {
  TuneResult result = tune(wide_problem().problem());
  result.risk[0].exact.clear();  // which would refute the formula wherever it is in doubt
  auto& estimate = result.risk[0].estimate.back();
  BestEstimate& next = *(result.risk[0].estimate.end() - 2);
  ASSERT_GE(result.path.back().max_leverage, doubtful_leverage);
  ASSERT_EQ(next.kind, EstimateKind::exact);
  ASSERT_GT(*next.mean, 2.0 * *result.minimum->choice.risk.mean);
  estimate.kind = EstimateKind::alo;
  estimate.mean = 3.0 * *result.minimum->choice.risk.mean;
  EXPECT_TRUE(judge(result).reliable);
  estimate.mean = 1.5 * *result.minimum->choice.risk.mean;
  EXPECT_TRUE(judge(result).reliable) << "far above the smallest risk at the next lambda, which is known";
  next.mean = result.minimum->choice.risk.mean;
  EXPECT_THAT(judge(result).reasons, testing::ElementsAre(says("at 1 lambda the approximation is in doubt")));
  result.exact_cost = TuneResult::ExactCost{3.0, 41.3};
  EXPECT_THAT(judge(result).reasons, testing::ElementsAre(hints_at(Setting::effort, "42")));
}

// More effort does not help where effort does not decide.
TEST(Verdict, AsksForExactRisksWhereOthersChoose) {
  TuneResult result = tune(wide_problem().problem());
  result.exact_cost = TuneResult::ExactCost{3.0, 41.3};
  EXPECT_THAT(ask_for_exact(result, "text"), hints_at(Setting::effort, "42"));
  for (const ChooseBy choose : {ChooseBy::alo, ChooseBy::kfold}) {
    result.choose = choose;
    EXPECT_EQ(ask_for_exact(result, "text").hints, std::vector<Hint>{{Setting::exact}});
  }
  result.choose = ChooseBy::automatic;
  result.search = Search::exact;
  EXPECT_EQ(ask_for_exact(result, "text").hints, std::vector<Hint>{{Setting::exact}});
}

TEST(Verdict, HoldsExactRisksAgainstTheFormulaThatChose) {
  TuneOptions options;
  options.choose = ChooseBy::alo;
  options.exact = true;
  TuneResult result = tune(wide_problem().problem(), options);
  Selected& best = *result.minimum;
  ASSERT_TRUE(best.exact.front().mean);
  best.choice.risk = best.exact.front();
  const std::size_t others = judge(result).reasons.size();
  best.choice.risk.mean = 1.2 * *best.exact.front().mean;
  best.choice.risk.se = 0.1 * *best.exact.front().mean;
  EXPECT_EQ(judge(result).reasons.size(), others + 1);
  EXPECT_THAT(judge(result).reasons, testing::Contains(says("and the exact one")));
}

TEST(Verdict, MissedCertificatesAreNeverGreen) {
  TuneResult result = tune(medium_problem().problem());
  result.certified = false;
  EXPECT_THAT(judge(result).reasons, testing::ElementsAre(says("certificate")));
}

}  // namespace
}  // namespace alo
