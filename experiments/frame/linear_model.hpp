// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "alo/dataset.hpp"

namespace paper {

// The linear models of the paper's simulations: y = f(X b) + e. The rows of X are normal with cov(x_ij,
// x_ik) = variance * correlation^|j - k|.
struct Simulation {
  alo::Index rows = 0;
  alo::Index columns = 0;
  double design_variance = 1.0;
  double correlation = 0.0;
  // The coefficients are one of three, by the number that is positive: `effects` standard normal values at
  // random places and zeros elsewhere; a square matrix U V' / side of that rank, U and V standard normal; or
  // pieces of equal coefficients, whose levels are standard normal.
  alo::Index effects = 0;
  alo::Index rank = 0;
  alo::Index pieces = 0;
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

}  // namespace paper
