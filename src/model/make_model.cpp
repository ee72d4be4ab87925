// SPDX-License-Identifier: MIT
#include "alo/model.hpp"

#include <fmt/format.h>

#include "alo/classes.hpp"
#include "alo/error.hpp"
#include "model/structure.hpp"

namespace alo {

namespace {

// Adds the source of the data, where it has a name, to errors about them.
template <class Work>
auto naming(const std::string& source, const Work& work) {
  if (source.empty()) return work();
  try {
    return work();
  } catch (const InvalidData& error) {
    throw InvalidData(fmt::format("{}: {}", source, error.what()), error.hints());
  }
}

// Adds to messages that rows are counted without the heading of the file.
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

// Makes a model step by step; each step adds to `notes`.
class ModelMaker {
 public:
  ModelMaker(const ModelSettings& settings, const Spelling& spelling) : given_(settings), say_(spelling) {}

  std::string choose_loss(const Dataset& data, std::vector<std::string>& notes) const;
  void check_loss_settings(const std::string& loss, const Dataset& data) const;
  std::string choose_penalty(const Loss& loss, std::vector<std::string>& notes) const;
  void check_matrix_loss(const std::string& penalty, const Loss& loss) const;
  std::vector<Metric> choose_metrics(const std::vector<Metric>& metrics, const Loss& loss) const;
  ModelParameters parameters() const;
  Penalty penalty(const std::string& name, const ModelParameters& parameters, Index columns) const;
  Dataset apply_kernel(Dataset data) const;

 private:
  // Refuses a setting that does not fit the loss; the message says whether the user or the data chose the
  // loss.
  [[noreturn]] void refuse(const std::string& message) const {
    if (given_.loss) throw InvalidArgument(message);
    throw InvalidData(fmt::format("{}. The loss follows from the target; {} names another one", message,
                                  say_(Setting::loss, "")));
  }

