// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>

namespace compare {

// Elapsed seconds of a call.
template <class Call>
double seconds_of(const Call& call) {
  const auto start = std::chrono::steady_clock::now();
  call();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace compare
