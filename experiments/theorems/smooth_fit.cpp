// SPDX-License-Identifier: MIT
#include "smooth_fit.hpp"

#include <Eigen/Cholesky>
#include <Eigen/SVD>
#include <algorithm>
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

namespace {

// The triweight kernel on [-1, 1], its integral from zero, and the even function V with V'' = 2 K that equals
// |t| beyond one.
double triweight(double t) {
  const double rest = std::max(1 - t * t, 0.0);
  return 35.0 / 32 * rest * rest * rest;
}
double triweight_integral(double t) {
  if (std::abs(t) >= 1) return std::copysign(0.5, t);
  const double q = t * t;
  return 35.0 / 32 * t * (1 - q + 3 * q * q / 5 - q * q * q / 7);
}
double triweight_absolute(double t) {
  if (std::abs(t) >= 1) return std::abs(t);
  const double q = t * t;
  return 35.0 / 128 + 35.0 / 16 * q * (1.0 / 2 - q / 4 + q * q / 10 - q * q * q / 56);
}

// Divided differences of f' over less than this share of the width are the curvature between: the difference
// would lose more digits than the curvature changes, by the square of this.
constexpr double close_values = 1e-4;

}  // namespace

Jet root_absolute(double b, double h) {
  const double length = std::hypot(b, h);
  return {length, b / length, (h / length) * (h / length) / length};
}

Jet kernel_absolute(double b, double h) {
  return {h * triweight_absolute(b / h), 2 * triweight_integral(b / h), 2 * triweight(b / h) / h};
}

Jet soft_positive_part(double t, double h) {
  const double share = 1 / (1 + std::exp(-t / h));
  return {h * (std::max(t / h, 0.0) + std::log1p(std::exp(-std::abs(t) / h))), share,
          share * (1 - share) / h};
}

Jet kernel_positive_part(double t, double h) {
  const Jet absolute = kernel_absolute(t, h);
  return {(t + absolute.value) / 2, (1 + absolute.slope) / 2, absolute.curvature / 2};
}

PenaltyJet spectral(const std::function<Jet(double s, double h)>& f, double h, double lambda,
                    const alo::MatrixShape& shape, const Vector& coefficients) {
  const Index rows = shape.rows, columns = shape.columns;
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Matrix B = Eigen::Map<const RowMajor>(coefficients.data(), rows, columns);
  const Eigen::JacobiSVD<Matrix> decomposition(B, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const Matrix &U = decomposition.matrixU(), &V = decomposition.matrixV();
  const Vector s = decomposition.singularValues();
  Vector slope(rows), curvature(rows);
  PenaltyJet out{0, Vector(B.size()), Vector(B.size()), Matrix(B.size(), B.size())};
  for (Index i = 0; i < rows; ++i) {
    const Jet jet = f(s[i], h);
    out.value += lambda * jet.value;
    slope[i] = jet.slope;
    curvature[i] = jet.curvature;
  }
  const auto flat = [&](const Matrix& matrix) -> Vector {
    return RowMajor(matrix).reshaped<Eigen::RowMajor>();
  };
  out.slope = flat(lambda * U * slope.asDiagonal() * V.leftCols(rows).transpose());
  Index count = 0;
  const auto add = [&](const Matrix& direction, double second) {
    out.basis.col(count) = flat(direction);
    out.curvature[count++] = lambda * std::max(second, 0.0);
  };
  // (f'(a) - f'(b)) / (a - b), also for b = -a', as f' is odd.
  const auto divided = [&](double a, double slope_a, double b, double slope_b) {
    return std::abs(a - b) < close_values * h ? f((a + b) / 2, h).curvature : (slope_a - slope_b) / (a - b);
  };
  for (Index i = 0; i < rows; ++i) {
    add(U.col(i) * V.col(i).transpose(), curvature[i]);
    const double beyond = divided(s[i], slope[i], 0, 0);
    for (Index k = rows; k < columns; ++k) add(U.col(i) * V.col(k).transpose(), beyond);
    for (Index j = i + 1; j < rows; ++j) {
      const Matrix one = U.col(i) * V.col(j).transpose(), other = U.col(j) * V.col(i).transpose();
      add((one + other) / std::sqrt(2.0), divided(s[i], slope[i], s[j], slope[j]));
      add((one - other) / std::sqrt(2.0), divided(s[i], slope[i], -s[j], -slope[j]));
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
