// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

namespace alo::testing {

// An NPY file by hand: header text and raw values.
inline std::string npy_bytes(const std::string& type, bool fortran, const std::string& shape,
                             const std::string& values, int version = 1) {
  std::string header = "{'descr': '" + type + "', 'fortran_order': " + (fortran ? "True" : "False") +
                       ", 'shape': " + shape + ", }";
  header.resize(header.size() + 63 - (header.size() + 10) % 64, ' ');
  header += '\n';
  std::string file = std::string("\x93NUMPY") + static_cast<char>(version) + '\0';
  const std::size_t length = header.size();
  for (int k = 0; k < (version == 1 ? 2 : 4); ++k) file += static_cast<char>((length >> (8 * k)) & 255);
  return file + header + values;
}

template <class Value>
std::string raw(const std::vector<Value>& values, bool swap = false) {
  std::string bytes;
  for (const Value value : values) {
    std::string one(sizeof(Value), '\0');
    std::memcpy(one.data(), &value, sizeof(Value));
    if (swap) std::reverse(one.begin(), one.end());
    bytes += one;
  }
  return bytes;
}

}  // namespace alo::testing
