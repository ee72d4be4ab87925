// SPDX-License-Identifier: MIT
#pragma once

#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "options.hpp"

namespace alo::command {

// Exit codes, in their order of precedence (docs/command.md).
namespace exit_code {
inline constexpr int interrupted = 130;
inline constexpr int limit_reached = 6;
inline constexpr int certificate_missed = 4;
inline constexpr int unreliable = 5;
inline constexpr int bad_data = 3;
inline constexpr int usage = 2;
inline constexpr int internal = 1;
inline constexpr int ok = 0;
}  // namespace exit_code

// Makes sure that descriptors 0, 1 and 2 are taken, so that no file that is opened later
// becomes the standard output by accident.
void reserve_standard_streams();

// Whether escape sequences may be sent: a terminal, no NO_COLOR, not TERM=dumb.
bool is_styled(std::FILE* stream, bool no_color);

void print_note(const std::string& text);
void print_warning(const std::string& text);
void print_error(const std::string& text);

// Writes all of it and flushes. A reader that went away is not an error; anything else
// (disk full) is an OutputError.
void write_stdout(const std::string& text);

// The places that a run will write to, checked before the work: the folder is made, and
// an InvalidArgument says if that is impossible. A folder that was made here and stayed
// empty is removed again.
class Destination {
 public:
  Destination(const OutputOptions& options, const std::vector<std::string>& inputs);
  ~Destination();
  Destination(const Destination&) = delete;
  Destination& operator=(const Destination&) = delete;

 private:
  std::vector<std::filesystem::path> made_;  // innermost first
};

}  // namespace alo::command
