// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace alo::report {

struct Point {
  double x = 0;
  double y = 0;
};

struct Box {
  double left = 0, top = 0, right = 0, bottom = 0;
  bool meets(const Box& other) const {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
  }
};

enum class Anchor { start, middle, end };

// The width of all figures and the height of their text, in figure units. In a journal's column of 85 mm,
// or on a phone's screen of 360 pixels, the text is about seven points high.
inline constexpr double figure_width = 480;
inline constexpr double font_size = 12.5;

// The approximate width of a text in the sans-serif font of the figures.
double text_width(std::string_view text, double size = font_size);

// Collects marks and writes them as one SVG document. Coordinates are in figure units, y downwards. Classes
// of the style sheet determine the appearance; it follows the reader's light or dark colour scheme, in a
// file of its own and inside a page.
class Canvas {
 public:
  explicit Canvas(double height, double width = figure_width) : height_(height), width_(width) {}
  double width() const { return width_; }

  void line(Point from, Point to, std::string_view style);
  void polyline(const std::vector<Point>& points, std::string_view style);
  void polygon(const std::vector<Point>& points, std::string_view style);
  void circle(Point center, double radius, std::string_view style);
  // A picture from its address, stretched over the box without smoothing.
  void picture(const Box& box, std::string_view address);
  // `text` is escaped here.
  void text(Point at, Anchor anchor, std::string_view text, std::string_view style = "");
  void vertical_text(Point at, std::string_view text, std::string_view style = "");
  // Clips what follows to the box, until end_clip.
  void begin_clip(const Box& box, std::string_view id);
  void end_clip();
  // Groups what follows under a tooltip, until end_group.
  void begin_group(std::string_view tooltip);
  void end_group();

  // `title` and `description` are for screen readers.
  std::string document(std::string_view title, std::string_view description) const;

 private:
  double height_;
  double width_;
  std::string body_;
};

}  // namespace alo::report
