// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace alo::report {

// A table of a page. Cells are plain text and are escaped when written. Columns after the first are aligned
// right, except the last one when `last_is_text`.
struct PageTable {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
  bool last_is_text = false;
};

// A self-contained web page: no script and no request; readable on a phone, in a dark colour scheme and on
// paper. Texts are escaped here; `figure` takes finished SVG.
class Page {
 public:
  void heading(std::string_view text);
  void paragraph(std::string_view text, std::string_view style = "");
  void list(const std::vector<std::string>& items);
  void table(const PageTable& table);
  void figure(std::string_view svg, std::string_view caption);
  // A box with a bold first line; `style` is "good" or "bad".
  void verdict(std::string_view style, std::string_view headline, const std::vector<std::string>& paragraphs);
  std::string document(std::string_view title, std::string_view subtitle) const;

 private:
  std::string body_;
};

}  // namespace alo::report
