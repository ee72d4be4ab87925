// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string_view>

namespace alo {

// A Monitor lets a caller watch long work and end it early. `progress` receives the name of the stage and
// how much of it is done. `should_stop` is asked between units of work (one lambda, one refit); when it
// says yes, the finished part is returned. Both may be called from worker threads, but never by two at
// once.
struct Monitor {
  std::function<void(std::string_view stage, double done, double total)> progress;
  std::function<bool()> should_stop;

  void report(std::string_view stage, double done, double total) const {
    if (progress) progress(stage, done, total);
  }
  bool stop() const { return should_stop && should_stop(); }
};

}  // namespace alo
