// SPDX-License-Identifier: MIT
#include "completion/factored_system.hpp"

#include <algorithm>
#include <cmath>

#include "completion/entry_products.hpp"
#include "linalg/blas.hpp"

namespace alo {

namespace {

// The most numbers that the blocks of the preconditioner may have: 256 MB. Above it only their diagonals are
// kept, at the price of more conjugate-gradient steps.
constexpr double most_block_numbers = 32e6;

void invert_blocks(Matrix& blocks, double lambda) {
  const Index rank = blocks.rows();
  for (Index i = 0; i < blocks.cols(); i += rank) {
    auto block = blocks.middleCols(i, rank);
    block.diagonal().array() += lambda;
    if (!blas::cholesky_in_place(block)) continue;  // only where lambda is lost in rounding
    block = blas::inverse_from_cholesky(block);
  }
}

}  // namespace

FactoredSystem::FactoredSystem(const FactoredLoss& loss, const FactoredLoss::Point& point, double lambda)
    : loss_(loss), point_(point), lambda_(lambda), curvature_(loss.curvature(point)) {
  const Matrix& factors = point.factors;
  if (loss.has_intercept()) {
    total_ = curvature_.sum();
    mean_direction_ = entry_sums(loss.entries(), curvature_, factors);
  }
  const double numbers = static_cast<double>(factors.rows()) * static_cast<double>(factors.size());
  diagonal_ = numbers > most_block_numbers;
  if (diagonal_) {
    inverse_blocks_ = entry_sums(loss.entries(), curvature_, factors.cwiseAbs2());
    inverse_blocks_ = (inverse_blocks_.array() + lambda).inverse();
  } else {
    inverse_blocks_ = entry_blocks(loss.entries(), curvature_, factors);
    invert_blocks(inverse_blocks_, lambda);
  }
}

Matrix FactoredSystem::precondition(const Matrix& vectors) const {
  if (diagonal_) return inverse_blocks_.cwiseProduct(vectors);
  return multiply_blocks(inverse_blocks_, vectors);
}

FactoredSystem::OneSided FactoredSystem::one_sided() const {
  const EntryList& entries = loss_.entries();
  const Matrix& factors = point_.factors;
  const Index rank = factors.rows();
  const Index rows = entries.rows();
  const auto form = [&](Index block, Index vector) {
    const auto x = factors.col(vector);
    if (diagonal_) return x.cwiseAbs2().dot(inverse_blocks_.col(block));
    return x.dot(inverse_blocks_.middleCols(block * rank, rank) * x);
  };
  OneSided result{Vector(entries.size()), Vector(entries.size())};
  for (Index a = 0; a < rows; ++a) {
    for (Index j = entries.first(a); j < entries.first(a + 1); ++j) {
      result.by_row[j] = form(a, rows + entries.column(j));
      result.by_column[j] = form(rows + entries.column(j), a);
    }
  }
  return result;
}

Matrix FactoredSystem::multiply(const Matrix& direction) const {
  Matrix result = entry_curvature(loss_.entries(), point_.slope, curvature_, point_.factors, direction);
  result += lambda_ * direction;
  if (total_ > 0.0) {
    result -= mean_direction_.cwiseProduct(direction).sum() / total_ * mean_direction_;
  }
  return result;
}

Vector FactoredSystem::predictor_move(const Matrix& direction) const {
  Vector move = entry_derivatives(loss_.entries(), point_.factors, direction);
  move.array() += loss_.intercept_move(curvature_, move);
  return move;
}

Matrix FactoredSystem::adjoint(Vector numbers) const {
  if (total_ > 0.0) numbers -= numbers.sum() / total_ * curvature_;
  return entry_sums(loss_.entries(), numbers, point_.factors);
}

FactoredSystem::Solution FactoredSystem::solve(const Matrix& target, double tolerance, int most_steps) const {
  Solution solution{Matrix::Zero(target.rows(), target.cols()), 0, false};
  Matrix residual = target;
  Matrix direction = precondition(residual);
  double energy = residual.cwiseProduct(direction).sum();
  const double goal = tolerance * tolerance * energy;
  while (energy > goal) {
    if (solution.steps == most_steps) return solution;
    const Matrix product = multiply(direction);
    const double curvature = direction.cwiseProduct(product).sum();
    if (!(curvature > 0.0)) {
      if (solution.steps == 0) solution.direction = direction;
      return solution;
    }
    ++solution.steps;
    const double length = energy / curvature;
    solution.direction += length * direction;
    residual -= length * product;
    const Matrix conditioned = precondition(residual);
    const double next = residual.cwiseProduct(conditioned).sum();
    direction = conditioned + next / energy * direction;
    energy = next;
  }
  solution.solved = true;
  return solution;
}

}  // namespace alo
