// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "alo/dataset.hpp"

namespace paper {

// The linear models of the paper's simulations: y = f(X b + e), with the noise inside f. The rows of X are
// normal with cov(x_ij, x_ik) = variance * correlation^|j - k|.
struct Simulation {
  alo::Index rows = 0;
  alo::Index columns = 0;
  double design_variance = 1.0;
  double correlation = 0.0;
  // The coefficients are one of three, by the number that is positive: `effects` standard normal values at
  // random places and zeros elsewhere; a square matrix U V' of that rank, U and V standard normal; or the
  // cumulative sum of `jumps` standard normal values at random places and zeros elsewhere, scaled to
  // standard deviation one (with divisor p).
  alo::Index effects = 0;
  alo::Index rank = 0;
  alo::Index jumps = 0;
  double noise_variance = 0.25;
  bool heavy_tails = false;  // noise of Student's t with three degrees of freedom, scaled to that variance
  bool signed_root = false;  // f(u) = sign(u) sqrt|u|, and not u
  std::uint64_t seed = 1;
};

struct Simulated {
  alo::Dataset data;
  alo::Vector coefficients;
};

Simulated simulate(const Simulation& simulation);

// `count` distinct random numbers of 0, ..., bound - 1, ascending.
std::vector<alo::Index> draw_places(alo::Index count, alo::Index bound, std::mt19937_64& engine);

// The noise e of a row, by the response and the true coefficients.
double noise_of(const Simulation& simulation, const Simulated& simulated, alo::Index row);

}  // namespace paper
