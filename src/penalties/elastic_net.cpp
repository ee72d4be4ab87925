// SPDX-License-Identifier: MIT
#include "alo/penalties/elastic_net.hpp"

#include <fmt/format.h>

namespace alo {

std::string ElasticNet::describe() const {
  if (fixed_ridge() == 0.0) return "lambda * elastic-net penalty";
  return fmt::format("lambda * lasso penalty + {} * ridge penalty", fixed_ridge());
}

}  // namespace alo
