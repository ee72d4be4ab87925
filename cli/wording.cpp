// SPDX-License-Identifier: MIT
#include "wording.hpp"

namespace alo::command {

std::string option_name(Setting setting) {
  for (const auto& [one, name] : setting_names) {
    if (one == setting) return "--" + std::string(name);
  }
  return {};
}

std::string in_option(Setting setting, std::string_view value) {
  return option_name(setting) + (value.empty() ? "" : " ") + std::string(value);
}

std::string in_options(const Message& message) {
  std::string options;
  for (const Hint& hint : message.hints) {
    options += (options.empty() ? "" : ", ") + in_option(hint.setting, hint.value);
  }
  return options.empty() ? message.text : message.text + " (" + options + ")";
}

}  // namespace alo::command
