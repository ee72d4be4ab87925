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

// The first seed that is reported. Seeds 1 to 10 were used to write the experiments.
constexpr std::uint64_t first_seed = 101;

struct CaseResult {
  std::vector<Json> records;  // one per seed

  // The first values of the grid may be left out; the default choice is not known then.
  Agreements agreements(const std::string& metric, std::size_t skipped = 0) const;
  // The time of a path with ALO over that of the path, median of the seeds.
  double cost() const;
  // Both curves of the first seed, with the three choices; that of ALO is dashed where a leverage is high.
  Panel panel(const std::string& title, const std::string& metric) const;
};

CaseResult run_case(Context& context, const Case& setting, std::uint64_t seeds);

// The tables of agreement and of choices of some settings. The caller names the first columns.
class CurveTables {
 public:
  explicit CurveTables(const std::vector<std::string>& first_columns);
  void add(const std::vector<std::string>& first_cells, const Agreements& agreements);
  // A line of the first table alone.
  void add_agreement(const std::vector<std::string>& first_cells, const Agreements& agreements);
  void move_to(Outcome& outcome);

 private:
  Table agreement_, choices_;
};

// Whether a design has more columns than rows. The paper expects trouble only there, and only where lambda
// is very small.
enum class Width { tall, wide };

// Adds the paper's claim that ALO follows leave-one-out: on average over the lambdas and seeds it is within 5
// % of the exact risk, which is what `alo check` calls trusted; in wide designs without the very small
// lambdas
// (`very_small`). With limits: from the best lambda on, where tuning looks.
void add_follow_claim(Outcome& outcome, const std::string& where, Width width, const Agreements& agreements);
// Adds the check of what `alo` itself promises: at the default choice the exact risk is at most 5 %, or a
// quarter of a standard error, above its smallest value, in every seed.
void add_default_check(Outcome& outcome, const std::string& where, const Agreements& agreements);
// Adds both, and the paper's claim that choosing by ALO does not harm the tuning: the exact risk at ALO's
// choice is at most 5 % above its smallest value, in every seed. With limits: in all seeds but one in twenty.
void add_claims(Outcome& outcome, const std::string& where, Width width, const Agreements& agreements);

// Adds the paper's claim on the time of ALO, by CaseResult::cost().
void add_cost_claim(Outcome& outcome, const std::string& where, double cost);

// A table of the difference by the largest leverage, over the lambdas of all seeds.
Table leverage_table(const std::string& name, const std::vector<std::string>& first_columns);
void add_leverage_lines(Table& table, const std::vector<std::string>& first_cells, const CaseResult& result,
                        const std::string& metric);

}  // namespace paper
