// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "alo/classes.hpp"
#include "alo/error.hpp"
#include "alo/registry.hpp"
#include "alo/report.hpp"
#include "report/expansion.hpp"
#include "summary/format.hpp"

namespace alo {
namespace {

// "prediction", or one name per class where there are several outputs.
std::string header(const SavedModel& model, PredictionType type, Index outputs) {
  if (outputs == 1 || type == PredictionType::label) return "prediction\n";
  std::string line;
  for (const std::string& label : model.classes) {
    const char* what = type == PredictionType::link ? "link" : "probability";
    line += (line.empty() ? "" : ",") + report::csv_field(fmt::format("{}:{}", what, label));
  }
  return line + "\n";
}

Matrix class_positions(ResponseKind kind, const Vector& predictor, Index outputs) {
  const std::vector<Index> found = predicted_classes(kind, predictor, outputs);
  return Eigen::Map<const Eigen::Matrix<Index, Eigen::Dynamic, 1>>(found.data(),
                                                                   static_cast<Index>(found.size()))
      .cast<double>();
}

// A model of a later version may have a loss that this one lacks.
Loss saved_loss(const SavedModel& model) {
  const std::vector<ModelEntry>& known = losses();
  const bool is_known = std::any_of(known.begin(), known.end(),
                                    [&](const ModelEntry& entry) { return entry.name == model.loss; });
  if (!is_known) {
    throw InvalidData(fmt::format(
        "the model's loss '{}' is unknown here; predict with the version that made it", model.loss));
  }
  return make_loss(model.loss, model.parameters);
}

}  // namespace

Matrix predict(const SavedModel& model, Rule at, const NewData& data, PredictionType type) {
  return predict(model, saved_loss(model), at, data, type);
}

Matrix predict(const SavedModel& model, const Loss& loss, Rule at, const NewData& data, PredictionType type) {
  const SavedModel::Point& point = at == Rule::minimum ? model.minimum : model.one_se;
  const Index outputs = point.intercept.size();
  if (type == PredictionType::label && loss.response_kind() == ResponseKind::number) {
    throw InvalidArgument(
        fmt::format("no classes can be predicted: the model has the {} loss, which predicts numbers; ask for "
                    "the response",
                    model.loss),
        {{Setting::type, "response"}});
  }
  Matrix predictor = model.expansion
                         ? Matrix(report::expand(*model.expansion, point.coefficients, data.design))
                         : data.design.multiply_columns(by_output(point.coefficients, outputs));
  predictor.colwise() += data.offset;
  predictor.rowwise() += point.intercept.transpose();
  if (type == PredictionType::link) return predictor;
  const Vector link = predictor.reshaped();
  if (type == PredictionType::label) return class_positions(loss.response_kind(), link, outputs);
  return by_output(loss.mean(link), outputs);
}

std::string render_predictions_csv(const SavedModel& model, Rule at, const NewData& data,
                                   PredictionType type) {
  return render_predictions_csv(model, saved_loss(model), at, data, type);
}

std::string render_predictions_csv(const SavedModel& model, const Loss& loss, Rule at, const NewData& data,
                                   PredictionType type) {
  const Matrix table = predict(model, loss, at, data, type);
  const std::string text = header(model, type, model.minimum.intercept.size());
  fmt::memory_buffer lines;
  for (Index i = 0; i < table.rows(); ++i) {
    for (Index k = 0; k < table.cols(); ++k) {
      const char end = k + 1 < table.cols() ? ',' : '\n';
      if (type == PredictionType::label) {
        const auto label = static_cast<std::size_t>(table(i, k));
        fmt::format_to(std::back_inserter(lines), "{}{}", report::csv_field(model.classes[label]), end);
      } else {
        fmt::format_to(std::back_inserter(lines), "{}{}", table(i, k), end);
      }
    }
  }
  return text + fmt::to_string(lines);
}

}  // namespace alo
