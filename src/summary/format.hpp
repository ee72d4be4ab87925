// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace alo::report {

// The shortest decimal text that reads back as the same double; empty for NaN and infinities.
std::string shortest(double value);

// A number for a reader, with `digits` significant digits and no exponent between 1e-3 and 1e6; "-" for NaN
// and infinities.
std::string readable(double value, int digits = 4);

// The same without trailing zeros of the fraction.
std::string readable_short(double value, int digits = 4);

// Escapes text for XML and HTML, in content and in quoted attributes. Bytes that are not UTF-8 and control
// characters, which XML forbids, become U+FFFD.
std::string escape_markup(std::string_view text);

// One field of a CSV file, quoted where RFC 4180 requires it.
std::string csv_field(std::string_view text);

// At most `limit` characters (code points); where text was cut, the last one is an ellipsis.
std::string shorten(std::string_view text, std::size_t limit);

// The number of code points of UTF-8 text.
std::size_t code_points(std::string_view text);

// Lines of at most `width` characters, broken at blanks; later lines begin with `indent`.
// A word longer than a line is broken.
std::vector<std::string> wrap(std::string_view text, std::size_t width, std::string_view indent = "");

}  // namespace alo::report
