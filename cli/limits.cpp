// SPDX-License-Identifier: MIT
#include "limits.hpp"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>

#include <unistd.h>

namespace alo::command {

namespace {

std::atomic<bool> stop_asked{false};
std::atomic<bool> can_finish{false};
static_assert(std::atomic<bool>::is_always_lock_free);

// The result of write is ignored: a signal handler can do nothing about a failure.
template <std::size_t N>
void end_at_once(const char (&message)[N]) {
  [[maybe_unused]] const auto written = write(STDERR_FILENO, message, N - 1);
  _exit(130);
}

extern "C" void on_stop_signal(int) {
  const bool asked_before = stop_asked.exchange(true);
  if (asked_before) end_at_once("\nalo: interrupted again; ended at once\n");
  if (!can_finish) end_at_once("\nalo: interrupted; nothing was written\n");
}

sigset_t stop_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGHUP);
  return set;
}

// AddressSanitizer reserves far more address space than any limit and ends the process where memory is
// refused, so the limit is off under it.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool memory_can_be_refused = false;
#else
constexpr bool memory_can_be_refused = true;
#endif

struct Memory {
  double total = 0;
  double resident = 0;
};

// The memory of the process from /proc/self/statm; zeros where that file does not exist.
Memory memory_megabytes() {
  long total = 0;
  long resident = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%ld %ld", &total, &resident) != 2) total = resident = 0;
    std::fclose(file);
  }
  const double page = static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
  return {static_cast<double>(total) * page, static_cast<double>(resident) * page};
}

}  // namespace

void install_signal_handlers() {
  struct sigaction action = {};
  action.sa_handler = on_stop_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before = {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);
  }
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

void finish_on_signal() {
  can_finish = true;
}

bool interrupted() {
  return stop_asked;
}

SignalPause::SignalPause() {
  const sigset_t set = stop_signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

SignalPause::~SignalPause() {
  const sigset_t set = stop_signals();
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

Watch::Watch(const Limits& limits) : limits_(limits), start_(Clock::now()), last_look_(start_) {}

bool Watch::should_stop() {
  if (reason_ != StopReason::none) return true;
  const auto now = Clock::now();
  if (interrupted()) {
    reason_ = StopReason::interrupted;
  } else if (limits_.seconds && std::chrono::duration<double>(now - start_).count() > *limits_.seconds) {
    reason_ = StopReason::time;
  } else if (limits_.megabytes && now - last_look_ > std::chrono::milliseconds(20)) {
    last_look_ = now;
    if (resident_megabytes() > *limits_.megabytes) reason_ = StopReason::memory;
  }
  return reason_ != StopReason::none;
}

AllocationLimit::AllocationLimit(const std::optional<double>& megabytes) {
  if (!memory_can_be_refused || !megabytes || getrlimit(RLIMIT_AS, &before_) != 0) return;
  const Memory memory = memory_megabytes();
  rlimit limit = before_;
  const double room = std::max(*megabytes - memory.resident, 1.0);
  limit.rlim_cur = std::min(before_.rlim_cur, static_cast<rlim_t>((memory.total + room) * 1e6));
  active_ = setrlimit(RLIMIT_AS, &limit) == 0;
}

AllocationLimit::~AllocationLimit() {
  if (active_) setrlimit(RLIMIT_AS, &before_);
}

double resident_megabytes() {
  return memory_megabytes().resident;
}

}  // namespace alo::command
