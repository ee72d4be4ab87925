// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <mutex>

namespace alo {

// Calls body(k, mutex) for k = 0 .. count - 1 on `threads` threads, which include the calling one and use one
// BLAS thread each. The body locks the mutex around shared data. The first exception ends the work: calls
// that have not begun are left out, and it is thrown again from here. A call from within a body stays on the
// body's thread.
void parallel_for(std::size_t count, int threads,
                  const std::function<void(std::size_t k, std::mutex& mutex)>& body);

}  // namespace alo
