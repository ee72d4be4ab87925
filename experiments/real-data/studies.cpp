// SPDX-License-Identifier: MIT
#include "studies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "alo/read.hpp"
#include "linear_model.hpp"

namespace paper {

namespace fs = std::filesystem;
using alo::Index;

namespace {

// A study of these rows, without the columns that say nothing.
alo::Dataset with_distinct_columns(const alo::Matrix& rows, alo::Vector response) {
  alo::Matrix distinct = rows(Eigen::all, distinct_columns(rows));
  return alo::make_dataset(alo::Design(std::move(distinct)), std::move(response));
}

}  // namespace

std::vector<Index> distinct_columns(const alo::Matrix& values) {
  std::set<std::vector<double>> seen;
  std::vector<Index> kept;
  for (Index j = 0; j < values.cols(); ++j) {
    const auto column = values.col(j);
    const bool varies = (column.array() != column[0]).any();
    if (varies && seen.emplace(column.begin(), column.end()).second) kept.push_back(j);
  }
  return kept;
}

std::vector<Index> random_rows(Index count, Index bound, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  return draw_places(std::min(count, bound), bound, engine);
}

alo::Dataset read_heart(const fs::path& data) {
  alo::ReadOptions options;
  options.format = alo::FileFormat::csv;
  options.drop = {"row.names"};
  return alo::read_dataset((data / "saheart/SAheart.data").string(), options);
}

alo::Dataset read_colon(const fs::path& data) {
  alo::ReadOptions options;
  options.target = "tumor";
  std::ifstream genes(data / "colon/colon_genes.csv");
  std::string line;
  std::getline(genes, line);  // column,id,accession,hsa,first_of_accession,identical_to_earlier_column
  while (std::getline(genes, line)) {
    std::istringstream fields(line);
    std::vector<std::string> values;
    for (std::string field; std::getline(fields, field, ',');) values.push_back(field);
    if (values.at(4) == "0") options.drop.push_back(values[1]);
  }
  return alo::read_dataset((data / "colon/colon.csv").string(), options);
}

alo::Dataset read_digits(const fs::path& data, Index most_rows, std::uint64_t seed) {
  alo::ReadOptions options;
  options.target = "y";
  const alo::Dataset all = alo::read_dataset((data / "mnist49/mnist_t10k_4v9.csv.gz").string(), options);
  const std::vector<Index> rows = random_rows(most_rows, all.rows(), seed);
  return with_distinct_columns(all.design.dense_values()(rows, Eigen::all) / 255, all.response(rows));
}

alo::Dataset read_gisette(const fs::path& data, Index most_rows, std::uint64_t seed) {
  const fs::path folder = data / "gisette";
  std::ifstream rows(folder / "gisette_train.data"), labels(folder / "gisette_train.labels");
  std::vector<double> values, response;
  std::size_t columns = 0;
  for (std::string line; std::getline(rows, line);) {
    std::istringstream words(line);
    const std::size_t before = values.size();
    for (double value = 0; words >> value;) values.push_back(value / 999);
    const std::size_t found = values.size() - before;
    if (found == 0) continue;
    if (columns == 0) columns = found;
    double label = 0;
    if (!(labels >> label) || !words.eof() || found != columns) {
      throw std::runtime_error(
          fmt::format("{}: row {} has no label, another length than the first, or no number", folder.string(),
                      response.size() + 1));
    }
    response.push_back(label);
  }
  if (response.empty()) throw std::runtime_error(folder.string() + ": gisette_train.data has no rows");
  const auto count = static_cast<Index>(response.size());
  const std::vector<Index> chosen = random_rows(most_rows, count, seed);
  const Eigen::Map<const alo::Matrix> by_column(values.data(), static_cast<Index>(columns), count);
  return with_distinct_columns(by_column(Eigen::all, chosen).transpose(),
                               Eigen::Map<const alo::Vector>(response.data(), count)(chosen));
}

}  // namespace paper
