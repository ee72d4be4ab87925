// SPDX-License-Identifier: MIT
#include "figures/lambda_axis.hpp"

#include <algorithm>
#include <cmath>

#include "figures/thinning.hpp"
#include "summary/format.hpp"
#include "summary/words.hpp"

namespace alo::report {
namespace {

// Draws a label beside a vertical line: on the side asked for, or on the other where the figure ends.
Box draw_mark(Canvas& canvas, const Box& frame, double x, std::string_view label, bool to_the_left,
              const Box* avoid) {
  canvas.line({x, frame.top}, {x, frame.bottom}, "mark");
  const double width = text_width(label);
  if (to_the_left && x - 5 - width < frame.left) to_the_left = false;
  if (!to_the_left && x + 5 + width > frame.right) to_the_left = true;
  Box box{to_the_left ? x - 5 - width : x + 5, frame.top, to_the_left ? x - 5 : x + 5 + width,
          frame.top + choice_label_height};
  if (avoid && box.meets({avoid->left - 4, avoid->top, avoid->right + 4, avoid->bottom})) {
    box.top += 15;
    box.bottom += 15;
  }
  canvas.text({to_the_left ? box.right : box.left, box.top + 13}, to_the_left ? Anchor::end : Anchor::start,
              label);
  return box;
}

}  // namespace

LambdaAxis lambda_axis(const TuneResult& result, const Box& frame) {
  LambdaAxis axis;
  double low = std::numeric_limits<double>::infinity();
  double high = 0;
  for (std::size_t at = 0; at < result.path.size(); ++at) {
    const double lambda = result.path[at].fit.lambda;
    if (!(lambda > 0) || !std::isfinite(lambda)) {
      axis.zero_left_out = true;
      continue;
    }
    axis.shown.push_back(at);
    low = std::min(low, lambda);
    high = std::max(high, lambda);
  }
  if (axis.shown.empty()) low = high = 1;
  if (high / low < 1.0001) {
    low /= 3;
    high *= 3;
  }
  const double margin = std::pow(high / low, 0.015);
  axis.scale = {low / margin, high * margin, frame.right, frame.left, true};
  return axis;
}

void draw_lambda_axis(Canvas& canvas, const Box& frame, const LambdaAxis& axis) {
  const std::string title = axis.zero_left_out
                                ? "\u03bb (log scale, falling to the right; \u03bb = 0 not shown)"
                                : "\u03bb (log scale, falling: less shrinkage \u2192)";
  draw_bottom_axis(canvas, frame, axis.scale, logarithmic_ticks(axis.scale.low, axis.scale.high, 6), title);
}

void draw_point_axis(Canvas& canvas, const Box& frame, const LambdaAxis& axis, const TuneResult& result,
                     const std::function<std::string(const PathPoint&)>& label, std::string_view title) {
  std::vector<Tick> ticks;
  double previous = -1e9;
  for (const std::size_t k : evenly_spread(axis.shown.size(), 7)) {
    const PathPoint& point = result.path[axis.shown[k]];
    const double x = axis.scale(point.fit.lambda);
    if (std::abs(x - previous) < 34) continue;
    previous = x;
    ticks.push_back({point.fit.lambda, label(point)});
  }
  draw_top_axis(canvas, frame, axis.scale, ticks, title);
}

void draw_choices(Canvas& canvas, const Box& frame, const LambdaAxis& axis, const TuneResult& result) {
  const auto shown = [&](const std::optional<Selected>& selected) {
    return selected && selected->choice.lambda >= axis.scale.low &&
           selected->choice.lambda <= axis.scale.high;
  };
  const bool minimum = shown(result.minimum);
  const bool one_se = shown(result.one_se);
  if (minimum && same_choice(result)) {
    draw_mark(canvas, frame, axis.scale(result.minimum->choice.lambda), "min = 1 se", false, nullptr);
    return;
  }
  Box taken{0, 0, 0, 0};
  if (minimum)
    taken = draw_mark(canvas, frame, axis.scale(result.minimum->choice.lambda), "min", false, nullptr);
  if (one_se) draw_mark(canvas, frame, axis.scale(result.one_se->choice.lambda), "1 se", true, &taken);
}

}  // namespace alo::report
