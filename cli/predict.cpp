// SPDX-License-Identifier: MIT
#include <filesystem>
#include <memory>

#include "alo/report.hpp"
#include "commands.hpp"
#include "options.hpp"
#include "output.hpp"
#include "values.hpp"

namespace alo::command {

namespace {

struct PredictOptions {
  std::string model;
  std::string file;
  ReadOptions read;
  PredictionType type = PredictionType::response;
  std::optional<Rule> at;
};

int run_predict(PredictOptions options) {
  const bool has_factors = !options.read.left_file.empty() || !options.read.right_file.empty();
  if (options.file.empty() && !has_factors) {
    throw InvalidArgument("FILE is required: the rows whose prediction is wanted");
  }
  std::filesystem::path path = options.model;
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) path /= "model.json";
  const SavedModel model = read_model(path);
  if (model.is_signal) {
    throw InvalidData(fmt::format(
        "{}: the model is a signal (--design identity) with one coefficient per row of its file, which says "
        "nothing of new rows; its values are in coefficients.csv",
        path.string()));
  }
  options.read.offset = model.offset;
  const bool is_product = model.matrix && model.matrix->kind == MatrixRows::rank_one;
  if (has_factors && !is_product) {
    throw InvalidArgument(
        "--left and --right belong to a model of --design rank-one, which this one is not; drop them and "
        "give a FILE");
  }
  if (model.matrix) {
    const NewData data = read_new_data(options.file, *model.matrix, options.read);
    write_stdout(render_predictions_csv(model, options.at.value_or(model.rule), data, options.type));
    return exit_code::ok;
  }
  std::vector<ColumnSource> sources = model.sources;
  if (sources.empty()) {
    for (const std::string& name : model.column_names) sources.emplace_back().name = name;
  }
  const NewData data = read_new_data(options.file, sources, options.read);
  write_stdout(render_predictions_csv(model, options.at.value_or(model.rule), data, options.type));
  return exit_code::ok;
}

}  // namespace

void add_predict(CLI::App& app, int& code) {
  const auto options = std::make_shared<PredictOptions>();
  CLI::App& command =
      *app.add_subcommand("predict", "Predictions of a tuned model for new rows, as CSV on stdout");
  command.footer(
      "  alo predict report new.csv > predictions.csv\n"
      "  alo predict report/model.json new.csv --at 1se\n"
      "  alo predict report new.csv --type link\n");
  command.add_option("MODEL", options->model, "model.json, or the folder that --out made")
      ->required()
      ->type_name("");
  command.add_option("FILE", options->file, "new data, columns matched by name; '-' is stdin")->type_name("");
  add_word(command, "--type", "T",
           "response (default): mean or probability; link: the linear predictor; class: its label",
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
  add_factor_options(command, options->read);
  command.callback([options, &code] { code = run_predict(*options); });
}

}  // namespace alo::command
