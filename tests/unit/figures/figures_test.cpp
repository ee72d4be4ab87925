// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "alo/losses/squared.hpp"
#include "alo/penalties/generalized_lasso.hpp"
#include "alo/penalties/ridge.hpp"
#include "alo/report.hpp"
#include "alo/structure.hpp"
#include "figures/axes.hpp"
#include "figures/png.hpp"
#include "figures/signal_figure.hpp"
#include "unit/report/example_result.hpp"

namespace alo {
namespace {

// The first fault of an XML text: tags that do not nest, attributes without quotes, a bare
// ampersand. Empty when it is well formed in these respects.
std::string xml_fault(const std::string& text) {
  std::vector<std::string> open;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '&') {
      const std::size_t end = text.find(';', at);
      if (end == std::string::npos || end - at > 8) return "bare & at " + text.substr(at, 20);
      at = end + 1;
      continue;
    }
    if (text[at] != '<') {
      ++at;
      continue;
    }
    std::size_t end = at + 1;
    bool quoted = false;
    while (end < text.size() && (quoted || text[end] != '>')) {
      if (text[end] == '<') return "< inside a tag at " + text.substr(at, 40);
      quoted = (text[end] == '"') != quoted;
      ++end;
    }
    if (end >= text.size()) return "unfinished tag at " + text.substr(at, 40);
    const std::string tag = text.substr(at + 1, end - at - 1);
    at = end + 1;
    const std::string name =
        tag.substr(tag[0] == '/' ? 1 : 0, tag.find_first_of(" /\n", 1) - (tag[0] == '/' ? 1 : 0));
    if (tag[0] == '/') {
      if (open.empty() || open.back() != tag.substr(1)) return "unexpected </" + tag.substr(1);
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(name);
    }
  }
  return open.empty() ? "" : "not closed: " + open.back();
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

// Every figure is well formed and has no coordinate that is not a number.
void expect_sound(const Problem& problem, const TuneResult& result) {
  for (const std::string& svg : {render_risk_svg(problem, result), render_paths_svg(problem, result),
                                 render_leverage_svg(problem, result)}) {
    EXPECT_EQ(xml_fault(svg), "");
    EXPECT_THAT(svg, testing::StartsWith("<svg xmlns="));
    EXPECT_THAT(svg, testing::Not(testing::ContainsRegex("\"[^\"]*(nan|inf)[ ,\"]")));
  }
  EXPECT_THAT(render_html(problem, result, {}), testing::EndsWith("</html>\n"));
}

TEST(XmlFault, FindsFaults) {
  EXPECT_EQ(xml_fault("<a b=\"1>2\"><c/>x &amp; y</a>"), "");
  EXPECT_NE(xml_fault("<a><b></a></b>"), "");
  EXPECT_NE(xml_fault("<a>x & y</a>"), "");
  EXPECT_NE(xml_fault("<a>"), "");
}

TEST(Axes, LabelsEndInsideTheFigure) {
  report::Canvas canvas(100, 200);
  const report::Box frame = {20, 10, 190, 80};
  draw_bottom_axis(canvas, frame, {0, 1, frame.left, frame.right, false}, {{1, "1000000"}}, "Row");
  const std::string text = canvas.document("", "");
  const std::size_t label = text.rfind("<text", text.find("1000000"));
  const double x = std::stod(text.substr(text.find("x=\"", label) + 3));
  EXPECT_LE(x + 0.5 * report::text_width("1000000"), 200.01);
}

TEST(Axes, TicksAreRoundAndInside) {
  std::vector<std::string> labels;
  for (const report::Tick& tick : report::linear_ticks(870, 3210, 5)) labels.push_back(tick.label);
  EXPECT_THAT(labels, testing::ElementsAre("1000", "1500", "2000", "2500", "3000"));
  labels.clear();
  for (const report::Tick& tick : report::linear_ticks(-0.3, 0.31, 6)) labels.push_back(tick.label);
  EXPECT_THAT(labels, testing::ElementsAre("\u22120.3", "\u22120.2", "\u22120.1", "0", "0.1", "0.2", "0.3"));
  labels.clear();
  for (const report::Tick& tick : report::linear_ticks(0, 1'000'001, 2)) labels.push_back(tick.label);
  EXPECT_THAT(labels, testing::ElementsAre("0", "500000", "1000000"));
  labels.clear();
  for (const report::Tick& tick : report::logarithmic_ticks(0.005, 300, 6)) {
    if (!tick.label.empty()) labels.push_back(tick.label);
    EXPECT_GE(tick.value, 0.005);
    EXPECT_LE(tick.value, 300);
  }
  EXPECT_THAT(labels, testing::ElementsAre("0.01", "0.1", "1", "10", "100"));
  labels.clear();
  for (const report::Tick& tick : report::logarithmic_ticks(1e-7, 1e-4, 6)) {
    if (!tick.label.empty()) labels.push_back(tick.label);
  }
  EXPECT_THAT(labels,
              testing::ElementsAre("10\u207b\u2077", "10\u207b\u2076", "10\u207b\u2075", "10\u207b\u2074"));
}

TEST(Axes, EveryRangeGetsLabels) {
  for (const double low : {1e-300, 1e-8, 0.9, 1.0, 123456.0, 1e200}) {
    for (const double ratio : {1.001, 1.5, 9.0, 40.0, 1e4, 1e20}) {
      std::size_t labeled = 0;
      for (const report::Tick& tick : report::logarithmic_ticks(low, low * ratio, 6))
        labeled += tick.label.empty() ? 0 : 1;
      EXPECT_GE(labeled, 2U) << low << " " << ratio;
      EXPECT_LE(labeled, 10U) << low << " " << ratio;
    }
  }
}

TEST(Figures, AreSoundAndShowWhatIsThere) {
  const Problem problem = example::example_problem();
  const TuneResult result = example::example_result(problem);
  expect_sound(problem, result);
  const std::string risk = render_risk_svg(problem, result);
  EXPECT_EQ(count(risk, "<polygon class=\"band\""), 2U) << "band and its legend";
  EXPECT_THAT(risk, testing::HasSubstr(">min<"));
  EXPECT_THAT(risk, testing::HasSubstr(">1 se<"));
  EXPECT_THAT(risk, testing::HasSubstr("Degrees of freedom"));
  EXPECT_THAT(risk, testing::HasSubstr("prefers-color-scheme:dark"));
  EXPECT_EQ(count(render_leverage_svg(problem, result), "<circle"), 90U);
}

TEST(Figures, LeaveOutWhatWasNotComputed) {
  example::ExampleOptions options;
  options.exact = options.kfold = false;
  const Problem problem = example::example_problem(options);
  const TuneResult result = example::example_result(problem, options);
  const std::string risk = render_risk_svg(problem, result);
  EXPECT_THAT(risk, testing::Not(testing::HasSubstr("k-fold")));
  EXPECT_THAT(risk, testing::Not(testing::HasSubstr("exact leave-one-out")));
}

TEST(Figures, ExactRiskAtTheChoicesIsMarked) {
  example::ExampleOptions options;
  options.exact_curve = false;
  const Problem problem = example::example_problem(options);
  TuneResult result = example::example_result(problem, options);
  expect_sound(problem, result);
  const std::string diamond = "<polygon class=\"notable\"";
  std::string risk = render_risk_svg(problem, result);
  EXPECT_EQ(count(risk, diamond), 0U);
  EXPECT_EQ(count(risk, "<circle class=\"exact\""), 4U) << "two choices and the legend";
  EXPECT_THAT(risk, testing::HasSubstr("Exact leave-one-out there"));
  EXPECT_THAT(render_html(problem, result, {}), testing::HasSubstr("Circles: exact leave-one-out"));
  result.minimum->choice.index = result.one_se->choice.index = std::nullopt;  // between lambdas of the path
  risk = render_risk_svg(problem, result);
  EXPECT_EQ(count(risk, diamond), 3U) << "two choices and the legend";
  EXPECT_THAT(risk, testing::HasSubstr("exact at the chosen \u03bb"));
  result.one_se = result.minimum;
  EXPECT_EQ(count(render_risk_svg(problem, result), diamond), 2U) << "one choice and the legend";
  result.minimum->exact[0].mean = result.one_se->exact[0].mean = 1e6;
  expect_sound(problem, result);
}

TEST(Figures, OneLambdaIsAPoint) {
  example::ExampleOptions options;
  options.lambdas = 1;
  const Problem problem = example::example_problem(options);
  const TuneResult result = example::example_result(problem, options);
  expect_sound(problem, result);
  EXPECT_THAT(render_risk_svg(problem, result), testing::HasSubstr("<circle class=\"dot\""));
}

TEST(Figures, AnUndefinedRiskIsAGapInTheCurve) {
  const Problem problem = example::example_problem();
  TuneResult result = example::example_result(problem);
  for (const std::size_t at : {20U, 21U, 40U}) result.risk[0].estimate[at] = {};
  expect_sound(problem, result);
  EXPECT_EQ(count(render_risk_svg(problem, result), "<polyline class=\"curve alo\""), 3U);
  for (Estimate& estimate : result.risk[0].alo) estimate = {std::nullopt, std::nullopt, 1};
  for (BestEstimate& estimate : result.risk[0].estimate) estimate = {};
  result.risk[0].exact.clear();
  result.risk[0].kfold.clear();
  result.minimum.reset();
  result.one_se.reset();
  expect_sound(problem, result);
  EXPECT_THAT(render_risk_svg(problem, result), testing::HasSubstr("undefined at every"));
}

TEST(Figures, LambdaZeroIsLeftOutAndSaidSo) {
  const Problem problem = example::example_problem();
  TuneResult result = example::example_result(problem);
  result.path.back().fit.lambda = 0;
  expect_sound(problem, result);
  EXPECT_THAT(render_risk_svg(problem, result), testing::HasSubstr("\u03bb = 0 not shown"));
  result.path.resize(1);
  result.path[0].fit.lambda = 0;
  expect_sound(problem, result);
}

TEST(Figures, AnEmptyResultIsStillDrawn) {
  const Problem problem = example::example_problem();
  expect_sound(problem, TuneResult{});
}

TEST(Figures, ManyColumnsAreCapped) {
  example::ExampleOptions options;
  TuneResult result = example::example_result(example::example_problem(options), options);
  for (PathPoint& point : result.path) {
    point.fit.coefficients = Vector::LinSpaced(3000, -1, 1) / point.fit.lambda;
  }
  result.minimum->point.fit.coefficients = result.one_se->point.fit.coefficients = Vector::Ones(3000);
  options.columns = 3000;
  const Problem problem = example::example_problem(options);
  expect_sound(problem, result);
  const std::string paths = render_paths_svg(problem, result);
  EXPECT_EQ(count(paths, "<g><title>"), 200U);
  EXPECT_THAT(paths, testing::HasSubstr("The 200 largest of"));
}

TEST(Figures, PathsThatOutgrowTheChosenModelAreCutAndSaidSo) {
  const Problem problem = example::example_problem();
  TuneResult result = example::example_result(problem);
  EXPECT_THAT(render_paths_svg(problem, result), testing::Not(testing::HasSubstr("leave the frame")));
  result.path.back().fit.coefficients[1] = 1e4;
  expect_sound(problem, result);
  EXPECT_THAT(render_paths_svg(problem, result), testing::HasSubstr("Some paths leave the frame."));
}

TEST(Figures, ManyRowsAreThinnedAndTheExtremesStay) {
  example::ExampleOptions options;
  options.rows = 100000;
  options.columns = 3;
  options.lambdas = 2;
  options.exact = options.kfold = false;
  const Problem problem = example::example_problem(options);
  TuneResult result = example::example_result(problem, options);
  RowValues& rows = *result.minimum->point.rows;
  rows.leverage[77776] = 0.6;
  rows.alo[77776] = rows.fitted[77776] - 500;
  const std::string svg = render_leverage_svg(problem, result);
  EXPECT_EQ(xml_fault(svg), "");
  EXPECT_LE(count(svg, "<circle"), 3010U);
  EXPECT_THAT(svg, testing::HasSubstr(">77777<"));
}

TEST(Figures, AFlaggedRowIsCrossedAndListed) {
  const Problem problem = example::example_problem();
  TuneResult result = example::example_result(problem);
  RowValues& rows = *result.minimum->point.rows;
  rows.leverage[41] = 1;
  rows.alo[41] = std::numeric_limits<double>::quiet_NaN();
  rows.flags[41] = RowFlag::leverage_one;
  expect_sound(problem, result);
  EXPECT_THAT(render_leverage_svg(problem, result), testing::HasSubstr(">42<"));
  EXPECT_THAT(render_html(problem, result, {}), testing::HasSubstr("leverage_one"));
}

// One scale for both pictures: the brightest pixel of the signal is the brightest of all.
TEST(Figures, AGridIsTwoPictures) {
  const Index rows = 4;
  const Index columns = 5;
  Vector y(rows * columns);
  for (Index i = 0; i < y.size(); ++i) {
    y[i] = (i % columns >= 2 ? 3.0 : 0.0) + 0.1 * static_cast<double>(i % 3);
  }
  SparseMatrix identity(y.size(), y.size());
  identity.setIdentity();
  Dataset data = make_dataset(Design(identity), y);
  data.response_name = "grey <level>";
  const Problem problem(data, SquaredLoss{},
                        GeneralizedLasso::on_graph(y.size(), edges_of_grid(rows, columns)), {false, false});
  TuneOptions options;
  options.lambdas = {0.5};
  const TuneResult result = tune(problem, options);
  const std::string svg = report::render_signal_svg(problem, result);
  EXPECT_EQ(xml_fault(svg), "");
  EXPECT_EQ(count(svg, "<image "), 3U) << "signal, fit and scale";
  EXPECT_EQ(count(svg, "href=\"data:image/png;base64,iVBORw0KGgo"), 3U);
  EXPECT_THAT(svg, testing::HasSubstr("grey &lt;level&gt;"));
  EXPECT_EQ(count(svg, "<polyline"), 0U);
  const Problem chain(data, SquaredLoss{}, GeneralizedLasso::on_graph(y.size(), edges_of_grid(1, y.size())),
                      {false, false});
  EXPECT_EQ(count(report::render_signal_svg(chain, tune(chain, options)), "<image "), 0U);
}

// The smallest picture there is, byte for byte: zlib's stored or compressed form of one filter byte and one
// level may differ between versions, all before it may not.
TEST(Figures, PicturesAreInTheFormatTheyName) {
  const std::uint8_t level = 255;
  EXPECT_THAT(report::gray_picture(std::span(&level, 1), 1, 1),
              testing::StartsWith("data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptV"));
}

TEST(Figures, NamesAreEscapedEverywhere) {
  example::ExampleOptions options;
  options.column_names = {"<script>alert('&')</script>", "\xFFraw"};
  options.response_name = "<y>";
  const Problem problem = example::example_problem(options);
  TuneResult result = example::example_result(problem, options);
  result.warnings.emplace_back("<i>warning</i>");
  ReportContext context;
  context.title = "<title>";
  expect_sound(problem, result);
  const std::string page = render_html(problem, result, context);
  EXPECT_EQ(count(page, "<script"), 0U);
  EXPECT_EQ(count(page, "<i>"), 0U);
  EXPECT_EQ(count(page, "<y>"), 0U);
  EXPECT_EQ(count(page, "\xFF"), 0U);
  EXPECT_THAT(page, testing::HasSubstr("&lt;script&gt;"));
}

TEST(Page, NeedsNothingButItself) {
  const Problem problem = example::example_problem();
  const std::string page = render_html(problem, example::example_result(problem), {});
  EXPECT_EQ(count(page, "<svg"), 3U);
  EXPECT_EQ(count(page, "http"), 4U) << "three SVG name spaces and the content policy";
  EXPECT_EQ(count(page, "src="), 0U);
  EXPECT_EQ(count(page, "@import"), 0U);
  EXPECT_EQ(count(page, "url("), count(page, "url(#"));
  EXPECT_THAT(page, testing::HasSubstr("id=\"verdict\""));
  EXPECT_THAT(page, testing::HasSubstr("the choice can be relied on"));
}

TEST(Page, SaysWhenTheEstimateIsUnreliable) {
  const Problem problem = example::example_problem();
  TuneResult result = example::example_result(problem);
  result.verdict = {false, {Message("row 7 has leverage 0.97")}};
  const std::string page = render_html(problem, result, {});
  EXPECT_THAT(page, testing::HasSubstr("verdict bad"));
  EXPECT_THAT(page, testing::HasSubstr("Row 7 has leverage 0.97."));
}

TEST(Page, RidgeWithoutStandardisationReadsWell) {
  const Problem base = example::example_problem();
  const Problem problem(base.data(), SquaredLoss{}, Ridge{}, {true, false});
  const TuneResult result = example::example_result(base);
  const std::string page = render_html(problem, result, {});
  EXPECT_THAT(page, testing::HasSubstr("ridge with squared loss"));
  EXPECT_THAT(page, testing::Not(testing::HasSubstr("sd of")));
}

}  // namespace
}  // namespace alo
