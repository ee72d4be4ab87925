// SPDX-License-Identifier: MIT
// Threads of the standard library and not those of OpenMP: a process that has used the latter cannot use them
// again after fork(), as Python and R call it, and ThreadSanitizer does not know how they wait for each
// other.
#include "linalg/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

#include "linalg/blas.hpp"

namespace alo {

namespace {

// Whether the calling thread is one of several that share some work.
thread_local bool shares_work = false;

class SharedWork {
 public:
  using Body = std::function<void(std::size_t, std::mutex&)>;
  SharedWork(std::size_t count, const Body& body) : count_(count), body_(body) {}

  // Takes calls until none is left or one has failed.
  void run() {
    for (std::size_t k = next_++; k < count_ && !failed_; k = next_++) {
      try {
        body_(k, mutex_);
      } catch (...) {
        const std::scoped_lock lock(mutex_);
        if (!failure_) failure_ = std::current_exception();
        failed_ = true;
      }
    }
  }

  // The same with the given number of helper threads.
  void run_with(std::size_t helpers) {
    std::vector<std::jthread> threads;  // joined at the end
    try {
      for (std::size_t k = 0; k < helpers; ++k) {
        threads.emplace_back([this] {
          shares_work = true;
          run();
        });
      }
    } catch (const std::system_error&) {
      // The system gives no more threads; those that there are do the work.
    }
    shares_work = true;
    run();
    shares_work = false;
  }

  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  const std::size_t count_;
  const Body& body_;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> failed_{false};
  std::mutex mutex_;
  std::exception_ptr failure_;
};

}  // namespace

void parallel_for(std::size_t count, int threads, const std::function<void(std::size_t, std::mutex&)>& body) {
  const blas::ThreadScope one_thread_each(1);
  SharedWork work(count, body);
  const std::size_t most = std::min(count, static_cast<std::size_t>(std::max(1, threads)));
  if (shares_work || most < 2) {
    work.run();
  } else {
    work.run_with(most - 1);
  }
  work.rethrow();
}

}  // namespace alo
