// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "alo/report.hpp"
#include "report/page.hpp"

namespace alo::report {

// The parts of the page in its order. Each adds nothing where it has nothing to say.

// The chosen lambda, the expected error, and whether the estimate is reliable.
void add_verdict(Page& page, const Problem& problem, const TuneResult& result, const Wording& wording);
// The risk along the path and the numbers of both choices.
void add_risk(Page& page, const Problem& problem, const TuneResult& result);
void add_key_numbers(Page& page, const Problem& problem, const TuneResult& result);
// The counts of true and predicted classes.
void add_confusion(Page& page, const Problem& problem, const TuneResult& result);
// The coefficients, or the signal or matrix that they form.
void add_coefficients(Page& page, const Problem& problem, const TuneResult& result);
// The rows with the largest influence on the fit.
void add_influence(Page& page, const Problem& problem, const TuneResult& result);

// "12.5 %", or "-" when `whole` is zero.
std::string percent(Index part, Index whole);

}  // namespace alo::report
