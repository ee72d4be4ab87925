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

// Size of the figures in their own units. At the width of a journal's column (or a phone) the
// text is about seven points high.
inline constexpr double figure_width = 480;
inline constexpr double font_size = 12.5;

// Rough width of a text in the figures' sans font.
double text_width(std::string_view text, double size = font_size);

// Collects marks and writes them as one SVG document. Coordinates are in figure units, y down;
// looks come from the classes of the style sheet, which follows the reader's light or dark
// scheme both in a file of its own and inside a page.
class Canvas {
 public:
  explicit Canvas(double height, double width = figure_width) : height_(height), width_(width) {}
  double width() const { return width_; }

  void line(Point from, Point to, std::string_view style);
  void polyline(const std::vector<Point>& points, std::string_view style);
  void polygon(const std::vector<Point>& points, std::string_view style);
  void circle(Point center, double radius, std::string_view style);
  // A picture from its address, stretched over the box, its pixels kept sharp.
  void picture(const Box& box, std::string_view address);
  // `text` is escaped here.
  void text(Point at, Anchor anchor, std::string_view text, std::string_view style = "");
  void vertical_text(Point at, std::string_view text, std::string_view style = "");
  // What follows is cut off outside the box, until end_clip.
  void begin_clip(const Box& box, std::string_view id);
  void end_clip();
  // A mark with a tooltip around what follows, until end_group.
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
