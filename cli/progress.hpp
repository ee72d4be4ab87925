// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace alo::command {

// Estimates the remaining time of a stage from the time it has taken so far.
class RemainingTime {
 public:
  explicit RemainingTime(double now) : latest_(now), stage_start_(now) {}
  // The remaining time; times are in seconds. A stage starts at the last report of the stage before, since
  // its own first report comes when part of its work is done.
  double left(std::string_view stage, double fraction, double now);

 private:
  std::string stage_;
  double latest_;
  double stage_start_;
};

// A line on stderr with the progress of the work and its remaining time. It appears only for work of more
// than a second, is redrawn at most ten times a second, and is erased in the end.
class Progress {
 public:
  explicit Progress(bool enabled) : enabled_(enabled), start_(Clock::now()), last_draw_(start_), time_(0.0) {}
  ~Progress() { erase(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void update(std::string_view stage, double done, double total);
  void erase();

 private:
  using Clock = std::chrono::steady_clock;
  bool enabled_;
  bool drawn_ = false;
  Clock::time_point start_;
  Clock::time_point last_draw_;
  RemainingTime time_;  // measured from the start
};

// "path [######..............]  30 %, 12 s left"
std::string progress_line(std::string_view stage, double fraction, double seconds_left);

}  // namespace alo::command
