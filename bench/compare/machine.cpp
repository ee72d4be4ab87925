// SPDX-License-Identifier: MIT
#include "machine.hpp"

#include <cblas-openblas.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "stopwatch.hpp"

namespace compare {

namespace {

// The fastest of this many calls counts.
constexpr int calls = 10;

template <class Call>
double best_seconds(const Call& call) {
  double best = std::numeric_limits<double>::infinity();
  for (int k = 0; k < calls; ++k) best = std::min(best, seconds_of(call));
  return best;
}

}  // namespace

double dgemm_rate(alo::Index size) {
  const alo::Matrix a = alo::Matrix::Random(size, size);
  const alo::Matrix b = alo::Matrix::Random(size, size);
  alo::Matrix c = alo::Matrix::Zero(size, size);
  const auto n = static_cast<int>(size);
  const double seconds = best_seconds([&] {
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1.0, a.data(), n, b.data(), n, 0.0,
                c.data(), n);
  });
  return 2.0 * static_cast<double>(size) * static_cast<double>(size) * static_cast<double>(size) / seconds *
         1e-9;
}

double triad_rate(alo::Index length) {
  const auto size = static_cast<std::size_t>(length);
  const std::vector<double> b(size, 1.0);
  const std::vector<double> c(size, 1.0);
  std::vector<double> a(size, 0.0);
  const double seconds = best_seconds([&] {
    for (std::size_t i = 0; i < size; ++i) a[i] = b[i] + 3.0 * c[i];
  });
  return 24.0 * static_cast<double>(length) / seconds * 1e-9;
}

// The value is from /proc, because the maximum of getrusage survives exec and starts with that of the
// parent.
double peak_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    double kibibytes = 0.0;
    if (word == "VmHWM:" && status >> kibibytes) return 1024.0 * kibibytes;
  }
  throw std::runtime_error("no VmHWM in /proc/self/status");
}

}  // namespace compare
