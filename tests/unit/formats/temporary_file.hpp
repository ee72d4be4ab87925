// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string>
#include <string_view>

#include "alo/error.hpp"
#include "alo/read.hpp"

namespace alo::testing {

// A file with the given content that is gone at the end of the scope.
class TemporaryFile {
 public:
  TemporaryFile(const std::string& name, std::string_view content) {
    static int count = 0;
    // Thousands of small files are written: memory is quicker than a disk.
    const std::filesystem::path memory = "/dev/shm";
    folder_ = (access(memory.c_str(), W_OK) == 0 ? memory : std::filesystem::temp_directory_path()) /
              ("alo-" + std::to_string(getpid()) + "-" + std::to_string(count++));
    std::filesystem::create_directories(folder_);
    path_ = folder_ / name;
    std::ofstream(path_, std::ios::binary)
        .write(content.data(), static_cast<std::streamsize>(content.size()));
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  void rewrite(std::string_view content) const {
    std::ofstream(path_, std::ios::binary)
        .write(content.data(), static_cast<std::streamsize>(content.size()));
  }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path folder_;
  std::filesystem::path path_;
};

inline Dataset read_text(std::string_view content, const ReadOptions& options = {},
                         const std::string& name = "data.csv") {
  const TemporaryFile file(name, content);
  return read_dataset(file.path(), options);
}

// The message of the InvalidData that `action` throws, with its hints: "... [drop b]"; fails when it does
// not.
template <class Action>
std::string refusal(const Action& action) {
  try {
    action();
  } catch (const InvalidData& error) {
    std::string text = error.what();
    for (const Hint& hint : error.hints()) {
      const auto named = std::find_if(setting_names.begin(), setting_names.end(),
                                      [&](const auto& entry) { return entry.first == hint.setting; });
      text += fmt::format(" [{}{}{}]", named->second, hint.value.empty() ? "" : " ", hint.value);
    }
    return text;
  }
  ADD_FAILURE() << "nothing was refused";
  return {};
}

inline std::string read_refusal(std::string_view content, const ReadOptions& options = {},
                                const std::string& name = "data.csv") {
  return refusal([&] { read_text(content, options, name); });
}

inline void expect_parts(const std::string& message, std::initializer_list<const char*> parts) {
  for (const char* part : parts) EXPECT_THAT(message, ::testing::HasSubstr(part));
}

inline std::string gzip(std::string_view content) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string output(deflateBound(&stream, content.size()) + 32, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(output.data());
  stream.avail_out = static_cast<uInt>(output.size());
  deflate(&stream, Z_FINISH);
  output.resize(stream.total_out);
  deflateEnd(&stream);
  return output;
}

}  // namespace alo::testing
