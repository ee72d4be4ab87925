// SPDX-License-Identifier: MIT
// Work that Ctrl-C ends.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <list>
#include <mutex>
#include <thread>

#include "bind.hpp"

namespace alo::python {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// How often signals are looked for: a Ctrl-C should seem immediate (0.2 s), and a look takes microseconds.
constexpr milliseconds between_looks{20};
// How long an interrupted run may take to end by itself before it is left to. Most do within one lambda.
constexpr milliseconds patience{50};

// What the thread that works and the one that waits share. It outlives whoever ends first.
struct Job {
  std::mutex mutex;
  std::condition_variable ended;
  bool is_done = false;
  std::atomic<bool> stop{false};
  TuneResult result;
  std::exception_ptr error;
};

// Interrupted runs that have not ended yet. The interpreter waits for them before it exits, because threads
// that outlive static objects of the library would read freed memory.
class Abandoned {
 public:
  void add(std::thread thread) {
    const std::lock_guard lock(mutex_);
    threads_.push_back(std::move(thread));
  }
  void join() {
    const std::lock_guard lock(mutex_);
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

 private:
  std::mutex mutex_;
  std::list<std::thread> threads_;
};

Abandoned& abandoned() {
  static Abandoned threads;
  return threads;
}

bool wait_for_end(Job& job, milliseconds time) {
  std::unique_lock lock(job.mutex);
  return job.ended.wait_for(lock, time, [&job] { return job.is_done; });
}

void work(Job& job, const Problem& problem, const TuneOptions& options, std::optional<double> time_limit) {
  const Clock::time_point start = Clock::now();
  Monitor monitor;
  monitor.should_stop = [&job, start, time_limit] {
    return job.stop ||
           (time_limit && std::chrono::duration<double>(Clock::now() - start).count() > *time_limit);
  };
  try {
    job.result = tune(problem, options, monitor);
  } catch (...) {
    job.error = std::current_exception();
  }
  const std::lock_guard lock(job.mutex);
  job.is_done = true;
  job.ended.notify_all();
}

}  // namespace

TuneResult tune_interruptibly(std::shared_ptr<const Model> model, const TuneOptions& options,
                              std::optional<double> time_limit) {
  const auto job = std::make_shared<Job>();
  std::thread worker([job, model = std::move(model), options, time_limit] {
    work(*job, model->problem, options, time_limit);
  });
  bool interrupted = false;
  {
    const nb::gil_scoped_release unlocked;
    while (!wait_for_end(*job, between_looks)) {
      const nb::gil_scoped_acquire locked;
      if (PyErr_CheckSignals() == 0) continue;
      interrupted = true;
      break;
    }
    if (interrupted) job->stop = true;
    if (!interrupted || wait_for_end(*job, patience)) {
      worker.join();
    } else {
      abandoned().add(std::move(worker));
    }
  }
  if (interrupted) throw nb::python_error();
  if (job->error) std::rethrow_exception(job->error);
  return std::move(job->result);
}

void wait_for_interrupted_runs() {
  const nb::gil_scoped_release unlocked;
  abandoned().join();
}

}  // namespace alo::python
