// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "alo/dataset.hpp"
#include "formats/table.hpp"

namespace alo::data {

// Makes the response of the dataset a signal: the design is the identity, its columns are called by the
// number of their row, and the columns of the file that are ignored are named in a note.
void use_identity(Dataset& data, const Heading& heading, const std::vector<Index>& ignored);

// Says that these columns of the file are ignored, and why; nothing where there are none.
void note_ignored(Dataset& data, const Heading& heading, const std::vector<Index>& ignored,
                  const std::string& reason);

}  // namespace alo::data
