// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "figures/svg.hpp"

namespace alo::report {

// A map from data to figure units, linear or logarithmic. `to` may be less than `from`.
struct Scale {
  double low = 0, high = 1;  // data; low < high, both positive when logarithmic
  double from = 0, to = 1;   // figure
  bool logarithmic = false;

  double operator()(double value) const;
};

struct Tick {
  double value = 0;
  std::string label;  // empty: a minor tick
};

// Round values (1, 2, 5 times a power of ten), about `count` of them inside the range.
std::vector<Tick> linear_ticks(double low, double high, int count);

// Powers of ten with minor ticks between them. Where the range is too short for that, the ticks are 1, 2, 5
// times powers of ten, or round values.
std::vector<Tick> logarithmic_ticks(double low, double high, int count);

std::vector<Tick> ticks_of(const Scale& scale, int count);

// Widens a range by `share` of itself at both ends; an empty range becomes one of positive width.
void widen(double& low, double& high, double share);

// The width that the labels of a vertical axis need, with its title.
double vertical_axis_width(const std::vector<Tick>& ticks);

// An axis line with outward ticks and its title. `frame` is the plotting area.
void draw_left_axis(Canvas& canvas, const Box& frame, const Scale& scale, const std::vector<Tick>& ticks,
                    std::string_view title);
void draw_bottom_axis(Canvas& canvas, const Box& frame, const Scale& scale, const std::vector<Tick>& ticks,
                      std::string_view title);
void draw_top_axis(Canvas& canvas, const Box& frame, const Scale& scale, const std::vector<Tick>& ticks,
                   std::string_view title);

}  // namespace alo::report
