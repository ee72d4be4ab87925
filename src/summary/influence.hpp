// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "alo/problem.hpp"
#include "alo/tune.hpp"

namespace alo::report {

// What stands for y - prediction, by the loss.
enum class ResidualKind {
  difference,  // y - mean: losses of numbers that are no likelihoods
  deviance,    // s sqrt(2 (l - min l)), the signed root of the row's deviance: likelihoods
  shortfall,   // the same of a margin: y (1 - y u)+ for the squared hinge
};
// The sign s is that of y - mean, of the class, or plus where there are more than two classes.
ResidualKind residual_kind(const Loss& loss);
// "residual"
std::string residual_words(const Loss& loss);

// What a row does to the fit at the chosen lambda.
struct RowInfluence {
  Index row = 0;
  double leverage = 0;
  double residual = 0;  // held-out, see ResidualKind
  double shift = 0;     // fitted minus held-out linear predictor: how far the row pulls its own fit; with
                        // several outputs the length of that vector
  RowFlag flag = RowFlag::none;
  bool defined = true;  // has a held-out prediction
};

// Every row in the order of the data; empty when the chosen point has no rows.
std::vector<RowInfluence> row_influences(const Problem& problem, const TuneResult& result);

// Positions in `rows` of the `count` most influential: undefined rows first, then by |shift|;
// rows that do nothing are left out.
std::vector<std::size_t> most_influential(const std::vector<RowInfluence>& rows, std::size_t count);

// Positions in `rows` of the `count` largest leverages.
std::vector<std::size_t> highest_leverage(const std::vector<RowInfluence>& rows, std::size_t count);

}  // namespace alo::report
