// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <vector>

#include "alo/path.hpp"
#include "solvers/certified_solver.hpp"

namespace alo {

// Gives a solver of the problem, which is asked for what its decomposition knows (Solver::start, Solver::end)
// and for no fit. It is called where that is wanted alone, since making a solver may decompose the design.
using SolverAtHand = std::function<CertifiedSolver&()>;

// lambda_start and lambda_grid.
double find_start(const Problem& problem, const SolverAtHand& solver);
std::vector<double> make_grid(const Problem& problem, const GridOptions& options, const SolverAtHand& solver);

}  // namespace alo
