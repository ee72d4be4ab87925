// SPDX-License-Identifier: MIT
#include "figures/matrix_figure.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "figures/axes.hpp"
#include "figures/png.hpp"
#include "summary/matrix.hpp"

namespace alo::report {

namespace {

// Sizes in figure units (svg.hpp).
constexpr double matrix_margin = 16;
constexpr double axis_height = 46;
constexpr double bar_gap = 14;
constexpr double matrix_bar_width = 10;
constexpr double tallest_picture = 400;
constexpr double smallest_picture = 60;
// The largest number of pixels along a side, more than the figure has on a screen or in print; and the
// number of colours on each side of zero (a palette has at most 256).
constexpr Index pixel_limit = 600;
constexpr int levels_per_sign = 127;

// Colours from the most negative value through zero to the most positive one. Both ends are dark, so that
// sizes compare in print, and the hues differ for readers with any colour vision.
constexpr std::array<std::array<double, 3>, 5> stops = {
    {{4, 52, 92}, {70, 154, 208}, {246, 246, 244}, {240, 148, 78}, {122, 44, 4}}};

std::vector<Color> diverging_palette() {
  std::vector<Color> palette;
  for (int level = 0; level <= 2 * levels_per_sign; ++level) {
    const double place = 2.0 * level / levels_per_sign;
    const auto stop = static_cast<std::size_t>(std::min(3.0, std::floor(place)));
    const double share = place - static_cast<double>(stop);
    Color color{};
    for (std::size_t k = 0; k < color.size(); ++k) {
      const double mixed = (1.0 - share) * stops[stop][k] + share * stops[stop + 1][k];
      color[k] = static_cast<std::uint8_t>(std::lround(mixed));
    }
    palette.push_back(color);
  }
  return palette;
}

// The picture of a matrix, row by row.
std::string picture(const Matrix& values, double largest) {
  std::vector<std::uint8_t> levels;
  for (Index i = 0; i < values.rows(); ++i) {
    for (const double value : values.row(i)) {
      const double share = std::clamp(value / largest, -1.0, 1.0);
      levels.push_back(static_cast<std::uint8_t>(std::lround((share + 1.0) * levels_per_sign)));
    }
  }
  return color_picture(levels, static_cast<std::uint32_t>(values.cols()),
                       static_cast<std::uint32_t>(values.rows()), diverging_palette());
}

// The means of neighbouring rows, where there are more rows than pixels.
Matrix thinned_rows(const Matrix& values) {
  if (values.rows() <= pixel_limit) return values;
  Matrix means(pixel_limit, values.cols());
  for (Index k = 0; k < pixel_limit; ++k) {
    const Index begin = k * values.rows() / pixel_limit;
    const Index end = (k + 1) * values.rows() / pixel_limit;
    means.row(k) = values.middleRows(begin, end - begin).colwise().mean();
  }
  return means;
}

Matrix thinned(const Matrix& values) {
  return thinned_rows(thinned_rows(values).transpose()).transpose();
}

void draw_colors(Canvas& canvas, const Box& box, const Scale& scale, const std::vector<Tick>& ticks) {
  canvas.picture(box, picture(Vector::LinSpaced(2 * levels_per_sign + 1, scale.high, scale.low), scale.high));
  for (const Tick& tick : ticks) {
    const double y = scale(tick.value);
    canvas.line({box.right, y}, {box.right + 3, y}, "axis");
    canvas.text({box.right + 6, y + 4}, Anchor::start, tick.label, "small");
  }
}

// Ticks at whole numbers: there is no row 2.5.
std::vector<Tick> place_ticks(const Scale& scale, Index count) {
  std::vector<Tick> ticks = ticks_of(scale, static_cast<int>(std::min<Index>(6, count)));
  std::erase_if(ticks, [count](const Tick& tick) {
    return tick.value != std::round(tick.value) || tick.value < 1 || tick.value > static_cast<double>(count);
  });
  return ticks;
}

}  // namespace

std::string render_matrix_svg(const Problem& problem, const TuneResult& result) {
  const auto& chosen = result.chosen();
  const MatrixShape shape = *matrix_shape(problem);
  Matrix values = Matrix::Zero(shape.rows, shape.columns);
  if (chosen) values = coefficient_matrix(problem, chosen->point.fit);
  values = thinned(values);
  const double size = values.cwiseAbs().maxCoeff();
  const double largest = size > 0 ? size : 1.0;

  Scale colors = {-largest, largest, 0.0, 0.0, false};
  const std::vector<Tick> levels = linear_ticks(-largest, largest, 5);
  double labels = 0.0;
  for (const Tick& tick : levels) labels = std::max(labels, text_width(tick.label, 11.0));
  Scale down = {0.5, static_cast<double>(shape.rows) + 0.5, 0.0, 0.0, false};
  const std::vector<Tick> rows = place_ticks(down, shape.rows);
  const double left = vertical_axis_width(rows);

  const double room = figure_width - left - bar_gap - matrix_bar_width - 6.0 - labels - matrix_margin;
  const double ratio = static_cast<double>(shape.rows) / static_cast<double>(shape.columns);
  const double tall = std::clamp(room * ratio, smallest_picture, tallest_picture);
  const double wide = std::clamp(tall / ratio, smallest_picture, room);
  const Box frame = {left, matrix_margin, left + wide, matrix_margin + tall};
  down.from = frame.top;
  down.to = frame.bottom;
  const Scale across = {0.5, static_cast<double>(shape.columns) + 0.5, frame.left, frame.right, false};

  Canvas canvas(frame.bottom + axis_height);
  canvas.picture(frame, picture(values, largest));
  draw_left_axis(canvas, frame, down, rows, "Row");
  draw_bottom_axis(canvas, frame, across, place_ticks(across, shape.columns), "Column");
  colors.from = frame.bottom;
  colors.to = frame.top;
  const double bar = frame.right + bar_gap;
  draw_colors(canvas, {bar, frame.top, bar + matrix_bar_width, frame.bottom}, colors, levels);
  return canvas.document("The matrix of coefficients",
                         "Every coefficient at the chosen lambda at its place in the matrix, blue below zero "
                         "and orange above it.");
}

}  // namespace alo::report
