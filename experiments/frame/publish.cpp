// SPDX-License-Identifier: MIT
#include "publish.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <sstream>
#include <stdexcept>

#include "curves.hpp"
#include "summary/format.hpp"

namespace paper {

namespace {

std::string line_of(const std::vector<std::string>& cells) {
  std::string out = "|";
  for (const std::string& cell : cells) out += " " + cell + " |";
  return out + "\n";
}

std::string rows_of(const alo::report::PageTable& table) {
  std::string out;
  for (const auto& row : table.rows) out += line_of(row);
  return out;
}

std::string markdown(const alo::report::PageTable& table) {
  return line_of(table.header) + line_of(std::vector<std::string>(table.header.size(), "---")) +
         rows_of(table);
}

std::string number_of(const Bound& bound, double value) {
  return bound.as_percentage ? percent(value) : alo::report::readable_short(value, 3);
}

std::string_view words_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds:
      return "holds";
    case Verdict::holds_with_limits:
      return "holds with limits";
    case Verdict::does_not_hold:
      return "does not hold";
  }
  return "";
}

std::string measured_cell(const Claim& claim) {
  std::string cell = in_words(claim.measured);
  if (claim.weaker && !claim.measured.holds()) cell += "; " + in_words(*claim.weaker);
  return cell;
}

const std::vector<std::string> claim_header = {"the paper says", "where", "measured", "verdict"};

alo::report::PageTable claim_table(const Outcome& outcome) {
  alo::report::PageTable table{claim_header, {}, true};
  for (const Claim& claim : outcome.claims) table.rows.push_back(claim_cells(claim));
  return table;
}

// The checks, and what was not run.
std::vector<std::string> further_lines(const Outcome& outcome) {
  std::vector<std::string> lines;
  for (const Bound& check : outcome.checks) {
    lines.push_back(in_words(check) + (check.holds() ? "" : " – does not hold"));
  }
  for (const std::string& reason : outcome.skipped) lines.push_back("Not run: " + reason);
  return lines;
}

}  // namespace

std::string in_words(const Bound& bound) {
  return fmt::format("{}: {} ({} {})", bound.text, number_of(bound, bound.value),
                     bound.at_least ? "at least" : "at most", number_of(bound, bound.limit));
}

std::vector<std::string> claim_cells(const Claim& claim) {
  return {claim.text, claim.where, measured_cell(claim), std::string(words_of(claim.verdict()))};
}

std::string with_block(const std::string& text, const std::string& name, const std::string& block) {
  const std::string begin = fmt::format("<!-- begin {} -->", name);
  const std::string end = fmt::format("<!-- end {} -->", name);
  const std::size_t from = text.find(begin);
  const std::size_t to = text.find(end);
  if (from == std::string::npos || to == std::string::npos || to < from) {
    throw std::runtime_error(fmt::format("the README has no lines {} and {}", begin, end));
  }
  return text.substr(0, from + begin.size()) + "\n\n" + block + "\n" + text.substr(to);
}

std::string with_rows(const std::string& text, const std::string& name, const alo::report::PageTable& table,
                      const std::vector<std::string>& names) {
  const std::string old = text.substr(text.find(fmt::format("<!-- begin {} -->", name)));
  alo::report::PageTable merged{table.header, {}, table.last_is_text};
  std::string block = markdown(merged);
  for (const std::string& one : names) {
    const auto is_of_one = [&](const std::vector<std::string>& row) { return row.front() == one; };
    merged.rows.clear();
    std::copy_if(table.rows.begin(), table.rows.end(), std::back_inserter(merged.rows), is_of_one);
    if (!merged.rows.empty()) {
      block += rows_of(merged);
      continue;
    }
    std::istringstream lines(old.substr(0, old.find("<!-- end")));
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("| " + one + " |")) block += line + "\n";
    }
  }
  return with_block(text, name, block);
}

void publish(const Outcome& outcome, const std::filesystem::path& repository, const std::string& experiment,
             const std::filesystem::path& target) {
  const std::filesystem::path source = repository / "experiments" / experiment;
  const std::filesystem::path front = repository / "README.md";
  std::string text = read_file(source / "README.md");
  const std::string front_before = read_file(front);
  std::string front_text = front_before;
  for (const Table& table : outcome.tables) {
    std::string& page = table.front_page ? front_text : text;
    page = with_block(page, table.name, markdown(table.cells));
  }
  std::string claims = outcome.claims.empty() ? "" : markdown(claim_table(outcome)) + "\n";
  for (const std::string& line : further_lines(outcome)) claims += "- " + line + "\n";
  if (!claims.empty()) text = with_block(text, "claims", claims);
  for (const Figure& figure : outcome.figures) write_file(target / figure.file, figure.svg);
  write_file(target / "README.md", text);
  std::error_code absent;
  if (std::filesystem::equivalent(source, target, absent) && front_text != front_before) {
    write_file(front, front_text);
  }
}

alo::report::PageTable provenance_table(const std::vector<Finished>& finished) {
  alo::report::PageTable table{
      {"experiment", "units of work", "finished by an earlier run", "minutes", "computed by"}, {}, true};
  for (const Finished& one : finished) {
    table.rows.push_back({one.experiment->name, fmt::format("{}", one.provenance.units),
                          fmt::format("{}", one.provenance.earlier),
                          fmt::format("{:.1f}", one.provenance.seconds / 60),
                          fmt::format("{}", fmt::join(one.provenance.makers, ", "))});
  }
  return table;
}

alo::report::PageTable verdict_table(const std::vector<Finished>& finished) {
  alo::report::PageTable table{claim_header, {}, true};
  table.header.insert(table.header.begin(), "page");
  for (const Finished& one : finished) {
    for (const Claim& claim : one.outcome.claims) {
      std::vector<std::string> cells = claim_cells(claim);
      cells.insert(cells.begin(), one.experiment->name);
      table.rows.push_back(std::move(cells));
    }
  }
  return table;
}

void publish_front(const std::vector<Finished>& finished, const std::vector<std::string>& names,
                   const std::filesystem::path& repository, const std::filesystem::path& target) {
  std::string text = read_file(repository / "experiments" / "README.md");
  text = with_rows(text, "provenance", provenance_table(finished), names);
  text = with_rows(text, "verdicts", verdict_table(finished), names);
  write_file(target / "README.md", text);
}

void add_section(alo::report::Page& page, const Experiment& experiment, const Outcome& outcome) {
  page.heading(experiment.title);
  page.paragraph(experiment.claim);
  for (const Figure& figure : outcome.figures) page.figure(figure.svg, figure.caption);
  for (const Table& table : outcome.tables) {
    if (table.front_page) continue;
    page.paragraph(table.caption);
    page.table(table.cells);
  }
  if (!outcome.claims.empty()) page.table(claim_table(outcome));
  const std::vector<std::string> lines = further_lines(outcome);
  if (!lines.empty()) page.list(lines);
}

}  // namespace paper
