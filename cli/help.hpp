// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace alo::command {

// A help text that starts with the purpose of the command and ends with examples, which are stored as its
// footer.
class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter() { column_width(34); }
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;

  std::string make_option_opts(const CLI::Option* option) const override;

 private:
  std::string make_all_groups(const CLI::App* app) const;
};

}  // namespace alo::command
