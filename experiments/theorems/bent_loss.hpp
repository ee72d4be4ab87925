// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "smooth_fit.hpp"

namespace paper {

// A loss with kinks and with curvature off them, as the paper's theorem on nonsmooth losses allows: a sum of
// bends and a function q with a continuous derivative that is quadratic between its joints,
//
//     l(u; y) = sum_k max(0, s_k (u - v_k)) + q(u; y),  s_k = 1 or -1,  v_k = v_k(y).
struct BentLoss {
  std::string name;
  bool two_classes = false;
  struct Bend {
    double place = 0, side = 1;  // v and s
  };
  std::vector<Bend> (*bends)(double y) = nullptr;
  Jet (*quadratic)(double u, double y) = nullptr;
};

// Three of them. With r = u - y and d = max(0, |r| - 0.5): the hinge with its square, max(0, 1 - y u) +
// max(0, 1 - y u)^2 / 2; the epsilon-insensitive loss with its square, d + d^2 / 2; and the
// epsilon-insensitive loss with Huber's of d, d + d^2 / 2 for d <= 1, else 2 d - 1/2, which is flat in the
// tube, curved near it and straight far from it.
extern const std::vector<BentLoss> bent_losses;

// The model with every bend smoothed by the compact kernel of width h (kernel_positive_part).
SmoothModel smoothed(const BentLoss& loss, double h, PenaltyJet (*penalty)(const alo::Vector& coefficients));

// A fit: the quadratic model for the leave-one-out formulas, and the place of each row: 2 m between the bends
// m
// - 1 and m, 2 m + 1 at bend m, in rising order.
struct BentFit {
  alo::Vector coefficients;
  alo::LocalModel model;
  std::vector<int> places;
};

// Minimises the model: from `start` with falling widths, then by Newton's method with the rows that have come
// to a bend held there. Throws where the result breaks a condition of optimality.
BentFit fit_bent(const BentLoss& loss, PenaltyJet (*penalty)(const alo::Vector& coefficients),
                 const alo::Matrix& design, const alo::Vector& response, alo::Vector start);

}  // namespace paper
