// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "alo/report.hpp"
#include "figures/axes.hpp"
#include "figures/thinning.hpp"
#include "summary/format.hpp"
#include "summary/influence.hpp"

namespace alo {
namespace {

using report::Anchor;
using report::Box;
using report::Canvas;
using report::Point;
using report::RowInfluence;
using report::Scale;

// The height in figure units; the number of points that a browser draws without delay (a point takes about
// 60 bytes, so that 3000 take 200 KB); the number of labelled rows.
constexpr double height = 310;
constexpr std::size_t point_limit = 3000;
constexpr std::size_t label_limit = 7;
// A row with a higher leverage determines its own fit, and the verdict warns of it (verdict.cpp has the
// reason of the value).
constexpr double high_leverage = 0.9;

// Held-out residuals against leverages. A loss with kinks has no leverages: its rows are placed by their
// shift, the fitted minus the held-out prediction.
class LeverageFigure {
 public:
  LeverageFigure(std::vector<RowInfluence> rows, std::string residual, bool has_leverages)
      : rows_(std::move(rows)), residual_words_(std::move(residual)), has_leverages_(has_leverages) {
    frame_ = {60, 16, report::figure_width - 16, height - 46};
    double low = 0;
    double high = 0;
    double leverage = 0;
    for (const RowInfluence& row : rows_) {
      low = std::min(low, row.residual);
      high = std::max(high, row.residual);
      leverage = std::max(leverage, across(row));
    }
    report::widen(low, high, 0.06);
    residual_ = {low, high, frame_.bottom, frame_.top, false};
    ticks_ = report::ticks_of(residual_, 5);
    frame_.left = report::vertical_axis_width(ticks_);
    leverage_ = {0, leverage > 0 ? 1.06 * leverage : 1.0, frame_.left, frame_.right, false};
    notable_ = report::most_influential(rows_, label_limit);
    if (!has_leverages_) return;
    for (const std::size_t k : report::highest_leverage(rows_, 2)) {
      if (!is_notable(k)) notable_.push_back(k);
    }
  }

  std::string draw() {
    canvas_.line({frame_.left, residual_(0)}, {frame_.right, residual_(0)}, "zero");
    if (has_leverages_ && leverage_.high > high_leverage) draw_limit();
    draw_points();
    draw_labels();
    report::draw_left_axis(canvas_, frame_, residual_, ticks_, "Held-out " + residual_words_);
    const std::string across = has_leverages_ ? "Leverage" : "Shift";
    report::draw_bottom_axis(canvas_, frame_, leverage_, report::ticks_of(leverage_, 5), across);
    if (rows_.empty()) {
      canvas_.text({(frame_.left + frame_.right) / 2, frame_.top + 60}, Anchor::middle,
                   "No \u03bb was chosen", "quiet");
    }
    return canvas_.document(
        across + " and held-out " + residual_words_ + " of every row at the chosen lambda",
        "Rows far to the right pull their own fit; the most influential are numbered.");
  }

 private:
  double across(const RowInfluence& row) const { return has_leverages_ ? row.leverage : std::abs(row.shift); }
  Point place(const RowInfluence& row) const { return {leverage_(across(row)), residual_(row.residual)}; }

  bool is_notable(std::size_t k) const {
    return std::find(notable_.begin(), notable_.end(), k) != notable_.end();
  }

  void draw_limit() {
    const double x = leverage_(high_leverage);
    canvas_.line({x, frame_.top}, {x, frame_.bottom}, "mark");
    canvas_.text({x - 5, frame_.top + 10}, Anchor::end, "0.9: unreliable beyond", "small quiet");
  }

  void draw_points() {
    std::vector<double> x;
    std::vector<double> y;
    for (const RowInfluence& row : rows_) {
      x.push_back(place(row).x);
      y.push_back(place(row).y);
    }
    const double radius = rows_.size() > 1000 ? 1.6 : 2.4;
    for (const std::size_t k : report::thin_points(x, y, point_limit)) {
      if (!is_notable(k)) canvas_.circle({x[k], y[k]}, radius, "point");
    }
    for (const std::size_t k : notable_) {
      if (rows_[k].defined) {
        canvas_.circle({x[k], y[k]}, 3, "notable");
      } else {
        draw_cross({x[k], y[k]});
      }
    }
  }

  // A row without a held-out prediction has no residual: a cross on the zero line marks it.
  void draw_cross(Point at) {
    canvas_.line({at.x - 3.5, at.y - 3.5}, {at.x + 3.5, at.y + 3.5}, "exact");
    canvas_.line({at.x - 3.5, at.y + 3.5}, {at.x + 3.5, at.y - 3.5}, "exact");
  }

  // Writes row numbers at the first free place of right, left, above, below their points. A label without a
  // free place is left out.
  void draw_labels() {
    std::vector<Box> taken;
    for (const std::size_t k : notable_) {
      const Point at = place(rows_[k]);
      taken.push_back({at.x - 3, at.y - 3, at.x + 3, at.y + 3});
    }
    for (const std::size_t k : notable_) {
      const Point at = place(rows_[k]);
      const std::string label = std::to_string(rows_[k].row + 1);
      const double width = report::text_width(label, 11);
      const Box places[] = {{at.x + 5, at.y - 6, at.x + 5 + width, at.y + 6},
                            {at.x - 5 - width, at.y - 6, at.x - 5, at.y + 6},
                            {at.x - width / 2, at.y - 17, at.x + width / 2, at.y - 5},
                            {at.x - width / 2, at.y + 5, at.x + width / 2, at.y + 17}};
      for (const Box& box : places) {
        const bool inside = box.left > frame_.left && box.right < report::figure_width && box.top > 2 &&
                            box.bottom < frame_.bottom;
        const bool free =
            std::none_of(taken.begin(), taken.end(), [&](const Box& other) { return box.meets(other); });
        if (!inside || !free) continue;
        canvas_.text({box.left, box.bottom - 2}, Anchor::start, label, "small");
        taken.push_back(box);
        break;
      }
    }
  }

  std::vector<RowInfluence> rows_;
  std::string residual_words_;
  bool has_leverages_;
  std::vector<std::size_t> notable_;
  Canvas canvas_{height};
  Box frame_;
  Scale residual_;
  Scale leverage_;
  std::vector<report::Tick> ticks_;
};

}  // namespace

std::string render_leverage_svg(const Problem& problem, const TuneResult& result) {
  return LeverageFigure(report::row_influences(problem, result), report::residual_words(problem.loss()),
                        !problem.loss().has_kinks())
      .draw();
}

}  // namespace alo
