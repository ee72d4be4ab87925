// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

#include "solvers/proximal/working_loss.hpp"

namespace alo {

// Accelerated proximal gradient steps (FISTA with backtracking, Beck and Teboulle 2009) from the best point,
// restarted where the objective would rise (the function scheme of O'Donoghue and Candes 2015). `Minimizer`
// has the members
//
//     Candidate                        with `point` (WorkingLoss::Point) and `objective`
//     at(coefficients)                 a candidate whose objective is not needed
//     slopes(candidate)                minus the gradient of the loss
//     proximal(candidate, slopes, t)   where a proximal step of length t along the slopes ends
//     rounding()                       losses that differ by less are equal
//
// `steepness` is the Lipschitz constant of the gradient as found so far; it only grows.
template <class Minimizer, class Candidate>
void accelerate(const Minimizer& minimizer, int steps, double& steepness, Candidate& best) {
  constexpr int most_doublings = 60;  // a safeguard: 2^60 covers any error of the first guess
  Vector before = best.point.coefficients;
  Candidate from = best;  // where the gradient is taken
  double momentum = 1.0;
  for (int k = 0; k < steps; ++k) {
    const Vector& slopes = minimizer.slopes(from);
    Candidate next;
    for (int doubling = 0; doubling < most_doublings; ++doubling) {
      next = minimizer.proximal(from, slopes, 1.0 / steepness);
      const Vector move = next.point.coefficients - from.point.coefficients;
      const double room = 0.5 * steepness * move.squaredNorm();
      if (next.point.loss <= from.point.loss - slopes.dot(move) + room + minimizer.rounding()) break;
      // Where losses differ by rounding only, the slopes decide: a convex loss rises above its tangent by at
      // most the change of the slope along the move.
      if ((slopes - minimizer.slopes(next)).dot(move) <= room) break;
      steepness *= 2.0;
    }
    if (next.objective > best.objective) {
      if (momentum == 1.0) return;
      momentum = 1.0;
      from = best;
      before = best.point.coefficients;
      continue;
    }
    const double following = 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * momentum * momentum));
    const double push = (momentum - 1.0) / following;
    momentum = following;
    Vector ahead = next.point.coefficients + push * (next.point.coefficients - before);
    before = next.point.coefficients;
    best = std::move(next);
    from = minimizer.at(std::move(ahead));
  }
}

}  // namespace alo
