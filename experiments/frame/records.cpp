// SPDX-License-Identifier: MIT
#include "records.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <utility>

#include "stopwatch.hpp"

namespace paper {

namespace {

std::string minutes(double seconds) {
  return seconds < 90 ? fmt::format("{:.0f} s", seconds) : fmt::format("{:.0f} min", seconds / 60);
}

}  // namespace

Json list(const std::vector<double>& values) {
  Json out = Json::array();
  for (const double value : values) out.push_back(alo::report::number(value));
  return out;
}

double number(const Json& value) {
  return value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN();
}

std::vector<double> numbers(const Json& list) {
  std::vector<double> out;
  for (const Json& value : list) out.push_back(number(value));
  return out;
}

void write_file(const std::filesystem::path& path, const std::string& text) {
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path());
  const std::filesystem::path temporary = path.string() + ".part";
  {
    std::ofstream file(temporary, std::ios::binary);
    file << text;
    if (!file.flush()) throw std::runtime_error(path.string() + " cannot be written");
  }
  std::filesystem::rename(temporary, path);
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(path.string() + " cannot be read");
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void Records::begin(const std::string& experiment, std::size_t units) {
  experiment_ = experiment;
  units_ = units;
  done_ = timed_ = 0;
  spent_ = 0;
}

Json Records::get(const std::string& unit, const std::function<Json()>& compute) {
  const std::filesystem::path path = folder_ / experiment_ / (unit + ".json");
  ++done_;
  if (std::filesystem::exists(path)) return Json::parse(read_file(path));
  const double left =
      timed_ == 0 ? 0 : spent_ / static_cast<double>(timed_) * static_cast<double>(units_ - done_ + 1);
  fmt::print(stderr, "{:10} {:3} of {:3}  {}{}\n", experiment_, done_, units_, unit,
             left > 1 ? fmt::format("  ({} left in this one)", minutes(left)) : "");
  Json record;
  spent_ += compare::seconds_of([&] { record = compute(); });
  ++timed_;
  write_file(path, alo::report::dump(record));
  return record;
}

}  // namespace paper
