// SPDX-License-Identifier: MIT
// Reading numeric CSV from a file in memory (the page cache), on one thread.
#include <benchmark/benchmark.h>

#include <array>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include "alo/read.hpp"

namespace {

// A file with 51 columns of normal numbers with the given number of digits: programs write 17, people 6.
std::filesystem::path numeric_csv(int digits) {
  std::mt19937_64 engine(1);
  std::normal_distribution<double> normal;
  std::string text = "y";
  for (int column = 1; column <= 50; ++column) {
    text += ",x" + std::to_string(column);
  }
  for (int row = 0; row < 40000; ++row) {
    char separator = '\n';
    for (int column = 0; column <= 50; ++column) {
      std::array<char, 40> digits_text{};
      const auto end = std::to_chars(digits_text.data(), digits_text.data() + digits_text.size(),
                                     normal(engine), std::chars_format::general, digits);
      text += separator;
      text.append(digits_text.data(), end.ptr);
      separator = ',';
    }
  }
  text += '\n';
  const auto path = std::filesystem::temp_directory_path() / ("alo_bench_" + std::to_string(digits) + ".csv");
  std::ofstream(path) << text;
  return path;
}

void read_csv(benchmark::State& state) {
  const std::filesystem::path path = numeric_csv(static_cast<int>(state.range(0)));
  alo::ReadOptions options;
  options.target = "y";
  while (state.KeepRunning()) {
    benchmark::DoNotOptimize(alo::read_dataset(path.string(), options));
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(std::filesystem::file_size(path)));
  std::filesystem::remove(path);
}

BENCHMARK(read_csv)->ArgName("digits")->Arg(6)->Arg(17)->Unit(benchmark::kMillisecond);

}  // namespace
