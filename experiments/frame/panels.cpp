// SPDX-License-Identifier: MIT
#include "panels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "figures/axes.hpp"

namespace paper {

namespace {

using alo::report::Anchor;
using alo::report::Box;
using alo::report::Canvas;
using alo::report::Point;
using alo::report::Scale;

// Sizes in figure units (figures/svg.hpp).
constexpr double panel_height = 250;
constexpr double legend_line = 18;
constexpr double margin_left = 66, margin_right = 14, margin_top = 26, margin_bottom = 48;
constexpr double radius = 2.4;
constexpr double mark_reach = 4.5, mark_line = 11;

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  void include(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

Scale scale_across(const Panel& panel, const Box& frame, bool falling) {
  Range range;
  for (const Series& series : panel.series) {
    for (const double value : series.x) range.include(value);
  }
  const double margin = std::pow(range.high / range.low, 0.02);
  const double left = falling ? frame.right : frame.left, right = falling ? frame.left : frame.right;
  return {range.low / margin, range.high * margin, left, right, true};
}

Scale scale_up(const Panel& panel, const Box& frame) {
  Range range;
  for (const Series& series : panel.series) {
    for (const double value : series.y)
      range.include(panel.logarithmic && !(value > 0) ? std::nan("") : value);
  }
  Scale scale{range.low, range.high, frame.bottom, frame.top, panel.logarithmic};
  if (panel.logarithmic) {
    const double margin = std::pow(range.high / range.low, 0.05);
    scale.low /= margin;
    scale.high *= margin;
  } else {
    alo::report::widen(scale.low, scale.high, 0.06);
  }
  return scale;
}

void draw_mark(Canvas& canvas, Point at, Mark mark) {
  constexpr double r = mark_reach;
  switch (mark) {
    case Mark::triangle:
      canvas.polygon({{at.x - r, at.y + r}, {at.x, at.y - r}, {at.x + r, at.y + r}}, "dot");
      break;
    case Mark::diamond:
      canvas.polygon({{at.x - r, at.y}, {at.x, at.y - r}, {at.x + r, at.y}, {at.x, at.y + r}}, "notable");
      break;
    case Mark::square:
      canvas.polygon({{at.x - r + 1, at.y - r + 1},
                      {at.x + r - 1, at.y - r + 1},
                      {at.x + r - 1, at.y + r - 1},
                      {at.x - r + 1, at.y + r - 1}},
                     "ring");
      break;
  }
}

// Marks stand below the curves, one line for each shape.
void draw_choices(Canvas& canvas, const Panel& panel, const Scale& across, double bottom) {
  for (const Choice& choice : panel.choices) {
    const double lines = 2 - static_cast<int>(choice.mark);
    draw_mark(canvas, {across(choice.x), bottom - 7 - mark_line * lines}, choice.mark);
  }
}

void draw_series(Canvas& canvas, const Series& series, const Scale& across, const Scale& up) {
  std::vector<Point> points;
  const auto flush = [&] {
    if (points.size() > 1) canvas.polyline(points, "curve " + series.style);
    points.clear();
  };
  for (std::size_t k = 0; k < series.x.size(); ++k) {
    if (!std::isfinite(series.y[k]) || (up.logarithmic && !(series.y[k] > 0))) {
      flush();
      continue;
    }
    const Point point{across(series.x[k]), up(series.y[k])};
    if (series.circles) {
      canvas.circle(point, radius, series.style);
    } else {
      points.push_back(point);
    }
  }
  flush();
}

void draw_panel(Canvas& canvas, const Panel& panel, const Box& place, const PanelsText& text,
                const std::string& id) {
  const Box frame{place.left + margin_left, place.top + margin_top, place.right - margin_right,
                  place.bottom - margin_bottom};
  const double below = panel.choices.empty() ? 0 : 3 * mark_line;
  const Scale across = scale_across(panel, frame, text.falling);
  const Scale up = scale_up(panel, {frame.left, frame.top, frame.right, frame.bottom - below});
  canvas.text({(frame.left + frame.right) / 2, frame.top - 9}, Anchor::middle, panel.title, "strong");
  canvas.begin_clip({frame.left, frame.top, frame.right, frame.bottom}, id);
  for (const Series& series : panel.series) draw_series(canvas, series, across, up);
  canvas.end_clip();
  draw_choices(canvas, panel, across, frame.bottom);
  alo::report::draw_bottom_axis(canvas, frame, across, alo::report::ticks_of(across, 5), text.across);
  alo::report::draw_left_axis(canvas, frame, up, alo::report::ticks_of(up, 5), "");
  canvas.vertical_text({place.left + 13, (frame.top + frame.bottom) / 2}, text.up);
}

// An entry of the legend, a curve or a mark; the legend takes as many lines as it needs.
struct Entry {
  std::string label;
  const Series* series = nullptr;
  Mark mark = Mark::triangle;  // where there is no series
  double x = 0;
  int line = 0;
};

class Legend {
 public:
  Legend(const std::vector<Panel>& panels, double width) : width_(width) {
    for (const Panel& panel : panels) {
      for (const Series& series : panel.series) add({series.label, &series});
    }
    for (const Panel& panel : panels) {
      for (const Choice& choice : panel.choices) add({choice.label, nullptr, choice.mark});
    }
  }
  double height() const { return 8 + legend_line * (1 + line_); }

  void draw(Canvas& canvas) const {
    for (const Entry& entry : entries_) {
      const double y = 16 + legend_line * entry.line - 4.5;
      if (entry.series == nullptr) {
        draw_mark(canvas, {entry.x + 14, y}, entry.mark);
      } else if (entry.series->circles) {
        for (const double shift : {5.0, 15.0})
          canvas.circle({entry.x + shift, y}, radius, entry.series->style);
      } else {
        canvas.line({entry.x, y}, {entry.x + 20, y}, "curve " + entry.series->style);
      }
      canvas.text({entry.x + 26, y + 4.5}, Anchor::start, entry.label);
    }
  }

 private:
  void add(Entry entry) {
    if (std::any_of(entries_.begin(), entries_.end(),
                    [&](const Entry& other) { return other.label == entry.label; })) {
      return;
    }
    const double extent = 26 + alo::report::text_width(entry.label);
    if (x_ + extent > width_ && x_ > margin_left) {
      x_ = margin_left;
      ++line_;
    }
    entry.x = x_;
    entry.line = line_;
    x_ += extent + 12;
    entries_.push_back(std::move(entry));
  }

  double width_;
  double x_ = margin_left;
  int line_ = 0;
  std::vector<Entry> entries_;
};

}  // namespace

std::string draw_panels(const std::vector<Panel>& panels, const PanelsText& text) {
  const std::size_t columns = std::min<std::size_t>(panels.size(), 2);
  const std::size_t rows = (panels.size() + columns - 1) / columns;
  const double width = columns == 1 ? alo::report::figure_width : 1.6 * alo::report::figure_width;
  const Legend legend(panels, width);
  const double legend_height = legend.height();
  Canvas canvas(legend_height + panel_height * static_cast<double>(rows), width);
  legend.draw(canvas);
  const double panel_width = width / static_cast<double>(columns);
  for (std::size_t k = 0; k < panels.size(); ++k) {
    const double left = panel_width * static_cast<double>(k % columns);
    const double top = legend_height + panel_height * static_cast<double>(k / columns);
    draw_panel(canvas, panels[k], {left, top, left + panel_width, top + panel_height}, text,
               fmt::format("{}-{}", text.id, k));
  }
  return canvas.document(text.title, text.description);
}

}  // namespace paper
