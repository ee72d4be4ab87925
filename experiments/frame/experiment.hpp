// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <filesystem>
#include <functional>
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

// A claim: a number that must be at most (or at least) a limit.
struct Claim {
  std::string text;
  double value = 0;
  double limit = 0;
  bool at_least = false;

  bool holds() const { return at_least ? value >= limit : value <= limit; }  // false for NaN
};

struct Outcome {
  std::vector<Figure> figures;
  std::vector<Table> tables;
  std::vector<Claim> claims;
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
