// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <memory>
#include <vector>

#include "alo/dataset.hpp"

namespace paper {

// glmnet in a long-lived R process (bench/compare/glmnet_worker.R), which times its own calls.
class Glmnet {
 public:
  // Null where R or glmnet is not installed.
  static std::unique_ptr<Glmnet> start(const std::filesystem::path& source);
  ~Glmnet();
  Glmnet(const Glmnet&) = delete;
  Glmnet& operator=(const Glmnet&) = delete;

  // Loads a dense design; lambda multiplies a sum, as everywhere here.
  void load(const alo::Dataset& data, const std::vector<double>& lambdas);
  // The seconds of a path at that convergence threshold.
  double fit(const std::string& threshold);

 private:
  Glmnet(pid_t process, int to, int from, std::filesystem::path folder);
  std::string ask(const std::string& command);

  pid_t process_;
  int to_, from_;
  std::filesystem::path folder_;  // of the data
};

}  // namespace paper
