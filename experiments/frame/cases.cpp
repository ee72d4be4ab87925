// SPDX-License-Identifier: MIT
#include "cases.hpp"

#include <fmt/format.h>

namespace paper {

CaseResult run_case(Context& context, const Case& setting, std::uint64_t seeds) {
  CaseResult result;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    result.records.push_back(
        context.records.get(fmt::format("{}-seed{}", setting.name, seed), [&] { return setting.run(seed); }));
  }
  return result;
}

Agreements CaseResult::agreements(const std::string& metric) const {
  Agreements agreements;
  for (const Json& record : records) {
    agreements.seeds.push_back(agreement(numbers(record[metric]["alo"]), numbers(record[metric]["exact"])));
  }
  return agreements;
}

Panel CaseResult::panel(const std::string& title, const std::string& metric) const {
  const Json& record = records.front();
  const std::vector<double> lambdas = numbers(record["lambda"]);
  return {title,
          {{"ALO", "alo", lambdas, numbers(record[metric]["alo"]), false},
           {"exact leave-one-out", "exact", lambdas, numbers(record[metric]["exact"]), true}},
          false};
}

Table agreement_table(const std::string& name, const std::vector<std::string>& first_columns) {
  Table table{name, {first_columns, {}, false}};
  table.cells.header.insert(table.cells.header.end(), agreement_header.begin(), agreement_header.end());
  return table;
}

void add_line(Table& table, std::vector<std::string> first_cells, const Agreements& agreements) {
  const std::vector<std::string> cells = agreements.cells();
  first_cells.insert(first_cells.end(), cells.begin(), cells.end());
  table.cells.rows.push_back(std::move(first_cells));
}

}  // namespace paper
