// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>

#include <sys/resource.h>

#include "options.hpp"

namespace alo::command {

enum class StopReason { none, interrupted, time, memory };

// Handles SIGINT, SIGTERM and SIGHUP. Before finish_on_signal there is nothing to save, and they end the
// process at once with code 130. After it the first signal asks the work to stop and the second ends the
// process. SIGPIPE and SIGXFSZ are ignored, so that a closed stdout and a file beyond its limit are errors of
// the write. Signals that the parent process ignored stay ignored.
void install_signal_handlers();
void finish_on_signal();
bool interrupted();

// Blocks these signals while files are written, so that no file is left incomplete.
class SignalPause {
 public:
  SignalPause();
  ~SignalPause();
  SignalPause(const SignalPause&) = delete;
  SignalPause& operator=(const SignalPause&) = delete;
};

// Tells whether the work should stop, and why. Time counts from the construction.
class Watch {
 public:
  explicit Watch(const Limits& limits);
  bool should_stop();
  StopReason reason() const { return reason_; }
  const Limits& limits() const { return limits_; }

 private:
  using Clock = std::chrono::steady_clock;
  Limits limits_;
  Clock::time_point start_;
  Clock::time_point last_look_;
  StopReason reason_ = StopReason::none;
};

// While this object lives, memory beyond the limit cannot be allocated (std::bad_alloc). It guards the
// reading of a file, whose need of memory is not known beforehand.
class AllocationLimit {
 public:
  explicit AllocationLimit(const std::optional<double>& megabytes);
  ~AllocationLimit();
  AllocationLimit(const AllocationLimit&) = delete;
  AllocationLimit& operator=(const AllocationLimit&) = delete;

 private:
  rlimit before_{};
  bool active_ = false;
};

// The resident memory of this process in megabytes.
double resident_megabytes();

}  // namespace alo::command
