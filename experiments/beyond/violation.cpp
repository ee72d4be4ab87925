// SPDX-License-Identifier: MIT
#include "violation.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <numeric>
#include <vector>

namespace paper {

namespace {

using alo::Index;
using alo::Matrix;
using alo::Vector;

// The ranks of the values; equal values share the mean of their ranks.
Vector ranks(const Vector& values) {
  std::vector<Index> order(static_cast<std::size_t>(values.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return values[a] < values[b]; });
  Vector out(values.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t last = first;
    while (last + 1 < order.size() && values[order[last + 1]] == values[order[first]]) ++last;
    for (std::size_t k = first; k <= last; ++k) out[order[k]] = static_cast<double>(first + last) / 2;
    first = last + 1;
  }
  return out;
}

}  // namespace

Vector violation(const alo::Problem& problem, const alo::Fit& fit) {
  const Matrix& X = problem.data().design.dense_values();
  std::vector<Index> active;
  for (Index j = 0; j < fit.coefficients.size(); ++j) {
    if (fit.coefficients[j] != 0.0) active.push_back(j);
  }
  if (active.empty()) return Vector::Zero(X.rows());
  const Matrix A = X(Eigen::all, active);
  const Vector b = fit.coefficients(active);
  const Matrix moves = (A.transpose() * A).ldlt().solve(A.transpose());  // column i is G x_iA
  const Vector residual = problem.data().response - fit.linear_predictor;
  const Vector leverage = (A.cwiseProduct(moves.transpose())).rowwise().sum();
  const Vector step = residual.array() / (1.0 - leverage.array());
  const Matrix candidate = b.replicate(1, X.rows()) - moves * step.asDiagonal();
  Matrix residuals = residual.replicate(1, X.rows()) + A * (moves * step.asDiagonal());
  residuals.diagonal().setZero();
  Matrix excess = ((X.transpose() * residuals).cwiseAbs().array() - fit.lambda).max(0.0) / fit.lambda;
  for (const Index j : active) excess.row(j).setZero();
  const Matrix overshoot = (-(candidate.array().colwise() * b.array().sign())).max(0.0) / b.cwiseAbs().mean();
  return (excess.colwise().sum() + overshoot.colwise().sum()).transpose();
}

double rank_correlation(const Vector& a, const Vector& b) {
  Vector x = ranks(a), y = ranks(b);
  x.array() -= x.mean();
  y.array() -= y.mean();
  const double size = x.norm() * y.norm();
  return size > 0 ? x.dot(y) / size : 0.0;
}

}  // namespace paper
