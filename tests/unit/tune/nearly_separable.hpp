// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <random>

#include "random_problem.hpp"

namespace alo::testing_support {

// A logistic lasso with rows of very different lengths, of which the long ones have high leverage, and
// classes that ten of the columns nearly separate.
inline Problem nearly_separable(unsigned seed) {
  constexpr Index rows = 200;
  constexpr Index columns = 150;
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal;
  Matrix x(rows, columns);
  Vector y(rows);
  for (Index i = 0; i < rows; ++i) {
    const double length = std::exp(normal(generator));
    for (Index j = 0; j < columns; ++j) x(i, j) = length * normal(generator);
    y[i] = 3.0 * x.row(i).head(10).sum() + normal(generator);
  }
  RandomProblem model;
  model.loss = "logistic";
  return model.problem(make_dataset(Design(x), in_domain(model.loss, y)));
}

}  // namespace alo::testing_support
