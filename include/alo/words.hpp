// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace alo {

// The words that stand for the values of a setting, in every front end. The default is the first.
template <class T>
using Words = std::vector<std::pair<std::string, T>>;

}  // namespace alo
