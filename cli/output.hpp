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

// Occupies the descriptors 0, 1 and 2 if they are closed, so that no file opened later becomes the standard
// output by accident.
void reserve_standard_streams();

// True when escape sequences may be sent: to a terminal, without NO_COLOR, and not with TERM=dumb.
bool is_styled(std::FILE* stream, bool no_color);

void print_note(const std::string& text);
void print_warning(const std::string& text);
void print_error(const std::string& text);

// Writes the whole text and flushes. A reader that closed the pipe is not an error; any other failure (disk
// full) throws OutputError.
void write_stdout(const std::string& text);

// The places that a run will write to, checked before the work starts: the folder is created, and
// InvalidArgument says if that is impossible. A folder that was created here and stayed empty is removed.
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
