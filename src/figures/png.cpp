// SPDX-License-Identifier: MIT
// Portable Network Graphics, ISO/IEC 15948: a signature and chunks, each with its length, four letters, its
// bytes and their check sum. Pictures of eight bits, one filter byte (none) before every row.
#include "figures/png.hpp"

#include <zlib.h>

#include <stdexcept>
#include <string_view>

namespace alo::report {

namespace {

void append_number(std::string& bytes, std::uint32_t number) {
  for (const unsigned shift : {24U, 16U, 8U, 0U}) bytes += static_cast<char>((number >> shift) & 0xFFU);
}

void append_chunk(std::string& bytes, std::string_view letters, std::string_view content) {
  append_number(bytes, static_cast<std::uint32_t>(content.size()));
  std::string body(letters);
  body += content;
  bytes += body;
  const auto* start = reinterpret_cast<const Bytef*>(body.data());
  append_number(bytes, static_cast<std::uint32_t>(crc32(0, start, static_cast<uInt>(body.size()))));
}

std::string compressed(const std::string& content) {
  uLongf size = compressBound(static_cast<uLong>(content.size()));
  std::string result(size, '\0');
  if (compress(reinterpret_cast<Bytef*>(result.data()), &size, reinterpret_cast<const Bytef*>(content.data()),
               static_cast<uLong>(content.size())) != Z_OK) {
    throw std::runtime_error("a picture could not be compressed");
  }
  result.resize(size);
  return result;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    const std::string_view three = bytes.substr(k, 3);
    std::uint32_t bits = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      bits = bits << 8U | (j < three.size() ? static_cast<std::uint8_t>(three[j]) : 0U);
    }
    for (std::size_t j = 0; j < 4; ++j) {
      text += j <= three.size() ? digits[bits >> (18U - 6U * j) & 63U] : '=';
    }
  }
  return text;
}

// Encodes a picture in grey levels, or by a palette if there is one.
std::string encode(std::span<const std::uint8_t> levels, std::uint32_t width, std::uint32_t height,
                   const std::string& palette) {
  std::string header;
  append_number(header, width);
  append_number(header, height);
  // The bytes mean: eight bits per pixel, grey or palette, deflate, standard filters, no interlacing (PNG
  // specification, section 11.2.2).
  header += palette.empty() ? std::string_view("\x08\0\0\0\0", 5) : std::string_view("\x08\x03\0\0\0", 5);
  std::string rows;
  for (std::size_t row = 0; row < height; ++row) {
    rows += '\0';
    for (const std::uint8_t level : levels.subspan(row * width, width)) rows += static_cast<char>(level);
  }
  std::string bytes("\x89PNG\r\n\x1a\n", 8);
  append_chunk(bytes, "IHDR", header);
  if (!palette.empty()) append_chunk(bytes, "PLTE", palette);
  append_chunk(bytes, "IDAT", compressed(rows));
  append_chunk(bytes, "IEND", {});
  return "data:image/png;base64," + base64(bytes);
}

}  // namespace

std::string gray_picture(std::span<const std::uint8_t> levels, std::uint32_t width, std::uint32_t height) {
  return encode(levels, width, height, {});
}

std::string color_picture(std::span<const std::uint8_t> levels, std::uint32_t width, std::uint32_t height,
                          std::span<const Color> palette) {
  std::string colors;
  for (const Color& color : palette) {
    for (const std::uint8_t share : color) colors += static_cast<char>(share);
  }
  return encode(levels, width, height, colors);
}

}  // namespace alo::report
