// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "alo/read.hpp"
#include "formats/table.hpp"

namespace alo::data {

// What separates the fields of a row.
struct Dialect {
  char delimiter = ',';
  bool runs = false;  // fields are separated by any run of blanks and tabs, and `delimiter` is a blank
};

// Guesses the separator from the first line that is not blank, outside quotes. CSV: a comma, else a
// semicolon, else a tab. Other text: a tab, else a comma, else a semicolon, else blanks.
Dialect guess_dialect(std::string_view content, FileFormat format);

// Reads rows of fields. The first row holds names iff it has an entry that is
// neither a number nor missing. Throws InvalidData for ragged rows, quotes that
// do not close, blank lines between rows, and names that occur twice.
Table read_delimited(Bytes bytes, const std::string& path, FileFormat format, Index skip);

}  // namespace alo::data
