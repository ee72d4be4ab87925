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
  triplets,  // a table of any format; implies DesignKind::triplets
};
enum class MissingPolicy { refuse, drop_rows, mean };
enum class DesignKind {
  columns,   // the columns of the file
  identity,  // the response is a signal: each row has its own coefficient, other columns are
             // ignored
  triplets,  // entries of a matrix, one per row of the file: row, column, and the response
  rank_one,  // a_i b_i' for row i, with a_i and b_i the rows of two other files
};

struct ReadOptions {
  FileFormat format = FileFormat::automatic;  // by extension, .gz allowed; standard input: csv
  Index skip = 0;                             // lines to ignore at the top
  std::string target;                         // name or index from 1; empty: the last column
  std::string response_file;                  // for formats without a response (npy, mtx)
  std::vector<std::string> drop;              // columns to leave out
  std::string weights;                        // column of weights, by name or index
  WeightKind weight_kind = WeightKind::importance;
  std::string offset;  // column of offsets, by name or index
  MissingPolicy missing = MissingPolicy::refuse;
  DesignKind design = DesignKind::columns;
  // For triplets: rows and columns are numbered from 1 to these. By default they are the labels that occur,
  // sorted.
  std::optional<MatrixShape> shape;
  std::string left_file;   // for rank_one: the rows a_i
  std::string right_file;  // for rank_one: the rows b_i
};

// Reads a data file; "-" is standard input. Text columns become indicators (ColumnSource). Throws
// InvalidData, which names file, row, column and remedy.
Dataset read_dataset(const std::string& path, const ReadOptions& options = {});

// Reads new data for a fitted model. Columns are matched by name where the file has names, and by position
// otherwise (the predictors alone, or the layout of the training file). A level that did not occur in
// training is refused. Missing numbers are refused too; with MissingPolicy::mean the mean of the training
// data replaces them where the model has one. Weights and response are not needed; the offset column is, if
// the model has one.
struct NewData {
  Design design;
  Vector offset;
};
NewData read_new_data(const std::string& path, const std::vector<ColumnSource>& sources,
                      const ReadOptions& options = {});

// The same for a design whose columns are the entries of a matrix. For triplets, rows and columns that did
// not occur in training are refused. For rank_one, the left and the right file of the options must have the
// columns of the model, and `path` is read only for the offset, if there is one.
NewData read_new_data(const std::string& path, const MatrixSource& source, const ReadOptions& options = {});

// Reads a vector, such as penalty weights or a response: one number per line, or a single row or column of
// CSV, with or without a header. "inf" is allowed.
Vector read_vector(const std::string& path);

}  // namespace alo
