// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "alo/error.hpp"
#include "report/json_text.hpp"

namespace alo::report {

// Reads values of a model file by key; its errors name the key that is missing or wrong.
class ModelReader {
 public:
  ModelReader(std::string file, const Json& object, std::string where = "")
      : file_(std::move(file)), object_(object), where_(std::move(where)) {}

  [[noreturn]] void fail(const std::string& what) const {
    throw InvalidData(fmt::format("{}: {}; write the report of a tuned model again", file_, what),
                      {{Setting::out}});
  }

  const Json& at(const std::string& key) const {
    if (!object_.is_object() || !object_.contains(key))
      fail(fmt::format("the key '{}{}' is missing", where_, key));
    return object_[key];
  }

  // "'min.intercept'"
  std::string quoted(const std::string& key) const { return fmt::format("'{}{}'", where_, key); }
  bool has(const std::string& key) const { return object_.is_object() && object_.contains(key); }

  double number_at(const std::string& key) const {
    const Json& value = at(key);
    if (!value.is_number()) fail(fmt::format("'{}{}' is not a number", where_, key));
    return value.get<double>();
  }

  std::string text_at(const std::string& key) const {
    const Json& value = at(key);
    if (!value.is_string()) fail(fmt::format("'{}{}' is not text", where_, key));
    return value.get<std::string>();
  }

  const Json& list_at(const std::string& key) const {
    const Json& value = at(key);
    if (!value.is_array()) fail(fmt::format("'{}{}' is not a list", where_, key));
    return value;
  }

  std::vector<std::string> texts_at(const std::string& key) const {
    std::vector<std::string> texts;
    for (const Json& item : list_at(key)) {
      if (!item.is_string()) fail(fmt::format("'{}{}' holds something that is not text", where_, key));
      texts.push_back(item.get<std::string>());
    }
    return texts;
  }

  ModelReader inside(const std::string& key) const { return {file_, at(key), where_ + key + "."}; }
  ModelReader item(const std::string& key, const Json& value, std::size_t k) const {
    return {file_, value, fmt::format("{}{}[{}].", where_, key, k)};
  }

 private:
  std::string file_;
  const Json& object_;
  std::string where_;
};

}  // namespace alo::report
