// SPDX-License-Identifier: MIT
// Compares the operation counts of the methods (Method::path_flops and its like) with measured time, in
// operations of a matrix product on this machine. The factors of those functions were found with this table:
// where the geometric mean of a method's ratios is far from one, its counts are to be multiplied by it.
//
//     operation_counts [--quick]
//
// One line for each problem: measured over counted operations of a path of 100 lambdas with approximate
// leave-one-out, of exact leave-one-out at the middle of the path, and of the certificates of its rows. Run
// it on an idle machine, with OPENBLAS_NUM_THREADS=1.
#include <cmath>
#include <cstdio>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "alo/leave_one_out.hpp"
#include "alo/path.hpp"
#include "alo/registry.hpp"
#include "machine.hpp"
#include "simulate.hpp"
#include "solvers/method.hpp"
#include "stopwatch.hpp"

namespace {

using alo::Index;

struct Case {
  std::string loss;
  std::string penalty;
  Index rows;
  Index columns;
};

const std::vector<Case> cases = {
    {"squared", "lasso", 300, 1000},       {"squared", "lasso", 5000, 500},
    {"squared", "lasso", 20000, 50},       {"squared", "elastic-net", 500, 500},
    {"squared", "elastic-net", 2000, 200}, {"squared", "ridge", 300, 3000},
    {"squared", "ridge", 5000, 300},       {"logistic", "lasso", 500, 5000},
    {"logistic", "lasso", 2000, 200},      {"logistic", "lasso", 5000, 500},
    {"logistic", "ridge", 300, 3000},      {"logistic", "ridge", 2000, 200},
    {"poisson", "lasso", 1000, 500},       {"huber", "lasso", 1000, 300},
    {"hinge", "ridge", 300, 300},          {"hinge", "ridge", 1000, 500},
    {"hinge", "ridge", 10000, 50},         {"absolute", "ridge", 500, 200},
    {"hinge", "elastic-net", 200, 100},    {"squared", "slope", 300, 300},
};
const std::vector<Case> quick_cases = {{"squared", "lasso", 100, 200},
                                       {"squared", "ridge", 100, 200},
                                       {"logistic", "lasso", 100, 50},
                                       {"hinge", "ridge", 100, 50}};

alo::Problem make_problem(const Case& one) {
  compare::Simulation simulation;
  simulation.loss = one.loss == "huber" || one.loss == "absolute" ? "squared" : one.loss;
  simulation.rows = one.rows;
  simulation.columns = one.columns;
  simulation.effects = 20;
  alo::Dataset data = compare::simulate_dense(simulation, 0.5);
  alo::ModelParameters parameters;
  parameters.columns = one.columns;
  if (one.loss == "huber") parameters.delta = 1.0;
  return {std::move(data), alo::make_loss(one.loss, parameters), alo::make_penalty(one.penalty, parameters)};
}

// The logarithms of measured over counted operations, by method and kind of work.
using Ratios = std::map<std::string, std::vector<double>>;

void note(const std::string& name, double measured, double counted, Ratios& ratios) {
  std::printf(" %9.2g", measured / counted);
  if (std::isfinite(counted)) ratios[name].push_back(std::log(measured / counted));
}

void measure(const Case& one, double rate, Ratios& ratios) {
  const alo::Problem problem = make_problem(one);
  const alo::Method& method = alo::route(problem);
  const std::string name(method.name());
  alo::Path path;
  const double path_seconds = compare::seconds_of([&] {
    alo::PathSolver solver(problem, {.carry_hat = true});
    path = solver.fit_path(solver.grid());
    for (const alo::Fit& fit : path.fits) alo::approximate_leave_one_out(problem, fit);
  });
  std::vector<Index> nonzero;
  for (const alo::Fit& fit : path.fits) nonzero.push_back((fit.coefficients.array() != 0.0).count());
  const std::size_t middle = path.fits.size() / 2;
  const std::span<const alo::Fit> fit(&path.fits[middle], 1);
  std::printf("%-24s %-10s %-12s %6td %6td %6td", name.c_str(), one.loss.c_str(), one.penalty.c_str(),
              one.rows, one.columns, nonzero[middle]);
  note(name + " path", rate * path_seconds, method.path_flops(problem, nonzero), ratios);
  std::vector<Index> rows(static_cast<std::size_t>(one.rows));
  std::iota(rows.begin(), rows.end(), Index{0});
  const double counted = method.exact_flops(problem, nonzero[middle], problem.rows());
  // Nothing is counted where every row takes a fit of its own.
  const double exact_seconds =
      std::isfinite(counted) ? compare::seconds_of([&] { alo::exact_leave_one_out(problem, fit, rows); })
                             : 0.0;
  note(name + " exact", rate * exact_seconds, counted, ratios);
  const double certify_seconds = compare::seconds_of([&] { alo::certify_rows(problem, fit[0]); });
  note(name + " certificates of rows", rate * certify_seconds,
       method.certify_rows_flops(problem, nonzero[middle]), ratios);
  std::printf("\n");
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** arguments) {
  const bool quick = count > 1 && std::string(arguments[1]) == "--quick";
  const double rate = 1e9 * compare::dgemm_rate(quick ? 200 : 1500);
  std::printf("%-24s %-10s %-12s %6s %6s %6s %9s %9s %9s\n", "method", "loss", "penalty", "rows", "cols",
              "active", "path", "exact", "certify");
  Ratios ratios;
  for (const Case& one : quick ? quick_cases : cases) measure(one, rate, ratios);
  std::printf("\nGeometric means, by which counts are to be multiplied:\n");
  for (const auto& [name, logarithms] : ratios) {
    const double mean =
        std::accumulate(logarithms.begin(), logarithms.end(), 0.0) / static_cast<double>(logarithms.size());
    std::printf("%-48s %8.2f  of %zu\n", name.c_str(), std::exp(mean), logarithms.size());
  }
  return 0;
}
