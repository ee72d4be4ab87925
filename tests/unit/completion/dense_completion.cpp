// SPDX-License-Identifier: MIT
#include "unit/completion/dense_completion.hpp"

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <random>

#include "alo/losses/huber.hpp"
#include "alo/losses/logistic.hpp"
#include "alo/losses/poisson.hpp"
#include "alo/losses/squared.hpp"

namespace alo::testing_support {

namespace {

using Svd = Eigen::JacobiSVD<Matrix>;

// The zero of the derivative by the intercept, by bisection.
double best_intercept(const CompletionCase& given, const Matrix& matrix) {
  if (!given.intercept) return 0.0;
  double low = -50.0;
  double high = 50.0;
  for (int k = 0; k < 80; ++k) {
    const double middle = 0.5 * (low + high);
    const Vector predictor = dense_predictor(given, matrix, middle);
    const double slope = given.data.weight.dot(given.loss.derivative(predictor, given.data.response));
    (slope > 0.0 ? high : low) = middle;
  }
  return 0.5 * (low + high);
}

double loss_at(const CompletionCase& given, const Matrix& matrix, double intercept) {
  return given.data.weight.dot(
      given.loss.value(dense_predictor(given, matrix, intercept), given.data.response));
}

Matrix gradient_at(const CompletionCase& given, const Matrix& matrix, double intercept) {
  const Vector derivative =
      given.loss.derivative(dense_predictor(given, matrix, intercept), given.data.response);
  return as_matrix(given.data, given.data.weight.cwiseProduct(derivative));
}

Matrix threshold(const Matrix& matrix, double amount) {
  const Svd svd(matrix, Eigen::ComputeThinU | Eigen::ComputeThinV);
  const Vector shrunk = (svd.singularValues().array() - amount).max(0.0);
  return svd.matrixU() * shrunk.asDiagonal() * svd.matrixV().transpose();
}

}  // namespace

Matrix as_matrix(const CompletionData& data, const Vector& numbers) {
  Matrix result = Matrix::Zero(data.rows, data.columns);
  for (std::size_t j = 0; j < data.row.size(); ++j) {
    result(data.row[j], data.column[j]) += numbers[static_cast<Index>(j)];
  }
  return result;
}

Vector dense_predictor(const CompletionCase& given, const Matrix& matrix, double intercept) {
  Vector result = given.data.offset.array() + intercept;
  for (std::size_t j = 0; j < given.data.row.size(); ++j) {
    result[static_cast<Index>(j)] += matrix(given.data.row[j], given.data.column[j]);
  }
  return result;
}

double dense_objective(const CompletionCase& given, double lambda, const Matrix& matrix, double intercept) {
  return loss_at(given, matrix, intercept) + lambda * Svd(matrix).singularValues().sum();
}

DenseCompletion dense_fit(const CompletionCase& given, double lambda) {
  Matrix now = Matrix::Zero(given.data.rows, given.data.columns);
  Matrix ahead = now;
  double momentum = 1.0;
  double curvature = as_matrix(given.data, given.data.weight).maxCoeff();
  for (int step = 0; step < 50000; ++step) {
    const double intercept = best_intercept(given, ahead);
    const Matrix gradient = gradient_at(given, ahead, intercept);
    const double loss = loss_at(given, ahead, intercept);
    Matrix next;
    while (true) {  // until the parabola is above the loss
      next = threshold(ahead - gradient / curvature, lambda / curvature);
      const Matrix move = next - ahead;
      const double bound =
          loss + gradient.cwiseProduct(move).sum() + 0.5 * curvature * move.squaredNorm() + 1e-13 * loss;
      if (loss_at(given, next, best_intercept(given, next)) <= bound) break;
      curvature *= 2.0;
    }
    const bool turned = (ahead - next).cwiseProduct(next - now).sum() > 0.0;
    if ((next - ahead).norm() <= 1e-14 * (1.0 + next.norm()) && (next - now).norm() <= 1e-14) {
      now = next;
      break;
    }
    const double longer = turned ? 1.0 : 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * momentum * momentum));
    ahead = turned ? next : Matrix(next + (momentum - 1.0) / longer * (next - now));
    momentum = longer;
    now = next;
  }
  const double intercept = best_intercept(given, now);
  return {now, intercept, dense_objective(given, lambda, now, intercept)};
}

CompletionCase random_case(Index rows, Index columns, Index count, LossChoice loss, bool intercept,
                           unsigned seed) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  const auto uniform = [&] { return static_cast<double>(engine() >> 11) * 0x1p-53; };
  const Matrix left = Matrix::NullaryExpr(rows, 2, [&] { return normal(engine); });
  const Matrix right = Matrix::NullaryExpr(columns, 2, [&] { return normal(engine); });
  CompletionCase result{{}, SquaredLoss{}, intercept};
  if (loss == LossChoice::logistic) result.loss = LogisticLoss{};
  if (loss == LossChoice::poisson) result.loss = PoissonLoss{};
  if (loss == LossChoice::huber) result.loss = HuberLoss(0.7);
  CompletionData& data = result.data;
  data.rows = rows;
  data.columns = columns;
  data.weight = Vector::NullaryExpr(count, [&] { return 0.5 + uniform(); });
  data.offset = Vector::NullaryExpr(count, [&] { return 0.3 * normal(engine); });
  data.response.resize(count);
  for (Index j = 0; j < count; ++j) {
    data.row.push_back(static_cast<Index>(engine() % static_cast<std::uint64_t>(rows)));
    data.column.push_back(static_cast<Index>(engine() % static_cast<std::uint64_t>(columns)));
    const double mean = 0.5 + left.row(data.row.back()).dot(right.row(data.column.back()));
    const double noisy = mean + normal(engine);
    if (loss == LossChoice::logistic) {
      data.response[j] = noisy > 0.0 ? 1.0 : -1.0;
    } else if (loss == LossChoice::poisson) {
      data.response[j] = std::floor(std::exp(std::min(0.5 * noisy, 2.0)));
    } else {
      data.response[j] = noisy;
    }
  }
  return result;
}

}  // namespace alo::testing_support
