// SPDX-License-Identifier: MIT
#include "simulate.hpp"

#include <cmath>
#include <numeric>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace compare {

namespace {

using alo::Index;
using alo::Vector;

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  double normal() { return normal_(engine_); }
  double uniform() { return uniform_(engine_); }
  double count(double mean) { return static_cast<double>(std::poisson_distribution<Index>(mean)(engine_)); }
  // A random number of 0, ..., bound - 1.
  Index below(Index bound) { return static_cast<Index>(engine_() % static_cast<std::uint64_t>(bound)); }

 private:
  std::mt19937_64 engine_;
  std::normal_distribution<double> normal_;
  std::uniform_real_distribution<double> uniform_;
};

alo::SparseMatrix draw_sparse(const Simulation& simulation, Index entries, Random& random) {
  alo::SparseMatrix values(simulation.rows, simulation.columns);
  values.reserve(simulation.columns * entries);
  for (Index j = 0; j < simulation.columns; ++j) {
    std::set<Index> rows;
    while (static_cast<Index>(rows.size()) < entries) rows.insert(random.below(simulation.rows));
    values.startVec(j);
    for (const Index i : rows) values.insertBack(i, j) = random.normal();
  }
  values.finalize();
  return values;
}

Vector draw_normal_effects(const Simulation& simulation, Random& random) {
  const double deviation = std::sqrt(simulation.effect_variance);
  Vector effects(simulation.columns);
  for (double& value : effects) value = deviation * random.normal();
  return effects;
}

Vector draw_normal(Index size, Random& random) {
  Vector values(size);
  for (double& value : values) value = random.normal();
  return values;
}

Vector draw_low_rank_effects(const Simulation& simulation, Random& random) {
  alo::Matrix effects = alo::Matrix::Zero(simulation.shape->rows, simulation.shape->columns);
  for (Index k = 0; k < simulation.effects; ++k) {
    const Vector left = draw_normal(effects.rows(), random);
    effects += left * draw_normal(effects.cols(), random).transpose();
  }
  return effects.reshaped<Eigen::RowMajor>();
}

// Effects of +1 or -1 at the first places of a random permutation of the columns.
Vector draw_effects(const Simulation& simulation, Random& random) {
  if (simulation.shape) return draw_low_rank_effects(simulation, random);
  if (simulation.effect_variance > 0.0) return draw_normal_effects(simulation, random);
  std::vector<Index> order(static_cast<std::size_t>(simulation.columns));
  std::iota(order.begin(), order.end(), Index{0});
  Vector effects = Vector::Zero(simulation.columns);
  for (Index k = 0; k < simulation.effects; ++k) {
    std::swap(order[static_cast<std::size_t>(k)],
              order[static_cast<std::size_t>(k + random.below(simulation.columns - k))]);
    effects[order[static_cast<std::size_t>(k)]] = random.below(2) == 0 ? 1.0 : -1.0;
  }
  return effects;
}

alo::Dataset with_response(const Simulation& simulation, Random& random, alo::Design design) {
  Vector response = design.multiply(draw_effects(simulation, random));
  const double deviation = std::sqrt(simulation.noise_variance);
  for (double& value : response) {
    if (simulation.loss == "squared") {
      value += deviation * random.normal();
    } else if (simulation.loss == "logistic" || simulation.loss == "hinge") {
      value = random.uniform() * (1.0 + std::exp(-value)) < 1.0 ? 1.0 : -1.0;
    } else if (simulation.loss == "poisson") {
      value = random.count(std::exp(value / 5.0));
    } else {
      throw std::runtime_error("no response is simulated for the loss " + simulation.loss);
    }
  }
  return alo::make_dataset(std::move(design), std::move(response));
}

}  // namespace

// X is filled in place, so that the peak memory of the process is that of X.
alo::Dataset simulate_dense(const Simulation& simulation, double correlation) {
  Random random(simulation.seed);
  alo::Matrix values(simulation.rows, simulation.columns);
  const double innovation = std::sqrt(1.0 - correlation * correlation);
  for (Index j = 0; j < simulation.columns; ++j) {
    for (double& value : values.col(j)) value = random.normal();
    if (j > 0) values.col(j) = correlation * values.col(j - 1) + innovation * values.col(j);
  }
  return with_response(simulation, random, alo::Design(std::move(values)));
}

alo::Dataset simulate_sparse(const Simulation& simulation, Index entries) {
  Random random(simulation.seed);
  alo::Design design(draw_sparse(simulation, entries, random));
  return with_response(simulation, random, std::move(design));
}

}  // namespace compare
