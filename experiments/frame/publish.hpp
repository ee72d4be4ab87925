// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiment.hpp"

namespace paper {

// Replaces the text between <!-- begin NAME --> and <!-- end NAME -->. Throws where the markers are
// missing.
std::string with_block(const std::string& text, const std::string& name, const std::string& block);

// Writes the figures and the README of the experiment, with its tables and claims, to the folder `target`.
// Where that is the experiment's own folder, the tables of the front page are written too.
void publish(const Outcome& outcome, const std::filesystem::path& repository, const std::string& experiment,
             const std::filesystem::path& target);

struct Finished {
  const Experiment* experiment = nullptr;
  Outcome outcome;
  Provenance provenance;
};

// A table of the number of units of work of each experiment, their time, and the version that computed
// them; it is part of the page of all experiments.
alo::report::PageTable provenance_table(const std::vector<Finished>& finished);
// All claims with their numbers and verdicts.
alo::report::PageTable verdict_table(const std::vector<Finished>& finished);
// The text with the rows of a table, whose first cells are names of experiments, in the block of that name.
// The rows of other experiments stay; all are in the order of `names`.
std::string with_rows(const std::string& text, const std::string& name, const alo::report::PageTable& table,
                      const std::vector<std::string>& names);
// Writes both tables to the README of all experiments, whose names are given in order.
void publish_front(const std::vector<Finished>& finished, const std::vector<std::string>& names,
                   const std::filesystem::path& repository, const std::filesystem::path& target);

// The cells of a claim in these tables: what the paper says, where, measured, verdict.
std::vector<std::string> claim_cells(const Claim& claim);
// A bound in words, "text: value (at most limit)".
std::string in_words(const Bound& bound);

// Adds the section of an experiment to the page of all experiments.
void add_section(alo::report::Page& page, const Experiment& experiment, const Outcome& outcome);

}  // namespace paper
