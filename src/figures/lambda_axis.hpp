// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "alo/tune.hpp"
#include "figures/axes.hpp"

namespace alo::report {

// The axis that the figures along the path share: lambda falls to the right on a logarithmic scale. lambda
// = 0 cannot be shown there and is left out; the title of the axis says so.
struct LambdaAxis {
  std::vector<std::size_t> shown;  // points of the path with lambda > 0
  bool zero_left_out = false;
  Scale scale;
};

LambdaAxis lambda_axis(const TuneResult& result, const Box& frame);

void draw_lambda_axis(Canvas& canvas, const Box& frame, const LambdaAxis& axis);

// Draws an axis on top with a value for some of the points, such as their degrees of freedom.
void draw_point_axis(Canvas& canvas, const Box& frame, const LambdaAxis& axis, const TuneResult& result,
                     const std::function<std::string(const PathPoint&)>& label, std::string_view title);

// Draws vertical lines at the lambdas of the minimum and of the one-standard-error rule, with labels below
// the top of the frame; each label takes choice_label_height figure units.
void draw_choices(Canvas& canvas, const Box& frame, const LambdaAxis& axis, const TuneResult& result);
inline constexpr double choice_label_height = 18;

}  // namespace alo::report
