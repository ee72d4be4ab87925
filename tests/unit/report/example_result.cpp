// SPDX-License-Identifier: MIT
#include "unit/report/example_result.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <random>

#include "alo/losses/squared.hpp"
#include "alo/penalties/lasso.hpp"

namespace alo::example {
namespace {

// Box and Muller on mt19937_64, whose numbers are the same everywhere.
class Normal {
 public:
  explicit Normal(std::uint64_t seed) : engine_(seed) {}
  double operator()() {
    const double u = (static_cast<double>(engine_() >> 11U) + 0.5) * 0x1p-53;
    const double v = static_cast<double>(engine_() >> 11U) * 0x1p-53;
    return std::sqrt(-2 * std::log(u)) * std::cos(2 * 3.14159265358979323846 * v);
  }

 private:
  std::mt19937_64 engine_;
};

double soft(double value, double threshold) {
  return std::copysign(std::max(std::abs(value) - threshold, 0.0), value);
}

// Intercept column and active columns of the design as the solvers see it.
Matrix tangent_design(const Problem& problem, const Vector& coefficients) {
  std::vector<Index> active;
  for (Index j = 0; j < coefficients.size(); ++j) {
    if (coefficients[j] != 0) active.push_back(j);
  }
  Matrix tangent(problem.rows(), static_cast<Index>(active.size()) + 1);
  tangent.col(0).setOnes();
  tangent.rightCols(static_cast<Index>(active.size())) = problem.design().gather(active);
  return tangent;
}

RowValues row_values(const Problem& problem, const Fit& fit) {
  const Matrix tangent = tangent_design(problem, fit.coefficients);
  const Matrix gram = tangent.transpose() * tangent;
  const Matrix solved = gram.ldlt().solve(tangent.transpose());
  RowValues rows;
  rows.fitted = fit.linear_predictor;
  rows.leverage = (tangent.array() * solved.transpose().array()).rowwise().sum();
  const Vector residual = problem.data().response - rows.fitted;
  rows.alo = problem.data().response.array() - residual.array() / (1 - rows.leverage.array());
  rows.flags.assign(static_cast<std::size_t>(problem.rows()), RowFlag::none);
  return rows;
}

PathPoint path_point(const Problem& problem, double lambda) {
  const Vector centered = problem.data().response.array() - problem.data().response.mean();
  const auto n = static_cast<double>(problem.rows());
  const Vector correlation = problem.design().transpose_multiply(centered);
  PathPoint point;
  point.fit.lambda = lambda;
  point.fit.coefficients = Vector::Zero(problem.columns());
  for (Index j = 0; j < problem.columns(); ++j) {
    point.fit.coefficients[j] = soft(correlation[j], lambda) / n / problem.scale()[j];
  }
  const Vector without = problem.linear_predictor(Vector::Zero(1), point.fit.coefficients);
  point.fit.intercept = Vector::Constant(1, (problem.data().response - without).mean());
  point.fit.linear_predictor = without.array() + point.fit.intercept[0];
  point.fit.certificate = {3e-13 * (1 + std::sqrt(1 / lambda)), 2e-12};
  point.fit.status = FitStatus::converged;
  point.rows = row_values(problem, point.fit);
  point.degrees_of_freedom = point.rows->leverage.sum();
  point.max_leverage = point.rows->leverage.maxCoeff();
  point.nonzero = (point.fit.coefficients.array() != 0).count();
  return point;
}

Estimate estimate(const Problem& problem, const Vector& held_out, Metric metric) {
  const Eigen::ArrayXd residual = (problem.data().response - held_out).array();
  const Eigen::ArrayXd value = residual.abs().pow(metric == Metric::mse ? 2 : 1);
  const auto n = static_cast<double>(problem.rows());
  const double mean = value.mean();
  return {mean, std::sqrt((value - mean).square().sum() / (n - 1) / n), 0};
}

Selected select(const Problem& problem, const TuneResult& result, std::size_t at) {
  const BestEstimate& risk = result.risk.front().estimate[at];
  Selected selected;
  selected.choice = {result.path[at].fit.lambda, static_cast<Index>(at), risk};
  selected.kind = risk.kind;
  selected.error = risk.error;
  selected.point = result.path[at];
  for (const RiskCurve& curve : result.risk) selected.alo.push_back(curve.alo[at]);
  const Vector& exact = result.path[at].rows->exact;
  if (exact.size() > 0) {
    for (const RiskCurve& curve : result.risk) {
      selected.exact.push_back(estimate(problem, exact, curve.metric));
    }
  }
  return selected;
}

void choose(const Problem& problem, TuneResult& result) {
  const std::vector<Estimate>& risk = result.risk.front().alo;
  std::size_t best = 0;
  for (std::size_t at = 1; at < risk.size(); ++at) {
    if (*risk[at].mean < *risk[best].mean) best = at;
  }
  std::size_t one_se = 0;
  while (*risk[one_se].mean > *risk[best].mean + *risk[best].se) ++one_se;
  result.minimum = select(problem, result, best);
  result.one_se = select(problem, result, one_se);
}

}  // namespace

Problem example_problem(const ExampleOptions& options) {
  Normal normal(20240607);
  Matrix values(options.rows, options.columns);
  for (double& value : values.reshaped()) value = normal();
  Vector response(options.rows);
  for (Index i = 0; i < options.rows; ++i) {
    double mean = 150;
    for (Index j = 0; j < options.columns; j += 3) {
      mean += (j % 2 == 0 ? 1 : -1) * 34.0 / (1 + static_cast<double>(j) / 3) * values(i, j);
    }
    response[i] = mean + 30 * normal();
  }
  for (Index j = 0; j < options.columns; ++j) values.col(j) *= 1 + static_cast<double>(j % 5);
  Dataset data = make_dataset(Design(values), response);
  data.response_name = options.response_name;
  for (std::size_t j = 0; j < options.column_names.size(); ++j)
    data.column_names[j] = options.column_names[j];
  for (const std::string& name : data.column_names) data.sources.push_back({name, {}, 0.0, false});
  return {std::move(data), SquaredLoss{}, Lasso{}};
}

TuneResult example_result(const Problem& problem, const ExampleOptions& options) {
  TuneResult result;
  const Vector centered = problem.data().response.array() - problem.data().response.mean();
  const double start = problem.design().transpose_multiply(centered).cwiseAbs().maxCoeff();
  RiskCurve mse{Metric::mse, {}, {}, {}, {}};
  RiskCurve mae{Metric::mae, {}, {}, {}, {}};
  for (std::size_t k = 0; k < options.lambdas; ++k) {
    const double share =
        options.lambdas > 1 ? static_cast<double>(k) / static_cast<double>(options.lambdas - 1) : 0.45;
    PathPoint point = path_point(problem, start * std::pow(10.0, -3.2 * share));
    mse.alo.push_back(estimate(problem, point.rows->alo, Metric::mse));
    mae.alo.push_back(estimate(problem, point.rows->alo, Metric::mae));
    if (options.exact) {
      point.rows->exact = point.rows->alo + 0.01 * (point.rows->alo - point.rows->fitted);
      mse.exact.push_back(estimate(problem, point.rows->exact, Metric::mse));
    }
    if (options.kfold) {
      const Vector rough = point.rows->alo + 0.25 * (point.rows->alo - point.rows->fitted);
      mse.kfold.push_back(estimate(problem, rough, Metric::mse));
    }
    result.path.push_back(std::move(point));
  }
  result.risk = {mse, mae};
  for (RiskCurve& curve : result.risk) {
    for (const Estimate& alo : curve.alo) curve.estimate.push_back({alo, EstimateKind::alo, std::nullopt});
  }
  choose(problem, result);
  // Where only the choices have exact values the others have none.
  RiskCurve& first = result.risk[0];
  for (std::size_t k = 0; k < first.exact.size(); ++k) {
    const auto at = static_cast<Index>(k);
    const bool is_choice = at == *result.minimum->choice.index || at == *result.one_se->choice.index;
    if (!options.exact_curve && !is_choice) {
      first.exact[k] = {};
    } else {
      first.estimate[k] = {first.exact[k], EstimateKind::exact, 0.0};
    }
  }
  choose(problem, result);
  if (!options.keep_rows) {
    for (PathPoint& point : result.path) point.rows.reset();
  }
  result.timing = {0.012, 0.034, 0.0056, 1.2, 0.4};
  result.seed = 7;
  return result;
}

}  // namespace alo::example
