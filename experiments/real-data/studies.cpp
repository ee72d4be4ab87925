// SPDX-License-Identifier: MIT
#include "studies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "alo/read.hpp"

namespace paper {

namespace fs = std::filesystem;
using alo::Index;

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

alo::Dataset read_digits(const fs::path& data, Index most_rows) {
  alo::ReadOptions options;
  options.target = "y";
  const alo::Dataset all = alo::read_dataset((data / "mnist49/mnist_t10k_4v9.csv.gz").string(), options);
  const Index rows = std::min(most_rows, all.rows());
  return alo::make_dataset(alo::Design(alo::Matrix(all.design.dense_values().topRows(rows) / 255)),
                           all.response.head(rows));
}

alo::Dataset read_gisette(const fs::path& data, Index most_rows) {
  const fs::path folder = data / "gisette";
  std::ifstream rows(folder / "gisette_train.data"), labels(folder / "gisette_train.labels");
  std::vector<std::vector<double>> values;
  std::vector<double> response;
  for (std::string line; static_cast<Index>(values.size()) < most_rows && std::getline(rows, line);) {
    std::istringstream words(line);
    std::vector<double> row;
    for (double value = 0; words >> value;) row.push_back(value / 999);
    if (row.empty()) continue;
    double label = 0;
    if (!(labels >> label) || !words.eof() || row.size() != (values.empty() ? row : values.front()).size()) {
      throw std::runtime_error(
          fmt::format("{}: row {} has no label, another length than the first, or no number", folder.string(),
                      values.size() + 1));
    }
    values.push_back(std::move(row));
    response.push_back(label);
  }
  if (values.empty()) throw std::runtime_error(folder.string() + ": gisette_train.data has no rows");
  alo::Matrix design(static_cast<Index>(values.size()), static_cast<Index>(values.front().size()));
  for (Index i = 0; i < design.rows(); ++i) {
    design.row(i) = Eigen::Map<const alo::Vector>(values[static_cast<std::size_t>(i)].data(), design.cols());
  }
  alo::Vector target = Eigen::Map<const alo::Vector>(response.data(), design.rows());
  return alo::make_dataset(alo::Design(std::move(design)), std::move(target));
}

}  // namespace paper
