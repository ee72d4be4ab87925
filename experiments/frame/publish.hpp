// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

#include "experiment.hpp"

namespace paper {

// The text with what stands between <!-- begin NAME --> and <!-- end NAME --> replaced. Throws where the
// markers are missing.
std::string with_block(const std::string& text, const std::string& name, const std::string& block);

// Figures, and the README of the experiment with its tables and claims written in, from the repository to the
// folder `target`; where that is the experiment's own, also the tables of the front page.
void publish(const Outcome& outcome, const std::filesystem::path& repository, const std::string& experiment,
             const std::filesystem::path& target);

// The section of an experiment in the page of all.
void add_section(alo::report::Page& page, const Experiment& experiment, const Outcome& outcome);

}  // namespace paper
