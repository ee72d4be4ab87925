// SPDX-License-Identifier: MIT
#include "formats/npy.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>

#include <fmt/format.h>

#include "alo/error.hpp"
#include "formats/number.hpp"

namespace alo::data {

namespace {

struct NpyHeader {
  std::string type;  // "<f8"
  bool fortran_order = false;
  std::vector<Index> shape;
};

class NpyReader {
 public:
  NpyReader(std::string_view content, const std::string& path) : rest_(content), path_(display_name(path)) {}

  Table read(bool allow_vector) {
    const NpyHeader header = read_header();
    check_type(header.type);
    const auto [rows, columns] = matrix_shape(header, allow_vector);
    Table table;
    table.heading = {path_, columns, {}};
    check_length(header, rows, columns);
    table.numbers.resize(rows, columns);
    read_values(header, table.numbers);
    return table;
  }

 private:
  [[noreturn]] void fail(std::string_view reason) const {
    throw InvalidData(fmt::format("{}: {}", path_, reason));
  }

  std::string_view take(std::size_t count) {
    if (rest_.size() < count) fail("truncated NPY file: it ends within its header");
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }

  NpyHeader read_header() {
    if (!rest_.starts_with("\x93NUMPY")) fail("is not an NPY file (it does not begin with \\x93NUMPY)");
    take(6);
    const std::string_view version = take(2);
    if (version[0] < 1 || version[0] > 3) {
      fail(fmt::format("NPY version {} is not known; versions 1 to 3 are", static_cast<int>(version[0])));
    }
    std::size_t length = 0;
    const std::string_view bytes = take(version[0] == 1 ? 2 : 4);
    for (std::size_t k = bytes.size(); k-- > 0;) length = 256 * length + static_cast<unsigned char>(bytes[k]);
    const std::string_view text = take(length);
    NpyHeader header;
    header.type = quoted(value_of(text, "descr"));
    const std::string_view order = value_of(text, "fortran_order");
    header.fortran_order = order.starts_with("True");
    if (!header.fortran_order && !order.starts_with("False")) fail("corrupt NPY header: bad fortran_order");
    header.shape = tuple(value_of(text, "shape"));
    return header;
  }

  // The value after 'key': in the header, which is a Python dictionary literal.
  std::string_view value_of(std::string_view header, std::string_view key) const {
    const std::size_t at = header.find(fmt::format("'{}':", key));
    if (at == std::string_view::npos) fail(fmt::format("corrupt NPY header: no '{}'", key));
    return trim(header.substr(at + key.size() + 3));
  }

  std::string quoted(std::string_view value) const {
    const std::size_t end = value.starts_with('\'') ? value.find('\'', 1) : std::string_view::npos;
    if (end == std::string_view::npos) fail("holds records, not plain numbers; save one numeric matrix");
    return std::string(value.substr(1, end - 1));
  }

  std::vector<Index> tuple(std::string_view value) const {
    const std::size_t end = value.find(')');
    if (!value.starts_with('(') || end == std::string_view::npos) fail("corrupt NPY header: bad shape");
    value = value.substr(1, end - 1);
    std::vector<Index> sizes;
    while (!trim(value).empty()) {
      const std::size_t comma = std::min(value.find(','), value.size());
      const std::string_view word = trim(value.substr(0, comma));
      Index size = -1;
      const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), size);
      if (error != std::errc() || stop != word.data() + word.size() || size < 0) {
        fail("corrupt NPY header: bad shape");
      }
      sizes.push_back(size);
      value.remove_prefix(std::min(comma + 1, value.size()));
    }
    return sizes;
  }

  std::pair<Index, Index> matrix_shape(const NpyHeader& header, bool allow_vector) const {
    const auto& shape = header.shape;
    if (shape.size() == 1 && allow_vector) return {shape[0], 1};
    if (shape.size() != 2) {
      fail(fmt::format("the array has {} dimension{}, but data are a matrix with rows and columns",
                       shape.size(), shape.size() == 1 ? "" : "s"));
    }
    if (shape[0] == 0 || shape[1] == 0) fail(fmt::format("the array is empty ({} x {})", shape[0], shape[1]));
    return {shape[0], shape[1]};
  }

  void check_length(const NpyHeader& header, Index rows, Index columns) const {
    const Index width = header.type[2] - '0';
    Index count = 0;
    Index size = 0;
    const bool overflow =
        __builtin_mul_overflow(rows, columns, &count) || __builtin_mul_overflow(count, width, &size);
    if (overflow || static_cast<std::size_t>(size) > rest_.size()) {
      fail(fmt::format(
          "truncated NPY file: {} x {} values of {} bytes need more than the {} bytes that are there", rows,
          columns, width, rest_.size()));
    }
    if (static_cast<std::size_t>(size) < rest_.size()) {
      fail(fmt::format("{} bytes follow the array; save one array per file",
                       rest_.size() - static_cast<std::size_t>(size)));
    }
  }

  void check_type(const std::string& type) const {
    constexpr std::array<std::string_view, 11> kinds = {"f8", "f4", "i8", "i4", "i2", "i1",
                                                        "u8", "u4", "u2", "u1", "b1"};
    const bool known = type.size() == 3 && std::string_view("<>|=").find(type[0]) != std::string_view::npos &&
                       std::find(kinds.begin(), kinds.end(), type.substr(1)) != kinds.end();
    if (known) return;
    fail(fmt::format("values of type '{}' are not read; save float64, float32, integers or booleans", type));
  }

  template <class Value>
  void copy_values(bool swap, bool fortran_order, Matrix& numbers) const {
    const auto value_at = [&](Index position) {
      std::array<char, sizeof(Value)> bytes;
      std::memcpy(bytes.data(), rest_.data() + position * static_cast<Index>(sizeof(Value)), sizeof(Value));
      if (swap) std::reverse(bytes.begin(), bytes.end());
      return static_cast<double>(std::bit_cast<Value>(bytes));
    };
    const Index rows = numbers.rows();
    const Index columns = numbers.cols();
    for (Index column = 0; column < columns; ++column) {
      for (Index row = 0; row < rows; ++row) {
        numbers(row, column) = value_at(fortran_order ? column * rows + row : row * columns + column);
      }
    }
  }

  void read_values(const NpyHeader& header, Matrix& numbers) const {
    const bool swap = header.type[0] == (std::endian::native == std::endian::little ? '>' : '<');
    const bool fortran = header.fortran_order;
    const std::string kind = header.type.substr(1);
    if (kind == "f8") return copy_values<double>(swap, fortran, numbers);
    if (kind == "f4") return copy_values<float>(swap, fortran, numbers);
    if (kind == "i8") return copy_values<std::int64_t>(swap, fortran, numbers);
    if (kind == "i4") return copy_values<std::int32_t>(swap, fortran, numbers);
    if (kind == "i2") return copy_values<std::int16_t>(swap, fortran, numbers);
    if (kind == "i1") return copy_values<std::int8_t>(swap, fortran, numbers);
    if (kind == "u8") return copy_values<std::uint64_t>(swap, fortran, numbers);
    if (kind == "u4") return copy_values<std::uint32_t>(swap, fortran, numbers);
    if (kind == "u2") return copy_values<std::uint16_t>(swap, fortran, numbers);
    copy_values<std::uint8_t>(swap, fortran, numbers);
  }

  std::string_view rest_;
  std::string path_;
};

}  // namespace

Table read_npy(const Bytes& bytes, const std::string& path, bool allow_vector) {
  return NpyReader(bytes.view(), path).read(allow_vector);
}

}  // namespace alo::data
