// SPDX-License-Identifier: MIT
#include "figures/grid_figure.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "alo/analysis_operator.hpp"
#include "figures/axes.hpp"
#include "figures/png.hpp"
#include "penalties/analysis/edges.hpp"
#include "signals/graph.hpp"

namespace alo::report {

namespace {

// Sizes in figure units (svg.hpp); a picture is between `least_height` and `tallest` high.
constexpr double margin = 16;
constexpr double title_height = 18;
constexpr double gap = 14;
constexpr double bar_width = 10;
constexpr double tallest = 420;
constexpr double least_height = 60;
// Grey levels of the smallest and the largest value, in 0 ... 255. Pure black and white are avoided, so
// that the picture differs from its frame in both colour schemes.
constexpr double darkest = 15;
constexpr double lightest = 245;

std::vector<std::uint8_t> gray_levels(const Vector& values, double low, double high) {
  std::vector<std::uint8_t> levels;
  levels.reserve(static_cast<std::size_t>(values.size()));
  for (const double value : values) {
    const double share = (value - low) / (high - low);
    levels.push_back(static_cast<std::uint8_t>(std::lround(darkest + share * (lightest - darkest))));
  }
  return levels;
}

// Draws the scale of grey beside the pictures, light above, because its axis points up.
void draw_scale(Canvas& canvas, const Box& box, const Scale& scale, const std::vector<Tick>& ticks) {
  const Vector levels = Vector::LinSpaced(128, scale.high, scale.low);
  canvas.picture(box, gray_picture(gray_levels(levels, scale.low, scale.high), 1, 128));
  for (const Tick& tick : ticks) {
    const double y = scale(tick.value);
    canvas.line({box.right, y}, {box.right + 3, y}, "axis");
    canvas.text({box.right + 6, y + 4}, Anchor::start, tick.label, "small");
  }
}

}  // namespace

std::optional<GridShape> grid_shape(const Problem& problem) {
  const AnalysisOperator* analysis = problem.penalty().analysis();
  if (analysis == nullptr || analysis->chain_order()) return std::nullopt;
  const auto found = find_edge_rows(analysis->matrix());
  if (!found || found->edges.size() < 4) return std::nullopt;
  // The second edge of the first node leads to the row below, so that it tells the number of columns.
  const Index nodes = analysis->matrix().cols();
  const Index columns = found->edges[1].second;
  if (columns < 2 || nodes % columns != 0) return std::nullopt;
  const GridShape shape = {nodes / columns, columns};
  const std::vector<GraphEdge> expected = grid_edges(shape.rows, shape.columns);
  const bool same = std::ranges::equal(found->edges, expected, [](const auto& a, const GraphEdge& b) {
    return a.first == b.tail && a.second == b.head;
  });
  return same ? std::optional(shape) : std::nullopt;
}

std::string render_grid_svg(const GridShape& shape, const Vector& response, const Vector& fit,
                            const std::string& name) {
  double low = response.minCoeff();
  double high = response.maxCoeff();
  if (fit.size() > 0) {
    low = std::min(low, fit.minCoeff());
    high = std::max(high, fit.maxCoeff());
  }
  widen(low, high, 0.0);
  Scale scale = {low, high, 1.0, 0.0, false};
  const std::vector<Tick> ticks = linear_ticks(low, high, 5);
  double labels = 0.0;
  for (const Tick& tick : ticks) labels = std::max(labels, text_width(tick.label, 11.0));

  const double room = 0.5 * (figure_width - 2.0 * margin - 2.0 * gap - bar_width - 6.0 - labels);
  const double ratio = static_cast<double>(shape.rows) / static_cast<double>(shape.columns);
  const double tall = std::clamp(room * ratio, least_height, tallest);
  const double wide = std::min(room, tall / ratio);
  const double top = margin + title_height;

  Canvas canvas(top + tall + margin);
  const auto draw = [&](double left, const std::string& title, const Vector& values) {
    const Box box = {left, top, left + wide, top + tall};
    canvas.text({left, top - 6.0}, Anchor::start, title);
    canvas.picture(box,
                   gray_picture(gray_levels(values, low, high), static_cast<std::uint32_t>(shape.columns),
                                static_cast<std::uint32_t>(shape.rows)));
  };
  draw(margin, name, response);
  const double second = margin + wide + gap;
  if (fit.size() > 0) draw(second, "Fit", fit);
  const double bar = fit.size() > 0 ? second + wide + gap : second;
  scale.from = top + tall;
  scale.to = top;
  draw_scale(canvas, {bar, top, bar + bar_width, top + tall}, scale, ticks);
  return canvas.document(
      "The signal and its fit",
      "The response of every place of the grid, and the fit at the chosen lambda, in one scale of grey.");
}

}  // namespace alo::report
