// SPDX-License-Identifier: MIT
#include "alo/classes.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "alo/error.hpp"
#include "formats/number.hpp"
#include "formats/typed_column.hpp"

namespace alo {

namespace {

// "the response 'y' is 3 in row 7"
std::string where(const Dataset& data, Index row) {
  const std::string value =
      data.classes.empty()
          ? fmt::format("{}", data.response[row])
          : fmt::format("'{}'", data::excerpt(data.classes[static_cast<std::size_t>(data.response[row])]));
  return fmt::format("the response '{}' is {} in row {}", data.response_name, value, data.line(row));
}

// The distinct values in rising order, at most one more than `limit`, and the row in which the last new one
// was found.
struct Values {
  std::set<double> all;
  Index last_row = 0;
};

Values find_values(const Vector& response, std::size_t limit) {
  Values values;
  for (Index row = 0; row < response.size() && values.all.size() <= limit; ++row) {
    if (values.all.insert(response[row]).second) values.last_row = row;
  }
  return values;
}

std::vector<std::string> labels_of(const Dataset& data, const std::set<double>& values) {
  std::vector<std::string> labels;
  for (const double value : values) {
    labels.push_back(data.classes.empty() ? fmt::format("{}", value)
                                          : data.classes[static_cast<std::size_t>(value)]);
  }
  return labels;
}

void refuse_one_class(const Dataset& data, const std::vector<std::string>& labels) {
  if (labels.size() > 1) return;
  throw InvalidData(
      fmt::format("the response '{}' has one class only, '{}', in all of its {} rows; a "
                  "classifier needs at least two",
                  data.response_name, labels.front(), data.rows()));
}

// Brings a numeric label to its shortest form: "1.0" means the class "1".
std::string normal_label(const Dataset& data, const std::string& label) {
  const data::Entry entry = data::read_entry(label);
  const bool is_number = data.classes.empty() && entry.kind == data::EntryKind::number;
  return is_number ? fmt::format("{}", entry.value) : label;
}

void code_two(Dataset& data, const std::string& positive) {
  const Values values = find_values(data.response, 2);
  std::vector<std::string> labels = labels_of(data, values.all);
  refuse_one_class(data, labels);
  if (labels.size() > 2) {
    std::set<double> first(values.all);
    first.erase(data.response[values.last_row]);
    const bool has_numbers = data.classes.empty();
    std::vector<Hint> others = {{Setting::loss, "multinomial"}};
    if (has_numbers) others.push_back({Setting::loss, "squared"});
    throw InvalidData(
        fmt::format("{}, a third class after '{}'; this loss takes two classes. The multinomial one takes "
                    "more{}",
                    where(data, values.last_row), fmt::join(labels_of(data, first), "' and '"),
                    has_numbers ? ", the squared one takes numbers" : ""),
        std::move(others));
  }
  double positive_value = *values.all.rbegin();
  if (!positive.empty()) {
    const auto found = std::find(labels.begin(), labels.end(), normal_label(data, positive));
    if (found == labels.end()) {
      throw InvalidData(
          fmt::format("the class that is +1 cannot be '{}': the response '{}' has no such class; its classes "
                      "are '{}'",
                      positive, data.response_name, fmt::join(labels, "' and '")),
          {{Setting::positive, positive}});
    }
    if (found == labels.begin()) {
      positive_value = *values.all.begin();
      std::swap(labels[0], labels[1]);
    }
  }
  data.response =
      (data.response.array() == positive_value)
          .select(Vector::Ones(data.response.size()), Vector::Constant(data.response.size(), -1.0));
  data.notes.push_back(fmt::format("+1 is '{}', -1 is '{}'", labels[1], labels[0]));
  data.classes = std::move(labels);
}

// The first labels, each shortened for a message.
std::string list_labels(const std::vector<std::string>& labels) {
  // Labels in a message; ten fit into two lines of a terminal.
  constexpr std::size_t shown = 10;
  std::string text;
  for (std::size_t k = 0; k < std::min(labels.size(), shown); ++k) {
    text += fmt::format("{}'{}'", k == 0 ? "" : ", ", data::excerpt(labels[k]));
  }
  return labels.size() > shown ? fmt::format("{} and {} more", text, labels.size() - shown) : text;
}

void code_several(Dataset& data) {
  const Index limit = class_limit(data.response.size());
  const Values values = find_values(data.response, static_cast<std::size_t>(limit));
  std::vector<std::string> labels = labels_of(data, values.all);
  refuse_one_class(data, labels);
  if (static_cast<Index>(labels.size()) > limit) {
    throw InvalidData(
        fmt::format("{}, the {}th different value; {} rows may have {} classes. Choose another target, or a "
                    "loss that takes numbers",
                    where(data, values.last_row), labels.size(), data.rows(), limit),
        {{Setting::target}, {Setting::loss}});
  }
  for (double& value : data.response) {
    value = static_cast<double>(std::distance(values.all.begin(), values.all.find(value)));
  }
  data.notes.push_back(fmt::format("{} classes: {}", labels.size(), list_labels(labels)));
  data.classes = std::move(labels);
}

}  // namespace

Index class_limit(Index rows) {
  return std::clamp<Index>(rows / 2, 2, largest_class_count);
}

std::string default_loss(const Dataset& data) {
  if (!data.classes.empty()) return data.classes.size() <= 2 ? "logistic" : "multinomial";
  const bool enough = data.response.size() >= 3;
  return enough && find_values(data.response, 2).all.size() == 2 ? "logistic" : "squared";
}

void code_response(Dataset& data, ResponseKind kind, const std::string& positive) {
  if (data.response.size() == 0) throw InvalidData("the data has no rows");
  switch (kind) {
    case ResponseKind::two_classes:
      return code_two(data, positive);
    case ResponseKind::classes:
      return code_several(data);
    case ResponseKind::number:
      if (!data.classes.empty()) {
        throw InvalidData(
            fmt::format("{}, and this loss takes numbers; the logistic and the multinomial loss "
                        "take words; or choose another target",
                        where(data, 0)),
            {{Setting::loss, "logistic"}, {Setting::loss, "multinomial"}, {Setting::target}});
      }
  }
}

std::vector<Index> predicted_classes(ResponseKind kind, const Vector& linear_predictor, Index outputs) {
  const auto predictor = by_output(linear_predictor, outputs);
  std::vector<Index> classes(static_cast<std::size_t>(predictor.rows()), -1);
  for (Index row = 0; row < predictor.rows(); ++row) {
    if (!predictor.row(row).allFinite()) continue;
    Index largest = 0;
    predictor.row(row).maxCoeff(&largest);
    const Index sign = predictor(row, 0) > 0.0 ? 1 : 0;
    classes[static_cast<std::size_t>(row)] = kind == ResponseKind::two_classes ? sign : largest;
  }
  return classes;
}

}  // namespace alo
