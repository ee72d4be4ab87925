// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "summary/format.hpp"
#include "summary/words.hpp"

namespace alo::report {

std::string path_end_sentence(const TuneResult& result) {
  if (!result.path_end) return {};
  return fmt::format("The path was ended at lambda {}: {}; a full path would go on.",
                     readable_short(result.path_end->lambda, 4), result.path_end->reason);
}

}  // namespace alo::report
