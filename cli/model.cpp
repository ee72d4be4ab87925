// SPDX-License-Identifier: MIT
#include "model.hpp"

#include <nlohmann/json.hpp>

#include "alo/classes.hpp"
#include "structure.hpp"

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

// Refuses a setting that does not fit the loss; the message says whether the user or the data chose the
// loss.
[[noreturn]] void refuse_setting(const RunOptions& options, const std::string& message) {
  if (options.loss) throw InvalidArgument(message);
  throw InvalidData(message + ". The loss follows from the target; --loss names another one");
}

void check_kernel_loss(const RunOptions& options, const std::string& loss) {
  if (!options.kernel || loss == "hinge" || loss == "epsilon-insensitive") return;
  refuse_setting(options,
                 fmt::format("--kernel goes with --loss hinge and epsilon-insensitive, whose fits are "
                             "expansions in few rows; the loss here is {}",
                             loss));
}

void check_settings(const RunOptions& options, const std::string& loss, const Dataset& data) {
  if (!options.positive.empty() && response_kind(loss) != ResponseKind::two_classes) {
    refuse_setting(options, fmt::format("--positive names the class that is +1, but the {} loss has no such "
                                        "class; drop it",
                                        loss));
  }
  const ModelParameters taken = with_defaults(loss, {}, data);
  const auto check_owner = [&](bool given, bool is_taken, std::string_view option, std::string_view owner) {
    if (!given || is_taken) return;
    refuse_setting(options,
                   fmt::format("{} belongs to --loss {}; the {} loss has none", option, owner, loss));
  };
  check_kernel_loss(options, loss);
  check_owner(options.delta.has_value(), taken.delta.has_value(), "--delta", "huber and pseudo-huber");
  check_owner(options.quantile.has_value(), taken.quantile.has_value(), "--quantile", "quantile");
  check_owner(options.epsilon.has_value(), taken.epsilon.has_value(), "--epsilon", "epsilon-insensitive");
}

// The default penalty. A lasso with a piecewise linear loss would be a linear program, which has no
// approximate leave-one-out, so these losses get a ridge.
std::string choose_penalty_name(const RunOptions& options, const Loss& loss,
                                std::vector<std::string>& notes) {
  if (options.penalty_given) return options.penalty;
  if (!loss.has_kinks()) {
    if (options.penalty == "nuclear") {
      notes.emplace_back("the penalty is nuclear, for a matrix of low rank; --penalty names another one");
    }
    return options.penalty;
  }
  notes.push_back(
      fmt::format("the penalty is ridge: the {} loss has no curvature, and with a lasso there is no "
                  "approximate leave-one-out",
                  loss.name()));
  return "ridge";
}

void check_matrix_loss(const RunOptions& options, const std::string& penalty, const Loss& loss) {
  if (penalty != "nuclear" && penalty != "schatten") return;
  if (loss.outputs() > 1) {
    refuse_setting(options,
                   fmt::format("--penalty {} takes losses with one prediction per row, and {} has one "
                               "for each class; ridge, lasso and elastic-net take it",
                               penalty, loss.name()));
  }
  if (loss.has_kinks()) {
    refuse_setting(options,
                   fmt::format("--penalty {} takes losses without kinks, and {} has them; {} is near it, "
                               "and --penalty frobenius takes it as it is",
                               penalty, loss.name(),
                               loss.response_kind() == ResponseKind::number ? "huber" : "squared-hinge"));
  }
}

