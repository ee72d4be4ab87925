// SPDX-License-Identifier: MIT
#include "solvers/proximal/completion_path.hpp"

#include "penalties/spectral.hpp"

namespace alo {

namespace {

// H_ii are estimated from probes where the exact method takes more operations (about a second) or bytes than
// this. Only time, memory and the error of the probes depend on these.
constexpr double most_exact_operations = 2e10;
constexpr double most_exact_bytes = 1e9;
// Singular values of given coefficients below this share of the largest are rounding. The start of a search
// only has to be near: any value between 1e-14 and 1e-4 serves.
constexpr double rank_share = 1e-10;

bool has_one_entry_per_row(const SparseMap& values) {
  std::vector<char> seen(static_cast<std::size_t>(values.rows()), 0);
  for (Index j = 0; j < values.outerSize(); ++j) {
    for (SparseMap::InnerIterator entry(values, j); entry; ++entry) {
      char& own = seen[static_cast<std::size_t>(entry.row())];
      if (own != 0 || entry.value() != 1.0) return false;
      own = 1;
    }
  }
  return values.nonZeros() == values.rows();
}

CompletionData data_of(const Problem& problem, const Vector& weights) {
  const MatrixShape shape = problem.penalty().shape().value();
  const auto rows = static_cast<std::size_t>(problem.rows());
  CompletionData data{shape.rows,
                      shape.columns,
                      std::vector<Index>(rows),
                      std::vector<Index>(rows),
                      problem.data().response,
                      weights,
                      problem.data().offset};
  const SparseMap& values = problem.design().sparse_values();
  for (Index j = 0; j < values.outerSize(); ++j) {
    for (SparseMap::InnerIterator entry(values, j); entry; ++entry) {
      data.row[static_cast<std::size_t>(entry.row())] = j / shape.columns;
      data.column[static_cast<std::size_t>(entry.row())] = j % shape.columns;
    }
  }
  return data;
}

}  // namespace

bool observes_entries(const Design& design) {
  return design.is_sparse() && has_one_entry_per_row(design.sparse_values());
}

CompletionPath::CompletionPath(const Problem& problem, const Vector& weights, const FitOptions& options)
    : problem_(problem),
      carry_hat_(options.carry_hat),
      data_(data_of(problem, weights)),
      solver_(data_, problem.loss(), problem.intercept(), {.gap_tolerance = options.tolerance}) {}

void CompletionPath::start_from(const Fit& fit) {
  const blas::SingularValues parts =
      spectral::above_rounding(spectral::as_matrix(fit.coefficients, problem_.penalty().shape().value()));
  Index rank = 0;
  while (rank < parts.s.size() && parts.s[rank] > rank_share * parts.s[0]) ++rank;
  CompletionFit start;
  start.lambda = fit.lambda;
  start.u = parts.u.leftCols(rank);
  start.sigma = parts.s.head(rank);
  start.v = parts.v.leftCols(rank);
  start.intercept = fit.intercept[0];
  solver_.start_from(start);
}

Fit CompletionPath::make_fit(const CompletionFit& fit) const {
  Fit result;
  result.lambda = fit.lambda;
  result.intercept = Vector::Constant(1, fit.intercept);
  result.coefficients = spectral::as_vector(spectral::product({fit.u, fit.sigma, fit.v}, fit.sigma));
  result.multipliers = -problem_.data().design.transpose_multiply(fit.slope);
  return result;
}

bool CompletionPath::is_small(Index rank) const {
  const double directions = static_cast<double>(rank) * static_cast<double>(data_.rows + data_.columns);
  return directions * directions * static_cast<double>(data_.response.size()) < most_exact_operations;
}

std::vector<Fit> CompletionPath::solve(std::span<const double> lambdas, const Monitor& monitor) {
  std::vector<Fit> fits;
  for (const double lambda : lambdas) {
    if (monitor.stop()) break;
    const CompletionFit found = solver_.fit(lambda);
    fits.push_back(make_fit(found));
    if (!carry_hat_) continue;
    const bool is_dear = exact_hat_operations(data_, found.rank()) > most_exact_operations ||
                         exact_hat_bytes(data_, found.rank()) > most_exact_bytes;
    CompletionHatOptions options;
    options.method = is_dear ? CompletionHatMethod::probes : CompletionHatMethod::exact;
    CompletionHat hat = completion_hat(data_, problem_.loss(), problem_.intercept(), found, options);
    // H_ii are undefined here where no observation determines some direction. The general formula reveals the
    // rank and leaves such directions out, if its dense tangent design is small enough.
    if (!hat.defined && is_small(found.rank())) continue;
    fits.back().hat = std::move(hat.hat);
    fits.back().hat_error = hat.standard_error + hat.scatter_bias;
  }
  return fits;
}

}  // namespace alo
