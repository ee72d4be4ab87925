// SPDX-License-Identifier: MIT
#include "bent_loss.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace paper {

namespace {

using alo::Index;
using alo::Matrix;
using alo::Vector;

// The half width of the tube, and where the square of the last loss ends.
constexpr double tube = 0.5;
constexpr double straight = 1.0;
// A row is at a bend when the fit smoothed by this width is within the width of it. At ten times rows that
// are merely near a bend are held there, which the conditions of optimality find; at a tenth rounding of the
// smoothed fit leaves rows outside.
constexpr double last_width = 1e-6;
// The steps of Newton's method with rows held: with a quadratic penalty one is enough, else they converge
// quadratically from a point that is as near as the last width.
constexpr int steps = 12;
// What conditions of optimality may be broken by, which is rounding.
constexpr double rounding = 1e-8;

double outside_tube(double r) {
  return std::max(std::abs(r) - tube, 0.0);
}

std::vector<BentLoss::Bend> edges(double y) {
  return {{y - tube, -1}, {y + tube, 1}};
}

double slope_off_bends(const BentLoss& loss, double u, double y) {
  double slope = loss.quadratic(u, y).slope;
  for (const auto& [place, side] : loss.bends(y)) slope += side * (u - place) > 0 ? side : 0;
  return slope;
}

int place_of(const std::vector<BentLoss::Bend>& bends, double u) {
  int place = 0;
  for (const BentLoss::Bend& bend : bends) {
    if (std::abs(u - bend.place) <= last_width) return place + 1;
    if (u > bend.place) place += 2;
  }
  return place;
}

// The rows at a bend, and the bends.
struct Held {
  std::vector<Index> rows;
  Vector bends;
};

Held held_rows(const BentLoss& loss, const Vector& response, const std::vector<int>& places) {
  Held held;
  std::vector<double> bends;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i] % 2 == 0) continue;
    held.rows.push_back(static_cast<Index>(i));
    bends.push_back(
        loss.bends(response[static_cast<Index>(i)])[static_cast<std::size_t>(places[i] / 2)].place);
  }
  held.bends = Eigen::Map<const Vector>(bends.data(), static_cast<Index>(bends.size()));
  return held;
}

// Slopes and curvatures of the rows that are not held, and the penalty, at some coefficients.
struct Expansion {
  Vector predictor, slope, curvature;
  PenaltyJet penalty;
};

Expansion expand(const BentLoss& loss, PenaltyJet (*penalty)(const Vector&), const Matrix& design,
                 const Vector& response, const Held& held, const Vector& coefficients) {
  Expansion at{design * coefficients, Vector(response.size()), Vector(response.size()),
               penalty(coefficients)};
  for (Index i = 0; i < response.size(); ++i) {
    at.slope[i] = slope_off_bends(loss, at.predictor[i], response[i]);
    at.curvature[i] = loss.quadratic(at.predictor[i], response[i]).curvature;
  }
  at.slope(held.rows).setZero();
  at.curvature(held.rows).setZero();
  return at;
}

Matrix hessian_of(const Matrix& design, const Expansion& at) {
  Matrix hessian = design.transpose() * at.curvature.asDiagonal() * design;
  const Matrix& basis = at.penalty.basis;
  if (basis.size() == 0) {
    hessian.diagonal() += at.penalty.curvature;
  } else {
    hessian += basis * at.penalty.curvature.asDiagonal() * basis.transpose();
  }
  return hessian;
}

// A Newton step under the constraint that held rows are at their bends; returns their subgradients:
//     [ Y X_V' ; X_V 0 ] [ db ; g_V ] = [ -gradient without V ; v_V - X_V b ].
Vector newton_step(const Matrix& design, const Expansion& at, const Held& held, Vector& coefficients) {
  const Index p = design.cols(), v = held.bends.size();
  Matrix system = Matrix::Zero(p + v, p + v);
  system.topLeftCorner(p, p) = hessian_of(design, at);
  const Matrix rows = design(held.rows, Eigen::all);
  system.topRightCorner(p, v) = rows.transpose();
  system.bottomLeftCorner(v, p) = rows;
  Vector right(p + v);
  right << -(design.transpose() * at.slope + at.penalty.slope), held.bends - rows * coefficients;
  const Vector solution = Eigen::PartialPivLU<Matrix>(system).solve(right);
  coefficients += solution.head(p);
  return solution.tail(v);
}

