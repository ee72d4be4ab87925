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

// Seeds 1 to 10 served to write the experiments; what is reported comes from seeds that were not looked at
// when the limits of the claims were set.
constexpr std::uint64_t first_seed = 101;

struct CaseResult {
  std::vector<Json> records;  // one per seed

  Agreements agreements(const std::string& metric) const;
  // Both curves of the first seed, that of ALO dashed where `alo` warns.
  Panel panel(const std::string& title, const std::string& metric) const;
};

CaseResult run_case(Context& context, const Case& setting, std::uint64_t seeds);

// A table of agreements, its first columns named by the caller.
Table agreement_table(const std::string& name, const std::vector<std::string>& first_columns);
void add_line(Table& table, std::vector<std::string> first_cells, const Agreements& agreements);

// The claims on curves of ALO, in standard errors of leave-one-out, which another sample of so many rows
// would differ by. In every seed: on average over the lambdas without a warning ALO is no further from exact
// leave-one-out than one; and the risk at ALO's choice is above the smallest by no more than two, the usual
// bound of what chance explains.
void add_claims(Outcome& outcome, const std::string& title, const Agreements& agreements);

// What the difference depends on: values of lambda, of all seeds, by their largest leverage.
Table leverage_table(const std::string& name, const std::vector<std::string>& first_columns);
void add_leverage_lines(Table& table, const std::vector<std::string>& first_cells, const CaseResult& result,
                        const std::string& metric);

}  // namespace paper
