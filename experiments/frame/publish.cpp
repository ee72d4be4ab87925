// SPDX-License-Identifier: MIT
#include "publish.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "summary/format.hpp"

namespace paper {

namespace {

std::string markdown(const alo::report::PageTable& table) {
  const auto line = [](const std::vector<std::string>& cells) {
    std::string out = "|";
    for (const std::string& cell : cells) out += " " + cell + " |";
    return out + "\n";
  };
  std::string out = line(table.header);
  out += line(std::vector<std::string>(table.header.size(), "---"));
  for (const auto& row : table.rows) out += line(row);
  return out;
}

std::string claim_line(const Claim& claim) {
  return fmt::format("{}: {} ({} {}){}", claim.text, alo::report::readable_short(claim.value, 3),
                     claim.at_least ? "at least" : "at most", alo::report::readable_short(claim.limit, 3),
                     claim.holds() ? "" : " – does not hold");
}

}  // namespace

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
  std::string claims;
  for (const Claim& claim : outcome.claims) claims += "- " + claim_line(claim) + "\n";
  for (const std::string& reason : outcome.skipped) claims += "- Not run: " + reason + "\n";
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
  Provenance all;
  const auto add = [&](const std::string& name, const Provenance& one) {
    table.rows.push_back({name, fmt::format("{}", one.units), fmt::format("{}", one.earlier),
                          fmt::format("{:.1f}", one.seconds / 60),
                          fmt::format("{}", fmt::join(one.makers, ", "))});
  };
  for (const Finished& one : finished) {
    add(one.experiment->name, one.provenance);
    all.units += one.provenance.units;
    all.earlier += one.provenance.earlier;
    all.seconds += one.provenance.seconds;
    all.makers.insert(one.provenance.makers.begin(), one.provenance.makers.end());
  }
  add("all", all);
  return table;
}

void publish_provenance(const std::vector<Finished>& finished, const std::filesystem::path& repository,
                        const std::filesystem::path& target) {
  write_file(target / "README.md", with_block(read_file(repository / "experiments" / "README.md"),
                                              "provenance", markdown(provenance_table(finished))));
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
  std::vector<std::string> lines;
  for (const Claim& claim : outcome.claims) lines.push_back(claim_line(claim));
  for (const std::string& reason : outcome.skipped) lines.push_back("Not run: " + reason);
  if (!lines.empty()) page.list(lines);
}

}  // namespace paper
