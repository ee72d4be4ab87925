// SPDX-License-Identifier: MIT
// Where a generated path goes on below its grid, and where it ends before the end of it.
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alo/dataset.hpp"
#include "alo/kernel.hpp"
#include "alo/read.hpp"
#include "alo/tune.hpp"
#include "messages.hpp"
#include "random_problem.hpp"
#include "solvers/method.hpp"

namespace alo {
namespace {

using testing_support::medium_problem;
using testing_support::RandomProblem;
using testing_support::says;

// A strong signal and few columns: the risk of a lasso falls as lambda does, towards that of least squares.
RandomProblem strong_signal() {
  RandomProblem p = medium_problem();
  p.columns = 4;
  p.rows = 200;
  return p;
}

TEST(ExtendGrid, DoesNotFollowACurveToItsLimit) {
  const Problem problem = strong_signal().problem();
  TuneOptions options;
  options.choose = ChooseBy::alo;
  options.grid = {.count = 100, .ratio = 1e-6};
  const TuneResult result = tune(problem, options);
  EXPECT_EQ(result.path.size(), 100U);
  EXPECT_FALSE(result.open_end.has_value());
  // The same from a grid that ends where the curve still falls: it goes on, but not for a hundred values.
  options.grid.ratio = 0.3;
  const TuneResult extended = tune(problem, options);
  EXPECT_GT(extended.path.size(), 100U);
  EXPECT_LE(extended.path.size(), 200U);
}

// What is left to gain is said where the grid may not go on, and only there.
TEST(ExtendGrid, SaysThatItsEndIsOpen) {
  TuneOptions options;
  options.choose = ChooseBy::alo;
  options.grid = {.count = 4, .ratio = 0.6};
  const TuneResult cut = tune(strong_signal().problem(), options);
  EXPECT_EQ(cut.path.size(), 8U);
  EXPECT_TRUE(cut.open_end.has_value());
  EXPECT_THAT(cut.warnings, testing::Contains(says("true minimum may lie below")));
}

// Of three lambdas the last one is best; a tolerance that no fit meets ends the search.
TEST(ExtendGrid, EndsAtAMissedCertificate) {
  TuneOptions options;
  options.choose = ChooseBy::alo;
  options.grid = {.count = 3, .ratio = 0.5};
  options.fit.tolerance = -1.0;
  EXPECT_EQ(tune(strong_signal().problem(), options).path.size(), 3U);
}

// The risk of a ridge with more columns than rows: no lambda far below the grid is noticeably better.
TEST(ExtendGrid, OfAWideRidgeReachesTheGoodValues) {
  for (const unsigned seed : {1U, 2U, 3U, 4U}) {
    RandomProblem p = medium_problem();
    p.penalty = "ridge";
    p.columns = 80;
    p.seed = seed;
    const Problem problem = p.problem();
    TuneOptions options;
    options.choose = ChooseBy::alo;
    const TuneResult result = tune(problem, options);
    options.grid.ratio = 1e-8;
    const TuneResult wide = tune(problem, options);
    // The spacing of the wide grid, and the gain that is not worth another lambda.
    EXPECT_LE(*result.minimum->choice.risk.mean, 1.02 * *wide.minimum->choice.risk.mean) << seed;
  }
}

// Classes that one column separates, some rows by little: a path that explains all of them goes on while it
// predicts others better.
TEST(ExtendGrid, GoesOnWhereClassesAreSeparated) {
  constexpr Index rows = 60;
  std::mt19937 generator(1);
  std::normal_distribution<double> normal;
  Matrix x = Matrix::NullaryExpr(rows, 5, [&] { return normal(generator); });
  Vector y(rows);
  for (Index i = 0; i < rows; ++i) {
    y[i] = i % 2 == 0 ? -1.0 : 1.0;
    x(i, 0) = y[i] + 0.8 * std::sin(static_cast<double>(i));
  }
  const Problem problem(make_dataset(Design(x), y), make_loss("logistic"), make_penalty("lasso"));
  for (const ChooseBy choose : {ChooseBy::alo, ChooseBy::automatic}) {
    TuneOptions options;
    options.choose = choose;
    const TuneResult result = tune(problem, options);
    std::size_t separated = 0;
    while (separated < result.path.size() && result.path[separated].fit.status != FitStatus::separated) {
      ++separated;
    }
    ASSERT_LT(separated + 1, result.path.size()) << "no lambda beyond the first that separates";
    const auto& risk = result.risk[0].estimate;
    EXPECT_LT(*risk.back().mean, *risk[separated].mean);
    EXPECT_GE(*result.minimum->choice.index, static_cast<Index>(separated));
    EXPECT_FALSE(result.open_end.has_value());
  }
}

// A lasso of 20 rows and 30 columns, all of which have effects. Towards interpolation the exact risk rises to
// a peak and falls again: on a grid of 60 values over four decades its minimum in the upper half stands at
// place 16, and the risk at place 31 is 2 % above that and falls on to four fifths of it.
Problem with_second_descent() {
  std::mt19937 generator(362);
  std::normal_distribution<double> normal;
  const auto draw = [&] { return normal(generator); };
  const Vector effects = Vector::NullaryExpr(30, draw);
  const Matrix x = Matrix::NullaryExpr(20, 30, draw);
  Vector y = x * effects;
  for (double& value : y) value += 3.0 * normal(generator);
  return {make_dataset(Design(x), y), make_loss("squared"), make_penalty("lasso")};
}

TEST(ExtendGrid, FollowsARiskThatFallsAgainAtTheEnd) {
  const Problem problem = with_second_descent();
  TuneOptions options;
  options.grid = {.count = 32, .ratio = std::pow(10.0, -4.0 * 31.0 / 60.0)};
  for (const ChooseBy choose : {ChooseBy::exact, ChooseBy::automatic}) {
    options.choose = choose;
    const TuneResult result = tune(problem, options);
    EXPECT_GT(result.path.size(), 32U);
    const double first = *result.risk[0].exact[16].mean;
    EXPECT_LT(*result.minimum->choice.risk.mean, 0.95 * first);
  }
}

// With work for the values of the grid alone the verdict says that there may be a second minimum.
TEST(ExtendGrid, SaysThatTheRiskFallsAtTheEnd) {
  const Problem problem = with_second_descent();
  TuneOptions options;
  options.grid = {.count = 32, .ratio = std::pow(10.0, -4.0 * 31.0 / 60.0)};
  options.choose = ChooseBy::alo;
  const TuneResult path = tune(problem, options);
  double all = 0.0;
  std::vector<Index> nonzero;
  for (const PathPoint& point : path.path) {
    nonzero.push_back(point.nonzero);
    all += route(problem).exact_flops(problem, {point.nonzero, point.degrees_of_freedom}, problem.rows());
  }
  options.choose = ChooseBy::automatic;
  options.effort = 1.0001 * all / route(problem).path_flops(problem, nonzero);
  const TuneResult result = tune(problem, options);
  EXPECT_EQ(result.path.size(), 32U);
  EXPECT_EQ(*result.minimum->choice.index, 16);
  EXPECT_THAT(result.verdict.reasons, testing::Contains(says("a second minimum may lie below")));
}

// Nothing but noise: the null model is best, and the risk of smaller lambdas, which are the dear ones, is
// clearly worse. The many values make the rest dear enough without long fits.
TEST(EndOfPath, IsWhereTheRestIsDearAndWorse) {
  RandomProblem p;
  p.rows = 100;
  p.columns = 2000;
  Dataset data = p.dataset();
  std::mt19937 generator(3);
  std::normal_distribution<double> normal;
  data.response = Vector::NullaryExpr(100, [&] { return normal(generator); });
  const Problem problem = p.problem(std::move(data));
  TuneOptions options;
  options.choose = ChooseBy::alo;
  options.grid.count = 3000;
  const TuneResult ended = tune(problem, options);
  ASSERT_TRUE(ended.path_end.has_value());
  EXPECT_LT(ended.path.size(), 1500U);
  EXPECT_EQ(ended.path_end->lambda, ended.path.back().fit.lambda);
  EXPECT_TRUE(ended.complete);
  // A short path is cheap and goes to its end.
  options.grid.count = 60;
  const TuneResult cheap = tune(problem, options);
  EXPECT_FALSE(cheap.path_end.has_value());
  EXPECT_EQ(cheap.path.size(), 60U);
}

TEST(EndOfPath, IsNotForThoseWhoAskForAllOfIt) {
  RandomProblem p = medium_problem();
  const Problem problem = p.problem();
  TuneOptions options;
  options.choose = ChooseBy::alo;
  options.full_path = true;
  options.grid.count = 20;
  const TuneResult result = tune(problem, options);
  EXPECT_EQ(result.path.size(), 20U);
  EXPECT_FALSE(result.path_end.has_value());
}

// Many lambdas have the same share of errors; the deviance tells them apart although nobody asked for it.
TEST(Tune, TiesAreBrokenByTheLossItself) {
  RandomProblem p = medium_problem();
  p.loss = "logistic";
  const Problem problem = p.problem();
  TuneOptions options;
  options.choose = ChooseBy::alo;
  options.metrics = {Metric::misclassification, Metric::deviance};
  const TuneResult both = tune(problem, options);
  const std::vector<Estimate>& errors = both.risk[0].alo;
  const std::vector<Estimate>& own = both.risk[1].alo;
  const auto best = static_cast<std::size_t>(*both.minimum->choice.index);
  Index ties = 0;
  for (std::size_t k = 0; k < errors.size(); ++k) {
    if (!errors[k].mean || *errors[k].mean > *errors[best].mean + 1e-9) continue;
    ++ties;
    EXPECT_GE(*own[k].mean, *own[best].mean * (1.0 - 1e-12)) << k;
  }
  EXPECT_GT(ties, 1);
  options.metrics = {Metric::misclassification};
  const TuneResult one = tune(problem, options);
  EXPECT_EQ(one.risk.size(), 1U);
  EXPECT_EQ(one.minimum->choice.index, both.minimum->choice.index);
}

// Published data, where they are at hand.
class PublishedGrids : public ::testing::Test {
 protected:
  static std::string file(const std::string& name) {
    const char* folder = std::getenv("ALO_DATA");
    const std::filesystem::path base = folder != nullptr
                                           ? std::filesystem::path(folder)
                                           : std::filesystem::path(ALO_SOURCE_DIR) / "../shared/data";
    return (base / name).string();
  }
  static bool absent(const std::string& path) { return !std::filesystem::exists(path); }
};

// The mean deviance moves in its tenth digit towards the end.
TEST_F(PublishedGrids, CountsOfVisitsEndWithTheGrid) {
  const std::string path = file("randhie/randhie.csv");
  if (absent(path)) GTEST_SKIP() << path << " is not there";
  ReadOptions read;
  read.target = "mdvis";
  const Problem problem(read_dataset(path, read), make_loss("squared"), make_penalty("lasso"));
  TuneOptions options;
  options.choose = ChooseBy::alo;
  EXPECT_EQ(tune(problem, options).path.size(), 100U);
}

TEST_F(PublishedGrids, WarpBreaksMissNoCertificate) {
  const std::string path = file("warpbreaks/warpbreaks.csv");
  if (absent(path)) GTEST_SKIP() << path << " is not there";
  ReadOptions read;
  read.target = "breaks";
  const Problem problem(read_dataset(path, read), make_loss("poisson"), make_penalty("lasso"));
  const TuneResult result = tune(problem);
  EXPECT_TRUE(result.certified);
  EXPECT_LE(result.path.size(), 110U);
}

// A polynomial of degree ten, whose powers are so nearly collinear that rounding decides which fits meet
// their certificate. The first that misses is no end: far better lambdas lie below.
TEST_F(PublishedGrids, PowersGoOnPastAMissedCertificate) {
  const std::string path = file("nist_strd/Filip.dat");
  if (absent(path)) GTEST_SKIP() << path << " is not there";
  constexpr int heading = 60;
  constexpr Index rows = 82;
  std::ifstream table(path);
  std::string line;
  for (int i = 0; i < heading; ++i) std::getline(table, line);
  Matrix powers(rows, 10);
  Vector response(rows);
  for (Index i = 0; i < rows; ++i) {
    double x = 0.0;
    table >> response[i] >> x;
    for (Index k = 0; k < powers.cols(); ++k) powers(i, k) = std::pow(x, static_cast<double>(k + 1));
  }
  ASSERT_TRUE(table);
  const Problem problem(make_dataset(Design(std::move(powers)), std::move(response)), make_loss("squared"),
                        make_penalty("lasso"));
  const TuneResult result = tune(problem);
  EXPECT_LT(*result.minimum->choice.risk.mean, 4.1e-5);
}

// A Gaussian kernel on standardised columns: the good values lie far below those at which the fit begins, and
// a tenth of the errors of the first lambda is left.
TEST_F(PublishedGrids, KernelOfBreastCancer) {
  const std::string path = file("breast_cancer/breast_cancer.csv");
  if (absent(path)) GTEST_SKIP() << path << " is not there";
  ReadOptions read;
  read.skip = 1;
  Dataset data = read_dataset(path, read);
  data.response = 2.0 * data.response.array() - 1.0;
  data = with_kernel(std::move(data), {KernelKind::rbf, std::nullopt, 3, 0.0}, true);
  const Problem problem(std::move(data), make_loss("hinge"), make_penalty("ridge"), {true, false});
  TuneOptions options;
  options.choose = ChooseBy::alo;
  options.metrics = {Metric::misclassification};
  options.grid.count = 30;
  EXPECT_LT(*tune(problem, options).minimum->choice.risk.mean, 0.025);
}

}  // namespace
}  // namespace alo
