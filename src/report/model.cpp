// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <fstream>
#include <iterator>

#include "alo/error.hpp"
#include "alo/report.hpp"
#include "report/expansion.hpp"
#include "report/json_text.hpp"
#include "report/matrix_source.hpp"
#include "report/model_reader.hpp"
#include "summary/words.hpp"

namespace alo {
namespace {

using report::by_row;
using report::Json;
using report::ModelReader;
using report::number;

constexpr std::string_view model_format = "alo-model/1";

const Fit& fit_of(const std::optional<Selected>& selected, const TuneResult& result) {
  return selected ? selected->point.fit : result.path.front().fit;
}

Json point_object(const Fit& fit) {
  return {{"lambda", number(fit.lambda)},
          {"intercept", by_row(fit.intercept, fit.intercept.size())[0]},
          {"coefficients", by_row(fit.coefficients, fit.intercept.size())}};
}

Json source_object(const ColumnSource& source) {
  return {{"name", source.name},
          {"levels", source.levels},
          {"fill", source.filled ? number(source.fill) : Json(nullptr)}};
}

// Reads a number, or a list with one number per output.
Vector read_outputs(const ModelReader& reader, const std::string& name, const Json& value) {
  const Json list = value.is_array() ? value : Json::array({value});
  Vector numbers(static_cast<Index>(list.size()));
  for (std::size_t k = 0; k < list.size(); ++k) {
    if (!list[k].is_number()) reader.fail(fmt::format("{} is not a number", name));
    numbers[static_cast<Index>(k)] = list[k].get<double>();
  }
  if (numbers.size() == 0) reader.fail(fmt::format("{} is an empty list", name));
  return numbers;
}

// The key may be absent in a model of a numeric response.
std::vector<std::string> read_classes(const ModelReader& reader) {
  return reader.has("classes") ? reader.texts_at("classes") : std::vector<std::string>();
}

// Throws unless there is a label per output, or two for a single output.
void check_classes(const ModelReader& reader, const SavedModel& model) {
  const Index outputs = model.minimum.intercept.size();
  const auto labels = static_cast<Index>(model.classes.size());
  const bool agrees = outputs == 1 ? labels == 0 || labels == 2 : labels == outputs;
  if (!agrees || model.one_se.intercept.size() != outputs) {
    reader.fail(fmt::format("there are {} classes for {} and {} intercepts", labels, outputs,
                            model.one_se.intercept.size()));
  }
}

SavedModel::Point read_point(const ModelReader& reader, std::size_t columns, bool expanded) {
  SavedModel::Point point;
  point.lambda = reader.number_at("lambda");
  point.intercept = read_outputs(reader, reader.quoted("intercept"), reader.at("intercept"));
  const Index outputs = point.intercept.size();
  const Json& list = reader.list_at("coefficients");
  if (list.size() != columns) {
    reader.fail(fmt::format("there are {} coefficients for {} {}", list.size(), columns,
                            expanded ? "support rows" : "columns"));
  }
  Matrix coefficients(static_cast<Index>(columns), outputs);
  for (std::size_t j = 0; j < columns; ++j) {
    const Vector row = read_outputs(reader, fmt::format("coefficient {}", j + 1), list[j]);
    if (row.size() != outputs) {
      reader.fail(fmt::format("coefficient {} has {} numbers for {} outputs", j + 1, row.size(), outputs));
    }
    coefficients.row(static_cast<Index>(j)) = row.transpose();
  }
  point.coefficients = coefficients.reshaped();
  return point;
}

std::vector<ColumnSource> read_sources(const ModelReader& reader, std::size_t columns) {
  std::vector<ColumnSource> sources;
  std::size_t made = 0;
  for (const Json& item : reader.list_at("sources")) {
    const ModelReader entry = reader.item("sources", item, sources.size());
    ColumnSource source;
    source.name = entry.text_at("name");
    source.levels = entry.texts_at("levels");
    source.filled = !entry.at("fill").is_null();
    if (source.filled) source.fill = entry.number_at("fill");
    made += source.levels.size() > 2 ? source.levels.size() : 1;
    sources.push_back(std::move(source));
  }
  if (!sources.empty() && made != columns) {
    reader.fail(fmt::format("'sources' make {} columns but 'columns' names {}", made, columns));
  }
  return sources;
}

void read_parameters(const ModelReader& reader, ModelParameters& parameters) {
  if (!reader.has("parameters")) return;
  const ModelReader given = reader.inside("parameters");
  const auto read = [&](const std::string& key, std::optional<double>& value) {
    if (given.has(key)) value = given.number_at(key);
  };
  read("delta", parameters.delta);
  read("quantile", parameters.quantile);
  read("epsilon", parameters.epsilon);
}

bool has_identity_design(const ModelReader& reader) {
  if (!reader.has("parameters")) return false;
  const ModelReader given = reader.inside("parameters");
  return given.has("design") && given.text_at("design") == "identity";
}

Json parse(const std::string& text, const std::string& source) {
  Json document = Json::parse(text, nullptr, false);
  if (document.is_discarded() || !document.is_object()) {
    throw InvalidData(fmt::format("{}: is not a JSON object; give the model.json of a report", source));
  }
  return document;
}

std::size_t term_count(const SavedModel& model) {
  if (model.expansion) return static_cast<std::size_t>(model.expansion->rows.rows());
  if (model.matrix) return model.matrix->row_names.size() * model.matrix->column_names.size();
  return model.column_names.size();
}

}  // namespace

bool has_model(const TuneResult& result) {
  return (result.minimum && result.one_se) || result.path.size() == 1;
}

std::string render_model_json(const Problem& problem, const TuneResult& result,
                              const ReportContext& context) {
  if (!has_model(result))
    throw InvalidData("no lambda was chosen, so there is no model to save; fit one lambda");
  const Dataset& data = problem.data();
  Json sources = Json::array();
  for (const ColumnSource& source : data.sources) sources.push_back(source_object(source));
  Json document = {{"format", model_format},
                   {"version", ALO_VERSION},
                   {"loss", problem.loss().name()},
                   {"penalty", problem.penalty().name()},
                   {"parameters", report::parameters_object(context.parameters)},
                   {"objective", problem.describe()},
                   {"target", data.response_name},
                   {"classes", report::class_labels(problem)},
                   {"columns", data.matrix ? std::vector<std::string>() : report::data_columns(problem)},
                   {"sources", sources},
                   {"offset", context.offset.empty() ? Json(nullptr) : Json(context.offset)},
                   {"rule", report::rule_name(result.rule)}};
  if (data.matrix) document["matrix"] = report::matrix_object(*data.matrix);
  const Fit& minimum = fit_of(result.minimum, result);
  const Fit& one_se = fit_of(result.one_se, result);
  if (data.kernel) {
    report::add_expansion(*data.kernel, minimum, one_se, document);
  } else {
    document["min"] = point_object(minimum);
    document["one_se"] = point_object(one_se);
  }
  return report::dump(document);
}

SavedModel read_model(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream)
    throw InvalidData(fmt::format("{}: cannot be opened; give the model.json of a report", path.string()));
  return parse_model({std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()},
                     path.string());
}

