// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "alo/types.hpp"

namespace alo::report {

using Json = nlohmann::ordered_json;

// A number, or null for NaN and infinities, which JSON does not have.
Json number(double value);
Json number(const std::optional<double>& value);
Json numbers(const Vector& values);
// Values that are stored output after output: one number per row, or one list per row with several outputs.
Json by_row(const Vector& values, Index outputs);

// Parses ReportContext::parameters; empty text gives an empty object.
Json parameters_object(const std::string& text);

// One key per line, lists of scalars on one line. Numbers read back as the same doubles; bytes that are not
// UTF-8 become U+FFFD.
std::string dump(const Json& value);

}  // namespace alo::report
