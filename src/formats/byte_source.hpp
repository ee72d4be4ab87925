// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace alo::data {

// A deleter that calls munmap.
struct Unmap {
  std::size_t size = 0;
  void operator()(const char* address) const;
};

// The whole content of a file: mapped into memory, or owned after decompression.
// The bytes keep their address when the object is moved.
class Bytes {
 public:
  explicit Bytes(std::vector<char> owned) : owned_(std::move(owned)) {}
  // Takes over a mapping made by mmap.
  Bytes(const char* mapped, std::size_t size);

  std::string_view view() const {
    return mapping_ ? std::string_view(mapping_.get(), mapping_.get_deleter().size)
                    : std::string_view(owned_.data(), owned_.size());
  }

 private:
  std::vector<char> owned_;
  std::unique_ptr<const char, Unmap> mapping_;
};

// Reads a file, or standard input when the path is "-". Gzip is recognised by its first bytes and
// decompressed. Throws InvalidData when reading or decompressing fails.
Bytes read_bytes(const std::string& path);

// The name to use in messages.
std::string display_name(const std::string& path);

}  // namespace alo::data
