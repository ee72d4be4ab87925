// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>

#include "alo/leave_one_out.hpp"
#include "formula/hat.hpp"
#include "formula/unit_directions.hpp"
#include "losses/row_kinks.hpp"

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

Geometry fit_geometry(const Problem& problem, const Fit& fit, Index output) {
  const Index outputs = problem.outputs();
  const Vector scaled = problem.scale().cwiseProduct(by_output(fit.coefficients, outputs).col(output));
  const Vector multipliers =
      fit.multipliers.size() == 0 ? Vector() : Vector(by_output(fit.multipliers, outputs).col(output));
  Geometry geometry = problem.penalty().geometry(scaled, multipliers, fit.lambda);
  if (geometry.matrix || geometry.combinations.size() > 0 || geometry.mirrors.size() > 0) return geometry;
  const std::vector<Index>& constant = problem.constant_columns();
  Geometry varying;
  std::vector<double> curvature;
  for (Index m = 0; m < geometry.dimension(); ++m) {
    const Index j = geometry.coordinates[static_cast<std::size_t>(m)];
    if (std::binary_search(constant.begin(), constant.end(), j)) continue;
    varying.coordinates.push_back(j);
    curvature.push_back(geometry.curvature[m]);
  }
  varying.curvature = Eigen::Map<const Vector>(curvature.data(), static_cast<Index>(curvature.size()));
  return varying;
}

void take_level(const Problem& problem, const Fit& fit, LeaveOneOut& held_out) {
  if (problem.outputs() == 1 || !problem.intercept()) return;
  const Vector fitted = problem.linear_predictor(fit.intercept, fit.coefficients);
  const Vector level = by_output(fitted, problem.outputs()).rowwise().mean();
  auto logits = by_output(held_out.linear_predictor, problem.outputs());
  logits.colwise() += level - logits.rowwise().mean();
}

LeaveOneOut nothing_held_out(const Problem& problem) {
  return {Vector::Constant(problem.rows() * problem.outputs(), std::numeric_limits<double>::quiet_NaN()),
          Vector(), 0.0, std::vector<RowFlag>(static_cast<std::size_t>(problem.rows()), RowFlag::none)};
}

Vector weights_without(const Problem& problem, Index row) {
  Vector weights = problem.data().weights;
  weights[row] *= 1.0 - problem.removed_share(row);
  return weights;
}

namespace {

// A row touches a kink when its distance to it is below this share of the linear predictors and kinks.
// Rounding leaves about epsilon times the condition number of the fit, so the value allows condition numbers
// up to 1e5. At a tenth rows at a kink are overlooked in worse fits; at ten times rows that are merely near a
// kink count as undecided and lose their prediction.
constexpr double touching_share = 1e-10;

// The pinned rows (the set V of the paper's theorem on nonsmooth losses): those whose subgradient lies
// strictly between two slopes of the loss, read off the dual solution and not off a distance to the kink. A
// row at a kink whose subgradient equals a slope is undecided: it is at the boundary between pinned and free.
void find_pinned_rows(const Problem& problem, const Fit& fit, LocalModel& model) {
  const RowKinks kinks = row_kinks(problem.loss(), problem.data().response, problem.data().weights);
  const double touching = touching_share * kinks.predictor_size(fit.linear_predictor);
  for (Index i = 0; i < problem.rows(); ++i) {
    if (problem.data().weights[i] == 0.0) continue;
    const bool between = (kinks.slope.col(i).array() != fit.subgradient[i]).all();
    const bool at_kink = kinks.distance_to_kink(i, fit.linear_predictor[i]) <= touching;
    if (between || at_kink) model.pinned.push_back(i);
    if (!between && at_kink) model.undecided.push_back(i);
  }
  model.curvature(model.pinned, Eigen::all).setZero();
  model.kinks = kinks.position;
  model.slopes = kinks.slope;
}

}  // namespace

namespace {

// Divides directions by powers of two near the root mean square of their entries, and returns the factors.
Vector bring_to_unit_size(LocalModel& model, Index intercepts) {
  Vector lengths = Vector::Ones(model.dimension());
  const auto rows = static_cast<double>(model.tangent_design.rows());
  for (Index k = intercepts; k < model.dimension(); ++k) {
    const double size = model.tangent_design.col(k).norm() / std::sqrt(rows);
    if (!(size > 0.0) || !std::isfinite(size)) continue;
    lengths[k] = std::exp2(-std::round(std::log2(size)));
    model.tangent_design.col(k) *= lengths[k];
    model.penalty_curvature[k] *= lengths[k] * lengths[k];
  }
  return lengths;
}

}  // namespace

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
  if (problem.loss().has_kinks()) {
    model.has_kinks = true;
    model.derivative = fit.subgradient;
    find_pinned_rows(problem, fit, model);
  }
  return model;
}

LocalModel local_model(const Problem& problem, const Fit& fit) {
  return scaled_local_model(problem, fit).model;
}

ScaledModel scaled_local_model(const Problem& problem, const Fit& fit) {
  const Index outputs = problem.outputs();
  std::vector<Geometry> geometries;
  Index directions = 0;
  for (Index k = 0; k < outputs; ++k) {
    geometries.push_back(fit_geometry(problem, fit, k));
    directions += geometries.back().dimension();
  }
  // Softmax is invariant under a common shift of all outputs, so one intercept of several is redundant.
  const Index intercepts = problem.intercept() ? std::max<Index>(1, outputs - 1) : 0;
  LocalModel model = row_model(problem, fit);
  model.tangent_design = Matrix::Zero(problem.rows() * outputs, intercepts + directions);
  model.penalty_curvature = Vector::Zero(intercepts + directions);
  const auto rows_of = [&](Index output) { return Eigen::seqN(output, problem.rows(), outputs); };
  for (Index k = 0; k < intercepts; ++k) model.tangent_design.col(k)(rows_of(k)).setOnes();
  Index first = intercepts;
  for (Index k = 0; k < outputs; ++k) {
    const Geometry& geometry = geometries[static_cast<std::size_t>(k)];
    const auto own = Eigen::seqN(first, geometry.dimension());
    model.penalty_curvature(own) = geometry.curvature;
    model.tangent_design(rows_of(k), own) = tangent_design(problem.design(), geometry);
    first += geometry.dimension();
  }
  Vector lengths = bring_to_unit_size(model, intercepts);
  return {std::move(model), std::move(lengths)};
}

}  // namespace alo
