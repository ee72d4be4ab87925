// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "alo/dataset.hpp"
#include "alo/loss.hpp"

namespace alo {

// The largest number of classes that a response may have: class_limit(rows) is this number or half the
// number of rows, whichever is less, but at least two. More distinct values are usually identifiers that
// were taken for classes. At ten times the value such a mistake would cost a multinomial fit of a thousand
// outputs before anyone notices.
inline constexpr Index largest_class_count = 100;
Index class_limit(Index rows);

// The default loss of a response: logistic for two distinct values, multinomial for text with more, else
// squared. Two numbers in fewer than three rows are taken as numbers.
std::string default_loss(const Dataset& data);

// Codes the response as it was read (numbers, or text) for losses of a kind:
//
//   two_classes  -1 and +1; the larger number or the later word becomes +1, or the label `positive`
//   classes      0 ... K - 1, in the order of the numbers, or of the words by their bytes
//   number       unchanged
//
// It sets Dataset::classes (with two classes, that of -1 first) and notes in Dataset::notes which label
// became which code. Throws InvalidData, which names row, value and rule, for a third class, a single
// class, too many classes, text where numbers are needed, and a label `positive` that does not occur.
void code_response(Dataset& data, ResponseKind kind, const std::string& positive = "");

// The predicted class of each row, as its position in Dataset::classes: by the sign of the linear
// predictor, or by the largest of several (the first among equal ones). -1 where they are not finite
// numbers.
std::vector<Index> predicted_classes(ResponseKind kind, const Vector& linear_predictor, Index outputs);

}  // namespace alo