  const ModelSettings& given_;
  const Spelling& say_;
};

std::string ModelMaker::choose_loss(const Dataset& data, std::vector<std::string>& notes) const {
  if (given_.loss) return *given_.loss;
  const std::string loss = default_loss(data);
  if (loss != "squared") {
    notes.push_back(fmt::format(
        "the target '{}' {}: the loss is {}{}", data.response_name,
        loss == "multinomial" ? fmt::format("is text with {} values", data.classes.size()) : "has two values",
        loss,
        data.classes.empty() ? fmt::format("; {} fits them as numbers", say_(Setting::loss, "squared"))
                             : ""));
  }
  return loss;
}

void ModelMaker::check_loss_settings(const std::string& loss, const Dataset& data) const {
  if (!given_.positive.empty() && response_kind(loss) != ResponseKind::two_classes) {
    refuse(fmt::format("{} names the class that is +1, but the {} loss has no such class; drop it",
                       say_(Setting::positive, ""), loss));
  }
  if (given_.kernel && loss != "hinge" && loss != "epsilon-insensitive") {
    refuse(fmt::format(
        "{} goes with {} and epsilon-insensitive, whose fits are expansions in few rows; the loss "
        "here is {}",
        say_(Setting::kernel, ""), say_(Setting::loss, "hinge"), loss));
  }
  const ModelParameters taken = with_defaults(loss, {}, data);
  const auto check_owner = [&](bool given, bool is_taken, Setting setting, std::string_view owner) {
    if (!given || is_taken) return;
    refuse(fmt::format("{} belongs to {}; the {} loss has none", say_(setting, ""),
                       say_(Setting::loss, owner), loss));
  };
  check_owner(given_.delta.has_value(), taken.delta.has_value(), Setting::delta, "huber and pseudo-huber");
  check_owner(given_.quantile.has_value(), taken.quantile.has_value(), Setting::quantile, "quantile");
  check_owner(given_.epsilon.has_value(), taken.epsilon.has_value(), Setting::epsilon, "epsilon-insensitive");
}

// A lasso with a piecewise linear loss would be a linear program, which has no approximate leave-one-out, so
// these losses get a ridge.
std::string ModelMaker::choose_penalty(const Loss& loss, std::vector<std::string>& notes) const {
  std::string penalty = penalty_name(given_);
  if (given_.penalty) return penalty;
  if (!loss.has_kinks()) {
    if (penalty == "nuclear") {
      notes.push_back(fmt::format("the penalty is nuclear, for a matrix of low rank; {} names another one",
                                  say_(Setting::penalty, "")));
    }
    return penalty;
  }
  notes.push_back(
      fmt::format("the penalty is ridge: the {} loss has no curvature, and with a lasso there is no "
                  "approximate leave-one-out",
                  loss.name()));
  return "ridge";
}

void ModelMaker::check_matrix_loss(const std::string& penalty, const Loss& loss) const {
  if (penalty != "nuclear" && penalty != "schatten") return;
  const std::string name = say_(Setting::penalty, penalty);
  if (loss.outputs() > 1) {
    refuse(
        fmt::format("{} takes losses with one prediction per row, and {} has one for each class; ridge, "
                    "lasso and elastic-net take it",
                    name, loss.name()));
  }
  if (loss.has_kinks()) {
    refuse(fmt::format(
        "{} takes losses without kinks, and {} has them; {} is near it, and {} takes it as it is", name,
        loss.name(), loss.response_kind() == ResponseKind::number ? "huber" : "squared-hinge",
        say_(Setting::penalty, "frobenius")));
  }
}

std::vector<Metric> ModelMaker::choose_metrics(const std::vector<Metric>& metrics, const Loss& loss) const {
  if (metrics.empty()) return {default_metric(loss.name())};
  for (const Metric metric : metrics) {
    try {
      check_metric(metric, loss);
    } catch (const InvalidArgument& error) {
      refuse(error.what());
    }
  }
  return metrics;
}

ModelParameters ModelMaker::parameters() const {
  ModelParameters parameters;
  if (given_.mix) parameters.mix = *given_.mix;
  parameters.ridge = given_.ridge;
  parameters.delta = given_.delta;
  parameters.quantile = given_.quantile;
  parameters.epsilon = given_.epsilon;
  if (given_.penalty_weights) parameters.penalty_weights = *given_.penalty_weights;
  return parameters;
}

Penalty ModelMaker::penalty(const std::string& name, const ModelParameters& parameters, Index columns) const {
  return naming(given_.penalty_source, [&] {
    Penalty penalty = make_penalty(name, parameters);
    if (!given_.penalty_source.empty()) penalty.check_columns(columns);
    return penalty;
  });
}

// The data with the features of the kernel as columns, and notes on its default parameters.
Dataset ModelMaker::apply_kernel(Dataset data) const {
  const bool standardize = given_.standardize.value_or(false);
  Kernel kernel;
  kernel.kind = *given_.kernel;
  kernel.gamma = given_.gamma;
  kernel.degree = given_.degree.value_or(kernel.degree);
  kernel.coef0 = given_.coef0.value_or(kernel.coef0);
  data = with_kernel(std::move(data), kernel, standardize);
  if (data.kernel->kernel.gamma && !given_.gamma) {
    data.notes.push_back(fmt::format("gamma is {:.6g}, 1 / {}", *data.kernel->kernel.gamma,
                                     standardize
                                         ? "the number of columns"
                                         : "(the number of columns * the variance of all their entries)"));
  }
  return data;
}

// Notes on the parameters of the loss that followed from the data or from a convention.
void note_defaults(const ModelSettings& settings, const ModelParameters& parameters, const Spelling& say,
                   Dataset& data) {
  if (parameters.delta && !settings.delta) {
    data.notes.push_back(fmt::format("delta is {:.6g}, from the spread of the response", *parameters.delta));
  }
  if (parameters.epsilon && !settings.epsilon) {
    data.notes.push_back(fmt::format("epsilon is {:.6g}, in the units of {}; {} sets another one",
                                     *parameters.epsilon, data.response_name, say(Setting::epsilon, "")));
  }
}

}  // namespace

Model make_model(const ModelSettings& settings, Dataset data, const std::vector<Metric>& metrics,
                 const Spelling& spelling) {
  const ModelMaker maker(settings, spelling);
  std::vector<std::string> notes;
  const std::string loss_name = maker.choose_loss(data, notes);
  const std::size_t said = data.notes.size();
  maker.check_loss_settings(loss_name, data);
  data.notes.insert(data.notes.end(), notes.begin(), notes.end());
  ModelParameters parameters = naming(settings.data_source, [&] {
    code_response(data, response_kind(loss_name), settings.positive);
    return with_defaults(loss_name, maker.parameters(), data);
  });
  note_defaults(settings, parameters, spelling, data);
  const Loss loss = make_loss(loss_name, parameters);
  std::vector<Metric> chosen_metrics = maker.choose_metrics(metrics, loss);
  const std::string penalty_name = maker.choose_penalty(loss, data.notes);
  maker.check_matrix_loss(penalty_name, loss);
  parameters = with_structure(settings, std::move(parameters), data, data.notes, spelling);
  const Penalty penalty = maker.penalty(penalty_name, parameters, data.columns());
  ProblemOptions options;
  options.intercept =
      settings.intercept.value_or(!settings.kernel && settings.design != DesignKind::identity);
  options.standardize = settings.standardize.value_or(penalty_entry(penalty_name).standardize);
  if (settings.kernel) {
    data = naming(settings.data_source, [&] { return maker.apply_kernel(std::move(data)); });
    options.standardize = false;  // concerns the features; the data columns were standardised before
  }
  notes.assign(data.notes.begin() + static_cast<std::ptrdiff_t>(said), data.notes.end());
  const bool has_heading = data.rows() > 0 && data.line(0) > 1;
  return naming(settings.data_source, [&] {
    return counting_rows(has_heading, [&] {
      return Model{Problem(std::move(data), loss, penalty, options), std::move(parameters),
                   std::move(chosen_metrics), std::move(notes)};
    });
  });
}

}  // namespace alo
