// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "alo/problem.hpp"

namespace compare {

// A simulated problem by which operation counts are judged. Without columns it is a signal (X = I).
struct CountCase {
  std::string loss;
  std::string penalty;
  alo::Index rows;
  alo::Index columns;
};

// Every method, with fewer columns than rows, about as many, and more, from 40 rows up to 5000.
std::vector<CountCase> count_cases();
// A few that take seconds.
std::vector<CountCase> quick_count_cases();

alo::Problem make_problem(const CountCase& one);

}  // namespace compare
