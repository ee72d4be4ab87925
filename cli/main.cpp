// SPDX-License-Identifier: MIT
#include <cstdlib>
#include <new>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <fmt/format.h>

#include "alo/error.hpp"
#include "arguments.hpp"
#include "commands.hpp"
#include "help.hpp"
#include "limits.hpp"
#include "output.hpp"
#include "wording.hpp"

namespace {

using namespace alo::command;

int run(int count, char** words) {
  CLI::App app("Approximate leave-one-out tuning of penalised models", "alo");
  int code = exit_code::ok;
  app.formatter(std::make_shared<HelpFormatter>());
  app.set_version_flag("--version", "alo " ALO_VERSION, "print the version");
  app.require_subcommand(1);
  app.footer(
      "  alo tune data.csv --out report        tune a lasso and write a report\n"
      "  alo predict report new.csv            predict new rows with it\n"
      "  alo COMMAND --help                    everything about one command\n");
  add_tune(app, code);
  add_fit(app, code);
  add_predict(app, code);
  add_check(app, code);
  try {
    check_words(app, std::vector<std::string>(words + std::min(count, 1), words + count));
    app.parse(count, words);
  } catch (const CLI::CallForVersion&) {
    write_stdout(app.version() + "\n");
  } catch (const CLI::Success&) {
    write_stdout(app.help());
  }
  return code;
}

// Keeps freed memory in the process. Fits allocate and free the same matrices repeatedly, and by default
// glibc returns large blocks to the system at once, so that the next allocation gets fresh pages that must
// be zeroed. The command sets this and not the library, because it concerns the whole process. `most_kept`
// bytes (1 GB) bound what is kept; at a tenth large fits would return their memory again.
void keep_freed_memory() {
#ifdef __GLIBC__
  constexpr int largest_kept_block = 32 << 20;  // the largest value that glibc accepts
  constexpr int most_kept = 1 << 30;
  mallopt(M_MMAP_THRESHOLD, largest_kept_block);
  mallopt(M_TRIM_THRESHOLD, most_kept);
#endif
}

int fail(int code, const std::string& message) {
  print_error(message);
  return code;
}

}  // namespace

int main(int count, char** words) {
  try {
    keep_freed_memory();
    reserve_standard_streams();
    install_signal_handlers();
    return run(count, words);
  } catch (const CLI::ArgumentMismatch& error) {
    const std::string text = error.what();
    return fail(exit_code::usage, text.substr(0, text.find(':')) + " needs a value; none was given");
  } catch (const CLI::Error& error) {
    return fail(exit_code::usage,
                fmt::format("{}. alo --help and alo COMMAND --help show examples", error.what()));
  } catch (const alo::InvalidData& error) {
    return fail(exit_code::bad_data, in_options(error.message()));
  } catch (const alo::InvalidArgument& error) {
    return fail(exit_code::usage, in_options(error.message()));
  } catch (const alo::Error& error) {
    return fail(exit_code::internal, in_options(error.message()));
  } catch (const std::bad_alloc&) {
    return fail(exit_code::limit_reached,
                "not enough memory; nothing more was written. Try fewer rows, columns or "
                "--lambdas, or a sparse format");
  } catch (const std::exception& error) {
    return fail(exit_code::internal, fmt::format("internal error: {}", error.what()));
  }
}
