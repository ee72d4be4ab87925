// SPDX-License-Identifier: MIT
#include "linear_model.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

namespace paper {

namespace {

using alo::Index;
using alo::Matrix;
using alo::Vector;
using Engine = std::mt19937_64;

Matrix draw_design(const Simulation& simulation, Engine& engine) {
  std::normal_distribution<double> normal;
  const double deviation = std::sqrt(simulation.design_variance);
  const double innovation = std::sqrt(1.0 - simulation.correlation * simulation.correlation);
  Matrix values(simulation.rows, simulation.columns);
  for (Index j = 0; j < simulation.columns; ++j) {
    for (double& value : values.col(j)) value = deviation * normal(engine);
    if (j > 0) values.col(j) = simulation.correlation * values.col(j - 1) + innovation * values.col(j);
  }
  return values;
}

// `count` standard normal values at random places, and zeros.
Vector draw_sparse(Index count, Index size, Engine& engine) {
  std::normal_distribution<double> normal;
  Vector values = Vector::Zero(size);
  for (const Index place : draw_places(count, size, engine)) values[place] = normal(engine);
  return values;
}

Vector draw_pieces(const Simulation& simulation, Engine& engine) {
  const Vector jumps = draw_sparse(simulation.jumps, simulation.columns, engine);
  Vector coefficients(jumps.size());
  std::partial_sum(jumps.begin(), jumps.end(), coefficients.begin());
  const double variance = (coefficients.array() - coefficients.mean()).square().mean();
  return coefficients / std::sqrt(variance);
}

// A random matrix of coefficients, row by row.
Vector draw_matrix(const Simulation& simulation, Engine& engine) {
  std::normal_distribution<double> normal;
  const auto side = static_cast<Index>(std::lround(std::sqrt(static_cast<double>(simulation.columns))));
  const auto draw = [&] { return normal(engine); };
  const Matrix left = Matrix::NullaryExpr(side, simulation.rank, draw);
  const Matrix right = Matrix::NullaryExpr(side, simulation.rank, draw);
  const Matrix product = right * left.transpose();
  return product.reshaped();
}

Vector draw_coefficients(const Simulation& simulation, Engine& engine) {
  if (simulation.jumps > 0) return draw_pieces(simulation, engine);
  if (simulation.rank > 0) return draw_matrix(simulation, engine);
  return draw_sparse(simulation.effects, simulation.columns, engine);
}

// f(u) = sign(u) sqrt|u| and its inverse.
double signed_root(double u) {
  return std::copysign(std::sqrt(std::abs(u)), u);
}
double signed_square(double y) {
  return y * std::abs(y);
}

}  // namespace

std::vector<Index> draw_places(Index count, Index bound, Engine& engine) {
  std::vector<Index> places(static_cast<std::size_t>(bound));
  std::iota(places.begin(), places.end(), Index{0});
  for (Index k = 0; k < count; ++k) {
    const auto other = k + static_cast<Index>(engine() % static_cast<std::uint64_t>(bound - k));
    std::swap(places[static_cast<std::size_t>(k)], places[static_cast<std::size_t>(other)]);
  }
  places.resize(static_cast<std::size_t>(count));
  std::sort(places.begin(), places.end());
  return places;
}

Simulated simulate(const Simulation& simulation) {
  Engine engine(simulation.seed);
  Matrix design = draw_design(simulation, engine);
  Vector coefficients = draw_coefficients(simulation, engine);
  Vector response = design * coefficients;
  std::normal_distribution<double> normal;
  std::student_t_distribution<double> student(3.0);  // its variance is 3
  for (double& value : response) {
    value += simulation.heavy_tails ? std::sqrt(simulation.noise_variance / 3.0) * student(engine)
                                    : std::sqrt(simulation.noise_variance) * normal(engine);
    if (simulation.signed_root) value = signed_root(value);
  }
  return {alo::make_dataset(alo::Design(std::move(design)), std::move(response)), std::move(coefficients)};
}

double noise_of(const Simulation& simulation, const Simulated& simulated, Index row) {
  const double response = simulated.data.response[row];
  const double predictor = simulation.signed_root ? signed_square(response) : response;
  return predictor - simulated.data.design.row(row).dot(simulated.coefficients);
}

}  // namespace paper
