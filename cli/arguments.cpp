// SPDX-License-Identifier: MIT
#include "arguments.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "alo/error.hpp"
#include "alo/registry.hpp"

namespace alo::command {

namespace {

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// "-" means standard input and "-1" is a number: neither is an option.
bool looks_like_option(const std::string& word) {
  if (word.size() < 2 || word[0] != '-') return false;
  return !(word[1] == '.' || std::isdigit(static_cast<unsigned char>(word[1])) != 0);
}

[[noreturn]] void refuse_option(const CLI::App& app, const CLI::App& command, const std::string& name) {
  std::vector<std::string> owners;
  for (const CLI::App* other : app.get_subcommands({})) {
    if (contains(option_names(*other), name)) owners.push_back("alo " + other->get_name());
  }
  if (!owners.empty()) {
    throw InvalidArgument(fmt::format("alo {} has no option {}; it belongs to {}", command.get_name(), name,
                                      fmt::join(owners, ", ")));
  }
  const auto near = nearest_name(name, option_names(command));
  throw InvalidArgument(
      fmt::format("there is no option {}{}", name, near ? fmt::format("; did you mean {}?", *near) : ""));
}

}  // namespace

void check_words(const CLI::App& app, const std::vector<std::string>& arguments) {
  std::vector<std::string> names;
  const CLI::App* command = &app;
  for (const CLI::App* each : app.get_subcommands({})) {
    names.push_back(each->get_name());
    if (!arguments.empty() && each->get_name() == arguments[0]) command = each;
  }
  if (arguments.empty()) {
    throw InvalidArgument(
        fmt::format("name a command: {}; alo --help shows examples", fmt::join(names, ", ")));
  }
  if (command == &app && !looks_like_option(arguments[0])) {
    const auto near = nearest_name(arguments[0], names);
    throw InvalidArgument(fmt::format("there is no command '{}'{}; available: {}", arguments[0],
                                      near ? fmt::format(" (did you mean '{}'?)", *near) : "",
                                      fmt::join(names, ", ")));
  }
  const std::vector<std::string> known = option_names(*command);
  std::vector<std::string> seen;
  for (const std::string& word : arguments) {
    if (word == "--") return;
    if (!looks_like_option(word)) continue;
    const std::string name = word.substr(0, word.find('='));
    if (!contains(known, name)) refuse_option(app, *command, name);
    if (contains(seen, name)) throw InvalidArgument(fmt::format("{} is given twice; give it once", name));
    seen.push_back(name);
  }
}

}  // namespace alo::command
