// SPDX-License-Identifier: MIT
#include "unit/report/example_classes.hpp"

#include <cmath>
#include <limits>
#include <random>

#include "alo/losses/logistic.hpp"
#include "alo/losses/multinomial.hpp"
#include "alo/losses/poisson.hpp"
#include "alo/penalties/lasso.hpp"

namespace alo::example {
namespace {

constexpr Index rows = 120;
constexpr Index columns = 6;
constexpr std::size_t points = 40;

// Sums of twelve numbers of mt19937_64, the same everywhere and near enough to normal.
class Noise {
 public:
  double operator()() {
    double sum = -6;
    for (int k = 0; k < 12; ++k) sum += uniform();
    return sum;
  }
  double uniform() { return static_cast<double>(engine_() >> 11U) * 0x1p-53; }

 private:
  std::mt19937_64 engine_{20250110};
};

// Output k has effects on columns k and k + 1.
Vector effects(Index outputs) {
  Matrix result = Matrix::Zero(columns, outputs);
  for (Index k = 0; k < outputs; ++k) {
    result(k % columns, k) = 1.6;
    result((k + 1) % columns, k) = -0.9;
  }
  return result.reshaped();
}

Dataset random_design(Noise& noise) {
  Matrix values(rows, columns);
  for (double& value : values.reshaped()) value = noise();
  Dataset data = make_dataset(Design(values), Vector::Zero(rows));
  for (const std::string& name : data.column_names) data.sources.push_back({name, {}, 0.0, false});
  return data;
}

PathPoint path_point(const Problem& problem, double share, bool undefined) {
  PathPoint point;
  const Index outputs = problem.outputs();
  point.fit.lambda = 30 * std::pow(10.0, -3 * share);
  point.fit.intercept = Vector::LinSpaced(outputs, 0.1, 0.2);
  point.fit.coefficients = effects(outputs).unaryExpr(
      [&](double value) { return std::abs(value) > 1 - share ? 2 * share * value : 0; });
  point.fit.linear_predictor = problem.linear_predictor(point.fit.intercept, point.fit.coefficients);
  point.fit.certificate = {2e-12, 1e-12};
  point.fit.status = FitStatus::converged;
  RowValues values;
  values.fitted = point.fit.linear_predictor;
  values.leverage = problem.data().design.dense_values().rowwise().squaredNorm() / (2.5 * rows);
  values.alo = values.fitted;
  for (Index k = 0; k < outputs; ++k) {
    by_output(values.alo, outputs).col(k).array() *= 1 - values.leverage.array() * share;
  }
  values.flags.assign(static_cast<std::size_t>(rows), RowFlag::none);
  if (undefined) {
    by_output(values.alo, outputs).row(2).setConstant(std::numeric_limits<double>::quiet_NaN());
    values.flags[2] = RowFlag::singular;
  }
  point.degrees_of_freedom = values.leverage.sum();
  point.max_leverage = values.leverage.maxCoeff();
  point.nonzero = (point.fit.coefficients.array() != 0).count();
  point.rows = std::move(values);
  return point;
}

Estimate deviance(const Problem& problem, const Vector& predictor, bool undefined) {
  if (undefined) return {std::nullopt, std::nullopt, 1};
  const Vector& y = problem.data().response;
  const Vector value = 2 * (problem.loss().value(predictor, y) - problem.loss().minimum(y));
  const double mean = value.mean();
  return {mean, std::sqrt((value.array() - mean).square().sum() / (rows - 1) / rows), 0};
}

}  // namespace

Problem class_problem(const std::vector<std::string>& labels) {
  Noise noise;
  Dataset data = random_design(noise);
  const auto classes = static_cast<Index>(labels.size());
  const Index outputs = classes == 2 ? 1 : classes;
  const Matrix predictor = data.design.multiply_columns(by_output(effects(outputs), outputs));
  for (Index i = 0; i < rows; ++i) {
    Index largest = 0;
    Vector noisy = predictor.row(i).transpose();
    for (double& value : noisy) value += 0.8 * noise();
    noisy.maxCoeff(&largest);
    data.response[i] = classes > 2 ? static_cast<double>(largest) : noisy[0] > 0 ? 1 : -1;
  }
  data.classes = labels;
  data.response_name = "answer";
  if (classes == 2) return {std::move(data), LogisticLoss{}, Lasso{}};
  return {std::move(data), MultinomialLoss(classes), Lasso{}};
}

Problem count_problem() {
  Noise noise;
  Dataset data = random_design(noise);
  const Vector predictor = 0.5 * data.design.multiply(effects(1));
  for (Index i = 0; i < rows; ++i) {
    data.response[i] = std::floor(std::exp(predictor[i]) * 2 * noise.uniform());
  }
  data.response_name = "visits";
  return {std::move(data), PoissonLoss{}, Lasso{}};
}

TuneResult deviance_result(const Problem& problem, bool undefined) {
  TuneResult result;
  RiskCurve curve;
  curve.metric = Metric::deviance;
  for (std::size_t k = 0; k < points; ++k) {
    const double share = static_cast<double>(k) / static_cast<double>(points - 1);
    result.path.push_back(path_point(problem, share, undefined));
    curve.alo.push_back(deviance(problem, result.path.back().rows->alo, undefined));
  }
  for (const Estimate& alo : curve.alo) curve.estimate.push_back({alo, EstimateKind::alo, std::nullopt});
  result.risk = {curve};
  const auto selected = [&](std::size_t at) {
    Selected choice;
    choice.choice = {result.path[at].fit.lambda, static_cast<Index>(at), curve.alo[at]};
    choice.point = result.path[at];
    choice.alo = {curve.alo[at]};
    return choice;
  };
  result.minimum = selected(points / 2);
  result.one_se = selected(points / 3);
  return result;
}

}  // namespace alo::example
