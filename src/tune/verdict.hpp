// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "alo/tune.hpp"

namespace alo {

// The reasons against the choice: against the number at the chosen lambda, and against no other lambda being
// better. Each says what to do, where something can be done.
Verdict judge(const TuneResult& result);

// True where exact leave-one-out at this or a larger lambda contradicts the formula, which becomes worse as
// lambda falls.
bool is_refuted_above(const TuneResult& result, std::size_t k);
// True at a lambda where the formula may be far off: some row has no prediction or a leverage of at least
// doubtful_leverage, or the formula is refuted above, or the loss has kinks, so that the formula depends on
// few pinned rows.
bool is_doubtful(const TuneResult& result, std::size_t k);
// True where a risk that is in doubt could in truth be smaller than another.
bool is_within_factor(Metric metric, double risk, double than);
// True at a lambda where the formula is in doubt, nothing better is known, and the exact risk could be
// smaller than that at the choice: by more than tolerated_share where it is known by interpolation
// or by a sample that is too small, and elsewhere with a chance of more than least_chance.
bool could_be_better(const TuneResult& result, std::size_t k, double chosen_risk);
// True where an error is within tolerated_share or tolerated_share_of_se.
bool is_tolerable(double error, const Estimate& risk);
// True where the error of a risk is known and too large to be tolerated.
bool is_poor(const BestEstimate& risk);
// The effort that exact leave-one-out at every lambda needs, as a short number.
std::string effort_to_ask(const TuneResult::ExactCost& cost);
// A sentence about what exact leave-one-out would settle, with the setting to ask for it: the effort where
// that decides, else exact leave-one-out itself.
Message ask_for_exact(const TuneResult& result, std::string text);

}  // namespace alo
