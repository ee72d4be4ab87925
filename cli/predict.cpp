// SPDX-License-Identifier: MIT
#include <filesystem>
#include <iterator>
#include <memory>

#include <fmt/format.h>

#include "alo/error.hpp"
#include "alo/report.hpp"
#include "commands.hpp"
#include "options.hpp"
#include "output.hpp"
#include "values.hpp"

namespace alo::command {

namespace {

enum class PredictionType { link, response, label };

struct PredictOptions {
  std::string model;
  std::string file;
  ReadOptions read;
  PredictionType type = PredictionType::response;
  std::optional<Rule> at;
};

int run_predict(PredictOptions options) {
  std::filesystem::path path = options.model;
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) path /= "model.json";
  const SavedModel model = read_model(path);
  if (options.type == PredictionType::label) {
    throw InvalidArgument(fmt::format(
        "--type class: the model has the {} loss, which predicts numbers and no classes; use --type response",
        model.loss));
  }
  options.read.offset = model.offset;
  std::vector<ColumnSource> sources = model.sources;
  if (sources.empty()) {
    for (const std::string& name : model.column_names) sources.emplace_back().name = name;
  }
  const NewData data = read_new_data(options.file, sources, options.read);
  const SavedModel::Point& point =
      options.at.value_or(model.rule) == Rule::minimum ? model.minimum : model.one_se;
  // With the identity link of the squared loss the response is the linear predictor.
  const Vector predictions =
      (data.design.multiply(point.coefficients) + data.offset).array() + point.intercept;
  fmt::memory_buffer text;
  fmt::format_to(std::back_inserter(text), "prediction\n");
  for (const double prediction : predictions) fmt::format_to(std::back_inserter(text), "{}\n", prediction);
  write_stdout(fmt::to_string(text));
  return exit_code::ok;
}

}  // namespace

void add_predict(CLI::App& app, int& code) {
  const auto options = std::make_shared<PredictOptions>();
  CLI::App& command =
      *app.add_subcommand("predict", "Predictions of a tuned model for new rows, as CSV on stdout");
  command.footer(
      "  alo predict report new.csv > predictions.csv\n"
      "  alo predict report/model.json new.csv --at 1se\n");
  command.add_option("MODEL", options->model, "model.json, or the folder that --out made")
      ->required()
      ->type_name("");
  command.add_option("FILE", options->file, "new data, columns matched by name; '-' is stdin")
      ->required()
      ->type_name("");
  add_word(command, "--type", "T", "response (default), link: the linear predictor, or class",
           [options](const std::string& text) {
             options->type = parse_word<PredictionType>("--type", text,
                                                        {{"link", PredictionType::link},
                                                         {"response", PredictionType::response},
                                                         {"class", PredictionType::label}});
           })
      ->group("Prediction");
  add_word(command, "--at", "RULE", "min or 1se (default: the rule the model was tuned with)",
           [options](const std::string& text) {
             options->at = parse_word<Rule>("--at", text, {{"min", Rule::minimum}, {"1se", Rule::one_se}});
           })
      ->group("Prediction");
  add_format_options(command, options->read, false);
  command.callback([options, &code] { code = run_predict(*options); });
}

}  // namespace alo::command
