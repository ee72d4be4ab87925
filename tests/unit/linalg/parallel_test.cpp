// SPDX-License-Identifier: MIT
#include "linalg/parallel.hpp"

#include <cblas-openblas.h>
#include <gtest/gtest.h>

#include <latch>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "linalg/blas.hpp"

namespace alo {
namespace {

TEST(ParallelFor, CallsTheBodyOncePerUnit) {
  for (const int threads : {-1, 1, 2, 4, 100}) {
    std::vector<int> calls(50, 0);
    parallel_for(calls.size(), threads, [&](std::size_t k, std::mutex&) { ++calls[k]; });
    EXPECT_EQ(calls, std::vector<int>(50, 1)) << threads;
  }
  parallel_for(0, 2, [](std::size_t, std::mutex&) { FAIL() << "there is nothing to do"; });
}

TEST(ParallelFor, UsesAsManyThreadsAsAreAskedFor) {
  std::set<std::thread::id> seen;
  std::latch all(3);
  parallel_for(3, 3, [&](std::size_t, std::mutex& mutex) {
    all.arrive_and_wait();  // ends only if three threads are here at once
    const std::scoped_lock lock(mutex);
    seen.insert(std::this_thread::get_id());
  });
  EXPECT_EQ(seen.size(), 3U);
  EXPECT_TRUE(seen.contains(std::this_thread::get_id()));
}

TEST(ParallelFor, WorkWithinABodyStaysOnItsThread) {
  parallel_for(4, 2, [](std::size_t, std::mutex&) {
    const std::thread::id here = std::this_thread::get_id();
    parallel_for(8, 4, [&](std::size_t, std::mutex&) { EXPECT_EQ(std::this_thread::get_id(), here); });
  });
}

TEST(ParallelFor, TheFirstExceptionEndsTheWorkAndIsThrownAgain) {
  for (const int threads : {1, 2}) {
    std::size_t calls = 0;
    const auto work = [&] {
      parallel_for(10'000, threads, [&](std::size_t k, std::mutex& mutex) {
        const std::scoped_lock lock(mutex);
        ++calls;
        if (k == 5) throw std::runtime_error("unit 5");
      });
    };
    EXPECT_THROW(work(), std::runtime_error);
    EXPECT_GE(calls, 6U);
    if (threads == 1) {
      EXPECT_EQ(calls, 6U);
    }
    // The next call is not touched by it.
    EXPECT_NO_THROW(parallel_for(2, threads, [](std::size_t, std::mutex&) {}));
  }
}

class ThreadScope : public testing::Test {
 protected:
  ThreadScope() { openblas_set_num_threads(3); }
  ~ThreadScope() override { openblas_set_num_threads(before_); }

 private:
  int before_ = openblas_get_num_threads();
};

TEST_F(ThreadScope, IsWhatItAsksForAndEndsAsItBegan) {
  {
    const blas::ThreadScope two(2);
    EXPECT_EQ(openblas_get_num_threads(), 2);
    {
      const blas::ThreadScope one(1);
      EXPECT_EQ(openblas_get_num_threads(), 1);
    }
    EXPECT_EQ(openblas_get_num_threads(), 2);
  }
  EXPECT_EQ(openblas_get_num_threads(), 3);
}

// Scopes of two threads that end in the order in which they began: each would restore what the other set.
TEST_F(ThreadScope, ScopesOfSeveralThreadsMayOverlapInAnyOrder) {
  std::latch first_open(1);
  std::latch second_open(1);
  std::latch first_closed(1);
  std::thread first([&] {
    {
      const blas::ThreadScope scope(2);
      first_open.count_down();
      second_open.wait();
      EXPECT_EQ(openblas_get_num_threads(), 1) << "two threads are at work";
    }
    first_closed.count_down();
  });
  std::thread second([&] {
    first_open.wait();
    const blas::ThreadScope scope(2);
    second_open.count_down();
    first_closed.wait();
    EXPECT_EQ(openblas_get_num_threads(), 2) << "this one is alone again";
  });
  first.join();
  second.join();
  EXPECT_EQ(openblas_get_num_threads(), 3);
}

}  // namespace
}  // namespace alo
