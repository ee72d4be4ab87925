// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "report/json_text.hpp"

namespace paper {

using Json = alo::report::Json;

// Numbers that are not finite become null in a record.
Json list(const std::vector<double>& values);
std::vector<double> numbers(const Json& list);
double number(const Json& value);

// The origin of the records of an experiment.
struct Provenance {
  std::size_t units = 0;
  std::size_t earlier = 0;       // those that an earlier run finished, so that they were read
  double seconds = 0;            // of all of them, when they were computed
  std::set<std::string> makers;  // the versions that computed them
};

// Finished units of work, one JSON file each. A unit with a file is not computed again, so that an
// interrupted run continues where it was. Progress goes to stderr.
class Records {
 public:
  // Each record names `maker`, the version of the program.
  explicit Records(std::filesystem::path folder, std::string maker = "")
      : folder_(std::move(folder)), maker_(std::move(maker)) {}

  // The next `units` calls of get belong to this experiment.
  void begin(const std::string& experiment, std::size_t units);
  // The record of a unit, such as "misspecified-k60-seed1".
  Json get(const std::string& unit, const std::function<Json()>& compute);
  // The provenance of the units since begin.
  const Provenance& provenance() const { return provenance_; }

 private:
  Json count(const Json& file);

  std::filesystem::path folder_;
  std::string maker_;
  std::string experiment_;
  std::size_t units_ = 0;
  double spent_ = 0;  // seconds of this run
  Provenance provenance_;
};

// Writes to a temporary name and renames, so that a file is whole or absent.
void write_file(const std::filesystem::path& path, const std::string& text);
std::string read_file(const std::filesystem::path& path);

}  // namespace paper
