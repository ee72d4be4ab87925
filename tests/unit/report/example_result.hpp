// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "alo/problem.hpp"
#include "alo/tune.hpp"

namespace alo::example {

struct ExampleOptions {
  Index rows = 90;
  Index columns = 24;
  std::size_t lambdas = 60;
  bool exact = true;        // at the choices
  bool exact_curve = true;  // and along the path
  bool kfold = true;
  bool keep_rows = false;                 // per-row values at every lambda
  std::vector<std::string> column_names;  // the first ones; the rest are named by number
  std::string response_name = "progression";
};

// A simulated regression: independent columns, a third of them with falling effects, noise.
Problem example_problem(const ExampleOptions& options = {});

// A result for it without the solvers: soft-thresholded coefficients, which are the lasso's
// where columns are orthogonal, and the leave-one-out formula of that active set. The risk is
// U-shaped, leverages are real ones.
TuneResult example_result(const Problem& problem, const ExampleOptions& options = {});

}  // namespace alo::example
