// SPDX-License-Identifier: MIT
#include "wording.hpp"

namespace alo::command {

std::string option_name(Setting setting) {
  for (const auto& [one, name] : setting_names) {
    if (one == setting) return "--" + std::string(name);
  }
  return {};
}

std::string in_options(const Message& message) {
  std::string options;
  for (const Hint& hint : message.hints) {
    options += (options.empty() ? "" : ", ") + option_name(hint.setting);
    if (!hint.value.empty()) options += " " + hint.value;
  }
  return options.empty() ? message.text : message.text + " (" + options + ")";
}

}  // namespace alo::command
