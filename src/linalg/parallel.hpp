// SPDX-License-Identifier: MIT
#pragma once

#include <exception>
#include <mutex>

#include "linalg/blas.hpp"

namespace alo {

// Calls body(k, mutex) for k = 0 .. count - 1 on so many threads, each with one BLAS thread;
// the body locks the mutex around what it shares. The first exception ends the work: calls
// that have not begun are left out, and it is thrown again from here.
template <class Body>
void parallel_for(std::size_t count, int threads, const Body& body) {
  const blas::ThreadScope one_thread_each(1);
  std::mutex mutex;
  std::exception_ptr failure;
#pragma omp parallel for schedule(dynamic) num_threads(threads)
  for (std::size_t k = 0; k < count; ++k) {
    {
      const std::scoped_lock lock(mutex);
      if (failure) continue;
    }
    try {
      body(k, mutex);
    } catch (...) {
      const std::scoped_lock lock(mutex);
      if (!failure) failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace alo
