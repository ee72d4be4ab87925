// SPDX-License-Identifier: MIT
#include "output.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "alo/error.hpp"

namespace alo::command {

namespace fs = std::filesystem;

namespace {

void print_message(std::string_view kind, const std::string& text) {
  std::fputs(fmt::format("alo: {}: {}\n", kind, text).c_str(), stderr);
}

void check_writable(const fs::path& folder, const std::string& option) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    throw InvalidArgument(fmt::format("{}: '{}' is not a folder; name one that exists or can be made", option,
                                      folder.string()));
  }
  if (access(folder.c_str(), W_OK | X_OK) != 0) {
    throw InvalidArgument(fmt::format("{}: the folder '{}' cannot be written to ({}); choose another", option,
                                      folder.string(), std::strerror(errno)));
  }
}

void check_json_file(const fs::path& path, const std::vector<std::string>& inputs) {
  std::error_code error;
  if (fs::is_directory(path, error)) {
    throw InvalidArgument(fmt::format("--json: '{}' is a folder; name a file in it", path.string()));
  }
  for (const std::string& input : inputs) {
    if (!input.empty() && input != "-" && fs::equivalent(path, input, error)) {
      throw InvalidArgument(
          fmt::format("--json: '{}' is also an input of this run; choose another name", input));
    }
  }
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  check_writable(folder, "--json");
}

}  // namespace

void reserve_standard_streams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(descriptor, F_GETFD) != -1) continue;
    // open returns the lowest free descriptor, which is this one. It is opened for reading, so that writes
    // fail.
    if (open("/dev/null", O_RDONLY) != descriptor) std::abort();
  }
}

bool is_styled(std::FILE* stream, bool no_color) {
  const char* const no_color_variable = std::getenv("NO_COLOR");
  const char* const terminal = std::getenv("TERM");
  if (no_color || (no_color_variable != nullptr && *no_color_variable != '\0')) return false;
  if (terminal != nullptr && std::string_view(terminal) == "dumb") return false;
  return isatty(fileno(stream)) != 0;
}

void print_note(const std::string& text) {
  print_message("note", text);
}

void print_warning(const std::string& text) {
  print_message("warning", text);
}

void print_error(const std::string& text) {
  print_message("error", text);
}

void write_stdout(const std::string& text) {
  errno = 0;
  const bool complete = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (complete && std::fflush(stdout) == 0) return;
  if (errno == EPIPE) return;
  throw OutputError(fmt::format("the result could not be written to stdout: {}", std::strerror(errno)));
}

Destination::Destination(const OutputOptions& options, const std::vector<std::string>& inputs) {
  if (!options.json.empty() && options.json != "-") check_json_file(options.json, inputs);
  if (options.folder.empty()) return;
  fs::path folder = fs::absolute(options.folder).lexically_normal();
  if (!folder.has_filename()) folder = folder.parent_path();
  std::error_code error;
  for (fs::path missing = folder; !fs::exists(missing, error) && !error; missing = missing.parent_path()) {
    made_.push_back(missing);
  }
  fs::create_directories(folder, error);
  if (error) {
    throw InvalidArgument(fmt::format("--out: the folder '{}' cannot be made ({}); choose another",
                                      options.folder, error.message()));
  }
  check_writable(folder, "--out");
}

Destination::~Destination() {
  std::error_code error;
  for (const fs::path& folder : made_) {
    // Refused by the system where the folder holds something.
    if (!fs::remove(folder, error) || error) return;
  }
}

}  // namespace alo::command
