// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "alo/error.hpp"
#include "alo/report.hpp"
#include "figures/matrix_figure.hpp"
#include "figures/signal_figure.hpp"
#include "summary/matrix.hpp"
#include "summary/words.hpp"

namespace alo {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, const char* step, int reason) {
  throw OutputError(fmt::format("cannot {} {}: {}; nothing was written there", step, path.string(),
                                std::generic_category().message(reason)));
}

// Writes everything and, with the flag, waits until it is on the disk; returns errno, or 0.
int write_all(int descriptor, const std::string& text, bool synchronize) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = ::write(descriptor, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    done += static_cast<std::size_t>(count);
  }
  if (synchronize && ::fsync(descriptor) != 0) return errno;
  return 0;
}

int write_and_close(int descriptor, const std::string& text, bool synchronize) {
  const int written = write_all(descriptor, text, synchronize);
  const int closed = ::close(descriptor) == 0 ? 0 : errno;
  return written != 0 ? written : closed;
}

// True for a device or a pipe (/dev/stdout, a named pipe), which is written to and never replaced.
bool is_stream(const fs::path& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status)) return true;
  const std::string text = path.string();
  return text.starts_with("/dev/std") || text.starts_with("/dev/fd/") || text.starts_with("/proc/");
}

// Removes a file of an earlier run, which would pass for a part of this one.
void remove_outdated(const fs::path& path) {
  std::error_code reason;
  fs::remove(path, reason);
  if (reason) throw OutputError("cannot remove the outdated " + path.string() + ": " + reason.message());
}

template <class Render>
void write_or_remove(const fs::path& path, bool wanted, const Render& render) {
  if (wanted) {
    write_file(path, render());
  } else {
    remove_outdated(path);
  }
}

void write_stream(const fs::path& path, const std::string& text) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_TRUNC);
  if (descriptor < 0) fail(path, "open", errno);
  const int reason = write_and_close(descriptor, text, false);
  if (reason != 0) {
    throw OutputError(
        fmt::format("cannot write all of {}: {}", path.string(), std::generic_category().message(reason)));
  }
}

fs::path temporary_name(const fs::path& path) {
  static std::atomic<unsigned> counter{0};
  fs::path name = path;
  name.replace_filename(fmt::format(".{}.{}.{}.tmp", path.filename().string(), ::getpid(), counter++));
  return name;
}

}  // namespace

void write_file(const fs::path& path, const std::string& text) {
  if (path.filename().empty())
    throw OutputError("cannot write '" + path.string() + "': it is not a file name");
  if (is_stream(path)) return write_stream(path, text);
  std::error_code ignored;
  // The target of a symbolic link is replaced, not the link.
  const fs::path target =
      fs::is_symlink(path, ignored) && fs::exists(path, ignored) ? fs::canonical(path) : path;
  const fs::path temporary = temporary_name(target);
  const int descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor < 0) fail(path, "create", errno);
  int reason = write_and_close(descriptor, text, true);
  const char* step = "write";
  if (reason == 0 && ::rename(temporary.c_str(), target.c_str()) != 0) {
    reason = errno;
    step = "replace";
  }
  if (reason != 0) {
    ::unlink(temporary.c_str());
    fail(path, step, reason);
  }
}

void write_report(const fs::path& folder, const Problem& problem, const TuneResult& result,
                  const ReportContext& context) {
  std::error_code reason;
  fs::create_directories(folder, reason);
  if (reason || !fs::is_directory(folder)) {
    throw OutputError(fmt::format("cannot make the output folder {}: {}", folder.string(),
                                  reason ? reason.message() : "a file of that name exists"));
  }
  write_file(folder / "result.json", render_json(problem, result, context));
  write_file(folder / "risk.csv", render_risk_csv(problem, result));
  write_or_remove(folder / "model.json", has_model(result),
                  [&] { return render_model_json(problem, result, context); });
  write_or_remove(folder / "coefficients.csv", report::has_coefficients(problem),
                  [&] { return render_coefficients_csv(problem, result, context); });
  const bool is_matrix = report::matrix_shape(problem).has_value();
  write_or_remove(folder / "paths.svg",
                  report::has_coefficients(problem) && !report::is_signal(problem) && !is_matrix,
                  [&] { return render_paths_svg(problem, result); });
  write_or_remove(folder / "matrix.svg", is_matrix,
                  [&] { return report::render_matrix_svg(problem, result); });
  write_or_remove(folder / "signal.svg", report::is_signal(problem),
                  [&] { return report::render_signal_svg(problem, result); });
  write_file(folder / "risk.svg", render_risk_svg(problem, result));
  write_file(folder / "leverage.svg", render_leverage_svg(problem, result));
  write_file(folder / "report.html", render_html(problem, result, context));
}

}  // namespace alo
