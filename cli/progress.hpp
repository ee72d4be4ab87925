// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace alo::command {

// How long a stage will take, judged by how long it has taken so far.
class RemainingTime {
 public:
  explicit RemainingTime(double now) : latest_(now), stage_start_(now) {}
  // Times in seconds. A stage has begun when the one before it was last heard of, not with its own first
  // report, which comes when part of the work is done.
  double left(std::string_view stage, double fraction, double now);

 private:
  std::string stage_;
  double latest_;
  double stage_start_;
};

// A line on stderr that shows how far the work is and how long it will take: only for
// work of more than a second, redrawn at most ten times a second, erased in the end.
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
  RemainingTime time_;  // since the start
};

// "path [######..............]  30 %, 12 s left"
std::string progress_line(std::string_view stage, double fraction, double seconds_left);

}  // namespace alo::command
