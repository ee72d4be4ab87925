// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace alo::command {

// A line on stderr that shows how far the work is and how long it will take: only for
// work of more than a second, redrawn at most ten times a second, erased in the end.
class Progress {
 public:
  explicit Progress(bool enabled) : enabled_(enabled), start_(Clock::now()), last_draw_(start_) {}
  ~Progress() { erase(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void update(std::string_view stage, double done, double total);
  void erase();

 private:
  using Clock = std::chrono::steady_clock;
  bool enabled_;
  bool drawn_ = false;
  std::string stage_;
  Clock::time_point start_;
  Clock::time_point stage_start_;
  Clock::time_point last_draw_;
};

// "path [######..............]  30 %, 12 s left"
std::string progress_line(std::string_view stage, double fraction, double seconds_left);

}  // namespace alo::command
