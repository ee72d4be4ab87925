// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "alo/report.hpp"
#include "figures/lambda_axis.hpp"
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

// Sizes in figure units (svg.hpp), lengths in characters. More than drawn_limit lines could not be told
// apart and would make the file large; labelled_limit labels of label_step units fit beside the frame;
// `hues` is the number of colours in the style sheet (svg.cpp).
constexpr double paths_height = 330;
constexpr std::size_t drawn_limit = 200;
constexpr std::size_t labeled_limit = 10;
constexpr std::size_t label_length = 14;
constexpr double label_step = 14.5;
constexpr std::size_t hues = 7;

// One coefficient along the path, times the scale of its column, so that sizes are comparable.
struct Trace {
  Index term = 0;
  double chosen = 0;  // absolute value at the chosen lambda
  double size = 0;    // largest absolute value
  double last = 0;    // at the right end
};

// The coefficients that are nonzero somewhere on the path, ordered by their size at the chosen lambda, at
// most drawn_limit.
std::vector<Trace> traces(const Problem& problem, const TuneResult& result, const LambdaAxis& axis,
                          std::size_t& nonzero) {
  const Index terms = report::term_count(problem);
  Vector size = Vector::Zero(terms);
  for (const std::size_t at : axis.shown) {
    const PathPoint& point = result.path[at];
    if (point.fit.coefficients.size() != terms) continue;
    for (Index j = 0; j < terms; ++j) {
      if (point.fit.coefficients[j] != 0)
        size[j] = std::max(size[j], std::abs(report::scaled_coefficient(problem, point.fit, j)));
    }
  }
  const std::optional<Selected>& chosen = result.chosen();
  const bool ranked = chosen && chosen->point.fit.coefficients.size() == terms;
  std::vector<Trace> all;
  for (Index j = 0; j < terms; ++j) {
    if (!(size[j] > 0)) continue;
    const double at_chosen =
        ranked ? std::abs(report::scaled_coefficient(problem, chosen->point.fit, j)) : 0.0;
    all.push_back(
        {j, at_chosen, size[j], report::scaled_coefficient(problem, result.path[axis.shown.back()].fit, j)});
  }
  nonzero = all.size();
  std::stable_sort(all.begin(), all.end(), [](const Trace& a, const Trace& b) {
    return a.chosen != b.chosen ? a.chosen > b.chosen : a.size > b.size;
  });
  if (all.size() > drawn_limit) all.resize(drawn_limit);
  return all;
}

// The heights of labels that should stand at `wanted` (ascending): each at least label_step below the one
// before and all inside [top, bottom]. One sweep down and one up move them no further than necessary.
std::vector<double> spread_labels(std::vector<double> wanted, double top, double bottom) {
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    wanted[k] = std::max(wanted[k], k == 0 ? top : wanted[k - 1] + label_step);
  }
  for (std::size_t k = wanted.size(); k-- > 0;) {
    wanted[k] = std::min(wanted[k], k + 1 == wanted.size() ? bottom : wanted[k + 1] - label_step);
  }
  return wanted;
}

class PathsFigure {
 public:
  PathsFigure(const Problem& problem, const TuneResult& result) : problem_(problem), result_(result) {
    frame_ = {60, 44, report::figure_width - 14, paths_height - 46};
    axis_ = report::lambda_axis(result, frame_);
    if (!axis_.shown.empty()) traces_ = traces(problem, result, axis_, nonzero_);
    double low = 0;
    double high = 0;
    find_range(low, high);
    if (!note().empty()) canvas_ = Canvas(paths_height + 14);
    report::widen(low, high, 0.04);
    // Leaves room at the top for the labels of the chosen lambdas.
    high += (high - low) * 0.08;
    values_ = {low, high, frame_.bottom, frame_.top, false};
    ticks_ = report::ticks_of(values_, 5);
    double names = 0;
    for (std::size_t k = 0; k < labeled(); ++k) names = std::max(names, report::text_width(name(traces_[k])));
    frame_.left = report::vertical_axis_width(ticks_);
    if (names > 0) frame_.right = report::figure_width - names - 36;
    axis_ = report::lambda_axis(result, frame_);
  }

  std::string draw() {
    const double zero = values_(0);
    canvas_.line({frame_.left, zero}, {frame_.right, zero}, "zero");
    canvas_.begin_clip(frame_, "alo-paths-frame");
    for (std::size_t k = traces_.size(); k-- > 0;) draw_trace(k);
    canvas_.end_clip();
    report::draw_choices(canvas_, frame_, axis_, result_);
    draw_labels();
    report::draw_left_axis(canvas_, frame_, values_, ticks_,
                           problem_.standardize() ? "Coefficient \u00d7 sd of its column" : "Coefficient");
    report::draw_lambda_axis(canvas_, frame_, axis_);
    report::draw_point_axis(
        canvas_, frame_, axis_, result_, [](const PathPoint& point) { return std::to_string(point.nonzero); },
        "Coefficients that are not zero");
    if (traces_.empty()) {
      canvas_.text({(frame_.left + frame_.right) / 2, frame_.top + 60}, Anchor::middle,
                   "Every coefficient is zero along the path", "quiet");
    }
    if (!note().empty()) canvas_.text({frame_.left, paths_height + 4}, Anchor::start, note(), "small quiet");
    return canvas_.document("Coefficient paths",
                            "Coefficients against lambda; the largest are named at the right.");
  }

