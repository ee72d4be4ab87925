// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <gmock/gmock.h>

#include "alo/message.hpp"

namespace alo::testing_support {

// A message with these words in its text.
inline auto says(const std::string& words) {
  return ::testing::Field("text", &Message::text, ::testing::HasSubstr(words));
}

// A message with this among its hints.
inline auto hints_at(Setting setting, const std::string& value = "") {
  return ::testing::Field("hints", &Message::hints, ::testing::Contains(Hint{setting, value}));
}

}  // namespace alo::testing_support
