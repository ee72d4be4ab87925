// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "alo/dataset.hpp"
#include "alo/loss.hpp"

namespace alo {

// Most classes that a response may have, and at most half as many as rows (two are always allowed).
inline constexpr Index largest_class_count = 100;
Index class_limit(Index rows);

// The loss for a response that comes without one: logistic for two different values, multinomial for
// text with more, else squared. Two numbers in fewer than three rows are numbers.
std::string default_loss(const Dataset& data);

// Turns the response as it was read (numbers, or classes of text) into what losses of a kind take:
//
//   two_classes  -1 and +1; the larger number or the later word is +1, or the label `positive`
//   classes      0 .. K - 1: numbers by their value, words in byte order
//   number       as it is
//
// Sets Dataset::classes (of two the one that is -1 first) and says in Dataset::notes which label became
// what. Throws InvalidData with row, value and rule: a third class, one class only, too many
// classes, text where numbers are needed, no class called `positive`.
void code_response(Dataset& data, ResponseKind kind, const std::string& positive = "");

// The class that each row's linear predictors speak for, by its position in Dataset::classes: the sign
// of the one, or the largest of several, the first of equal ones. -1 where they are not numbers.
std::vector<Index> predicted_classes(ResponseKind kind, const Vector& linear_predictor, Index outputs);

}  // namespace alo
