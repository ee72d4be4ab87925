// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <sstream>

#include "alo/report.hpp"
#include "figures/thinning.hpp"
#include "summary/format.hpp"
#include "unit/report/example_result.hpp"

namespace alo {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(ReportText, ReadableNumbers) {
  EXPECT_EQ(report::readable(2973.456, 5), "2973.5");
  EXPECT_EQ(report::readable(999.96, 4), "1000");
  EXPECT_EQ(report::readable(0.012345, 3), "0.0123");
  EXPECT_EQ(report::readable(1.5e-7, 3), "1.50e-07");
  EXPECT_EQ(report::readable(-2.5e8, 2), "-2.5e+08");
  EXPECT_EQ(report::readable(0, 3), "0");
  EXPECT_EQ(report::readable(std::numeric_limits<double>::quiet_NaN()), "-");
  EXPECT_EQ(report::readable_short(528.5, 6), "528.5");
  EXPECT_EQ(report::readable_short(100, 4), "100");
  EXPECT_EQ(report::readable_short(1e-9, 3), "1e-09");
  EXPECT_EQ(std::stod(report::shortest(0.1 + 0.2)), 0.1 + 0.2);
}

TEST(ReportText, MarkupIsEscapedAndAlwaysUtf8) {
  EXPECT_EQ(report::escape_markup("<b>&\"'"), "&lt;b&gt;&amp;&quot;&#39;");
  EXPECT_EQ(report::escape_markup("\u03bb \u2265 \U0001F600"), "\u03bb \u2265 \U0001F600");
  EXPECT_EQ(report::escape_markup("a\x01\xFF\xC0\x80z"), "a\uFFFD\uFFFD\uFFFD\uFFFDz");
  EXPECT_EQ(report::escape_markup("\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD") << "a surrogate";
  EXPECT_EQ(report::escape_markup("cut \xE2\x82"), "cut \uFFFD\uFFFD");
}

TEST(ReportText, CsvFieldsAreQuotedWhereTheyMustBe) {
  EXPECT_EQ(report::csv_field("plain name"), "plain name");
  EXPECT_EQ(report::csv_field("a,\"b\"\n"), "\"a,\"\"b\"\"\n\"");
}

TEST(ReportText, ShortenCountsCharactersNotBytes) {
  EXPECT_EQ(report::shorten("abcdef", 6), "abcdef");
  EXPECT_EQ(report::shorten("abcdefg", 6), "abcde\u2026");
  EXPECT_EQ(report::shorten("\u03b1\u03b2\u03b3\u03b4", 3), "\u03b1\u03b2\u2026");
}

TEST(ReportText, WrapKeepsTheWidth) {
  const std::string text = "one two three four " + std::string(50, 'x') + " five";
  std::string joined;
  for (const std::string& line : report::wrap(text, 20, "  ")) {
    EXPECT_LE(line.size(), 20U);
    joined += line;
  }
  std::erase(joined, ' ');
  std::string expected = text;
  std::erase(expected, ' ');
  EXPECT_EQ(joined, expected);
}

TEST(ReportText, EvenlySpreadKeepsBothEnds) {
  EXPECT_THAT(report::evenly_spread(5, 10), testing::ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(report::evenly_spread(101, 3), testing::ElementsAre(0, 50, 100));
  EXPECT_TRUE(report::evenly_spread(0, 3).empty());
}

TEST(ReportText, ThinningKeepsLonePointsAndTheLimit) {
  std::vector<double> x;
  std::vector<double> y;
  for (int i = 0; i < 100000; ++i) {
    x.push_back(100 + i % 317 * 0.3);
    y.push_back(100 + i % 211 * 0.3);
  }
  x.push_back(400);
  y.push_back(10);
  const std::vector<std::size_t> kept = report::thin_points(x, y, 3000);
  EXPECT_LE(kept.size(), 3000U);
  EXPECT_GT(kept.size(), 1000U);
  EXPECT_EQ(kept.back(), 100000U);
  EXPECT_EQ(kept, report::thin_points(x, y, 3000));
}

TEST(ReportCsv, RiskHasOneLinePerLambdaAndMarksTheChosen) {
  const Problem problem = example::example_problem();
  TuneResult result = example::example_result(problem);
  result.risk[0].alo[2] = {std::nullopt, std::nullopt, 4};
  const std::vector<std::string> lines = lines_of(render_risk_csv(problem, result));
  ASSERT_EQ(lines.size(), 61U);
  EXPECT_EQ(lines[0],
            "lambda,chosen,df,nonzero,max_leverage,gap,kkt,status,mse_alo,mse_alo_se,"
            "mse_estimate,mse_estimate_se,mse_estimate_kind,mse_exact,mse_exact_se,"
            "mse_kfold,mse_kfold_se,mae_alo,mae_alo_se,mae_estimate,mae_estimate_se,mae_estimate_kind");
  EXPECT_THAT(lines[static_cast<std::size_t>(*result.minimum->choice.index) + 1],
              testing::HasSubstr(",min,"));
  EXPECT_THAT(lines[static_cast<std::size_t>(*result.one_se->choice.index) + 1], testing::HasSubstr(",1se,"));
  EXPECT_THAT(lines[3], testing::HasSubstr(",converged,,,"));
  for (const std::string& line : lines) EXPECT_EQ(std::count(line.begin(), line.end(), ','), 21);
}

TEST(ReportCsv, CoefficientsHoldTheChoicesAndThePath) {
  example::ExampleOptions options;
  options.column_names = {"a,b"};
  const Problem problem = example::example_problem(options);
  const TuneResult result = example::example_result(problem, options);
  const std::vector<std::string> lines = lines_of(render_coefficients_csv(problem, result));
  ASSERT_EQ(lines.size(), 26U);
  EXPECT_THAT(lines[0],
              testing::StartsWith("term,min,1se," + report::shortest(result.path[0].fit.lambda) + ","));
  EXPECT_THAT(lines[1], testing::StartsWith("(intercept)," +
                                            report::shortest(result.minimum->point.fit.intercept[0]) + ","));
  EXPECT_THAT(lines[2], testing::StartsWith(
                            "\"a,b\"," + report::shortest(result.minimum->point.fit.coefficients[0]) + ","));
}

}  // namespace
}  // namespace alo
