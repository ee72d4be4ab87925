// SPDX-License-Identifier: MIT
// The main function of every test program. It takes two numbers from the environment before anything is
// drawn:
//   ALO_SEED   the seed of all property tests, and of the tests that call varied(); 1 without it
//   ALO_CASES  the number of cases of every property test; ALO_PROPERTY_CASES of the build without it
// RapidCheck reads its configuration from RC_PARAMS. What else RC_PARAMS says ("reproduce=...") is kept, and
// so are its seed and number of cases where the two variables are not set.
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>

#include <gmock/gmock.h>

#include "seed.hpp"

namespace {

std::optional<std::uint64_t> number_in_environment(const std::string& name) {
  const char* text = std::getenv(name.c_str());
  if (text == nullptr) return std::nullopt;
  const std::string all = text;
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(all.data(), all.data() + all.size(), number);
  if (error != std::errc() || end != all.data() + all.size()) {
    throw std::invalid_argument(name + " is '" + all + "', and should be a whole number");
  }
  return number;
}

// One setting of RC_PARAMS: by the variable, else as it is there already, else the default.
void add_setting(std::string& settings, const std::string& key, const std::string& variable,
                 std::uint64_t otherwise) {
  const std::optional<std::uint64_t> wanted = number_in_environment(variable);
  const std::size_t found = settings.find(key + '=');
  if (found != std::string::npos) {
    if (!wanted) return;
    settings.erase(found, settings.find(' ', found) - found);
  }
  settings += ' ' + key + '=' + std::to_string(wanted.value_or(otherwise));
}

void configure_rapidcheck() {
  const char* given = std::getenv("RC_PARAMS");
  std::string settings = given == nullptr ? "" : given;
  add_setting(settings, "seed", "ALO_SEED", 1);
  add_setting(settings, "max_success", "ALO_CASES", ALO_PROPERTY_CASES);
  setenv("RC_PARAMS", settings.c_str(), 1);
}

}  // namespace

unsigned alo::testing_support::varied(unsigned fixed) {
  const std::optional<std::uint64_t> seed = number_in_environment("ALO_SEED");
  if (!seed) return fixed;
  std::seed_seq both{static_cast<std::uint32_t>(*seed), static_cast<std::uint32_t>(*seed >> 32U),
                     static_cast<std::uint32_t>(fixed)};
  std::uint32_t result = 0;
  both.generate(&result, &result + 1);
  return result;
}

int main(int argument_count, char** arguments) {
  testing::InitGoogleMock(&argument_count, arguments);
  try {
    configure_rapidcheck();
  } catch (const std::invalid_argument& error) {
    std::cerr << error.what() << '\n';
    return 2;
  }
  return RUN_ALL_TESTS();
}
