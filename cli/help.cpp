// SPDX-License-Identifier: MIT
#include "help.hpp"

#include <fmt/format.h>

namespace alo::command {

std::string HelpFormatter::make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const {
  if (mode == CLI::AppFormatMode::Sub) return make_expanded(app);
  std::string help = app->get_description() + "\n\nExamples:\n" + app->get_footer() + "\n";
  help += make_usage(app, (name.empty() ? "" : name + " ") + app->get_name());
  help += make_positionals(app);
  help += make_groups(app, mode);
  help += make_subcommands(app, mode);
  return help;
}

std::string HelpFormatter::make_option_opts(const CLI::Option* option) const {
  return option->get_type_size() == 0 || option->get_type_name().empty() ? "" : " " + option->get_type_name();
}

}  // namespace alo::command
