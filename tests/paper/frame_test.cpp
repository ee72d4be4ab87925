// SPDX-License-Identifier: MIT
// What the experiments of the paper rest on: agreement of curves, records that survive an interruption,
// pages.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <stdexcept>

#include "alo/losses/squared.hpp"
#include "alo/path.hpp"
#include "alo/penalties/lasso.hpp"
#include "cases.hpp"
#include "curves.hpp"
#include "heaviest_row.hpp"
#include "linear_model.hpp"
#include "panels.hpp"
#include "plain.hpp"
#include "publish.hpp"
#include "smooth_fit.hpp"
#include "studies.hpp"
#include "violation.hpp"

namespace paper {
namespace {

TEST(AgreementTest, MeasuresDistanceChoiceAndCost) {
  const Agreement agreement = paper::agreement({{2.0, 1.1, 0.9}, {2.0, 1.0, 1.2}});
  EXPECT_NEAR(agreement.mean, (0.0 + 0.1 + 0.25) / 3, 1e-15);
  EXPECT_NEAR(agreement.largest, 0.25, 1e-15);
  EXPECT_NEAR(agreement.at_choice, 0.25, 1e-15);
  EXPECT_EQ(agreement.steps, 1);
  EXPECT_NEAR(agreement.regret, 0.2, 1e-15);
}

TEST(AgreementTest, MeansLeaveOutSmallLambdasAndWarnings) {
  const Curves curves{{2.0, 1.1, 0.9}, {2.0, 1.0, 1.2}, {5.0, 4.0, 0.3}, {0.5, 0.2, 0.1}, {0.2, 0.95, 0.5}};
  const Agreement agreement = paper::agreement(curves);
  EXPECT_NEAR(agreement.mean_not_small, 0.1 / 2, 1e-15);         // 0.3 is below a tenth of 4
  EXPECT_NEAR(agreement.mean_from_best, 0.1 / 2, 1e-15);         // the best lambda is 4
  EXPECT_NEAR(agreement.mean_without_warning, 0.25 / 2, 1e-15);  // the second has a leverage of 0.95
  EXPECT_NEAR(agreement.warned, 1.0 / 3, 1e-15);
}

TEST(AgreementTest, MeasuresTheDefaultChoice) {
  Curves curves{{2.0, 1.1, 0.9}, {2.0, 1.0, 1.02}, {3.0, 2.0, 1.0}, {0.5, 0.2, 0.1}};
  curves.by_default = 2;
  EXPECT_NEAR(agreement(curves).default_regret, 0.02, 1e-12);
  EXPECT_NEAR(agreement(curves).default_harm, 0.02 / 0.05, 1e-12);  // a quarter of 0.2 is 0.05 too
  curves.error = {0.5, 0.4, 0.1};
  EXPECT_NEAR(agreement(curves).default_harm, 0.02 / 0.1, 1e-12);
  curves.by_default = 1;
  EXPECT_EQ(agreement(curves).default_regret, 0);
}

TEST(AgreementTest, LeavesUndefinedRisksOut) {
  const Agreement agreement = paper::agreement({{std::nan(""), 1.1}, {2.0, 1.0}});
  EXPECT_NEAR(agreement.mean, 0.1, 1e-15);
  EXPECT_EQ(agreement.steps, 0);
}

TEST(AgreementTest, RoundingDoesNotChoose) {
  EXPECT_EQ(agreement({{2.0, 1.0, 1.0 - 1e-15}, {2.0, 1.0 + 1e-15, 1.0}}).steps, 0);
  EXPECT_EQ(agreement({{2.0, 1.0, 1.0 - 1e-9}, {2.0, 1.0, 1.0}}).steps, 1);
}

TEST(AgreementTest, RefusesACurveWithoutValues) {
  EXPECT_THROW(agreement({{std::nan("")}, {1.0}}), std::runtime_error);
}

TEST(AgreementsTest, CountTheSeedsAboveALimit) {
  Agreements all;
  for (const double regret : {0.0, 0.04, 0.06, 0.5}) {
    all.seeds.emplace_back();
    all.seeds.back().regret = regret;
  }
  EXPECT_EQ(all.share_above(&Agreement::regret, 0.05), 0.5);
  EXPECT_NEAR(all.mean(&Agreement::regret), 0.15, 1e-15);
  EXPECT_EQ(all.largest(&Agreement::regret), 0.5);
}

TEST(CaseResultTest, TheLineToAWarnedLambdaIsASeriesOfItsOwn) {
  const auto record = [](const std::vector<double>& leverage) {
    return Json{{"lambda", list({3, 2, 1})},
                {"leverage", list(leverage)},
                {"mse", {{"alo", list({5, 4, 6})}, {"exact", list({4, 5, 5})}, {"default", {{"place", 2}}}}}};
  };
  const Panel plain = CaseResult{{record({0.1, 0.2, 0.8})}}.panel("", "mse");
  ASSERT_EQ(plain.series.size(), 2U);
  EXPECT_THAT(plain.series[0].y, ::testing::ElementsAre(5, 4, 6));
  const Panel warned = CaseResult{{record({0.1, 0.2, 0.95})}}.panel("", "mse");
  ASSERT_EQ(warned.series.size(), 3U);
  EXPECT_THAT(warned.series[0].y, ::testing::ElementsAre(5, 4, ::testing::IsNan()));
  EXPECT_THAT(warned.series[1].y, ::testing::ElementsAre(::testing::IsNan(), 4, 6));
  ASSERT_EQ(plain.choices.size(), 3U);  // by ALO, by exact, by default
  EXPECT_EQ(plain.choices[0].x, 2);
  EXPECT_EQ(plain.choices[1].x, 3);
  EXPECT_EQ(plain.choices[2].x, 1);
}

TEST(CaseResultTest, TheFirstLambdasMayBeLeftOut) {
  const Json risk = {{"alo", list({1, 4, 6})},
                     {"exact", list({1, 5, 4})},
                     {"error", list({1, 1, 1})},
                     {"default", {{"place", 0}}}};
  const CaseResult result{
      {Json{{"lambda", list({3, 2, 1})}, {"leverage", list({0.1, 0.2, 0.8})}, {"mse", risk}}}};
  EXPECT_EQ(result.agreements("mse").seeds[0].regret, 0);
  EXPECT_NEAR(result.agreements("mse", 1).seeds[0].regret, 0.25, 1e-15);
}

TEST(DrawPanels, LambdaFallsToTheRightAndChoicesAreDrawn) {
  Panel panel{"", {{"curve", "alo", {100, 10, 1}, {1, 2, 3}}}};
  panel.choices = {{"a choice", Mark::triangle, 10}};
  PanelsText text{"title", "description", "up", "id"};
  const std::string falling = draw_panels({panel}, text);
  EXPECT_NE(falling.find("falling"), std::string::npos);
  EXPECT_NE(falling.find("a choice"), std::string::npos);
  text.falling = false;
  EXPECT_NE(draw_panels({panel}, text), falling);
}

class RecordsTest : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::remove_all(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  const std::filesystem::path folder_ = std::filesystem::path(::testing::TempDir()) / "alo-paper-records";
};

TEST_F(RecordsTest, AFinishedUnitIsNotComputedAgain) {
  int computed = 0;
  for (int run = 0; run < 2; ++run) {
    Records records(folder_);
    records.begin("experiment", 1);
    const Json record = records.get("unit", [&] {
      ++computed;
      return Json{{"values", list({1.5, std::numeric_limits<double>::infinity()})}};
    });
    EXPECT_EQ(numbers(record["values"])[0], 1.5);
    EXPECT_TRUE(std::isnan(numbers(record["values"])[1]));
  }
  EXPECT_EQ(computed, 1);
}

TEST_F(RecordsTest, SayWhoComputedThem) {
  const auto run = [&](const std::string& maker, const std::vector<std::string>& units) {
    Records records(folder_, maker);
    records.begin("experiment", units.size());
    for (const std::string& unit : units) records.get(unit, [] { return Json(1); });
    return records.provenance();
  };
  EXPECT_EQ(run("first", {"a", "b"}).earlier, 0U);
  const Provenance mixed = run("second", {"a", "b", "c"});
  EXPECT_EQ(mixed.units, 3U);
  EXPECT_EQ(mixed.earlier, 2U);
  EXPECT_THAT(mixed.makers, ::testing::ElementsAre("first", "second"));
  EXPECT_GE(mixed.seconds, 0.0);
}

TEST_F(RecordsTest, OneWithoutAMakerIsComputedAgain) {
  write_file(folder_ / "experiment" / "unit.json", R"({"values": [1]})");
  Records records(folder_, "this");
  records.begin("experiment", 1);
  EXPECT_EQ(records.get("unit", [] { return Json(2); }), Json(2));
  EXPECT_EQ(records.provenance().earlier, 0U);
}

TEST_F(RecordsTest, AUnitThatFailedLeavesNoRecord) {
  Records records(folder_);
  records.begin("experiment", 2);
  EXPECT_THROW(records.get("unit", []() -> Json { throw std::runtime_error("stopped"); }),
               std::runtime_error);
  EXPECT_EQ(records.get("unit", [] { return Json(2); }), Json(2));
}

TEST(WithBlock, ReplacesWhatStandsBetweenTheMarkers) {
  const std::string page = "a\n<!-- begin x -->\nold\n<!-- end x -->\nb\n";
  EXPECT_EQ(with_block(page, "x", "new\n"), "a\n<!-- begin x -->\n\nnew\n\n<!-- end x -->\nb\n");
  EXPECT_EQ(with_block(with_block(page, "x", "new\n"), "x", "new\n"), with_block(page, "x", "new\n"));
  EXPECT_THROW(with_block(page, "y", "new\n"), std::runtime_error);
}

TEST(WithRows, KeepsTheRowsOfOtherExperiments) {
  const std::string page =
      "<!-- begin x -->\n| n | v |\n| --- | --- |\n| a | 1 |\n| b | 2 |\n<!-- end x -->\n";
  const alo::report::PageTable table{{"n", "v"}, {{"c", "3"}, {"a", "4"}, {"a", "5"}}};
  EXPECT_EQ(with_rows(page, "x", table, {"a", "b", "c"}),
            "<!-- begin x -->\n\n| n | v |\n| --- | --- |\n| a | 4 |\n| a | 5 |\n| b | 2 |\n| c | 3 |\n\n"
            "<!-- end x -->\n");
}

TEST(BoundTest, ANumberThatIsNoneDoesNotHold) {
  EXPECT_TRUE((Bound{"", 1, 2}.holds()));
  EXPECT_FALSE((Bound{"", 1, 2, true}.holds()));
  EXPECT_FALSE((Bound{"", std::nan(""), 2}.holds()));
}

TEST(ClaimTest, HoldsWithLimitsWhereOnlyTheWeakerBoundDoes) {
  const Bound kept{"", 1, 2}, broken{"", 3, 2};
  EXPECT_EQ((Claim{"", "", kept}.verdict()), Verdict::holds);
  EXPECT_EQ((Claim{"", "", kept, broken}.verdict()), Verdict::holds);
  EXPECT_EQ((Claim{"", "", broken, kept}.verdict()), Verdict::holds_with_limits);
  EXPECT_EQ((Claim{"", "", broken, broken}.verdict()), Verdict::does_not_hold);
  EXPECT_EQ((Claim{"", "", broken}.verdict()), Verdict::does_not_hold);
}

// The paper's generators. A cumulative sum of 20 jumps has at most 20 changes and standard deviation one.
TEST(Simulate, FusedCoefficientsAreScaledSumsOfJumps) {
  Simulation simulation;
  simulation.rows = 5;
  simulation.columns = 100;
  simulation.jumps = 20;
  const alo::Vector b = simulate(simulation).coefficients;
  const alo::Vector changes = b.tail(99) - b.head(99);
  EXPECT_GE((changes.array() != 0).count(), 19);
  EXPECT_LE((changes.array() != 0).count(), 20);
  EXPECT_NEAR((b.array() - b.mean()).square().mean(), 1, 1e-12);
}

TEST(Simulate, MatricesAreProductsThatAreNotRescaled) {
  Simulation simulation;
  simulation.rows = 2;
  simulation.columns = 400;
  simulation.rank = 1;
  double sum = 0;
  for (simulation.seed = 1; simulation.seed <= 40; ++simulation.seed)
    sum += simulate(simulation).coefficients.squaredNorm();
  EXPECT_NEAR(sum / 40, 400, 80);  // E |z|^2 |w|^2; a factor of 1/20 would make it one
}

TEST(Simulate, TheNoiseOfTheMisspecifiedModelIsInsideTheRoot) {
  Simulation simulation;
  simulation.rows = 2000;
  simulation.columns = 3;
  simulation.effects = 1;
  simulation.signed_root = true;
  const Simulated simulated = simulate(simulation);
  alo::Vector noise(simulation.rows);
  for (alo::Index i = 0; i < simulation.rows; ++i) noise[i] = noise_of(simulation, simulated, i);
  EXPECT_NEAR(noise.squaredNorm() / 2000, 0.25, 0.03);
  EXPECT_NEAR(noise.mean(), 0, 0.04);
}

TEST(HeaviestRow, IsTheOneThatCarriesTheDifference) {
  Simulation simulation;
  simulation.rows = 60;
  simulation.columns = 90;
  simulation.effects = 10;
  simulation.design_variance = 0.1;
  simulation.heavy_tails = true;
  simulation.seed = 3;
  const Json row = heaviest_row(simulation, 0.5);
  EXPECT_LT(number(row["exact to refit"]), 1e-9);
  EXPECT_NEAR(number(row["residual"]) / (1 - number(row["leverage"])), number(row["alo"]), 1e-10);
  EXPECT_LT(std::abs(number(row["without it"])), std::abs(number(row["difference"])));
  EXPECT_GT(row["entered"].get<int>() + row["left"].get<int>(), 0);
  EXPECT_GE(row["active"].get<int>(), row["left"].get<int>());
}

// A row is certified if and only if ALO's step breaks no condition.
TEST(Violation, IsZeroWhereARowIsCertified) {
  Simulation simulation;
  simulation.rows = 60;
  simulation.columns = 40;
  simulation.effects = 8;
  const alo::Problem problem =
      compare::plain_problem(simulate(simulation).data, alo::SquaredLoss{}, alo::Lasso{});
  const alo::Fit fit = alo::fit_path(problem, {0.2 * alo::lambda_start(problem)}).fits.front();
  const alo::Vector amount = violation(problem, fit);
  const auto certified = alo::certify_rows(problem, fit);
  int proved = 0;
  for (alo::Index i = 0; i < problem.rows(); ++i) {
    const bool is_certified = certified[static_cast<std::size_t>(i)].value();
    EXPECT_EQ(amount[i] < 1e-9, is_certified) << i << ' ' << amount[i];
    proved += is_certified ? 1 : 0;
  }
  EXPECT_GT(proved, 0);
  EXPECT_LT(proved, problem.rows());
}

TEST(Gisette, IsReadWithItsLabelsInAFileOfTheirOwn) {
  const alo::Dataset data = read_gisette(ALO_PAPER_DATA, 1000, 1);
  EXPECT_EQ(data.rows(), 40);
  EXPECT_EQ(data.columns(), 12);
  EXPECT_GE(data.design.dense_values().minCoeff(), 0.0);
  EXPECT_LE(data.design.dense_values().maxCoeff(), 1.0);
  EXPECT_EQ(data.response.cwiseAbs().minCoeff(), 1.0);
  const alo::Dataset some = read_gisette(ALO_PAPER_DATA, 10, 1);
  const std::vector<alo::Index> rows = random_rows(10, 40, 1);
  EXPECT_EQ(some.rows(), 10);
  EXPECT_EQ(some.response, alo::Vector(data.response(rows)));
  EXPECT_NE(rows, random_rows(10, 40, 2));
}

TEST(DistinctColumns, LeavesOutCopiesAndConstants) {
  alo::Matrix values(3, 5);
  values << 1, 1, 7, 2, 1,  //
      2, 2, 7, 1, 2,        //
      3, 3, 7, 3, 4;
  EXPECT_THAT(distinct_columns(values), ::testing::ElementsAre(0, 3, 4));
}

TEST(Gisette, RowsOfAnotherLengthAreRefused) {
  const auto folder = std::filesystem::path(::testing::TempDir()) / "alo-paper-gisette";
  write_file(folder / "gisette/gisette_train.data", "1 2 3\n4 5\n");
  write_file(folder / "gisette/gisette_train.labels", "1\n-1\n");
  EXPECT_THROW(read_gisette(folder, 10, 1), std::runtime_error);
  std::filesystem::remove_all(folder);
}

// Slope and curvature by differences, near the kink and beyond the width; both come close to the kinked
// function, and the kernel equals it beyond its support.
TEST(Smoothing, HasTheDerivativesOfItsValue) {
  const double h = 0.3, step = 1e-5;
  for (Jet (*const function)(double, double) :
       {root_absolute, kernel_absolute, soft_positive_part, kernel_positive_part}) {
    for (const double t : {-0.5, -0.2, 0.0, 0.1, 0.25, 0.4}) {
      const Jet jet = function(t, h), up = function(t + step, h), down = function(t - step, h);
      EXPECT_NEAR((up.value - down.value) / (2 * step), jet.slope, 1e-8) << t;
      EXPECT_NEAR((up.slope - down.slope) / (2 * step), jet.curvature, 1e-8) << t;
    }
  }
  EXPECT_DOUBLE_EQ(kernel_absolute(-0.5, h).value, 0.5);
  EXPECT_EQ(kernel_absolute(-0.5, h).curvature, 0);
  EXPECT_DOUBLE_EQ(kernel_positive_part(0.5, h).value, 0.5);
  EXPECT_NEAR(soft_positive_part(0.5, 1e-3).value, 0.5, 1e-12);
  EXPECT_NEAR(root_absolute(0.5, 1e-6).value, 0.5, 1e-11);
}

// Slope and Hessian by differences; a matrix of rank one, whose other singular values are equal.
TEST(Spectral, HasTheDerivativesOfItsValue) {
  const alo::MatrixShape shape{3, 4};
  const alo::Vector a = alo::Vector::LinSpaced(3, 1, 2), c = alo::Vector::LinSpaced(4, -1, 2);
  const alo::Matrix product = c * a.transpose();  // row by row
  for (Jet (*const function)(double, double) : {root_absolute, kernel_absolute}) {
    for (const bool is_full : {false, true}) {
      alo::Vector b = product.reshaped();
      if (is_full) b += alo::Vector::LinSpaced(12, 0, 7).array().sin().matrix();
      const auto at = [&](const alo::Vector& point) { return spectral(function, 0.3, 2.0, shape, point); };
      const PenaltyJet jet = at(b);
      const alo::Matrix hessian = jet.basis * jet.curvature.asDiagonal() * jet.basis.transpose();
      EXPECT_NEAR((jet.basis.transpose() * jet.basis - alo::Matrix::Identity(12, 12)).norm(), 0, 1e-13);
      const double step = 1e-5;  // differences are good to step^2 and rounding / step
      for (alo::Index j = 0; j < 12; ++j) {
        const alo::Vector up = b + step * alo::Vector::Unit(12, j),
                          down = b - step * alo::Vector::Unit(12, j);
        EXPECT_NEAR((at(up).value - at(down).value) / (2 * step), jet.slope[j], 1e-8);
        const alo::Vector change = (at(up).slope - at(down).slope) / (2 * step);
        EXPECT_NEAR((change - hessian.col(j)).norm(), 0, 1e-7);
      }
    }
  }
}

TEST(RankCorrelation, DependsOnOrderAlone) {
  const alo::Vector a = alo::Vector::LinSpaced(9, 0, 2);
  EXPECT_NEAR(rank_correlation(a, a.array().exp()), 1, 1e-15);
  EXPECT_NEAR(rank_correlation(a, -a.array().cube()), -1, 1e-15);
}

}  // namespace
}  // namespace paper