SavedModel parse_model(const std::string& text, const std::string& source) {
  const Json document = parse(text, source);
  const ModelReader reader(source, document);
  const std::string format = reader.text_at("format");
  if (format != model_format) {
    throw InvalidData(fmt::format("{}: its format is '{}', expected '{}'; give the model.json of a report",
                                  source, format, model_format));
  }
  SavedModel model;
  model.loss = reader.text_at("loss");
  model.penalty = reader.text_at("penalty");
  model.response_name = reader.text_at("target");
  model.classes = read_classes(reader);
  model.column_names = reader.texts_at("columns");
  model.is_signal = has_identity_design(reader);
  model.sources = read_sources(reader, model.column_names.size());
  if (!reader.at("offset").is_null()) model.offset = reader.text_at("offset");
  const std::string rule = reader.text_at("rule");
  if (rule != "min" && rule != "1se") reader.fail("'rule' is '" + rule + "', expected min or 1se");
  model.rule = rule == "min" ? Rule::minimum : Rule::one_se;
  if (reader.has("kernel")) model.expansion = report::read_expansion(reader, model.column_names.size());
  if (reader.has("matrix")) model.matrix = report::read_matrix_source(reader.inside("matrix"));
  const std::size_t terms = term_count(model);
  model.minimum = read_point(reader.inside("min"), terms, model.expansion.has_value());
  model.one_se = read_point(reader.inside("one_se"), terms, model.expansion.has_value());
  check_classes(reader, model);
  if (model.minimum.intercept.size() > 1) model.parameters.classes = model.minimum.intercept.size();
  read_parameters(reader, model.parameters);
  return model;
}

}  // namespace alo
