// SPDX-License-Identifier: MIT
#include "model.hpp"

#include <nlohmann/json.hpp>

#include "alo/classes.hpp"

namespace alo::command {

namespace {

std::string choose_loss(const RunOptions& options, const Dataset& data, std::vector<std::string>& notes) {
  if (options.loss) return *options.loss;
  const std::string loss = default_loss(data);
  if (loss != "squared") {
    notes.push_back(fmt::format(
        "the target '{}' {}: the loss is {}{}", data.response_name,
        loss == "multinomial" ? fmt::format("is text with {} values", data.classes.size()) : "has two values",
        loss, data.classes.empty() ? "; --loss squared fits them as numbers" : ""));
  }
  return loss;
}

// A setting that does not fit the loss: by itself, or because of the data that chose the loss.
[[noreturn]] void refuse_setting(const RunOptions& options, const std::string& message) {
  if (options.loss) throw InvalidArgument(message);
  throw InvalidData(message + ". The loss follows from the target; --loss names another one");
}

void check_settings(const RunOptions& options, const std::string& loss, const Dataset& data) {
  if (!options.positive.empty() && response_kind(loss) != ResponseKind::two_classes) {
    refuse_setting(options, fmt::format("--positive names the class that is +1, but the {} loss has no such "
                                        "class; drop it",
                                        loss));
  }
  if (options.delta && !with_defaults(loss, {}, data).delta) {
    refuse_setting(options, fmt::format("--delta belongs to --loss huber and pseudo-huber; the {} loss has "
                                        "none",
                                        loss));
  }
}

std::vector<Metric> choose_metrics(const RunOptions& options, const Loss& loss) {
  if (options.metrics.empty()) return {default_metric(loss.name())};
  for (const Metric metric : options.tune.metrics) {
    try {
      check_metric(metric, loss);
    } catch (const InvalidArgument& error) {
      refuse_setting(options, error.what());
    }
  }
  return options.tune.metrics;
}

bool default_standardize(const std::string& penalty) {
  for (const ModelEntry& entry : penalties()) {
    if (entry.name == penalty) return entry.standardize;
  }
  return true;
}

Penalty choose_penalty(const RunOptions& options, const ModelParameters& parameters, Index columns) {
  if (options.penalty_weights_file.empty()) return make_penalty(options.penalty, parameters);
  return naming_file(options.penalty_weights_file, [&] {
    Penalty penalty = make_penalty(options.penalty, parameters);
    penalty.check_columns(columns);
    return penalty;
  });
}

ModelParameters given_parameters(const RunOptions& options) {
  ModelParameters parameters;
  if (options.mix) parameters.mix = *options.mix;
  parameters.ridge = options.ridge;
  parameters.delta = options.delta;
  if (!options.penalty_weights_file.empty()) {
    parameters.penalty_weights = read_vector(options.penalty_weights_file);
  }
  return parameters;
}

// The library counts rows of data; messages about a file with a heading say so.
template <class Work>
auto counting_rows(bool has_heading, const Work& work) {
  try {
    return work();
  } catch (const InvalidData& error) {
    const std::string message = error.what();
    if (!has_heading || message.find(" row ") == std::string::npos) throw;
    throw InvalidData(message + " (row 1 is the first row of data)");
  }
}

}  // namespace

Model make_model(const RunOptions& options, Dataset data) {
  std::vector<std::string> notes;
  ModelParameters parameters = given_parameters(options);
  const std::string name = choose_loss(options, data, notes);
  const std::size_t said = data.notes.size();
  check_settings(options, name, data);
  data.notes.insert(data.notes.end(), notes.begin(), notes.end());
  naming_file(options.file, [&] {
    code_response(data, response_kind(name), options.positive);
    parameters = with_defaults(name, parameters, data);
  });
  if (parameters.delta && !options.delta) {
    data.notes.push_back(fmt::format("delta is {:.6g}, from the spread of the response", *parameters.delta));
  }
  notes.assign(data.notes.begin() + static_cast<std::ptrdiff_t>(said), data.notes.end());
  const Loss loss = make_loss(name, parameters);
  std::vector<Metric> metrics = choose_metrics(options, loss);
  const Penalty penalty = choose_penalty(options, parameters, data.columns());
  ProblemOptions problem_options;
  problem_options.intercept = options.intercept.value_or(true);
  problem_options.standardize = options.standardize.value_or(default_standardize(options.penalty));
  const bool has_heading = data.line(0) > 1;
  return naming_file(options.file, [&] {
    return counting_rows(has_heading, [&] {
      return Model{Problem(std::move(data), loss, penalty, problem_options), std::move(parameters),
                   std::move(metrics), std::move(notes)};
    });
  });
}

std::string parameters_json(const RunOptions& options, const Model& model) {
  nlohmann::json json = nlohmann::json::object();
  if (options.ridge) {
    json["ridge"] = *options.ridge;
  } else if (options.penalty == "elastic-net") {
    json["mix"] = model.parameters.mix;
  }
  if (model.parameters.delta) json["delta"] = *model.parameters.delta;
  const Vector& weights = model.parameters.penalty_weights;
  if (weights.size() > 0) json["penalty_weights"] = std::vector<double>(weights.begin(), weights.end());
  return json.dump();
}

}  // namespace alo::command
