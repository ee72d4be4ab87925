// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "alo/dataset.hpp"

namespace alo {

enum class FileFormat { automatic, csv, tsv, libsvm, npy, matrix_market };
enum class MissingPolicy { refuse, drop_rows, mean };
enum class DesignKind {
  columns,   // the columns of the file
  identity,  // the response is a signal: every row has a coefficient of its own, and other columns are
             // ignored
};

struct ReadOptions {
  FileFormat format = FileFormat::automatic;  // by extension; .gz may follow; stdin: csv
  Index skip = 0;                             // lines to ignore at the top
  std::string target;                         // name or 1-based index; empty: the last column
  std::string response_file;                  // for formats without a response (npy, mtx)
  std::vector<std::string> drop;              // columns to leave out
  std::string weights;                        // column of weights, by name or index
  WeightKind weight_kind = WeightKind::importance;
  std::string offset;  // column of offsets
  MissingPolicy missing = MissingPolicy::refuse;
  DesignKind design = DesignKind::columns;
};

// Reads a data file ("-" is standard input). Throws InvalidData with file, row, column
// and remedy. Text columns become indicators (ColumnSource).
Dataset read_dataset(const std::string& path, const ReadOptions& options = {});

// Reads new data for an existing model: columns are matched by name where the file has
// names, by position otherwise (the predictors alone, or the layout of the training file);
// unseen levels are refused. Missing numbers are refused, or with MissingPolicy::mean filled
// with the mean kept from training where there is one. Weights and response are not
// needed; the offset column, if named, is.
struct NewData {
  Design design;
  Vector offset;
};
NewData read_new_data(const std::string& path, const std::vector<ColumnSource>& sources,
                      const ReadOptions& options = {});

// One number per line or a single row or column of CSV, with or without header:
// penalty weights and responses. "inf" is allowed.
Vector read_vector(const std::string& path);

}  // namespace alo
