// SPDX-License-Identifier: MIT
// Tunes a lasso on a CSV file whose last column is the response.
#include <iostream>

#include "alo/losses/squared.hpp"
#include "alo/penalties/lasso.hpp"
#include "alo/read.hpp"
#include "alo/tune.hpp"

int main(int count, char** arguments) {
  const alo::Dataset data = alo::read_dataset(count > 1 ? arguments[1] : "examples/diabetes.csv");
  const alo::Problem problem(data, alo::SquaredLoss{}, alo::Lasso{});
  const alo::TuneResult result = alo::tune(problem);
  const alo::Selected& best = result.chosen().value();
  std::cout << "lambda " << best.choice.lambda << ", leave-one-out mse " << best.choice.risk.mean.value()
            << ", " << best.point.nonzero << " of " << problem.columns() << " coefficients\n";
}
