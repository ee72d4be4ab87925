// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "alo/dataset.hpp"
#include "alo/geometry.hpp"

namespace compare {

// Simulated regressions, which depend on these numbers alone. `effects` coefficients b at random places are
// +1 or -1, the others zero; with an effect variance all of them are normal instead. The response follows
// the loss, with u = x'b:
//
//   squared   u + e, e normal
//   logistic  +1 with probability 1 / (1 + exp(-u)), else -1; the same for the hinge
//   poisson   a count with mean exp(u / 5): most are small at twenty effects
//
// For a matrix of coefficients `effects` is the rank: it is a sum of this many products a b' with standard
// normal a and b.
struct Simulation {
  std::string loss = "squared";
  alo::Index rows = 0;
  alo::Index columns = 0;
  alo::Index effects = 0;
  double effect_variance = 0.0;  // of b, where all are normal
  double noise_variance = 0.5;   // of e
  std::uint64_t seed = 1;
  std::optional<alo::MatrixShape> shape = {};
};

// Rows of X from a stationary normal process with unit variances and cor(x_ij, x_ik) = correlation^|j - k|;
// correlation 0 gives independent columns.
alo::Dataset simulate_dense(const Simulation& simulation, double correlation);

// Columns of X with `entries` standard normal values each, in random rows.
alo::Dataset simulate_sparse(const Simulation& simulation, alo::Index entries);

}  // namespace compare
