// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <ranges>
#include <string>
#include <vector>

#include "alo/report.hpp"
#include "figures/lambda_axis.hpp"
#include "figures/thinning.hpp"
#include "summary/format.hpp"
#include "summary/words.hpp"

namespace alo {
namespace {

using report::Anchor;
using report::Box;
using report::Canvas;
using report::LambdaAxis;
using report::Point;
using report::Scale;

// The height in figure units.
constexpr double risk_height = 330;

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  bool empty() const { return low > high; }
};

double error_of(const Estimate& estimate) {
  return estimate.se.value_or(0.0);
}

// Exact risks at chosen lambdas that are not on the path, as (lambda, risk).
std::vector<std::pair<double, double>> lone_exact(const TuneResult& result) {
  std::vector<std::pair<double, double>> points;
  for (const auto* selected : {&result.one_se, &result.minimum}) {
    if (!report::is_proved(*selected) || !((*selected)->choice.lambda > 0)) continue;
    if ((*selected)->choice.index) continue;
    if (selected == &result.minimum && report::same_choice(result)) continue;
    points.emplace_back((*selected)->choice.lambda, *(*selected)->exact.front().mean);
  }
  return points;
}

// The range of everything drawn: the curves, the band, the exact risks at the choices.
Range drawn_range(const TuneResult& result, const RiskCurve& curve, const std::vector<std::size_t>& shown) {
  Range range;
  for (const auto& [lambda, risk] : lone_exact(result)) range.include(risk);
  for (const std::size_t at : shown) {
    if (at < curve.estimate.size() && curve.estimate[at].mean) {
      range.include(*curve.estimate[at].mean - error_of(curve.estimate[at]));
      range.include(*curve.estimate[at].mean + error_of(curve.estimate[at]));
    }
    for (const auto* values : {&curve.alo, &curve.exact, &curve.kfold}) {
      if (at < values->size() && (*values)[at].mean) range.include(*(*values)[at].mean);
    }
  }
  return range;
}

// Leaves room at the top for the labels of the chosen lambdas. A risk that spans more than a factor of
// thirty is drawn on a logarithmic scale, on which the minimum stays visible.
Scale risk_scale(const TuneResult& result, const RiskCurve& curve, const std::vector<std::size_t>& shown,
                 const Box& frame) {
  Range range = drawn_range(result, curve, shown);
  if (range.empty()) range = {0, 1};
  Scale scale{range.low, range.high, frame.bottom, frame.top + report::choice_label_height + 4, false};
  if (range.low > 0 && range.high > 30 * range.low) {
    scale.logarithmic = true;
    scale.low /= 1.1;
    scale.high *= 1.05;
  } else {
    report::widen(scale.low, scale.high, 0.04);
    if (range.low >= 0) scale.low = std::max(scale.low, 0.0);
  }
  // The scale is extended to the frame, so that ticks can stand beside the labels.
  const double share = (frame.bottom - frame.top) / (scale.from - scale.to);
  scale.high = scale.logarithmic ? scale.low * std::pow(scale.high / scale.low, share)
                                 : scale.low + share * (scale.high - scale.low);
  scale.to = frame.top;
  return scale;
}

// Maximal runs of neighbouring points at which the risk is defined.
std::vector<std::vector<std::size_t>> defined_stretches(const std::vector<Estimate>& values,
                                                        const std::vector<std::size_t>& shown) {
  std::vector<std::vector<std::size_t>> stretches(1);
  for (const std::size_t at : shown) {
    if (at < values.size() && values[at].mean) {
      stretches.back().push_back(at);
    } else if (!stretches.back().empty()) {
      stretches.emplace_back();
    }
  }
  if (stretches.back().empty()) stretches.pop_back();
  return stretches;
}

class RiskFigure {
 public:
  RiskFigure(const TuneResult& result, const RiskCurve& curve)
      : result_(result), curve_(curve), best_(curve.estimate.begin(), curve.estimate.end()) {
    frame_ = {0, 62, report::figure_width - 14, risk_height - 46};
    axis_ = report::lambda_axis(result, frame_);
    risk_ = risk_scale(result, curve, axis_.shown, frame_);
    ticks_ = report::ticks_of(risk_, 5);
    frame_.left = report::vertical_axis_width(ticks_);
    axis_ = report::lambda_axis(result, frame_);
  }

  std::string draw() {
    draw_legend();
    canvas_.begin_clip(frame_, "alo-risk-frame");
    draw_band();
    draw_line(curve_.kfold, "curve kfold");
    if (report::has_better_than_alo(curve_)) draw_line(curve_.alo, "curve formula");
    draw_line(best_, "curve alo");
    draw_exact();
    canvas_.end_clip();
    report::draw_choices(canvas_, frame_, axis_, result_);
    for (const auto& [lambda, risk] : lone_exact(result_)) {
      draw_diamond({axis_.scale(lambda), height_of(risk)});
    }
    draw_chosen_points();
    const std::string metric(report::metric_words(curve_.metric));
    report::draw_left_axis(canvas_, frame_, risk_, ticks_, "Held-out " + metric);
    report::draw_lambda_axis(canvas_, frame_, axis_);
    report::draw_point_axis(
        canvas_, frame_, axis_, result_,
        [](const PathPoint& point) { return degrees_label(point.degrees_of_freedom); }, "Degrees of freedom");
    if (defined_stretches(best_, axis_.shown).empty()) {
      canvas_.text({(frame_.left + frame_.right) / 2, (frame_.top + frame_.bottom) / 2}, Anchor::middle,
                   "The risk is undefined at every \u03bb", "quiet");
    }
    return canvas_.document("Risk along the path", description());
  }

