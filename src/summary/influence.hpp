// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "alo/problem.hpp"
#include "alo/tune.hpp"

namespace alo::report {

// The quantity that a loss has in place of y - prediction.
enum class ResidualKind {
  difference,  // y - mean: losses of numbers that are not likelihoods
  deviance,    // s sqrt(2 (l - min l)), the signed root of the row's deviance: likelihoods
  shortfall,   // y max(0, 1 - y u): losses of margins
};
// The sign s is that of y - mean or of the class; it is plus with more than two classes.
ResidualKind residual_kind(const Loss& loss);
// "residual"
std::string residual_words(const Loss& loss);

// The influence of a row on the fit at the chosen lambda.
struct RowInfluence {
  Index row = 0;
  double leverage = 0;
  double residual = 0;  // held out; see ResidualKind
  double shift = 0;     // fitted minus held-out linear predictor, the pull of the row on its own fit; with
                        // several outputs, the norm of that vector
  RowFlag flag = RowFlag::none;
  bool defined = true;  // whether there is a held-out prediction
};

// Every row in the order of the data; empty when the chosen point has no rows.
std::vector<RowInfluence> row_influences(const Problem& problem, const TuneResult& result);

// The positions in `rows` of the `count` most influential ones: undefined rows first, then by |shift|. Rows
// without influence are left out.
std::vector<std::size_t> most_influential(const std::vector<RowInfluence>& rows, std::size_t count);

// The positions in `rows` of the `count` largest leverages.
std::vector<std::size_t> highest_leverage(const std::vector<RowInfluence>& rows, std::size_t count);

}  // namespace alo::report
