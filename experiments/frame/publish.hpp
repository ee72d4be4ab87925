// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiment.hpp"

namespace paper {

// The text with what stands between <!-- begin NAME --> and <!-- end NAME --> replaced. Throws where the
// markers are missing.
std::string with_block(const std::string& text, const std::string& name, const std::string& block);

// Figures, and the README of the experiment with its tables and claims written in, from the repository to the
// folder `target`; where that is the experiment's own, also the tables of the front page.
void publish(const Outcome& outcome, const std::filesystem::path& repository, const std::string& experiment,
             const std::filesystem::path& target);

struct Finished {
  const Experiment* experiment = nullptr;
  Outcome outcome;
  Provenance provenance;
};

// How many units of work each experiment has, what they took, and which version computed them; written into
// the page of all experiments as well.
alo::report::PageTable provenance_table(const std::vector<Finished>& finished);
void publish_provenance(const std::vector<Finished>& finished, const std::filesystem::path& repository,
                        const std::filesystem::path& target);

// The section of an experiment in the page of all.
void add_section(alo::report::Page& page, const Experiment& experiment, const Outcome& outcome);

}  // namespace paper
