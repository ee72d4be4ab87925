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
  spent_ = 0;
  provenance_ = {};
}

// Adds a file to the provenance of the experiment and returns its record.
Json Records::count(const Json& file) {
  ++provenance_.units;
  provenance_.seconds += number(file["seconds"]);
  provenance_.makers.insert(file["maker"].get<std::string>());
  return file["record"];
}

Json Records::get(const std::string& unit, const std::function<Json()>& compute) {
  const std::filesystem::path path = folder_ / experiment_ / (unit + ".json");
  const std::size_t done = provenance_.units, computed = done - provenance_.earlier;
  if (std::filesystem::exists(path)) {
    const Json file = Json::parse(read_file(path));
    if (file.contains("maker")) {
      ++provenance_.earlier;
      return count(file);
    }
  }
  const double left =
      computed == 0 ? 0 : spent_ / static_cast<double>(computed) * static_cast<double>(units_ - done);
  fmt::print(stderr, "{:10} {:3} of {:3}  {}{}\n", experiment_, done + 1, units_, unit,
             left > 1 ? fmt::format("  ({} left in this one)", minutes(left)) : "");
  Json record;
  const double seconds = compare::seconds_of([&] { record = compute(); });
  spent_ += seconds;
  const Json file = {{"maker", maker_}, {"seconds", seconds}, {"record", std::move(record)}};
  write_file(path, alo::report::dump(file));
  return count(file);
}

}  // namespace paper
