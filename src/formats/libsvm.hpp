// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "formats/byte_source.hpp"
#include "formats/sparse_table.hpp"

namespace alo::data {

// Reads rows "label index:value index:value ... # comment" (LIBSVM, svmlight) with increasing indices.
// Indices start at 1, or at 0 if any index is 0; with `first_index` they must start there. "qid:" entries
// are skipped, with a note.
SparseTable read_libsvm(const Bytes& bytes, const std::string& path, Index skip,
                        std::optional<Index> first_index = std::nullopt);

}  // namespace alo::data
