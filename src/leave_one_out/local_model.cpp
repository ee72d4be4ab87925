// SPDX-License-Identifier: MIT
#include <algorithm>

#include "alo/leave_one_out.hpp"
#include "leave_one_out/hat.hpp"

namespace alo {

std::string_view to_string(RowFlag flag) {
  switch (flag) {
    case RowFlag::none:
      return "";
    case RowFlag::leverage_one:
      return "leverage_one";
    case RowFlag::singular:
      return "singular";
    case RowFlag::not_unique:
      return "not_unique";
    case RowFlag::repaired:
      return "repaired";
  }
  return "";
}

Index LeaveOneOut::undefined() const {
  return static_cast<Index>(std::count_if(flags.begin(), flags.end(), is_undefined));
}

Geometry fit_geometry(const Problem& problem, const Fit& fit) {
  const Geometry whole =
      problem.penalty().geometry(problem.scale().cwiseProduct(fit.coefficients), fit.lambda);
  const std::vector<Index>& constant = problem.constant_columns();
  Geometry geometry;
  std::vector<Index> kept;
  for (Index k = 0; k < whole.dimension(); ++k) {
    const Index j = whole.coordinates[static_cast<std::size_t>(k)];
    if (std::binary_search(constant.begin(), constant.end(), j)) continue;
    geometry.coordinates.push_back(j);
    kept.push_back(k);
  }
  geometry.curvature = whole.curvature(kept);
  return geometry;
}

LocalModel row_model(const Problem& problem, const Fit& fit) {
  const Dataset& data = problem.data();
  LocalModel model;
  const Index outputs = problem.outputs();
  const Vector derivative = problem.loss().derivative(fit.linear_predictor, data.response);
  const Vector curvature = problem.loss().curvature(fit.linear_predictor, data.response);
  model.linear_predictor = by_output(fit.linear_predictor, outputs);
  model.derivative = data.weights.asDiagonal() * by_output(derivative, outputs);
  model.curvature = data.weights.asDiagonal() * by_output(curvature, outputs * outputs);
  model.removed_share = problem.removed_share();
  return model;
}

LocalModel local_model(const Problem& problem, const Fit& fit) {
  const Geometry geometry = fit_geometry(problem, fit);
  const Index first = problem.intercept() ? 1 : 0;
  LocalModel model = row_model(problem, fit);
  model.tangent_design.resize(problem.rows(), first + geometry.dimension());
  model.penalty_curvature = Vector::Zero(first + geometry.dimension());
  if (problem.intercept()) model.tangent_design.col(0).setOnes();
  model.tangent_design.rightCols(geometry.dimension()) = problem.design().gather(geometry.coordinates);
  model.penalty_curvature.tail(geometry.dimension()) = geometry.curvature;
  return model;
}

}  // namespace alo
