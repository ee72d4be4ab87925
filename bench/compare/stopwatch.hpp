// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <ctime>

namespace compare {

// Elapsed seconds of a call.
template <class Call>
double seconds_of(const Call& call) {
  const auto start = std::chrono::steady_clock::now();
  call();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Seconds that this process has computed so far.
inline double processor_seconds() {
  return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

}  // namespace compare
