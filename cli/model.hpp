// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <fmt/format.h>

#include "alo/error.hpp"
#include "alo/problem.hpp"
#include "alo/registry.hpp"
#include "options.hpp"

namespace alo::command {

// A problem and what was decided on the way to it.
struct Model {
  Problem problem;
  ModelParameters parameters;      // with the defaults that depend on the data
  std::vector<Metric> metrics;     // the first one chooses
  std::vector<std::string> notes;  // what was chosen for the user, in sentences
};

// Chooses the loss where none was named, codes the response for it, and checks models, metrics and
// data against each other.
Model make_model(const RunOptions& options, Dataset data);

// Parameters of the model as a JSON object; infinite penalty weights are null.
std::string parameters_json(const RunOptions& options, const Model& model);

// What is wrong with the data is said with the name of their file.
template <class Work>
auto naming_file(const std::string& file, const Work& work) {
  try {
    return work();
  } catch (const InvalidData& error) {
    throw InvalidData(fmt::format("{}: {}", file, error.what()));
  }
}

}  // namespace alo::command
