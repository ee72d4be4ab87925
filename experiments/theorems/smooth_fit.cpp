// SPDX-License-Identifier: MIT
#include "smooth_fit.hpp"

#include <Eigen/Cholesky>
#include <cmath>

namespace paper {

namespace {

using alo::Index;
using alo::Matrix;
using alo::Vector;

constexpr int most_steps = 2000;
constexpr double enough_decrease = 1e-4;
// Below this share of the objective its decrease is rounding, and the gradient is looked at.
constexpr double visible_decrease = 1e-13;

// The objective at a point with everything that Newton's method needs.
struct State {
  double objective = 0;
  Vector predictor, loss_slope, loss_curvature, penalty_slope, penalty_curvature;
};

State evaluate(const SmoothModel& model, const Matrix& design, const Vector& response, const Vector& b) {
  State state;
  state.predictor = design * b;
  state.loss_slope.resize(response.size());
  state.loss_curvature.resize(response.size());
  for (Index i = 0; i < response.size(); ++i) {
    const Jet jet = model.loss(state.predictor[i], response[i]);
    state.objective += jet.value;
    state.loss_slope[i] = jet.slope;
    state.loss_curvature[i] = jet.curvature;
  }
  state.penalty_slope.resize(b.size());
  state.penalty_curvature.resize(b.size());
  for (Index j = 0; j < b.size(); ++j) {
    const Jet jet = model.penalty(b[j]);
    state.objective += jet.value;
    state.penalty_slope[j] = jet.slope;
    state.penalty_curvature[j] = jet.curvature;
  }
  return state;
}

Vector gradient_of(const Matrix& design, const State& state) {
  return design.transpose() * state.loss_slope + state.penalty_slope;
}

Vector newton_direction(const Matrix& design, const State& state, const Vector& gradient) {
  Matrix hessian = design.transpose() * state.loss_curvature.asDiagonal() * design;
  hessian.diagonal() += state.penalty_curvature;
  return -hessian.ldlt().solve(gradient);
}

alo::LocalModel local_model(const Matrix& design, const State& state) {
  alo::LocalModel model;
  model.tangent_design = design;
  model.penalty_curvature = state.penalty_curvature;
  model.linear_predictor = state.predictor;
  model.derivative = state.loss_slope;
  model.curvature = state.loss_curvature;
  model.removed_share = Vector::Ones(design.rows());
  return model;
}

}  // namespace

alo::LocalModel minimise(const SmoothModel& model, const Matrix& design, const Vector& response,
                         Vector& start) {
  State state = evaluate(model, design, response, start);
  Vector gradient = gradient_of(design, state);
  for (int step = 0; step < most_steps; ++step) {
    const Vector direction = newton_direction(design, state, gradient);
    const double decrease = -gradient.dot(direction);
    const bool is_visible = decrease > visible_decrease * (1.0 + std::abs(state.objective));
    double length = 1.0;
    State next = evaluate(model, design, response, start + direction);
    while (is_visible && next.objective > state.objective - enough_decrease * length * decrease &&
           length > 1e-9) {
      length /= 2;
      next = evaluate(model, design, response, start + length * direction);
    }
    const Vector next_gradient = gradient_of(design, next);
    if (!is_visible && !(next_gradient.norm() < gradient.norm())) break;
    start += length * direction;
    state = std::move(next);
    gradient = next_gradient;
  }
  return local_model(design, state);
}

}  // namespace paper