 private:
  // The range of all values; or, where values beyond the minimum of the risk would flatten the rest, the
  // range up to the minimum with some room. Paths may then leave the frame.
  void find_range(double& low, double& high) {
    const double limit = result_.minimum ? result_.minimum->choice.lambda : 0.0;
    double low_before = 0;
    double high_before = 0;
    for (const Trace& trace : traces_) {
      for (const std::size_t at : axis_.shown) {
        const double here = value(trace, at);
        low = std::min(low, here);
        high = std::max(high, here);
        if (result_.path[at].fit.lambda < limit) continue;
        low_before = std::min(low_before, here);
        high_before = std::max(high_before, here);
      }
    }
    const double size = high_before - low_before;
    cut_ = size > 0 && high - low > 3 * size;
    if (!cut_) return;
    low = std::max(low, low_before - 0.7 * size);
    high = std::min(high, high_before + 0.7 * size);
  }

  std::string note() const {
    std::string text;
    if (nonzero_ > traces_.size())
      text = fmt::format("The {} largest of {} paths. ", traces_.size(), nonzero_);
    if (cut_) text += "Some paths leave the frame.";
    return text;
  }

  std::size_t labeled() const { return std::min(labeled_limit, traces_.size()); }

  double value(const Trace& trace, std::size_t at) const {
    const PathPoint& point = result_.path[at];
    return point.fit.coefficients.size() == report::term_count(problem_)
               ? report::scaled_coefficient(problem_, point.fit, trace.term)
               : 0.0;
  }

  std::string name(const Trace& trace) const {
    if (problem_.outputs() == 1)
      return report::shorten(report::term_name(problem_, trace.term), label_length);
    const std::string column = problem_.data().column_name(trace.term % problem_.columns());
    const auto output = static_cast<std::size_t>(trace.term / problem_.columns());
    // Column and class are shortened separately, so that the class remains legible.
    return fmt::format("{} ({})", report::shorten(column, label_length / 2 + 2),
                       report::shorten(report::class_labels(problem_)[output], label_length / 2));
  }

  std::string style(std::size_t k) const {
    return k < labeled() ? fmt::format("curve c{}{}", k % hues, k < hues ? "" : " dashed")
                         : std::string("rest");
  }

  // Straight stretches, such as a path at zero, are drawn by their end points.
  void draw_trace(std::size_t k) {
    std::vector<Point> points;
    for (const std::size_t at : axis_.shown) {
      const Point next{axis_.scale(result_.path[at].fit.lambda), values_(value(traces_[k], at))};
      const std::size_t count = points.size();
      if (count >= 2 && points[count - 1].y == next.y && points[count - 2].y == next.y) points.pop_back();
      points.push_back(next);
    }
    canvas_.begin_group(report::term_name(problem_, traces_[k].term));
    if (points.size() > 1) {
      canvas_.polyline(points, style(k));
    } else {
      canvas_.circle(points.front(), 3, style(k));
    }
    canvas_.end_group();
  }

  void draw_labels() {
    if (traces_.empty()) return;
    std::vector<std::size_t> order(labeled());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return traces_[a].last > traces_[b].last; });
    std::vector<double> wanted;
    for (const std::size_t k : order) {
      wanted.push_back(std::clamp(values_(traces_[k].last), frame_.top, frame_.bottom));
    }
    const std::vector<double> placed = spread_labels(wanted, frame_.top + 6, frame_.bottom - 4);
    const double end = axis_.scale(result_.path[axis_.shown.back()].fit.lambda);
    for (std::size_t k = 0; k < order.size(); ++k) {
      const double x = frame_.right + 14;
      canvas_.polyline({{end + 2, wanted[k]}, {frame_.right + 4, wanted[k]}, {x - 3, placed[k]}}, "leader");
      canvas_.line({x - 3, placed[k]}, {x + 11, placed[k]}, style(order[k]));
      canvas_.text({x + 15, placed[k] + 4.2}, Anchor::start, name(traces_[order[k]]));
    }
  }

  const Problem& problem_;
  const TuneResult& result_;
  Canvas canvas_{paths_height};
  Box frame_;
  LambdaAxis axis_;
  std::vector<Trace> traces_;
  std::size_t nonzero_ = 0;
  bool cut_ = false;  // some paths leave the frame
  Scale values_;
  std::vector<report::Tick> ticks_;
};

}  // namespace

std::string render_paths_svg(const Problem& problem, const TuneResult& result) {
  return PathsFigure(problem, result).draw();
}

}  // namespace alo