// The data with the features of the kernel as columns, and notes on its default parameters.
Dataset apply_kernel(const RunOptions& options, Dataset data) {
  Kernel kernel;
  kernel.kind = *options.kernel;
  kernel.gamma = options.gamma;
  kernel.degree = options.degree.value_or(kernel.degree);
  kernel.coef0 = options.coef0.value_or(kernel.coef0);
  data = with_kernel(std::move(data), kernel, options.standardize.value_or(false));
  if (data.kernel->kernel.gamma && !options.gamma) {
    data.notes.push_back(fmt::format("gamma is {:.6g}, 1 / {}", *data.kernel->kernel.gamma,
                                     options.standardize.value_or(false)
                                         ? "the number of columns"
                                         : "(the number of columns * the variance of all their entries)"));
  }
  return data;
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

Penalty choose_penalty(const RunOptions& options, const std::string& name, const ModelParameters& parameters,
                       Index columns) {
  const std::string& file =
      options.penalty_weights_file.empty() ? options.structure.matrix_file : options.penalty_weights_file;
  if (file.empty()) return make_penalty(name, parameters);
  return naming_file(file, [&] {
    Penalty penalty = make_penalty(name, parameters);
    penalty.check_columns(columns);
    return penalty;
  });
}

ModelParameters given_parameters(const RunOptions& options) {
  ModelParameters parameters;
  if (options.mix) parameters.mix = *options.mix;
  parameters.ridge = options.ridge;
  parameters.delta = options.delta;
  parameters.quantile = options.quantile;
  parameters.epsilon = options.epsilon;
  if (!options.penalty_weights_file.empty()) {
    parameters.penalty_weights = read_vector(options.penalty_weights_file);
  }
  return parameters;
}

// Adds to messages of the library that rows are counted without the heading of the file.
template <class Work>
auto counting_rows(bool has_heading, const Work& work) {
  try {
    return work();
  } catch (const InvalidData& error) {
    const std::string message = error.what();
    if (!has_heading || message.find(" row ") == std::string::npos) throw;
    throw InvalidData(message + " (row 1 is the first row of data)", error.hints());
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
  if (parameters.epsilon && !options.epsilon) {
    data.notes.push_back(fmt::format("epsilon is {:.6g}, in the units of {}; --epsilon sets another one",
                                     *parameters.epsilon, data.response_name));
  }
  const Loss loss = make_loss(name, parameters);
  std::vector<Metric> metrics = choose_metrics(options, loss);
  const std::string penalty_name = choose_penalty_name(options, loss, data.notes);
  check_matrix_loss(options, penalty_name, loss);
  parameters = with_structure(options, std::move(parameters), data, data.notes);
  const Penalty penalty = choose_penalty(options, penalty_name, parameters, data.columns());
  ProblemOptions problem_options;
  problem_options.intercept =
      options.intercept.value_or(!options.kernel && options.read.design != DesignKind::identity);
  problem_options.standardize = options.standardize.value_or(penalty_entry(penalty_name).standardize);
  if (options.kernel) {
    data = naming_file(options.file, [&] { return apply_kernel(options, std::move(data)); });
    problem_options.standardize = false;  // concerns the features; the data columns were standardised before
  }
  notes.assign(data.notes.begin() + static_cast<std::ptrdiff_t>(said), data.notes.end());
  const bool has_heading = data.line(0) > 1;
  return naming_file(options.file, [&] {
    return counting_rows(has_heading, [&] {
      return Model{Problem(std::move(data), loss, penalty, problem_options), std::move(parameters),
                   std::move(metrics), std::move(notes)};
    });
  });
}

namespace {

void add_structure(const RunOptions& options, const Model& model, nlohmann::json& json) {
  const std::string penalty = model.problem.penalty().name();
  if (penalty == "trend-filter") json["order"] = model.parameters.order;
  if (penalty == "generalized-lasso") json["penalty_rows"] = model.parameters.penalty_matrix.rows();
  if (options.structure.grid) {
    json["grid"] = {options.structure.grid->first, options.structure.grid->second};
  }
  if (model.parameters.edges) json["edges"] = model.parameters.edges->size();
  if (model.parameters.sparse > 0) json["sparse"] = model.parameters.sparse;
  if (!model.parameters.groups.empty()) json["groups"] = model.parameters.groups;
  if (model.parameters.slope_q) {
    json["slope_shape"] = to_string(model.parameters.slope_shape);
    json["slope_q"] = *model.parameters.slope_q;
  }
  if (const auto& shape = model.parameters.shape) json["shape"] = {shape->rows, shape->columns};
  if (model.parameters.smoothing) json["smoothing"] = *model.parameters.smoothing;
  switch (options.read.design) {
    case DesignKind::columns:
      break;
    case DesignKind::identity:
      json["design"] = "identity";
      break;
    case DesignKind::triplets:
      json["design"] = "triplets";
      break;
    case DesignKind::rank_one:
      json["design"] = "rank-one";
  }
}

}  // namespace

std::string parameters_json(const RunOptions& options, const Model& model) {
  nlohmann::json json = nlohmann::json::object();
  if (options.ridge) {
    json["ridge"] = *options.ridge;
  } else if (options.penalty == "elastic-net" || options.penalty == "sparse-group-lasso") {
    json["mix"] = model.parameters.mix;
  }
  if (model.parameters.delta) json["delta"] = *model.parameters.delta;
  if (model.parameters.quantile) json["quantile"] = *model.parameters.quantile;
  if (model.parameters.epsilon) json["epsilon"] = *model.parameters.epsilon;
  add_structure(options, model, json);
  if (const auto& source = model.problem.data().kernel) {
    json["kernel"] = to_string(source->kernel.kind);
    if (source->kernel.gamma) json["gamma"] = *source->kernel.gamma;
    if (source->kernel.kind == KernelKind::polynomial) {
      json["degree"] = source->kernel.degree;
      json["coef0"] = source->kernel.coef0;
    }
  }
  const Vector& weights = model.parameters.penalty_weights;
  if (weights.size() > 0) json["penalty_weights"] = std::vector<double>(weights.begin(), weights.end());
  return json.dump();
}

}  // namespace alo::command
