// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace paper {

// A named curve. Exact leave-one-out is drawn by circles, because it coincides with the approximation where
// that is accurate.
struct Series {
  std::string label;
  std::string style;  // a class of the figures' style sheet: "alo", "exact", "kfold", "c3", ...
  std::vector<double> x, y;
  bool circles = false;
};

// A mark at the lower edge of a panel; each shape has a line of its own there.
enum class Mark { triangle, diamond, square };
struct Choice {
  std::string label;
  Mark mark = Mark::triangle;
  double x = 0;
};

struct Panel {
  std::string title;
  std::vector<Series> series;
  bool logarithmic = false;  // of the vertical axis; the horizontal one always is
  std::vector<Choice> choices = {};
};

struct PanelsText {
  std::string title, description;  // for screen readers
  std::string up;                  // title of the vertical axis
  std::string id;                  // unique in a page
  // Of the horizontal axis: lambda, as in the figures of a result.
  std::string across = "λ (log scale, falling: less shrinkage →)";
  bool falling = true;  // from left to right
};

// Draws panels in rows of up to two, with one legend above them.
std::string draw_panels(const std::vector<Panel>& panels, const PanelsText& text);

}  // namespace paper
