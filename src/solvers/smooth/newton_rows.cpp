// SPDX-License-Identifier: MIT
#include "solvers/smooth/newton_rows.hpp"

#include <limits>
#include <map>
#include <optional>

#include "certificate/null_fit.hpp"
#include "formula/hat.hpp"
#include "linalg/blas.hpp"
#include "linalg/parallel.hpp"
#include "linalg/tolerances.hpp"
#include "solvers/fit_scale.hpp"

namespace alo {

namespace {

// One fit in 64 is also certified by code that shares nothing with the solver: often enough to notice an
// error of the solver, and rarely enough that certificates take a small part of the time.
constexpr std::size_t certified_every = 64;

// The numbers of a row that the null fit depends on: null fits without rows that agree in these are equal.
std::vector<double> seen_by_null_fit(const Dataset& data, const Matrix& free, Index row) {
  std::vector<double> seen{data.response[row], data.weights[row], data.offset[row]};
  for (Index k = 0; k < free.cols(); ++k) seen.push_back(free(row, k));
  return seen;
}

}  // namespace

NewtonRows::NewtonRows(const Problem& problem, const std::vector<Index>& rows, const ExactOptions& options)
    : problem_(problem),
      rows_(rows),
      options_(options),
      removed_share_(problem.removed_share()),
      has_fit_(rows.size()),
      solver_(problem, problem.data().weights) {
  // A row with leverage one in the unpenalised columns alone determines one of their directions.
  const Vector weighted = (problem.data().weights.array() > 0.0).cast<double>();
  const Matrix free = unpenalized_columns(problem, null_lambda);
  const Matrix basis = blas::orthonormal_basis(weighted.asDiagonal() * free, tolerances::column_rank);
  // Equal null fits are computed once. With an intercept alone all rows of a class share theirs.
  std::map<std::vector<double>, char> attained;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const Vector weights = weights_without(problem, rows[k]);
    const bool alone = weights[rows[k]] == 0.0 && basis.row(rows[k]).squaredNorm() > 1.0 - tolerances::alone;
    if (alone || !(weights.sum() > 0.0)) continue;
    const auto [known, is_new] = attained.try_emplace(seen_by_null_fit(problem.data(), free, rows[k]));
    if (is_new) known->second = null_fit(problem, weights).attained ? 1 : 0;
    has_fit_[k] = known->second;
  }
}

bool NewtonRows::fails_certificate(Index row, double lambda, const NewtonSolver& solver) const {
  Fit fit = make_fit(problem_, lambda, solver.coefficients(), solver.intercept());
  Certifier(problem_, weights_without(problem_, row)).certify(std::span(&fit, 1));
  return !meets(fit.certificate, options_.fit.tolerance);
}

NewtonRows::Result NewtonRows::run(const Fit& fit, const Progress& progress) {
  Result result;
  result.linear_predictor = Matrix::Constant(static_cast<Index>(rows_.size()), problem_.outputs(),
                                             std::numeric_limits<double>::quiet_NaN());
  solver_.start_from(fit);
  solver_.solve(fit.lambda);
  solver_.prepare_rows();
  const auto offset = static_cast<std::size_t>(certified_++);
  bool stopped = false;
  parallel_for(rows_.size(), options_.threads, [&](std::size_t k, std::mutex& mutex) {
    {
      const std::scoped_lock lock(mutex);
      if (stopped) return;
    }
    bool missed = false;
    Vector predictor;
    if (has_fit_[k] != 0) {
      std::optional rest(solver_.without(rows_[k], removed_share_[rows_[k]]));
      missed = !rest->solve_again();
      if (missed) {  // solved again from the null fit, along a path
        rest.emplace(problem_, weights_without(problem_, rows_[k]));
        rest->solve(fit.lambda);
        missed = !rest->solve_again();
      }
      if ((k + offset) % certified_every == 0) {
        missed = missed || fails_certificate(rows_[k], fit.lambda, *rest);
      }
      predictor = by_output(rest->linear_predictor(), problem_.outputs()).row(rows_[k]);
    }
    const std::scoped_lock lock(mutex);
    if (predictor.size() > 0) result.linear_predictor.row(static_cast<Index>(k)) = predictor;
    result.missed += missed ? 1 : 0;
    stopped = stopped || !progress(1);
  });
  return result;
}

}  // namespace alo
