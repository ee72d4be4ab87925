// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "curves.hpp"
#include "experiment.hpp"
#include "panels.hpp"

namespace paper {

// A setting in which ALO is compared with exact leave-one-out, over several seeds.
struct Case {
  std::string name;   // of its records
  std::string title;  // of its panel, and the first cell of its line in the table
  std::function<Json(std::uint64_t seed)> run;
};

struct CaseResult {
  std::vector<Json> records;  // one per seed

  Agreements agreements(const std::string& metric) const;
  // Both curves of the first seed.
  Panel panel(const std::string& title, const std::string& metric) const;
};

CaseResult run_case(Context& context, const Case& setting, std::uint64_t seeds);

// A table of agreements, its first columns named by the caller.
Table agreement_table(const std::string& name, const std::vector<std::string>& first_columns);
void add_line(Table& table, std::vector<std::string> first_cells, const Agreements& agreements);

}  // namespace paper
