// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "alo/dataset.hpp"
#include "formats/table.hpp"

namespace alo::data {

// Makes the response a signal: the design becomes the identity, its columns are named by the number of
// their row, and a note names the columns of the file that are ignored.
void use_identity(Dataset& data, const Heading& heading, const std::vector<Index>& ignored);

// Adds a note that these columns of the file are ignored, and why; no note where there are none.
void note_ignored(Dataset& data, const Heading& heading, const std::vector<Index>& ignored,
                  const std::string& reason);

}  // namespace alo::data
