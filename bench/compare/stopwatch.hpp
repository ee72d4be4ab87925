// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <ctime>

namespace compare {

// The elapsed seconds of a call.
template <class Call>
double seconds_of(const Call& call) {
  const auto start = std::chrono::steady_clock::now();
  call();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// The processor seconds that this process has used so far.
inline double processor_seconds() {
  return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

}  // namespace compare
