// SPDX-License-Identifier: MIT
#include "losses/responses.hpp"

#include <fmt/format.h>

#include "alo/error.hpp"

namespace alo {

void check_two_classes(const std::string& loss, const VectorView& response) {
  for (Index i = 0; i < response.size(); ++i) {
    if (response[i] != 1.0 && response[i] != -1.0) {
      throw InvalidData(
          fmt::format("the response in row {} is {}; the {} loss takes two classes, coded as -1 and +1",
                      i + 1, response[i], loss));
    }
  }
  if ((response.array() == response[0]).all()) {
    throw InvalidData(
        fmt::format("the response is {:+} in every row; the {} loss needs rows of both classes, -1 and +1",
                    response[0], loss));
  }
}

}  // namespace alo
