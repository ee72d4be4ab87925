// SPDX-License-Identifier: MIT
#include "formats/byte_source.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include "alo/error.hpp"

namespace alo::data {

namespace {

// Closes a file descriptor at the end of the scope; standard input stays open.
struct Descriptor {
  int number;
  explicit Descriptor(int opened) : number(opened) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number > STDIN_FILENO) close(number);
  }
};

[[noreturn]] void refuse(const std::string& path, std::string_view reason) {
  throw InvalidData(fmt::format("{}: {}", display_name(path), reason));
}

// Unlike std::strerror it may be called by several threads.
std::string system_reason(int number) {
  return std::generic_category().message(number);
}

std::vector<char> read_stream(int descriptor, const std::string& path) {
  std::vector<char> content(std::size_t{1} << 16);
  std::size_t filled = 0;
  while (true) {
    if (filled == content.size()) content.resize(2 * content.size());
    const ssize_t count = read(descriptor, content.data() + filled, content.size() - filled);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) refuse(path, fmt::format("cannot be read: {}", system_reason(errno)));
    if (count == 0) break;
    filled += static_cast<std::size_t>(count);
  }
  content.resize(filled);
  return content;
}

Bytes read_plain(const std::string& path) {
  if (path == "-") return Bytes(read_stream(STDIN_FILENO, path));
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.number < 0) {
    const int reason = errno;
    refuse(path, reason == ENOENT ? std::string("there is no such file; check the path")
                                  : fmt::format("cannot be opened: {}; check the path and its permissions",
                                                system_reason(reason)));
  }
  struct stat status {};
  if (fstat(file.number, &status) != 0) refuse(path, system_reason(errno));
  if (S_ISDIR(status.st_mode)) refuse(path, "is a folder; give a data file");
  if (!S_ISREG(status.st_mode)) return Bytes(read_stream(file.number, path));
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0) return Bytes(read_stream(file.number, path));
  void* address = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.number, 0);
  if (address == MAP_FAILED) return Bytes(read_stream(file.number, path));
  return Bytes(static_cast<const char*>(address), size);
}

// Ends a zlib stream at the end of the scope.
struct Inflater {
  z_stream stream{};
  // zlib expects gzip framing when 16 is added to the window bits.
  Inflater() {
    if (inflateInit2(&stream, 16 + MAX_WBITS) != Z_OK) throw std::bad_alloc();
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() { inflateEnd(&stream); }
};

// A gzip file may hold several members one after the other, and zero padding.
Bytes decompress(std::string_view input, const std::string& path) {
  Inflater inflater;
  z_stream& stream = inflater.stream;
  constexpr std::size_t largest_step = std::numeric_limits<uInt>::max();
  std::vector<char> output(std::max<std::size_t>(4 * input.size(), std::size_t{1} << 16));
  std::size_t read_count = 0;
  std::size_t written = 0;
  while (true) {
    if (written == output.size()) output.resize(2 * output.size());
    const auto input_step = std::min(largest_step, input.size() - read_count);
    const auto output_step = std::min(largest_step, output.size() - written);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input.data() + read_count));
    stream.avail_in = static_cast<uInt>(input_step);
    stream.next_out = reinterpret_cast<Bytef*>(output.data() + written);
    stream.avail_out = static_cast<uInt>(output_step);
    const int state = inflate(&stream, Z_NO_FLUSH);
    read_count += input_step - stream.avail_in;
    written += output_step - stream.avail_out;
    if (state == Z_STREAM_END) {
      const std::string_view rest = input.substr(read_count);
      if (rest.find_first_not_of('\0') == std::string_view::npos) break;
      if (!rest.starts_with("\x1f\x8b")) refuse(path, "corrupt gzip: other bytes follow the compressed data");
      inflateReset(&stream);
    } else if (state != Z_OK && state != Z_BUF_ERROR) {
      refuse(path, fmt::format("corrupt gzip ({}); make or fetch the file again",
                               stream.msg != nullptr ? stream.msg : "bad data"));
    } else if (read_count == input.size() && stream.avail_out > 0) {
      refuse(path, "truncated gzip: the compressed data end too early; make or fetch the file again");
    }
  }
  output.resize(written);
  return Bytes(std::move(output));
}

}  // namespace

Bytes::Bytes(const char* mapped, std::size_t size) : mapping_(mapped, Unmap{size}) {}

void Unmap::operator()(const char* address) const {
  munmap(const_cast<char*>(address), size);
}

std::string display_name(const std::string& path) {
  return path == "-" ? "standard input" : path;
}

Bytes read_bytes(const std::string& path) {
  Bytes bytes = read_plain(path);
  const std::string_view content = bytes.view();
  if (content.starts_with("\x1f\x8b")) return decompress(content, path);
  if (path.ends_with(".gz")) {
    refuse(path, content.empty() ? "truncated gzip: the file is empty"
                                 : "is named .gz but is not gzip; rename it or compress it");
  }
  return bytes;
}

}  // namespace alo::data
