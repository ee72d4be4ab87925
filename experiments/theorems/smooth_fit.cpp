// SPDX-License-Identifier: MIT
#include "smooth_fit.hpp"

#include <Eigen/Cholesky>
#include <Eigen/SVD>
#include <cmath>
#include <utility>

namespace paper {

namespace {

using alo::Index;
using alo::Matrix;
using alo::Vector;

// A guard against endless runs, and the constant of Armijo's rule.
constexpr int most_steps = 2000;
constexpr double enough_decrease = 1e-4;
// A decrease below this share of the objective is rounding error; the size of the gradient then decides. At
// ten times the value steps that still improve would be refused.
constexpr double visible_decrease = 1e-13;

// The objective at a point, with everything that Newton's method needs.
struct State {
  double objective = 0;
  Vector predictor, loss_slope, loss_curvature;
  PenaltyJet penalty;
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
  state.penalty = model.penalty(b);
  state.objective += state.penalty.value;
  return state;
}

Vector gradient_of(const Matrix& design, const State& state) {
  return design.transpose() * state.loss_slope + state.penalty.slope;
}

// The design in coordinates in which the penalty's Hessian is diagonal.
Matrix turned(const Matrix& design, const State& state) {
  if (state.penalty.basis.size() == 0) return design;
  return design * state.penalty.basis;
}

Vector newton_direction(const Matrix& design, const State& state, const Vector& gradient) {
  const Matrix& basis = state.penalty.basis;
  const Matrix A = turned(design, state);
  Matrix hessian = A.transpose() * state.loss_curvature.asDiagonal() * A;
  hessian.diagonal() += state.penalty.curvature;
  if (basis.size() == 0) return -hessian.ldlt().solve(gradient);
  const Vector rotated = basis.transpose() * gradient;
  const Vector solution = hessian.ldlt().solve(rotated);
  return -(basis * solution);
}

alo::LocalModel local_model(const Matrix& design, const State& state) {
  alo::LocalModel model;
  model.tangent_design = turned(design, state);
  model.penalty_curvature = state.penalty.curvature;
  model.linear_predictor = state.predictor;
  model.derivative = state.loss_slope;
  model.curvature = state.loss_curvature;
  model.removed_share = Vector::Ones(design.rows());
  return model;
}

}  // namespace

PenaltyJet separable(const std::function<Jet(double)>& penalty, const Vector& coefficients) {
  PenaltyJet out{0, Vector(coefficients.size()), Vector(coefficients.size()), {}};
  for (Index j = 0; j < coefficients.size(); ++j) {
    const Jet jet = penalty(coefficients[j]);
    out.value += jet.value;
    out.slope[j] = jet.slope;
    out.curvature[j] = jet.curvature;
  }
  return out;
}

PenaltyJet smooth_nuclear(double h, double lambda, const alo::MatrixShape& shape,
                          const Vector& coefficients) {
  const Index rows = shape.rows, columns = shape.columns;
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Matrix B = Eigen::Map<const RowMajor>(coefficients.data(), rows, columns);
  const Eigen::JacobiSVD<Matrix> decomposition(B, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const Matrix &U = decomposition.matrixU(), &V = decomposition.matrixV();
  const Vector s = decomposition.singularValues();
  const Vector length = (s.array().square() + h * h).sqrt();
  PenaltyJet out{lambda * length.sum(), Vector(B.size()), Vector(B.size()), Matrix(B.size(), B.size())};
  const auto flat = [&](const Matrix& matrix) -> Vector {
    return RowMajor(matrix).reshaped<Eigen::RowMajor>();
  };
  out.slope =
      flat(lambda * U * (s.array() / length.array()).matrix().asDiagonal() * V.leftCols(rows).transpose());
  Index count = 0;
  const auto add = [&](const Matrix& direction, double curvature) {
    out.basis.col(count) = flat(direction);
    out.curvature[count++] = lambda * curvature;
  };
  for (Index i = 0; i < rows; ++i) {
    add(U.col(i) * V.col(i).transpose(), h * h / std::pow(length[i], 3));
    for (Index k = rows; k < columns; ++k) add(U.col(i) * V.col(k).transpose(), 1 / length[i]);
    for (Index j = i + 1; j < rows; ++j) {
      const Matrix one = U.col(i) * V.col(j).transpose(), other = U.col(j) * V.col(i).transpose();
      // The divided difference of s / length, without the cancellation for close singular values.
      const double sum = s[i] + s[j], cross = s[i] * length[j] + s[j] * length[i];
      const double together = sum > 0 ? h * h * sum / (length[i] * length[j] * cross) : 1 / h;
      const double apart = sum > 0 ? cross / (length[i] * length[j] * sum) : 1 / h;
      add((one + other) / std::sqrt(2.0), together);
      add((one - other) / std::sqrt(2.0), apart);
    }
  }
  return out;
}

alo::LocalModel minimize(const SmoothModel& model, const Matrix& design, const Vector& response,
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
