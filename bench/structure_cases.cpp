// SPDX-License-Identifier: MIT
#include "structure_cases.hpp"

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <cmath>
#include <random>

#include "alo/leave_one_out.hpp"
#include "alo/losses/squared.hpp"
#include "alo/path.hpp"
#include "alo/penalties/generalized_lasso.hpp"
#include "alo/penalties/group_lasso.hpp"
#include "alo/penalties/slope.hpp"

namespace structure {

namespace {

using alo::Index;
using alo::Problem;

class Normals {
 public:
  explicit Normals(unsigned seed) : engine_(seed) {}
  alo::Vector operator()(Index count) {
    return alo::Vector::NullaryExpr(count, [this] { return normal_(engine_); });
  }

 private:
  std::mt19937_64 engine_;
  std::normal_distribution<double> normal_;
};

Problem signal(Index rows, alo::Penalty penalty, unsigned seed) {
  Normals normals(seed);
  const alo::Vector levels = 3.0 * normals(50);
  alo::Vector response = normals(rows);
  for (Index i = 0; i < rows; ++i) response[i] += levels[i * 50 / rows];
  alo::SparseMatrix identity(rows, rows);
  identity.setIdentity();
  return {alo::make_dataset(alo::Design(identity), std::move(response)),
          alo::SquaredLoss{},
          std::move(penalty),
          {false, false}};
}

Problem regression(Index rows, const alo::Vector& coefficients, alo::Penalty penalty, Normals& normals) {
  const Index columns = coefficients.size();
  alo::Matrix values = normals(rows * columns).reshaped(rows, columns);
  alo::Vector response = values * coefficients + normals(rows);
  return {alo::make_dataset(alo::Design(std::move(values)), std::move(response)),
          alo::SquaredLoss{},
          std::move(penalty),
          {false, false}};
}

}  // namespace

std::vector<double> Case::grid() const {
  const double start = alo::lambda_start(problem);
  std::vector<double> result;
  for (int k = 1; k <= lambdas; ++k) {
    result.push_back(start * std::pow(ratio, static_cast<double>(k) / lambdas));
  }
  return result;
}

Case fused_signal(unsigned seed) {
  const Index rows = 1'000'000;
  return {signal(rows, alo::GeneralizedLasso::differences(rows, 1, "fused-lasso"), seed), 50, 1e-4};
}

Case trend_signal(unsigned seed) {
  const Index rows = 100'000;
  return {signal(rows, alo::GeneralizedLasso::differences(rows, 2, "trend-filter"), seed), 30, 1e-6};
}

Case parabolas_signal(unsigned seed) {
  const Index rows = 100'000;
  return {signal(rows, alo::GeneralizedLasso::differences(rows, 3, "trend-filter"), seed), 30, 1e-6};
}

Case grid(unsigned seed) {
  const Index side = 200;
  std::vector<std::pair<Index, Index>> edges;
  for (Index i = 0; i < side; ++i) {
    for (Index j = 0; j < side; ++j) {
      if (j + 1 < side) edges.emplace_back(i * side + j, i * side + j + 1);
      if (i + 1 < side) edges.emplace_back(i * side + j, (i + 1) * side + j);
    }
  }
  return {signal(side * side, alo::GeneralizedLasso::on_graph(side * side, edges), seed), 1, 0.02};
}

Case fused_design(unsigned seed) {
  Normals normals(seed);
  const Index columns = 1000;
  const alo::Vector levels = normals(20);
  const alo::Vector coefficients =
      alo::Vector::NullaryExpr(columns, [&](Index j) { return levels[j * 20 / columns]; });
  alo::Penalty penalty = alo::GeneralizedLasso::differences(columns, 1, "fused-lasso");
  return {regression(1000, coefficients, std::move(penalty), normals), 50, 1e-3};
}

Case slope(unsigned seed) {
  Normals normals(seed);
  alo::Vector coefficients = alo::Vector::Zero(2000);
  coefficients.head(50).setConstant(1.0);
  alo::Penalty penalty = alo::Slope(alo::benjamini_hochberg_sequence(2000, 0.1));
  return {regression(500, coefficients, std::move(penalty), normals), 20, 0.05};
}

namespace {

Case grouped(unsigned seed, Index effects, double ratio) {
  Normals normals(seed);
  const Index columns = 5000;
  std::vector<Index> group(static_cast<std::size_t>(columns));
  for (Index j = 0; j < columns; ++j) group[static_cast<std::size_t>(j)] = j / 10;
  alo::Vector coefficients = alo::Vector::Zero(columns);
  coefficients.head(effects) = normals(effects);
  return {regression(1000, coefficients, alo::GroupLasso(group), normals), 50, ratio};
}

}  // namespace

Case groups(unsigned seed) {
  return grouped(seed, 200, 0.1);
}

Case dense_groups(unsigned seed) {
  return grouped(seed, 5000, 0.05);
}

double fit_and_leave_one_out(const Case& given, const std::vector<double>& lambdas) {
  // Fits per call, as the command asks for them.
  constexpr std::size_t at_a_time = 10;
  alo::FitOptions options;
  options.carry_hat = true;
  alo::PathSolver solver(given.problem, options);
  double gap = 0.0;
  for (std::size_t first = 0; first < lambdas.size(); first += at_a_time) {
    const std::size_t count = std::min(at_a_time, lambdas.size() - first);
    for (const alo::Fit& fit : solver.fit(std::span(lambdas).subspan(first, count))) {
      const alo::LeaveOneOut held_out = alo::approximate_leave_one_out(given.problem, fit);
      gap = std::max(gap, held_out.linear_predictor.size() > 0 ? fit.certificate.gap.value_or(1.0) : 1.0);
    }
  }
  return gap;
}

void keep_freed_memory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
}

}  // namespace structure
