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
#include "plain.hpp"
#include "publish.hpp"
#include "smooth_fit.hpp"
#include "studies.hpp"
#include "violation.hpp"

namespace paper {
namespace {

TEST(Agreement, MeasuresDistanceChoiceAndCost) {
  const Agreement agreement = paper::agreement({2.0, 1.1, 0.9}, {2.0, 1.0, 1.2});
  EXPECT_NEAR(agreement.mean, (0.0 + 0.1 + 0.25) / 3, 1e-15);
  EXPECT_NEAR(agreement.largest, 0.25, 1e-15);
  EXPECT_NEAR(agreement.at_choice, 0.25, 1e-15);
  EXPECT_EQ(agreement.steps, 1);
  EXPECT_NEAR(agreement.regret, 0.2, 1e-15);
}

TEST(Agreement, CountsStandardErrorsWhereNothingWarns) {
  const Agreement agreement =
      paper::agreement({2.0, 1.1, 0.9}, {2.0, 1.0, 1.2}, {0.5, 0.2, 0.1}, {0.2, 0.5, 0.95});
  EXPECT_NEAR(agreement.mean_in_errors, (0.0 + 0.5) / 2, 1e-15);
  EXPECT_NEAR(agreement.regret_in_errors, 1.0, 1e-12);  // 1.2 against 1.0, whose error is 0.2
  EXPECT_NEAR(agreement.warned, 1.0 / 3, 1e-15);
}

TEST(Agreement, LeavesUndefinedRisksOut) {
  const Agreement agreement = paper::agreement({std::nan(""), 1.1}, {2.0, 1.0});
  EXPECT_NEAR(agreement.mean, 0.1, 1e-15);
  EXPECT_EQ(agreement.steps, 0);
}

TEST(Agreement, RoundingDoesNotChoose) {
  EXPECT_EQ(agreement({2.0, 1.0, 1.0 - 1e-15}, {2.0, 1.0 + 1e-15, 1.0}).steps, 0);
  EXPECT_EQ(agreement({2.0, 1.0, 1.0 - 1e-9}, {2.0, 1.0, 1.0}).steps, 1);
}

TEST(Agreement, RefusesACurveWithoutValues) {
  EXPECT_THROW(agreement({std::nan("")}, {1.0}), std::runtime_error);
}

TEST(CaseResultTest, TheLineToAWarnedLambdaIsASeriesOfItsOwn) {
  const auto record = [](const std::vector<double>& leverage) {
    return Json{{"lambda", list({3, 2, 1})},
                {"leverage", list(leverage)},
                {"mse", {{"alo", list({5, 4, 6})}, {"exact", list({5, 5, 5})}}}};
  };
  const Panel plain = CaseResult{{record({0.1, 0.2, 0.8})}}.panel("", "mse");
  ASSERT_EQ(plain.series.size(), 2U);
  EXPECT_THAT(plain.series[0].y, ::testing::ElementsAre(5, 4, 6));
  const Panel warned = CaseResult{{record({0.1, 0.2, 0.95})}}.panel("", "mse");
  ASSERT_EQ(warned.series.size(), 3U);
  EXPECT_THAT(warned.series[0].y, ::testing::ElementsAre(5, 4, ::testing::IsNan()));
  EXPECT_THAT(warned.series[1].y, ::testing::ElementsAre(::testing::IsNan(), 4, 6));
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

TEST(ClaimTest, ANumberThatIsNoneDoesNotHold) {
  EXPECT_TRUE((Claim{"", 1, 2, false}.holds()));
  EXPECT_FALSE((Claim{"", 1, 2, true}.holds()));
  EXPECT_FALSE((Claim{"", std::nan(""), 2, false}.holds()));
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
  const alo::Dataset data = read_gisette(ALO_PAPER_DATA, 1000);
  EXPECT_EQ(data.rows(), 40);
  EXPECT_EQ(data.columns(), 12);
  EXPECT_GE(data.design.dense_values().minCoeff(), 0.0);
  EXPECT_LE(data.design.dense_values().maxCoeff(), 1.0);
  EXPECT_EQ(data.response.cwiseAbs().minCoeff(), 1.0);
  const alo::Dataset first = read_gisette(ALO_PAPER_DATA, 10);
  EXPECT_EQ(first.rows(), 10);
  EXPECT_EQ(first.response, data.response.head(10));
}

TEST(Gisette, RowsOfAnotherLengthAreRefused) {
  const auto folder = std::filesystem::path(::testing::TempDir()) / "alo-paper-gisette";
  write_file(folder / "gisette/gisette_train.data", "1 2 3\n4 5\n");
  write_file(folder / "gisette/gisette_train.labels", "1\n-1\n");
  EXPECT_THROW(read_gisette(folder, 10), std::runtime_error);
  std::filesystem::remove_all(folder);
}

// Slope and Hessian by differences; a matrix of rank one, whose other singular values are equal.
TEST(SmoothNuclear, HasTheDerivativesOfItsValue) {
  const alo::MatrixShape shape{3, 4};
  const alo::Vector a = alo::Vector::LinSpaced(3, 1, 2), c = alo::Vector::LinSpaced(4, -1, 2);
  const alo::Matrix product = c * a.transpose();  // row by row
  for (const bool is_full : {false, true}) {
    alo::Vector b = product.reshaped();
    if (is_full) b += alo::Vector::LinSpaced(12, 0, 7).array().sin().matrix();
    const auto at = [&](const alo::Vector& point) { return smooth_nuclear(0.3, 2.0, shape, point); };
    const PenaltyJet jet = at(b);
    const alo::Matrix hessian = jet.basis * jet.curvature.asDiagonal() * jet.basis.transpose();
    EXPECT_NEAR((jet.basis.transpose() * jet.basis - alo::Matrix::Identity(12, 12)).norm(), 0, 1e-13);
    const double step = 1e-5;  // differences are good to step^2 and rounding / step
    for (alo::Index j = 0; j < 12; ++j) {
      const alo::Vector up = b + step * alo::Vector::Unit(12, j), down = b - step * alo::Vector::Unit(12, j);
      EXPECT_NEAR((at(up).value - at(down).value) / (2 * step), jet.slope[j], 1e-8);
      const alo::Vector change = (at(up).slope - at(down).slope) / (2 * step);
      EXPECT_NEAR((change - hessian.col(j)).norm(), 0, 1e-7);
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
