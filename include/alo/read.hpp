// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "alo/dataset.hpp"
#include "alo/geometry.hpp"

namespace alo {

enum class FileFormat {
  automatic,
  csv,
  tsv,
  libsvm,
  npy,
  matrix_market,
  triplets,  // a table of any format, of which DesignKind::triplets makes sense
};
enum class MissingPolicy { refuse, drop_rows, mean };
enum class DesignKind {
  columns,   // the columns of the file
  identity,  // the response is a signal: every row has a coefficient of its own, and other columns are
             // ignored
  triplets,  // the entries of a matrix, one a row of the file: its row, its column, and the response
  rank_one,  // a_i b_i' for row i of the response, with a_i and b_i the rows of two other files
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
  // Of triplets: rows and columns are numbered from 1 to these; none: those that occur, in their order.
  std::optional<MatrixShape> shape;
  std::string left_file;   // of rank_one: the rows a_i
  std::string right_file;  // and b_i
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

// The same where the columns are the entries of a matrix: of triplets, rows and columns that did not occur
// are refused, of rank_one the left and the right file of the options must have the columns of the model, and
// `path` is read for the offset alone, if there is one.
NewData read_new_data(const std::string& path, const MatrixSource& source, const ReadOptions& options = {});

// One number per line or a single row or column of CSV, with or without header:
// penalty weights and responses. "inf" is allowed.
Vector read_vector(const std::string& path);

}  // namespace alo
