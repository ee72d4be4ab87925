// SPDX-License-Identifier: MIT
#include "read/identity.hpp"

#include <algorithm>
#include <string>

#include <fmt/format.h>

namespace alo::data {

namespace {

// "column 'a' and column 'b'", "column 1, column 2, column 3 and 7 more"
std::string list_ignored(const Heading& heading, const std::vector<Index>& ignored) {
  // Columns named in the note; three fit into one line.
  constexpr std::size_t shown = 3;
  std::string text;
  for (std::size_t k = 0; k < std::min(shown, ignored.size()); ++k) {
    const bool is_last = k + 1 == ignored.size();
    text += (k == 0 ? "" : is_last ? " and " : ", ") + heading.label(ignored[k]);
  }
  if (ignored.size() > shown) text += fmt::format(" and {} more", ignored.size() - shown);
  return text;
}

}  // namespace

void use_identity(Dataset& data, const Heading& heading, const std::vector<Index>& ignored) {
  const Index rows = data.response.size();
  SparseMatrix identity(rows, rows);
  identity.setIdentity();
  data.design = Design(identity);
  data.column_names.clear();
  for (Index row = 0; row < rows; ++row) data.column_names.push_back(std::to_string(row + 1));
  note_ignored(data, heading, ignored,
               fmt::format("the design is the identity: the target '{}' is the signal", data.response_name));
}

void note_ignored(Dataset& data, const Heading& heading, const std::vector<Index>& ignored,
                  const std::string& reason) {
  if (ignored.empty()) return;
  data.notes.push_back(fmt::format("{}, and {} {} ignored", reason, list_ignored(heading, ignored),
                                   ignored.size() == 1 ? "is" : "are"));
}

}  // namespace alo::data
