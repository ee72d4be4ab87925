// SPDX-License-Identifier: MIT
#include "report/json_text.hpp"

#include <algorithm>
#include <cmath>

#include "alo/error.hpp"

namespace alo::report {
namespace {

std::string compact(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

bool is_flat(const Json& value) {
  return !value.is_structured() ||
         (value.is_array() &&
          std::none_of(value.begin(), value.end(), [](const Json& item) { return item.is_structured(); })) ||
         value.empty();
}

void append(const Json& value, std::size_t depth, std::string& out) {
  if (is_flat(value)) {
    out += compact(value);
    return;
  }
  const bool object = value.is_object();
  out += object ? '{' : '[';
  bool first = true;
  for (auto item = value.begin(); item != value.end(); ++item) {
    out += first ? "\n" : ",\n";
    first = false;
    out.append(2 * (depth + 1), ' ');
    if (object) {
      out += compact(Json(item.key()));
      out += ": ";
    }
    append(*item, depth + 1, out);
  }
  out += '\n';
  out.append(2 * depth, ' ');
  out += object ? '}' : ']';
}

}  // namespace

Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json number(const std::optional<double>& value) {
  return value ? number(*value) : Json(nullptr);
}

Json numbers(const Vector& values) {
  Json list = Json::array();
  auto& items = list.get_ref<Json::array_t&>();
  items.reserve(static_cast<std::size_t>(values.size()));
  for (const double value : values) items.push_back(number(value));
  return list;
}

Json by_row(const Vector& values, Index outputs) {
  if (outputs == 1) return numbers(values);
  Json list = Json::array();
  const auto table = by_output(values, outputs);
  for (Index i = 0; i < table.rows(); ++i) list.push_back(numbers(table.row(i).transpose()));
  return list;
}

Json parameters_object(const std::string& text) {
  if (text.empty()) return Json::object();
  Json object = Json::parse(text, nullptr, false);
  if (!object.is_object()) {
    throw InvalidArgument("the parameters of the report must be a JSON object, such as {\"mix\":0.5}; got: " +
                          text);
  }
  return object;
}

std::string dump(const Json& value) {
  std::string out;
  append(value, 0, out);
  out += '\n';
  return out;
}

}  // namespace alo::report
