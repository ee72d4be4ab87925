// SPDX-License-Identifier: MIT
#include "solvers/kinked/method_of_multipliers.hpp"

namespace alo {

namespace {

// Each round multiplies sigma by this, and the error of the multipliers falls faster the larger sigma is
// (Rockafellar 1976). With ten times as much, Newton's method of the next round begins far from its solution,
// on another set of pinned rows.
constexpr double growth = 5.0;
// A round that could not be minimised divides sigma by this. It is coprime to `growth`, so that no sigma is
// tried twice.
constexpr double shrinkage = 7.0;
// A safeguard. With the growth above sigma reaches 1 / epsilon after 25 rounds; the others make up for rounds
// that reduce it.
constexpr int most_rounds = 60;
// Distances |eta - z| below this share of linear predictors and kinks are rounding, and the multipliers have
// converged. At ten times the search could end before the last row is placed; a tenth is never reached.
constexpr double converged = 1e-13;

}  // namespace

bool method_of_multipliers(AugmentedTerm& term, const Vector& gradient, const Vector& predictor,
                           const RowKinks& kinks, const std::function<MultiplierRound()>& round) {
  for (int count = 0; count < most_rounds; ++count) {
    switch (round()) {
      case MultiplierRound::solved:
        return true;
      case MultiplierRound::not_minimized:
        term.sigma /= shrinkage;
        break;
      case MultiplierRound::minimized: {
        const double distance = (gradient - term.multipliers).lpNorm<Eigen::Infinity>() / term.sigma;
        if (distance <= converged * kinks.predictor_size(predictor)) return false;
        term.multipliers = gradient;
        term.sigma *= growth;
      }
    }
  }
  return false;
}

}  // namespace alo
