// SPDX-License-Identifier: MIT
#include "summary/format.hpp"

#include <fmt/format.h>

#include <cmath>

namespace alo::report {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

// The length of the well-formed UTF-8 sequence that begins at `at`; 0 when there is none.
std::size_t sequence_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[at + k]); };
  const auto continues = [&](std::size_t k) { return at + k < text.size() && (byte(k) & 0xC0U) == 0x80U; };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return continues(1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    if (!continues(1) || !continues(2)) return 0;
    if (lead == 0xE0 && byte(1) < 0xA0) return 0;                      // overlong
    if (lead == 0xED && byte(1) > 0x9F) return 0;                      // surrogates
    if (lead == 0xEF && byte(1) == 0xBF && byte(2) >= 0xBE) return 0;  // U+FFFE, U+FFFF
    return 3;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    if (!continues(1) || !continues(2) || !continues(3)) return 0;
    if (lead == 0xF0 && byte(1) < 0x90) return 0;
    if (lead == 0xF4 && byte(1) > 0x8F) return 0;
    return 4;
  }
  return 0;
}

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\t' && c != '\n') || byte == 0x7F;
}

std::string trim_fraction(const std::string& text) {
  const std::size_t exponent = text.find('e');
  std::string tail = exponent == std::string::npos ? "" : text.substr(exponent);
  std::string head = text.substr(0, exponent);
  if (head.find('.') != std::string::npos) {
    head.erase(head.find_last_not_of('0') + 1);
    if (head.back() == '.') head.pop_back();
  }
  return head + tail;
}

}  // namespace

std::string shortest(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : std::string();
}

std::string readable(double value, int digits) {
  if (!std::isfinite(value)) return "-";
  if (value == 0) return "0";
  // The number is rounded first, so that 999.96 with four digits counts as 1000.
  std::string scientific = fmt::format("{:.{}e}", value, digits - 1);
  const int exponent = std::stoi(scientific.substr(scientific.find('e') + 1));
  if (exponent < -3 || exponent >= 6) return scientific;
  return fmt::format("{:.{}f}", value, std::max(0, digits - 1 - exponent));
}

std::string readable_short(double value, int digits) {
  return trim_fraction(readable(value, digits));
}

std::string escape_markup(std::string_view text) {
  std::string out;
  out.reserve(text.size() + text.size() / 8);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = sequence_length(text, at);
    const char c = text[at];
    if (length == 0 || is_control(c)) {
      out += replacement;
      at += 1;
      continue;
    }
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += text.substr(at, length);
    }
    at += length;
  }
  return out;
}

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + "\"";
}

std::size_t code_points(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xC0U) != 0x80U ? 1 : 0;
  return count;
}

std::string shorten(std::string_view text, std::size_t limit) {
  if (code_points(text) <= limit) return std::string(text);
  std::size_t at = 0;
  for (std::size_t seen = 0; at < text.size(); ++at) {
    if ((static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U) continue;
    if (++seen == limit) break;
  }
  return std::string(text.substr(0, at)) + "\u2026";
}

std::vector<std::string> wrap(std::string_view text, std::size_t width, std::string_view indent) {
  std::vector<std::string> lines;
  std::string line;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t begin = text.find_first_not_of(" \n", at);
    if (begin == std::string_view::npos) break;
    const std::size_t end = std::min(text.find_first_of(" \n", begin), text.size());
    std::string_view word = text.substr(begin, end - begin);
    at = end;
    const bool fresh = line.empty() || line == indent;
    if (!fresh && code_points(line) + 1 + code_points(word) > width) {
      lines.push_back(line);
      line = indent;
    } else if (!fresh) {
      line += ' ';
    }
    while (code_points(line) + code_points(word) > width) {
      const std::size_t room = width - code_points(line);
      std::size_t cut = 0;
      for (std::size_t seen = 0; cut < word.size(); ++cut) {
        if ((static_cast<unsigned char>(word[cut]) & 0xC0U) != 0x80U && seen++ == room) break;
      }
      lines.push_back(line + std::string(word.substr(0, cut)));
      word.remove_prefix(cut);
      line = indent;
    }
    line += word;
  }
  if (!line.empty() && line != indent) lines.push_back(line);
  return lines;
}

}  // namespace alo::report
