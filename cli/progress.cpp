// SPDX-License-Identifier: MIT
#include "progress.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <fmt/format.h>

namespace alo::command {

namespace {

std::string duration_text(double seconds) {
  const auto whole = static_cast<long>(std::ceil(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

}  // namespace

std::string progress_line(std::string_view stage, double fraction, double seconds_left) {
  // The length of the bar in characters; the line fits into 80.
  constexpr int width = 30;
  const int filled = static_cast<int>(std::lround(fraction * width));
  return fmt::format("{} [{:#<{}}{:.<{}}] {:3.0f} %, {} left", stage, "", filled, "", width - filled,
                     100 * fraction, duration_text(seconds_left));
}

double RemainingTime::left(std::string_view stage, double fraction, double now) {
  if (stage != stage_) {
    stage_ = stage;
    stage_start_ = latest_;
  }
  latest_ = now;
  return (now - stage_start_) * (1 - fraction) / fraction;
}

void Progress::update(std::string_view stage, double done, double total) {
  if (!enabled_ || !(done > 0) || !(total > 0)) return;
  const auto now = Clock::now();
  const double fraction = std::min(done / total, 1.0);
  const double left = time_.left(stage, fraction, std::chrono::duration<double>(now - start_).count());
  if (now - start_ < std::chrono::seconds(1) || now - last_draw_ < std::chrono::milliseconds(100)) return;
  last_draw_ = now;
  const std::string line = progress_line(stage, fraction, left);
  std::fprintf(stderr, "\r\033[K%s", line.c_str());
  std::fflush(stderr);
  drawn_ = true;
}

void Progress::erase() {
  if (!drawn_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  drawn_ = false;
}

}  // namespace alo::command
