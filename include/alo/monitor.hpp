// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string_view>

namespace alo {

// How a caller watches long work and ends it early. `progress` hears the stage's
// name and how much of it is done; `should_stop` is asked between units of work
// (one lambda, one refit), and what was finished by then is returned. Both may be
// called from worker threads, one at a time.
struct Monitor {
  std::function<void(std::string_view stage, double done, double total)> progress;
  std::function<bool()> should_stop;

  void report(std::string_view stage, double done, double total) const {
    if (progress) progress(stage, done, total);
  }
  bool stop() const { return should_stop && should_stop(); }
};

}  // namespace alo
