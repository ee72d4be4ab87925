// SPDX-License-Identifier: MIT
#include "solvers/smooth/signed_face.hpp"

#include <algorithm>
#include <cmath>

namespace alo {

SignedFace::SignedFace(const Problem& of, Vector row_weights)
    : problem(&of),
      weights(std::move(row_weights)),
      terms(of.penalty().separable(of.columns()).value()),
      block(of),
      places(static_cast<std::size_t>(of.columns() * of.outputs()), Place::outside) {}

double SignedFace::absolute_of(Index column) const {
  return column == Coordinate::intercept ? 0.0 : lambda * terms.absolute[column];
}

double SignedFace::square_of(Index column) const {
  return column == Coordinate::intercept ? 0.0 : lambda * terms.square[column] + terms.fixed_square[column];
}

std::vector<Index> SignedFace::dropped_members() const {
  std::vector<Index> result;
  for (Index m = 0; m < size(); ++m) {
    if (is_dropped(m)) result.push_back(m);
  }
  return result;
}

void SignedFace::forget_dropped() {
  std::vector<Index> kept;
  for (Index m = 0; m < size(); ++m) {
    if (!is_dropped(m)) kept.push_back(m);
  }
  if (static_cast<Index>(kept.size()) == size()) return;
  const Vector kept_values = values(kept);
  for (std::size_t m = 0; m < kept.size(); ++m) {
    members[m] = members[static_cast<std::size_t>(kept[m])];
    signs[m] = signs[static_cast<std::size_t>(kept[m])];
  }
  members.resize(kept.size());
  signs.resize(kept.size());
  dropped.assign(kept.size(), 0);
  values = kept_values;
}

void SignedFace::begin_at(const Vector& coefficients, const Vector& intercept) {
  members.clear();
  signs.clear();
  std::fill(places.begin(), places.end(), Place::outside);
  std::vector<double> start;
  const auto begin_with = [&](Index column, Index output, double value) {
    members.push_back({column, output});
    const bool has_sign = column != Coordinate::intercept && terms.absolute[column] > 0.0;
    signs.push_back(has_sign ? std::copysign(1.0, value) : 0.0);
    if (column != Coordinate::intercept) place(members.back()) = Place::member;
    start.push_back(value);
    block.position(column);
  };
  // Softmax is invariant under a common shift of an unpenalised coefficient in all outputs, so that of the
  // last output is held at zero.
  const Index free_outputs = outputs() == 1 ? 1 : outputs() - 1;
  if (problem->intercept()) {
    for (Index k = 0; k < free_outputs; ++k) {
      begin_with(Coordinate::intercept, k, intercept[k] - (outputs() == 1 ? 0.0 : intercept[outputs() - 1]));
    }
  }
  const std::vector<Index>& constant = problem->constant_columns();
  for (Index k = 0; k < outputs(); ++k) {
    for (Index j = 0; j < problem->columns(); ++j) {
      const double value = coefficients[k * problem->columns() + j];
      const bool smooth = terms.absolute[j] == 0.0;
      const double total = terms.absolute[j] + terms.square[j] + terms.fixed_square[j];
      const bool free = total == 0.0;
      if (std::binary_search(constant.begin(), constant.end(), j) || std::isinf(total)) continue;
      if ((free && k >= free_outputs) || (!smooth && value == 0.0)) continue;
      begin_with(j, k, value);
    }
  }
  dropped.assign(members.size(), 0);
  move_to(evaluate(Eigen::Map<const Vector>(start.data(), static_cast<Index>(start.size()))));
}

void SignedFace::join(const Coordinate& coordinate, double sign) {
  members.push_back(coordinate);
  signs.push_back(sign);
  dropped.push_back(0);
  place(coordinate) = Place::member;
  values.conservativeResize(size());
  values[size() - 1] = 0.0;
}

double SignedFace::penalty_of(const Vector& point) const {
  double penalty = 0.0;
  for (Index m = 0; m < size(); ++m) {
    const Index j = member(m).column;
    penalty += absolute_of(j) * std::abs(point[m]) + 0.5 * square_of(j) * point[m] * point[m];
  }
  return penalty;
}

SignedFace::Trial SignedFace::evaluate(Vector point) const {
  Matrix coefficients = Matrix::Zero(static_cast<Index>(block.columns().size()), outputs());
  for (Index m = 0; m < size(); ++m) {
    coefficients(block.known_position(member(m).column), member(m).output) = point[m];
  }
  const double penalty = penalty_of(point);
  Matrix sum = block.multiply(coefficients);
  sum.colwise() += problem->data().offset;
  Trial trial{std::move(point), sum.reshaped(), {}, 0.0, 0.0};
  trial.loss = problem->loss().evaluate(trial.predictor, problem->data().response);
  trial.objective = penalty + weights.dot(trial.loss.value);
  trial.magnitude = penalty + weights.dot(trial.loss.value.cwiseAbs());
  return trial;
}

void SignedFace::move_to(Trial trial) {
  values = std::move(trial.values);
  predictor = std::move(trial.predictor);
  objective = trial.objective;
  magnitude = trial.magnitude;
  residual = -(weights.asDiagonal() * by_output(trial.loss.derivative, outputs()));
  curvature = weights.asDiagonal() * by_output(trial.loss.curvature, outputs() * outputs());
  block_slopes = block.transpose_multiply(residual);
}

void SignedFace::extend_slopes() {
  const Index known = block_slopes.rows();
  const Matrix more = block.transpose_multiply(residual, known);
  block_slopes.conservativeResize(known + more.rows(), outputs());
  block_slopes.bottomRows(more.rows()) = more;
}

Vector SignedFace::descent() const {
  Vector result(size());
  for (Index m = 0; m < size(); ++m) {
    const Index j = member(m).column;
    result[m] = is_dropped(m) ? 0.0
                              : block_slopes(block.known_position(j), member(m).output) -
                                    absolute_of(j) * sign(m) - square_of(j) * values[m];
  }
  return result;
}

}  // namespace alo
