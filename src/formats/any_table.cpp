// SPDX-License-Identifier: MIT
#include "formats/any_table.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "alo/error.hpp"
#include "formats/byte_source.hpp"
#include "formats/delimited.hpp"
#include "formats/libsvm.hpp"
#include "formats/line_scanner.hpp"
#include "formats/matrix_market.hpp"
#include "formats/npy.hpp"

namespace alo::data {

namespace {

FileFormat format_by_extension(const std::string& path) {
  constexpr std::array<std::pair<std::string_view, FileFormat>, 7> known = {{
      {".csv", FileFormat::csv},
      {".tsv", FileFormat::tsv},
      {".libsvm", FileFormat::libsvm},
      {".svm", FileFormat::libsvm},
      {".svmlight", FileFormat::libsvm},
      {".npy", FileFormat::npy},
      {".mtx", FileFormat::matrix_market},
  }};
  std::filesystem::path name(path);
  if (name.extension() == ".gz") name = name.stem();
  const std::string extension = name.extension().string();
  const auto found =
      std::find_if(known.begin(), known.end(), [&](const auto& entry) { return entry.first == extension; });
  return found == known.end() ? FileFormat::automatic : found->second;
}

FileFormat format_by_content(std::string_view content) {
  if (content.starts_with("\x93NUMPY")) return FileFormat::npy;
  if (content.starts_with("%%MatrixMarket")) return FileFormat::matrix_market;
  return FileFormat::automatic;
}

// Delimited text cannot parse "1 3:0.5 7:2", so the message suggests the format libsvm.
void suggest_libsvm(std::string_view content, const std::string& path) {
  std::string_view line = content.substr(0, content.find('\n'));
  const Entry label = read_entry(next_word(line));
  const std::string_view word = next_word(line);
  const std::size_t colon = word.find(':');
  if (label.kind != EntryKind::number || colon == 0 || colon == std::string_view::npos) return;
  if (word.find_first_not_of("0123456789") != colon) return;
  throw InvalidData(
      fmt::format("{} looks like label index:value rows; read it in the LIBSVM format", display_name(path)),
      {{Setting::format, "libsvm"}});
}

void refuse_skip(const std::string& path, Index skip) {
  if (skip == 0) return;
  throw InvalidData(
      fmt::format("{}: only of CSV, TSV and LIBSVM text can lines be skipped; this format has its own header",
                  display_name(path)),
      {{Setting::skip}});
}

}  // namespace

AnyTable read_any(const std::string& path, const ReadOptions& options, std::optional<Index> first_index) {
  if (options.skip < 0) {
    throw InvalidArgument("the number of lines to skip must be zero or more", {{Setting::skip}});
  }
  Bytes bytes = read_bytes(path);
  FileFormat format = options.format;
  if (format == FileFormat::triplets) format = FileFormat::automatic;
  if (format == FileFormat::automatic) format = format_by_extension(path);
  if (format == FileFormat::automatic) format = format_by_content(bytes.view());
  switch (format) {
    case FileFormat::libsvm:
      return read_libsvm(bytes, path, options.skip, first_index);
    case FileFormat::npy:
      refuse_skip(path, options.skip);
      return read_npy(bytes, path, options.design == DesignKind::identity);
    case FileFormat::matrix_market: {
      refuse_skip(path, options.skip);
      return read_matrix_market(bytes, path);
    }
    case FileFormat::automatic:
      suggest_libsvm(bytes.view(), path);
      break;
    case FileFormat::csv:
    case FileFormat::tsv:
    case FileFormat::triplets:
      break;
  }
  return read_delimited(std::move(bytes), path, format, options.skip);
}

}  // namespace alo::data
