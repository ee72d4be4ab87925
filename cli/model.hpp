// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <fmt/format.h>

#include "alo/error.hpp"
#include "alo/problem.hpp"
#include "alo/registry.hpp"
#include "options.hpp"

namespace alo::command {

// A problem and the decisions that led to it.
struct Model {
  Problem problem;
  ModelParameters parameters;      // with defaults that depend on the data
  std::vector<Metric> metrics;     // the first one chooses
  std::vector<std::string> notes;  // sentences on what was chosen for the user
};

// Chooses the loss where none was named, codes the response for it, and checks that models, metrics and
// data fit each other.
Model make_model(const RunOptions& options, Dataset data);

// The parameters of the model as a JSON object; infinite penalty weights become null.
std::string parameters_json(const RunOptions& options, const Model& model);

// Adds the name of the data file to errors about its data.
template <class Work>
auto naming_file(const std::string& file, const Work& work) {
  try {
    return work();
  } catch (const InvalidData& error) {
    throw InvalidData(fmt::format("{}: {}", file, error.what()), error.hints());
  }
}

}  // namespace alo::command
