// SPDX-License-Identifier: MIT
#include "report/page.hpp"

#include <fmt/format.h>

#include "summary/format.hpp"

namespace alo::report {
namespace {

constexpr std::string_view style_sheet = R"(
:root{color-scheme:light dark;--ground:#fff;--ink:#1b1e21;--quiet:#5c636a;--rule:#d9dde1;--good:#007a5a;--bad:#b64a00;--box:#f5f7f8}
@media screen and (prefers-color-scheme:dark){:root{--ground:#15181b;--ink:#e6e8ea;--quiet:#a3abb3;--rule:#353b41;--good:#35c79c;--bad:#ff9a52;--box:#1d2226}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.5 "Helvetica Neue",Helvetica,Arial,"Liberation Sans",sans-serif}
main{max-width:44rem;margin:0 auto;padding:1.5rem 1rem 3rem}
h1{font-size:1.5rem;line-height:1.25;margin:0;overflow-wrap:anywhere}
h2{font-size:1.1rem;margin:2.2rem 0 .5rem}
p{margin:.5rem 0;overflow-wrap:anywhere}
.quiet{color:var(--quiet);font-size:.9rem}
.verdict{border-left:4px solid var(--good);background:var(--box);padding:.8rem 1rem;margin:1.2rem 0}
.verdict.bad{border-color:var(--bad)}
.verdict strong{font-size:1.05rem}
figure{margin:1rem 0;break-inside:avoid}
figure svg{display:block;width:100%;height:auto;max-width:40rem}
figcaption{color:var(--quiet);font-size:.9rem;margin-top:.3rem}
.scroll{overflow-x:auto}
@media (max-width:30rem){figure svg{width:calc(100% + 1.4rem);margin-left:-.7rem}}
table{border-collapse:collapse;font-size:.9rem;font-variant-numeric:tabular-nums}
th,td{padding:.25rem .9rem .25rem 0;text-align:right;vertical-align:top;white-space:nowrap;border-bottom:1px solid var(--rule)}
th:first-child,td:first-child,.tail th:last-child,.tail td:last-child{text-align:left}
td:first-child{white-space:normal;min-width:3rem}
.tail td:last-child{white-space:normal}
thead th{font-weight:600}
tbody th{font-weight:400}
ul{padding-left:1.2rem;margin:.5rem 0}
li{overflow-wrap:anywhere}
@media print{main{max-width:none;padding:0}body{font-size:11pt}.verdict{background:none}h2{break-after:avoid}tr{break-inside:avoid}}
)";

}  // namespace

void Page::heading(std::string_view text) {
  body_ += fmt::format("<h2>{}</h2>\n", escape_markup(text));
}

void Page::paragraph(std::string_view text, std::string_view style) {
  if (style.empty()) {
    body_ += fmt::format("<p>{}</p>\n", escape_markup(text));
  } else {
    body_ += fmt::format("<p class=\"{}\">{}</p>\n", style, escape_markup(text));
  }
}

void Page::list(const std::vector<std::string>& items) {
  body_ += "<ul>\n";
  for (const std::string& item : items) body_ += fmt::format("<li>{}</li>\n", escape_markup(item));
  body_ += "</ul>\n";
}

void Page::table(const PageTable& table) {
  body_ += fmt::format("<div class=\"scroll\" tabindex=\"0\"><table{}>\n<thead><tr>",
                       table.last_is_text ? " class=\"tail\"" : "");
  for (const std::string& cell : table.header)
    body_ += fmt::format("<th scope=\"col\">{}</th>", escape_markup(cell));
  body_ += "</tr></thead>\n<tbody>\n";
  for (const auto& row : table.rows) {
    body_ += "<tr>";
    for (const std::string& cell : row) body_ += fmt::format("<td>{}</td>", escape_markup(cell));
    body_ += "</tr>\n";
  }
  body_ += "</tbody></table></div>\n";
}

void Page::figure(std::string_view svg, std::string_view caption) {
  body_ += fmt::format("<figure>\n{}<figcaption>{}</figcaption>\n</figure>\n", svg, escape_markup(caption));
}

void Page::verdict(std::string_view style, std::string_view headline,
                   const std::vector<std::string>& paragraphs) {
  body_ += fmt::format("<section class=\"verdict {}\" id=\"verdict\">\n<p><strong>{}</strong></p>\n", style,
                       escape_markup(headline));
  for (const std::string& text : paragraphs) paragraph(text);
  body_ += "</section>\n";
}

std::string Page::document(std::string_view title, std::string_view subtitle) const {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "img-src data:\">\n<link rel=\"icon\" "
      "href=\"data:,\">\n<title>{0}</title>\n<style>{1}</style>\n</head>\n"
      "<body>\n<main>\n<h1>{0}</h1>\n<p class=\"quiet\">{2}</p>\n{3}</main>\n</body>\n</html>\n",
      escape_markup(title), style_sheet, escape_markup(subtitle), body_);
}

}  // namespace alo::report
