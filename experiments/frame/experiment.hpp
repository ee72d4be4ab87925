// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "records.hpp"
#include "report/page.hpp"

namespace paper {

struct Figure {
  std::string file;  // name of the SVG
  std::string svg;
  std::string caption;
};

// A table of numbers, which replaces the text between the markers of its name in the README.
struct Table {
  std::string name;
  alo::report::PageTable cells;
  bool front_page = false;   // it goes into the README of the repository instead
  std::string caption = {};  // for the page of all experiments
};

// A number that is to be at most (or at least) a limit.
struct Bound {
  std::string text;
  double value = 0;
  double limit = 0;
  bool at_least = false;
  bool as_percentage = false;

  bool holds() const { return at_least ? value >= limit : value <= limit; }  // false for NaN
};

enum class Verdict { holds, holds_with_limits, does_not_hold };

// A sentence of the paper, confronted with a number. The limits stand in the sources before a run, and none
// depends on what a run finds. The sentence holds where `measured` keeps its limit; it holds with limits
// where only `weaker` does, which says what is left of it. A sentence that does not hold is a result and no
// fault, so that the run does not fail.
struct Claim {
  std::string text;   // what the paper says
  std::string where;  // the setting
  Bound measured;
  std::optional<Bound> weaker = {};

  Verdict verdict() const {
    if (measured.holds()) return Verdict::holds;
    return weaker && weaker->holds() ? Verdict::holds_with_limits : Verdict::does_not_hold;
  }
};

struct Outcome {
  std::vector<Figure> figures;
  std::vector<Table> tables;
  std::vector<Claim> claims;
  std::vector<Bound> checks;         // the run fails where one does not hold
  std::vector<std::string> skipped;  // what was not run, and how to get it
};

// The surroundings of an experiment.
struct Context {
  Records& records;
  bool quick = false;            // small versions, for the tests
  std::filesystem::path data;    // folder of the studies; if empty or absent, these are skipped
  std::filesystem::path source;  // the repository
  int threads = 1;
};

struct Experiment {
  std::string name;   // of its folder
  std::string title;  // of its section of the page
  std::string claim;
  std::function<Outcome(Context&)> run;
  bool timed = false;  // it runs before the others, when the machine is most likely idle
};

// One function per folder.
Outcome figure_1(Context& context);
Outcome figure_2a(Context& context);
Outcome figure_2b(Context& context);
Outcome table_1(Context& context);
Outcome real_data(Context& context);
Outcome theorems(Context& context);
Outcome beyond(Context& context);

}  // namespace paper
