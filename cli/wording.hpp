// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "alo/message.hpp"

namespace alo::command {

// The option that is this setting: "--lambda-ratio".
std::string option_name(Setting setting);

// The option with a value, where there is one: "--mix 0.5".
std::string in_option(Setting setting, std::string_view value);

// A message of the library as the command says it, with the options that it is about:
// "the value is missing; fill in the column's mean (--missing mean)".
std::string in_options(const Message& message);

}  // namespace alo::command
