// SPDX-License-Identifier: MIT
#include "help.hpp"

#include <fmt/format.h>

namespace alo::command {

std::string HelpFormatter::make_all_groups(const CLI::App* app) const {
  std::string text;
  for (const std::string& group : app->get_groups()) {
    const auto options = app->get_options([&group](const CLI::Option* option) {
      return option->get_group() == group && option->nonpositional();
    });
    if (!group.empty() && !options.empty()) text += make_group(group, false, options);
  }
  return text;
}

std::string HelpFormatter::make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const {
  if (mode == CLI::AppFormatMode::Sub) return make_expanded(app);
  return app->get_description() + "\n\nExamples:\n" + app->get_footer() + "\n" + make_usage(app, name) +
         make_positionals(app) + make_all_groups(app) + make_subcommands(app, mode);
}

std::string HelpFormatter::make_option_opts(const CLI::Option* option) const {
  return option->get_type_size() == 0 || option->get_type_name().empty() ? "" : " " + option->get_type_name();
}

}  // namespace alo::command
