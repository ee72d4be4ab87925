// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace alo::command {

// Help that begins with what the command is for and with examples, which are kept as the
// footer of each command.
class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter() { column_width(34); }
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;

  std::string make_option_opts(const CLI::Option* option) const override;

 private:
  std::string make_all_groups(const CLI::App* app) const;
};

}  // namespace alo::command
