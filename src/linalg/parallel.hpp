// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <mutex>

namespace alo {

// Calls body(k, mutex) for k = 0 .. count - 1 on so many threads, the calling one among them, each with one
// BLAS thread; the body locks the mutex around what it shares. The first exception ends the work: calls
// that have not begun are left out, and it is thrown again from here. Within a body the work of another call
// stays on the body's thread.
void parallel_for(std::size_t count, int threads,
                  const std::function<void(std::size_t k, std::mutex& mutex)>& body);

}  // namespace alo
