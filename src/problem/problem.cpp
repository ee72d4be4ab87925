// SPDX-License-Identifier: MIT
#include "alo/problem.hpp"

#include <cmath>

#include <fmt/format.h>

#include "alo/error.hpp"
#include "data/column_scale.hpp"

namespace alo {

namespace {

// Without an intercept a constant column has a part in predictions. It cannot be left out on its own where
// the penalty would still give it the coefficient of its neighbours.
void check_left_out(const Dataset& data, const Penalty& penalty, const std::vector<Index>& constant,
                    const Vector& means) {
  if (penalty.analysis() == nullptr) return;
  for (const Index j : constant) {
    if (means[j] == 0.0) continue;
    throw InvalidData(
        fmt::format("column '{}' is constant and has no standard deviation to be divided by, and the {} "
                    "penalty ties its coefficient to others; drop it, or fit an intercept, or leave the "
                    "columns as they are",
                    data.column_name(j), penalty.name()),
        {{Setting::drop, data.column_name(j)}});
  }
}

}  // namespace

Problem::Problem(Dataset data, Loss loss, Penalty penalty, ProblemOptions options)
    : data_(std::move(data)),
      loss_(std::move(loss)),
      penalty_(std::move(penalty)),
      options_(options),
      outputs_(loss_.outputs()) {
  validate(data_);
  if (loss_.response_kind() == ResponseKind::number && !data_.classes.empty()) {
    throw InvalidData(fmt::format("the response '{}' has classes ('{}', ...), and the {} loss takes numbers",
                                  data_.response_name, data_.classes.front(), loss_.name()));
  }
  loss_.check_response(data_.response);
  penalty_.check_columns(columns());

  const Vector means = column_means(data_.design, data_.weights);
  scale_ = Vector::Ones(columns());
  std::vector<Index> constant;
  if (options_.standardize || options_.intercept) {
    constant = data_.design.constant_columns(data_.weights);
  }
  if (options_.standardize) scale_ = column_deviations(data_.design, means, data_.weights);
  for (const Index j : constant) scale_[j] = 1.0;
  if (!options_.intercept) check_left_out(data_, penalty_, constant, means);
  // A matrix penalty determines also entries that no row observes, whose columns are constant.
  if (!penalty_.shape()) constant_columns_ = std::move(constant);
  for (Index j = 0; j < columns(); ++j) {
    if (!(scale_[j] > 0.0) || !std::isfinite(scale_[j])) {
      throw InvalidData(fmt::format(
          "column '{}' has values too extreme to be scaled (standard deviation {}); rescale or drop it",
          data_.column_name(j), scale_[j]));
    }
  }
  design_ = data_.design.with_view(options_.intercept ? means : Vector(), scale_);
}

Vector Problem::removed_share() const {
  return Vector::NullaryExpr(rows(), [this](Index row) { return removed_share(row); });
}

double Problem::removed_share(Index row) const {
  if (data_.weight_kind == WeightKind::importance) return 1.0;
  return data_.weights[row] > 0.0 ? 1.0 / data_.weights[row] : 0.0;
}

Vector Problem::linear_predictor(const Vector& intercept, const Vector& coefficients) const {
  Matrix predictor = data_.design.multiply_columns(by_output(coefficients, outputs()));
  predictor.colwise() += data_.offset;
  predictor.rowwise() += intercept.transpose();
  return predictor.reshaped();
}

double Problem::objective(const Vector& intercept, const Vector& coefficients, double lambda) const {
  double value = data_.weights.dot(loss_.value(linear_predictor(intercept, coefficients), data_.response));
  const Matrix scaled = scale_.asDiagonal() * by_output(coefficients, outputs());
  for (Index k = 0; k < outputs(); ++k) value += penalty_.value(scaled.col(k), lambda);
  return value;
}

std::string Problem::describe() const {
  const std::string space =
      data_.kernel ? fmt::format(" of the features of the {}", alo::describe(data_.kernel->kernel)) : "";
  return fmt::format("sum over rows of {}{} + {}{}{}{}",
                     (data_.weights.array() != 1.0).any() ? "weight * " : "", loss_.describe(),
                     penalty_.describe(), space,
                     options_.standardize ? " of the coefficients on standardised columns" : "",
                     options_.intercept ? ", with an unpenalised intercept" : ", without an intercept");
}

}  // namespace alo