// The conditions of optimality that Newton's method has not seen to: rows stay at their places, and the
// subgradients of held rows are between the slopes on both sides.
void check(const BentLoss& loss, const Vector& response, const BentFit& fit, const Held& held,
           const Vector& subgradient) {
  for (Index i = 0; i < response.size(); ++i) {
    const int place = fit.places[static_cast<std::size_t>(i)];
    if (place % 2 == 0 && place_of(loss.bends(response[i]), fit.model.linear_predictor(i, 0)) != place)
      throw std::runtime_error(fmt::format("{}: row {} has left its place", loss.name, i));
  }
  for (std::size_t k = 0; k < held.rows.size(); ++k) {
    const double y = response[held.rows[k]], bend = held.bends[static_cast<Index>(k)];
    const double low = slope_off_bends(loss, bend - 1e-9, y), high = slope_off_bends(loss, bend + 1e-9, y);
    const double g = subgradient[static_cast<Index>(k)];
    if (g < low - rounding || g > high + rounding)
      throw std::runtime_error(fmt::format("{}: row {} pulls beyond its bend", loss.name, held.rows[k]));
  }
}

}  // namespace

const std::vector<BentLoss> bent_losses = {
    {"hinge and its square", true,
     [](double y) {
       return std::vector<BentLoss::Bend>{{y, -y}};
     },
     [](double u, double y) {
       const double h = std::max(1 - y * u, 0.0);
       return Jet{h * h / 2, -y * h, h > 0 ? 1.0 : 0.0};
     }},
    {"epsilon-insensitive and its square", false, edges,
     [](double u, double y) {
       const double d = outside_tube(u - y);
       return Jet{d * d / 2, std::copysign(d, u - y), d > 0 ? 1.0 : 0.0};
     }},
    {"epsilon-insensitive and Huber's", false, edges, [](double u, double y) {
       const double d = outside_tube(u - y), near = std::min(d, straight);
       return Jet{near * (d - near / 2), std::copysign(near, u - y), d > 0 && d < straight ? 1.0 : 0.0};
     }}};

SmoothModel smoothed(const BentLoss& loss, double h, PenaltyJet (*penalty)(const Vector& coefficients)) {
  return {[&loss, h](double u, double y) {
            Jet sum = loss.quadratic(u, y);
            for (const auto& [place, side] : loss.bends(y)) {
              const Jet bend = kernel_positive_part(side * (u - place), h);
              sum.value += bend.value;
              sum.slope += side * bend.slope;
              sum.curvature += bend.curvature;
            }
            return sum;
          },
          penalty};
}

BentFit fit_bent(const BentLoss& loss, PenaltyJet (*penalty)(const Vector& coefficients),
                 const Matrix& design, const Vector& response, Vector start) {
  for (double h = 1e-1; h > 0.5 * last_width; h /= 10)
    minimize(smoothed(loss, h, penalty), design, response, start);
  BentFit fit{std::move(start), {}, {}};
  const Vector predictor = design * fit.coefficients;
  for (Index i = 0; i < response.size(); ++i)
    fit.places.push_back(place_of(loss.bends(response[i]), predictor[i]));
  const Held held = held_rows(loss, response, fit.places);
  Vector subgradient;
  for (int step = 0; step < steps; ++step) {
    const Expansion at = expand(loss, penalty, design, response, held, fit.coefficients);
    subgradient = newton_step(design, at, held, fit.coefficients);
  }
  const Expansion at = expand(loss, penalty, design, response, held, fit.coefficients);
  const Matrix& basis = at.penalty.basis;
  fit.model.tangent_design = basis.size() == 0 ? design : Matrix(design * basis);
  fit.model.penalty_curvature = at.penalty.curvature;
  fit.model.linear_predictor = at.predictor;
  fit.model.derivative = at.slope;
  for (std::size_t k = 0; k < held.rows.size(); ++k)
    fit.model.derivative(held.rows[k], 0) = subgradient[static_cast<Index>(k)];
  fit.model.curvature = at.curvature;
  fit.model.removed_share = Vector::Ones(response.size());
  fit.model.has_kinks = true;
  fit.model.pinned = held.rows;
  check(loss, response, fit, held, subgradient);
  return fit;
}

}  // namespace paper
