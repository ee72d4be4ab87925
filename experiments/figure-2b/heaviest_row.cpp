// SPDX-License-Identifier: MIT
#include "heaviest_row.hpp"

#include <cmath>
#include <numeric>

#include "alo/leave_one_out.hpp"
#include "alo/losses/squared.hpp"
#include "alo/path.hpp"
#include "alo/penalties/lasso.hpp"
#include "plain.hpp"

namespace paper {

namespace {

using alo::Index;
using alo::Vector;

}  // namespace

Json heaviest_row(const Simulation& simulation, double lambda) {
  const Simulated simulated = simulate(simulation);
  const alo::Problem problem = compare::plain_problem(simulated.data, alo::SquaredLoss{}, alo::Lasso{});
  const Vector& response = problem.data().response;
  const alo::Path path = alo::fit_path(problem, {lambda});
  const alo::Fit& fit = path.fits.front();
  std::vector<Index> rows(static_cast<std::size_t>(problem.rows()));
  std::iota(rows.begin(), rows.end(), Index{0});
  const alo::LeaveOneOut approximate = alo::approximate_leave_one_out(problem, fit);
  const Vector alo = response - approximate.linear_predictor;
  const Vector exact =
      response - alo::exact_leave_one_out(problem, path.fits, rows).values.front().linear_predictor;
  Index row = 0;
  (alo.array().square() - exact.array().square()).abs().maxCoeff(&row);

  const alo::Fit rest = alo::fit_path(compare::without_row(problem, row), {lambda}).fits.front();
  const double refitted = response[row] - problem.data().design.row(row).dot(rest.coefficients);
  const auto is_active = fit.coefficients.array() != 0.0, stays = rest.coefficients.array() != 0.0;
  const double others = exact.squaredNorm() - exact[row] * exact[row];
  return {{"lambda", lambda},
          {"difference", alo.squaredNorm() / exact.squaredNorm() - 1},
          {"without it", (alo.squaredNorm() - alo[row] * alo[row]) / others - 1},
          {"noise", noise_of(simulation, simulated, row) / std::sqrt(simulation.noise_variance)},
          {"leverage", approximate.leverage[row]},
          {"residual", response[row] - fit.linear_predictor[row]},
          {"alo", alo[row]},
          {"exact", exact[row]},
          {"exact to refit", std::abs(exact[row] - refitted)},
          {"active", is_active.count()},
          {"entered", (stays && !is_active).count()},
          {"left", (is_active && !stays).count()}};
}

}  // namespace paper
