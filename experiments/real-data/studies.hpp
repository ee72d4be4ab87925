// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "alo/dataset.hpp"

namespace paper {

// Published studies, from the folder that --data names.
alo::Dataset read_heart(const std::filesystem::path& data);  // saheart/SAheart.data
// colon/colon.csv with colon_genes.csv: the first column of each accession number, 1909 of 2000.
alo::Dataset read_colon(const std::filesystem::path& data);
// Rows at random, by seed, of mnist49/mnist_t10k_4v9.csv.gz, pixels divided by 255.
alo::Dataset read_digits(const std::filesystem::path& data, alo::Index most_rows, std::uint64_t seed);
// Rows at random, by seed, of gisette/gisette_train.data, as UCI has it: a row of numbers from 0 to 999 on
// each line, divided by 999, and the labels, 1 or -1, in gisette_train.labels.
alo::Dataset read_gisette(const std::filesystem::path& data, alo::Index most_rows, std::uint64_t seed);

// Both drop, of the rows that are taken, the columns that never vary and those that equal an earlier column,
// as the paper does; these are the columns that stay.
std::vector<alo::Index> distinct_columns(const alo::Matrix& values);
// `count` of the numbers 0, ..., bound - 1, or all where there are fewer, ascending; they depend on the seed
// alone.
std::vector<alo::Index> random_rows(alo::Index count, alo::Index bound, std::uint64_t seed);

}  // namespace paper
