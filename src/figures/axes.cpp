// SPDX-License-Identifier: MIT
#include "figures/axes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "summary/format.hpp"

namespace alo::report {
namespace {

// Lengths of ticks in figure units.
constexpr double major_tick = 5;
constexpr double minor_tick = 3;

// Replaces the hyphen by the minus sign, which is as wide as a digit.
std::string with_minus(const std::string& text) {
  return !text.empty() && text.front() == '-' ? "\u2212" + text.substr(1) : text;
}

std::string power_of_ten(int exponent) {
  static constexpr std::string_view digits[] = {"\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074",
                                                "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
  std::string out = "10";
  if (exponent < 0) out += "\u207b";
  for (const char digit : std::to_string(std::abs(exponent))) out += digits[digit - '0'];
  return out;
}

std::string decade_label(int exponent, bool as_power) {
  return as_power ? power_of_ten(exponent) : shortest(std::pow(10.0, exponent));
}

std::vector<Tick> decade_ticks(int first, int last, double low, double high, int count) {
  const int step = std::max(1, (last - first + count) / std::max(1, count));
  const bool as_power = first < -3 || last > 4;
  std::vector<Tick> ticks;
  for (int exponent = first - 1; exponent <= last; ++exponent) {
    const double decade = std::pow(10.0, exponent);
    const bool labeled = exponent >= first && (exponent - first) % step == 0;
    if (exponent >= first) ticks.push_back({decade, labeled ? decade_label(exponent, as_power) : ""});
    if (step > 1) continue;
    for (int k = 2; k <= 9; ++k) {
      if (k * decade >= low && k * decade <= high) ticks.push_back({k * decade, ""});
    }
  }
  return ticks;
}

std::vector<Tick> one_two_five(double low, double high) {
  std::vector<Tick> ticks;
  for (int exponent = static_cast<int>(std::floor(std::log10(low))); std::pow(10.0, exponent) <= high;
       ++exponent) {
    for (int k = 1; k <= 9; ++k) {
      const double value = k * std::pow(10.0, exponent);
      if (value < low || value > high) continue;
      const bool labeled = k == 1 || k == 2 || k == 5;
      ticks.push_back({value, labeled ? readable_short(value, 6) : ""});
    }
  }
  return ticks;
}

}  // namespace

double Scale::operator()(double value) const {
  const double share =
      logarithmic ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
  return from + share * (to - from);
}

std::vector<Tick> linear_ticks(double low, double high, int count) {
  const double rough = (high - low) / std::max(1, count);
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  const double share = rough / power;
  const double step = power * (share < 1.5 ? 1 : share < 3.5 ? 2 : share < 7.5 ? 5 : 10);
  const int exponent = static_cast<int>(std::floor(std::log10(step) + 1e-9));
  const double largest = std::max(std::abs(low), std::abs(high));
  const bool plain = largest < (exponent >= 0 ? 1e7 : 1e6) && exponent >= -5;
  const int digits = largest > 0 ? static_cast<int>(std::floor(std::log10(largest))) - exponent : 0;
  std::vector<Tick> ticks;
  for (double k = std::ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k) {
    const double value = k == 0 ? 0.0 : k * step;
    const std::string label = value == 0 ? "0"
                              : plain    ? fmt::format("{:.{}f}", value, std::max(0, -exponent))
                                         : readable_short(value, std::max(1, digits + 1));
    ticks.push_back({value, with_minus(label)});
  }
  return ticks;
}

std::vector<Tick> logarithmic_ticks(double low, double high, int count) {
  const int first = static_cast<int>(std::ceil(std::log10(low) - 1e-9));
  const int last = static_cast<int>(std::floor(std::log10(high) + 1e-9));
  if (last - first >= 2) return decade_ticks(first, last, low, high, count);
  std::vector<Tick> ticks = one_two_five(low, high);
  if (std::count_if(ticks.begin(), ticks.end(), [](const Tick& tick) { return !tick.label.empty(); }) >= 3)
    return ticks;
  return linear_ticks(low, high, count);
}

std::vector<Tick> ticks_of(const Scale& scale, int count) {
  return scale.logarithmic ? logarithmic_ticks(scale.low, scale.high, count)
                           : linear_ticks(scale.low, scale.high, count);
}

void widen(double& low, double& high, double share) {
  const double size = std::max(std::abs(low), std::abs(high));
  if (!(high - low > 1e-9 * size)) {
    const double half = size > 0 ? 0.05 * size : 1.0;
    low -= half;
    high += half;
  }
  const double margin = share * (high - low);
  low -= margin;
  high += margin;
}

double vertical_axis_width(const std::vector<Tick>& ticks) {
  double width = 0;
  for (const Tick& tick : ticks) width = std::max(width, text_width(tick.label));
  return width + major_tick + 4 + 1.9 * font_size;
}

void draw_left_axis(Canvas& canvas, const Box& frame, const Scale& scale, const std::vector<Tick>& ticks,
                    std::string_view title) {
  canvas.line({frame.left, frame.top}, {frame.left, frame.bottom}, "axis");
  for (const Tick& tick : ticks) {
    const double y = scale(tick.value);
    canvas.line({frame.left - (tick.label.empty() ? minor_tick : major_tick), y}, {frame.left, y}, "axis");
    if (!tick.label.empty()) canvas.text({frame.left - major_tick - 4, y + 4.2}, Anchor::end, tick.label);
  }
  canvas.vertical_text({font_size + 1, (frame.top + frame.bottom) / 2}, title);
}

void draw_bottom_axis(Canvas& canvas, const Box& frame, const Scale& scale, const std::vector<Tick>& ticks,
                      std::string_view title) {
  canvas.line({frame.left, frame.bottom}, {frame.right, frame.bottom}, "axis");
  for (const Tick& tick : ticks) {
    const double x = scale(tick.value);
    canvas.line({x, frame.bottom}, {x, frame.bottom + (tick.label.empty() ? minor_tick : major_tick)},
                "axis");
    if (tick.label.empty()) continue;
    const double inside = std::min(x, canvas.width() - 0.5 * text_width(tick.label));
    canvas.text({inside, frame.bottom + major_tick + 13}, Anchor::middle, tick.label);
  }
  canvas.text({(frame.left + frame.right) / 2, frame.bottom + major_tick + 32}, Anchor::middle, title);
}

void draw_top_axis(Canvas& canvas, const Box& frame, const Scale& scale, const std::vector<Tick>& ticks,
                   std::string_view title) {
  canvas.line({frame.left, frame.top}, {frame.right, frame.top}, "axis");
  for (const Tick& tick : ticks) {
    const double x = scale(tick.value);
    canvas.line({x, frame.top - major_tick}, {x, frame.top}, "axis");
    canvas.text({x, frame.top - major_tick - 4}, Anchor::middle, tick.label);
  }
  canvas.text({(frame.left + frame.right) / 2, frame.top - major_tick - 21}, Anchor::middle, title);
}

}  // namespace alo::report
