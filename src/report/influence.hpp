// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "alo/problem.hpp"
#include "alo/tune.hpp"

namespace alo::report {

// What a row does to the fit at the chosen lambda.
struct RowInfluence {
  Index row = 0;
  double leverage = 0;
  double residual = 0;  // held-out: minus the derivative of the loss, y - prediction for squared loss
  double shift = 0;     // fitted minus held-out linear predictor: how far the row pulls its own fit
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
