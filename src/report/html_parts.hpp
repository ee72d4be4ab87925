// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "alo/report.hpp"
#include "report/page.hpp"

namespace alo::report {

// Parts of the page, in its order; each adds nothing where there is nothing to say.

// What was chosen, what to expect of it, and whether to rely on that.
void add_verdict(Page& page, const Problem& problem, const TuneResult& result);
// Risk along the path, and the numbers of both choices.
void add_risk(Page& page, const Problem& problem, const TuneResult& result);
void add_key_numbers(Page& page, const Problem& problem, const TuneResult& result);
// Counts of true and predicted classes.
void add_confusion(Page& page, const Problem& problem, const TuneResult& result);
// Coefficients, or what stands for them: a signal, a matrix.
void add_coefficients(Page& page, const Problem& problem, const TuneResult& result);
// Rows that move the fit.
void add_influence(Page& page, const Problem& problem, const TuneResult& result);

// "12.5 %", or "-" of nothing.
std::string percent(Index part, Index whole);

}  // namespace alo::report
