// SPDX-License-Identifier: MIT
#include "figures/svg.hpp"

#include <fmt/format.h>

#include <cmath>

#include "summary/format.hpp"

namespace alo::report {
namespace {

// The hues of Okabe and Ito (2008), which readers with any colour vision can tell apart; lighter ones on a
// dark background.
constexpr std::string_view style_sheet = R"(
.alo-figure{color-scheme:light dark;font-family:"Helvetica Neue",Helvetica,Arial,"Liberation Sans","DejaVu Sans",sans-serif;font-size:12.5px}
.alo-figure text{fill:#1b1e21}
.alo-figure .page{fill:#fff}
.alo-figure .small{font-size:11px}
.alo-figure .quiet{fill:#5c636a}
.alo-figure .strong{font-weight:600}
.alo-figure .axis{stroke:#3c4146;stroke-width:.8;fill:none;stroke-linecap:square}
.alo-figure .zero{stroke:#9aa0a6;stroke-width:.7;fill:none}
.alo-figure .mark{stroke:#3c4146;stroke-width:.9;fill:none;stroke-dasharray:2.5 2.5}
.alo-figure .leader{stroke:#9aa0a6;stroke-width:.6;fill:none}
.alo-figure .rest{stroke:#b4b9be;stroke-width:.8;fill:none}
.alo-figure .band{fill:#0072b2;fill-opacity:.16;stroke:none}
.alo-figure .curve{fill:none;stroke-width:1.7;stroke-linejoin:round;stroke-linecap:round}
.alo-figure .dashed{stroke-dasharray:6 2.5}
.alo-figure .alo{stroke:#0072b2}
.alo-figure .formula{stroke:#8a9097;stroke-width:1.3}
.alo-figure .kfold{stroke:#007a5a;stroke-width:1.4;stroke-dasharray:5 3}
.alo-figure .exact{stroke:#d55e00;stroke-width:1.2;fill:none}
.alo-figure .dot{fill:#0072b2;stroke:none}
.alo-figure .point{fill:#0072b2;fill-opacity:.45;stroke:none}
.alo-figure .notable{fill:#d55e00;stroke:none}
.alo-figure .ring{fill:#fff;stroke:#1b1e21;stroke-width:1.2}
.alo-figure .c0{stroke:#0072b2}.alo-figure .c1{stroke:#d55e00}.alo-figure .c2{stroke:#009e73}
.alo-figure .c3{stroke:#c05f95}.alo-figure .c4{stroke:#d18f00}.alo-figure .c5{stroke:#45a4dc}
.alo-figure .c6{stroke:#3c4146}
@media screen and (prefers-color-scheme:dark){
.alo-figure text{fill:#e6e8ea}
.alo-figure .page{fill:#15181b}
.alo-figure .quiet{fill:#a3abb3}
.alo-figure .axis,.alo-figure .mark{stroke:#b9bfc6}
.alo-figure .zero,.alo-figure .leader{stroke:#6d747b}
.alo-figure .rest{stroke:#545b62}
.alo-figure .band{fill:#56b4e9;fill-opacity:.2}
.alo-figure .alo,.alo-figure .c0{stroke:#56b4e9}
.alo-figure .kfold,.alo-figure .c2{stroke:#35c79c}
.alo-figure .exact,.alo-figure .c1{stroke:#ff9a52}
.alo-figure .dot,.alo-figure .point{fill:#56b4e9}
.alo-figure .point{fill-opacity:.6}
.alo-figure .notable{fill:#ff9a52}
.alo-figure .ring{fill:#15181b;stroke:#e6e8ea}
.alo-figure .c3{stroke:#e59cc3}.alo-figure .c4{stroke:#f0b93a}.alo-figure .c5{stroke:#9ad3f5}
.alo-figure .c6{stroke:#d5d9dd}
}
)";

// Two decimals are a hundredth of a unit, less than a pixel. Trailing zeros are left out, because they
// would be half of a long path.
std::string coordinate(double value) {
  const double rounded = std::round(value * 100) / 100;
  return fmt::format("{}", rounded == 0 ? 0.0 : rounded);
}

std::string coordinates(const std::vector<Point>& points) {
  std::string out;
  for (const Point& point : points) {
    if (!out.empty()) out += ' ';
    out += coordinate(point.x) + ',' + coordinate(point.y);
  }
  return out;
}

std::string_view anchor_name(Anchor anchor) {
  switch (anchor) {
    case Anchor::start:
      return "start";
    case Anchor::middle:
      return "middle";
    case Anchor::end:
      return "end";
  }
  return "start";
}

}  // namespace

double text_width(std::string_view text, double size) {
  return 0.62 * size * static_cast<double>(code_points(text));
}

void Canvas::line(Point from, Point to, std::string_view style) {
  body_ += fmt::format("<line class=\"{}\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>\n", style,
                       coordinate(from.x), coordinate(from.y), coordinate(to.x), coordinate(to.y));
}

void Canvas::polyline(const std::vector<Point>& points, std::string_view style) {
  body_ += fmt::format("<polyline class=\"{}\" points=\"{}\"/>\n", style, coordinates(points));
}

void Canvas::polygon(const std::vector<Point>& points, std::string_view style) {
  body_ += fmt::format("<polygon class=\"{}\" points=\"{}\"/>\n", style, coordinates(points));
}

void Canvas::circle(Point center, double radius, std::string_view style) {
  body_ += fmt::format("<circle class=\"{}\" cx=\"{}\" cy=\"{}\" r=\"{}\"/>\n", style, coordinate(center.x),
                       coordinate(center.y), coordinate(radius));
}

void Canvas::picture(const Box& box, std::string_view address) {
  body_ += fmt::format(
      "<image x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" preserveAspectRatio=\"none\" "
      "style=\"image-rendering:pixelated\" href=\"{}\"/>\n",
      coordinate(box.left), coordinate(box.top), coordinate(box.right - box.left),
      coordinate(box.bottom - box.top), address);
}

void Canvas::text(Point at, Anchor anchor, std::string_view text, std::string_view style) {
  body_ += fmt::format("<text class=\"{}\" x=\"{}\" y=\"{}\" text-anchor=\"{}\">{}</text>\n", style,
                       coordinate(at.x), coordinate(at.y), anchor_name(anchor), escape_markup(text));
}

void Canvas::vertical_text(Point at, std::string_view text, std::string_view style) {
  body_ += fmt::format(
      "<text class=\"{0}\" transform=\"translate({1} {2}) rotate(-90)\" "
      "text-anchor=\"middle\">{3}</text>\n",
      style, coordinate(at.x), coordinate(at.y), escape_markup(text));
}

void Canvas::begin_clip(const Box& box, std::string_view id) {
  body_ += fmt::format(
      "<clipPath id=\"{0}\"><rect x=\"{1}\" y=\"{2}\" width=\"{3}\" height=\"{4}\"/></clipPath>\n"
      "<g clip-path=\"url(#{0})\">\n",
      id, coordinate(box.left), coordinate(box.top), coordinate(box.right - box.left),
      coordinate(box.bottom - box.top));
}

void Canvas::end_clip() {
  body_ += "</g>\n";
}

void Canvas::begin_group(std::string_view tooltip) {
  body_ += fmt::format("<g><title>{}</title>\n", escape_markup(tooltip));
}

void Canvas::end_group() {
  body_ += "</g>\n";
}

std::string Canvas::document(std::string_view title, std::string_view description) const {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"alo-figure\" role=\"img\" width=\"{0}\" "
      "height=\"{1}\" "
      "viewBox=\"0 0 {2} {3}\" "
      "aria-label=\"{4}\">\n<title>{4}</title>\n<desc>{5}</desc>\n<style>{6}</style>\n"
      "<rect class=\"page\" width=\"{2}\" height=\"{3}\"/>\n{7}</svg>\n",
      1.5 * width_, 1.5 * height_, width_, height_, escape_markup(title), escape_markup(description),
      style_sheet, body_);
}

}  // namespace alo::report
