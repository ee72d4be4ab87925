// SPDX-License-Identifier: MIT
#include "figures/signal_figure.hpp"

#include <algorithm>
#include <vector>

#include "figures/axes.hpp"
#include "figures/grid_figure.hpp"
#include "figures/thinning.hpp"

namespace alo::report {

namespace {

// The height in figure units; the numbers of points and of corners of a line that a browser draws without
// delay.
constexpr double height = 300;
constexpr std::size_t point_limit = 3000;
constexpr std::size_t corner_limit = 4000;

// The rows at which the fit changes its slope: straight stretches are drawn by their end points.
std::vector<Point> corners(const std::vector<Point>& points) {
  std::vector<Point> kept;
  for (std::size_t k = 0; k < points.size(); ++k) {
    const bool inside = k > 0 && k + 1 < points.size();
    if (inside && points[k - 1].y == points[k].y && points[k].y == points[k + 1].y) continue;
    kept.push_back(points[k]);
  }
  if (kept.size() <= corner_limit) return kept;
  std::vector<Point> thinned;
  for (const std::size_t k : evenly_spread(kept.size(), corner_limit)) thinned.push_back(kept[k]);
  return thinned;
}

void draw_response(Canvas& canvas, const Scale& across, const Scale& values, const Vector& response) {
  std::vector<double> x;
  std::vector<double> y;
  for (Index row = 0; row < response.size(); ++row) {
    x.push_back(across(static_cast<double>(row + 1)));
    y.push_back(values(response[row]));
  }
  const double radius = response.size() > 1000 ? 1.2 : 2.0;
  for (const std::size_t k : thin_points(x, y, point_limit)) canvas.circle({x[k], y[k]}, radius, "point");
}

void draw_fit(Canvas& canvas, const Scale& across, const Scale& values, const Vector& fit) {
  std::vector<Point> points;
  for (Index row = 0; row < fit.size(); ++row) {
    points.push_back({across(static_cast<double>(row + 1)), values(fit[row])});
  }
  canvas.polyline(corners(points), "curve c1");
}

}  // namespace

std::string render_signal_svg(const Problem& problem, const TuneResult& result) {
  const Vector& response = problem.data().response;
  Vector fit;
  if (const auto& chosen = result.chosen()) {
    fit = problem.loss().mean(
        problem.linear_predictor(chosen->point.fit.intercept, chosen->point.fit.coefficients));
  }
  if (const auto shape = grid_shape(problem)) {
    return render_grid_svg(*shape, response, fit, problem.data().response_name);
  }
  double low = response.minCoeff();
  double high = response.maxCoeff();
  if (fit.size() > 0) {
    low = std::min(low, fit.minCoeff());
    high = std::max(high, fit.maxCoeff());
  }
  widen(low, high, 0.05);
  Box frame = {60, 16, figure_width - 16, height - 46};
  const Scale values = {low, high, frame.bottom, frame.top, false};
  const std::vector<Tick> ticks = ticks_of(values, 5);
  frame.left = vertical_axis_width(ticks);
  const Scale across = {0.0, static_cast<double>(response.size() + 1), frame.left, frame.right, false};

  Canvas canvas(height);
  draw_response(canvas, across, values, response);
  if (fit.size() > 0) draw_fit(canvas, across, values, fit);
  draw_left_axis(canvas, frame, values, ticks, problem.data().response_name);
  draw_bottom_axis(canvas, frame, across, ticks_of(across, 6), "Row");
  return canvas.document("The signal and its fit",
                         "The response of every row in order, and the fit at the chosen lambda as a line.");
}

}  // namespace alo::report
