// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "alo/types.hpp"

namespace alo {

// Throws InvalidData unless every response is -1 or +1 and both occur.
void check_two_classes(const std::string& loss, const VectorView& response);

}  // namespace alo
