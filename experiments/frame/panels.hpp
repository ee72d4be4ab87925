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

struct Panel {
  std::string title;
  std::vector<Series> series;
  bool logarithmic = false;  // of the vertical axis; the horizontal one always is
};

struct PanelsText {
  std::string title, description;  // for screen readers
  std::string across = "λ", up;    // of the axes
  std::string id;                  // unique in a page
};

// Draws panels in rows of up to two, with one legend above them.
std::string draw_panels(const std::vector<Panel>& panels, const PanelsText& text);

}  // namespace paper
