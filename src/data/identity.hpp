// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "alo/dataset.hpp"
#include "data/table.hpp"

namespace alo::data {

// Makes the response of the dataset a signal: the design is the identity, its columns are called by the
// number of their row, and the columns of the file that are ignored are named in a note.
void use_identity(Dataset& data, const Heading& heading, const std::vector<Index>& ignored);

}  // namespace alo::data
