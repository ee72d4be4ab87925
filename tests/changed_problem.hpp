// SPDX-License-Identifier: MIT
#pragma once

#include <utility>
#include <vector>

#include "random_problem.hpp"

namespace alo::testing_support {

// The same problem with another weight of one row. Scales stay those of the whole data: the columns are
// those of the fit, already scaled.
inline Problem reweighted(const RandomProblem& p, const Problem& problem, Index row, double factor) {
  Dataset data = p.dataset();
  data.weights[row] *= factor;
  data.weight_kind = WeightKind::importance;
  data.design = Design(Matrix(problem.design().gather(all_columns(problem))));
  RandomProblem frozen = p;
  frozen.standardize = false;
  return frozen.problem(std::move(data));
}

// Rows of data in another order, or more than once.
inline Dataset with_rows(const Dataset& data, const std::vector<Index>& rows) {
  Dataset result = make_dataset(Design(Matrix(design_values(data)(rows, Eigen::all))), data.response(rows));
  result.weights = data.weights(rows);
  result.weight_kind = data.weight_kind;
  result.offset = data.offset(rows);
  return result;
}

// Rows as often as their frequency weights say, which then are ones.
struct RepeatedRows {
  Dataset data;
  std::vector<Index> origin;  // of each row
};
inline RepeatedRows repeated_rows(const Dataset& counted) {
  RepeatedRows result;
  for (Index i = 0; i < counted.rows(); ++i) {
    for (int copy = 0; copy < static_cast<int>(counted.weights[i]); ++copy) result.origin.push_back(i);
  }
  result.data = with_rows(counted, result.origin);
  result.data.weights.setOnes();
  result.data.weight_kind = WeightKind::importance;
  return result;
}

}  // namespace alo::testing_support
