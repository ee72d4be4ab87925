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

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  void include(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

Scale scale_across(const Panel& panel, const Box& frame) {
  Range range;
  for (const Series& series : panel.series) {
    for (const double value : series.x) range.include(value);
  }
  const double margin = std::pow(range.high / range.low, 0.02);
  return {range.low / margin, range.high * margin, frame.left, frame.right, true};
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
  const Scale across = scale_across(panel, frame);
  const Scale up = scale_up(panel, frame);
  canvas.text({(frame.left + frame.right) / 2, frame.top - 9}, Anchor::middle, panel.title, "strong");
  canvas.begin_clip({frame.left, frame.top, frame.right, frame.bottom}, id);
  for (const Series& series : panel.series) draw_series(canvas, series, across, up);
  canvas.end_clip();
  alo::report::draw_bottom_axis(canvas, frame, across, alo::report::ticks_of(across, 5), text.across);
  alo::report::draw_left_axis(canvas, frame, up, alo::report::ticks_of(up, 5), "");
  canvas.vertical_text({place.left + 13, (frame.top + frame.bottom) / 2}, text.up);
}

// An entry of the legend; it takes as many lines as it needs.
struct Entry {
  const Series* series = nullptr;
  double x = 0;
  int line = 0;
};

std::vector<Entry> legend_of(const std::vector<Panel>& panels, double width) {
  std::vector<Entry> entries;
  double x = margin_left;
  int line = 0;
  for (const Panel& panel : panels) {
    for (const Series& series : panel.series) {
      if (std::any_of(entries.begin(), entries.end(),
                      [&](const Entry& entry) { return entry.series->label == series.label; })) {
        continue;
      }
      const double extent = 26 + alo::report::text_width(series.label);
      if (x + extent > width && x > margin_left) {
        x = margin_left;
        ++line;
      }
      entries.push_back({&series, x, line});
      x += extent + 12;
    }
  }
  return entries;
}

void draw_legend(Canvas& canvas, const std::vector<Entry>& entries) {
  for (const Entry& entry : entries) {
    const Series& series = *entry.series;
    const double x = entry.x, y = 16 + legend_line * entry.line;
    if (series.circles) {
      for (const double shift : {5.0, 15.0}) canvas.circle({x + shift, y - 4.5}, radius, series.style);
    } else {
      canvas.line({x, y - 4.5}, {x + 20, y - 4.5}, "curve " + series.style);
    }
    canvas.text({x + 26, y}, Anchor::start, series.label);
  }
}

}  // namespace

std::string draw_panels(const std::vector<Panel>& panels, const PanelsText& text) {
  const std::size_t columns = std::min<std::size_t>(panels.size(), 2);
  const std::size_t rows = (panels.size() + columns - 1) / columns;
  const double width = columns == 1 ? alo::report::figure_width : 1.6 * alo::report::figure_width;
  const std::vector<Entry> entries = legend_of(panels, width);
  const double legend_height = 8 + legend_line * (1 + (entries.empty() ? 0 : entries.back().line));
  Canvas canvas(legend_height + panel_height * static_cast<double>(rows), width);
  draw_legend(canvas, entries);
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
