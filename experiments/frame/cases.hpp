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

// The first seed that is reported. Seeds 1 to 10 were used to write the experiments; those from here on
// were not looked at when the limits of the claims were set.
constexpr std::uint64_t first_seed = 101;

struct CaseResult {
  std::vector<Json> records;  // one per seed

  Agreements agreements(const std::string& metric) const;
  // Both curves of the first seed; that of ALO is dashed where `alo` warns.
  Panel panel(const std::string& title, const std::string& metric) const;
};

CaseResult run_case(Context& context, const Case& setting, std::uint64_t seeds);

// A table of agreements; the caller names its first columns.
Table agreement_table(const std::string& name, const std::vector<std::string>& first_columns);
void add_line(Table& table, std::vector<std::string> first_cells, const Agreements& agreements);

// Adds the claims on curves of ALO, in units of the standard error of leave-one-out, by which another
// sample of the same size would differ. In every seed: on average over the lambdas without a warning ALO is
// within one standard error of exact leave-one-out; and the risk at ALO's choice is at most two above the
// smallest, the usual bound of chance.
void add_claims(Outcome& outcome, const std::string& title, const Agreements& agreements);

// A table of the difference by the largest leverage, over the lambdas of all seeds.
Table leverage_table(const std::string& name, const std::vector<std::string>& first_columns);
void add_leverage_lines(Table& table, const std::vector<std::string>& first_cells, const CaseResult& result,
                        const std::string& metric);

}  // namespace paper
