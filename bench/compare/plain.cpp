// SPDX-License-Identifier: MIT
#include "plain.hpp"

#include <utility>

namespace compare {

alo::Problem plain_problem(alo::Dataset data, alo::Loss loss, alo::Penalty penalty) {
  return {std::move(data), std::move(loss), std::move(penalty), {.intercept = false, .standardize = false}};
}

alo::Problem without_row(const alo::Problem& problem, alo::Index row) {
  const alo::Dataset& data = problem.data();
  const alo::Matrix& all = data.design.dense_values();
  const alo::Index after = data.rows() - row - 1;
  alo::Matrix values(data.rows() - 1, data.columns());
  values << all.topRows(row), all.bottomRows(after);
  alo::Vector response(data.rows() - 1);
  response << data.response.head(row), data.response.tail(after);
  return plain_problem(alo::make_dataset(alo::Design(std::move(values)), std::move(response)), problem.loss(),
                       problem.penalty());
}

}  // namespace compare