 private:
  static std::string degrees_label(double value) {
    return value < 9.95 ? fmt::format("{:.1f}", value) : report::readable_short(std::round(value), 6);
  }

  Point place(std::size_t at, double risk) const {
    return {axis_.scale(result_.path[at].fit.lambda), height_of(risk)};
  }

  double height_of(double risk) const {
    return risk_(risk_.logarithmic ? std::max(risk, risk_.low * 1e-3) : risk);
  }

  void draw_band() {
    for (const auto& stretch : defined_stretches(best_, axis_.shown)) {
      std::vector<Point> outline;
      for (const std::size_t at : stretch) {
        outline.push_back(place(at, *best_[at].mean + error_of(best_[at])));
      }
      for (const std::size_t at : std::views::reverse(stretch)) {
        outline.push_back(place(at, *best_[at].mean - error_of(best_[at])));
      }
      if (stretch.size() > 1) {
        canvas_.polygon(outline, "band");
      } else {
        canvas_.line(outline.front(), outline.back(), "curve alo");
      }
    }
  }

  void draw_line(const std::vector<Estimate>& values, const std::string& style) {
    for (const auto& stretch : defined_stretches(values, axis_.shown)) {
      std::vector<Point> points;
      for (const std::size_t at : stretch) points.push_back(place(at, *values[at].mean));
      if (points.size() > 1) {
        canvas_.polyline(points, style);
      } else {
        canvas_.circle(points.front(), 3, style == "curve alo" ? "dot" : style);
      }
    }
  }

  // The exact risk is drawn by circles and not by a line, because it coincides with the approximation where
  // that is accurate.
  void draw_exact() {
    std::vector<std::size_t> known;
    for (const std::size_t at : axis_.shown) {
      if (at < curve_.exact.size() && curve_.exact[at].mean) known.push_back(at);
    }
    const std::size_t step = known.size() / 40 + 1;
    for (std::size_t k = 0; k < known.size(); k += step) {
      canvas_.circle(place(known[k], *curve_.exact[known[k]].mean), 2.6, "exact");
    }
  }

  // A diamond of this half-width is larger than the ring of the approximation, which it covers where the
  // two agree.
  void draw_diamond(Point at) {
    constexpr double reach = 6.4;
    canvas_.polygon({{at.x - reach, at.y}, {at.x, at.y - reach}, {at.x + reach, at.y}, {at.x, at.y + reach}},
                    "notable");
  }

  void draw_chosen_points() {
    for (const auto* selected : {&result_.one_se, &result_.minimum}) {
      if (!*selected || !((*selected)->choice.lambda > 0) || !(*selected)->choice.risk.mean) continue;
      canvas_.circle({axis_.scale((*selected)->choice.lambda), height_of(*(*selected)->choice.risk.mean)},
                     3.4, "ring");
    }
  }

  void draw_legend() {
    double x = frame_.left;
    const double y = 16;
    const auto add = [&](const std::string& label, auto swatch) {
      swatch(x);
      canvas_.text({x + 26, y}, Anchor::start, label);
      x += 26 + report::text_width(label) + 12;
    };
    const bool only_alo = std::all_of(curve_.estimate.begin(), curve_.estimate.end(),
                                      [](const BestEstimate& e) { return e.kind == EstimateKind::alo; });
    add(only_alo ? "ALO \u00b1 1 se" : "leave-one-out \u00b1 1 se", [&](double at) {
      canvas_.polygon({{at, y - 10}, {at + 20, y - 10}, {at + 20, y + 1}, {at, y + 1}}, "band");
      canvas_.line({at, y - 4.5}, {at + 20, y - 4.5}, "curve alo");
    });
    if (report::has_better_than_alo(curve_)) {
      add("ALO", [&](double at) { canvas_.line({at, y - 4.5}, {at + 20, y - 4.5}, "curve formula"); });
    }
    if (!curve_.exact.empty()) {
      add("exact", [&](double at) {
        canvas_.circle({at + 5, y - 4.5}, 2.6, "exact");
        canvas_.circle({at + 15, y - 4.5}, 2.6, "exact");
      });
    }
    if (!lone_exact(result_).empty()) {
      add("exact at the chosen \u03bb", [&](double at) { draw_diamond({at + 12, y - 4.5}); });
    }
    if (!curve_.kfold.empty()) {
      add("k-fold", [&](double at) { canvas_.line({at, y - 4.5}, {at + 20, y - 4.5}, "curve kfold"); });
    }
  }

  std::string description() const {
    std::string text = fmt::format("Held-out {} against lambda.", report::metric_words(curve_.metric));
    const auto add = [&](const char* name, const std::optional<Selected>& selected) {
      if (!selected || !selected->choice.risk.mean) return;
      text += fmt::format(" {}: {} at lambda {}.", name, report::readable_short(*selected->choice.risk.mean),
                          report::readable_short(selected->choice.lambda));
      if (!report::is_proved(selected)) return;
      text += fmt::format(" Exact leave-one-out there: {}.",
                          report::readable_short(*selected->exact.front().mean));
    };
    add("Minimum", result_.minimum);
    add("One standard error rule", result_.one_se);
    return text;
  }

  const TuneResult& result_;
  const RiskCurve& curve_;
  std::vector<Estimate> best_;  // the estimates of the curve
  Canvas canvas_{risk_height};
  Box frame_;
  LambdaAxis axis_;
  Scale risk_;
  std::vector<report::Tick> ticks_;
};

}  // namespace

std::string render_risk_svg(const Problem&, const TuneResult& result) {
  const RiskCurve none;
  const RiskCurve* curve = report::choosing_curve(result);
  return RiskFigure(result, curve ? *curve : none).draw();
}

}  // namespace alo
