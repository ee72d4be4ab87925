// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "report/json_text.hpp"

namespace paper {

using Json = alo::report::Json;

// Numbers that are not finite are null in a record.
Json list(const std::vector<double>& values);
std::vector<double> numbers(const Json& list);
double number(const Json& value);

// Finished units of work, one JSON file each: what is there is not computed again, so that a run that was
// interrupted goes on where it was. Says on stderr how far it is.
class Records {
 public:
  explicit Records(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // The next `units` calls of get belong to this experiment.
  void begin(const std::string& experiment, std::size_t units);
  // The record of a unit, such as "misspecified-k60-seed1".
  Json get(const std::string& unit, const std::function<Json()>& compute);

 private:
  std::filesystem::path folder_;
  std::string experiment_;
  std::size_t units_ = 0;
  std::size_t done_ = 0;
  double spent_ = 0;       // seconds
  std::size_t timed_ = 0;  // units that were computed and not read
};

// Writes to a temporary name and renames, so that a file is whole or absent.
void write_file(const std::filesystem::path& path, const std::string& text);
std::string read_file(const std::filesystem::path& path);

}  // namespace paper
