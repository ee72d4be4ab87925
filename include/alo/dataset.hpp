// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "alo/design.hpp"
#include "alo/kernel.hpp"
#include "alo/types.hpp"

namespace alo {

enum class WeightKind {
  importance,  // leaving a row out removes its whole weight
  frequency,   // the weight counts copies of the row; leaving the row out removes one copy
};

// How one column of the file became columns of the design. It is kept so that new data can be encoded in
// the same way.
struct ColumnSource {
  std::string name;
  // The levels of a text column, in byte order; empty for a column of numbers. Two levels make one
  // indicator column (of the later level), more make one column each.
  std::vector<std::string> levels;
  // The number that replaces missing ones (the mean of the column), if any were missing.
  double fill = 0.0;
  bool filled = false;
};

// An entry of the design that was missing and was filled with the column's mean.
struct FilledEntry {
  Index row;
  Index column;
};

// The origin of a design whose columns are features of a kernel.
struct KernelSource {
  Kernel kernel;
  // The data columns that the kernel compares. Where they were standardised, a view divides them by their
  // scale.
  Design columns;
  std::vector<std::string> column_names;
};

// The data columns without variation, where the kernel standardises columns: they take no part in it.
std::vector<Index> columns_left_out(const KernelSource& source);

// What each row of the design observes of a matrix of coefficients B.
enum class MatrixRows {
  entries,   // one entry of B
  rank_one,  // a'Bb, with a and b read from two files
};

// The origin of a design whose columns are the entries of a matrix of coefficients, row by row.
struct MatrixSource {
  MatrixRows kind = MatrixRows::entries;
  std::vector<std::string> row_names;
  std::vector<std::string> column_names;
  // For `entries`: the names that the file gives to its two columns of indices; empty for a file without
  // names.
  std::string row_field;
  std::string column_field;
};

// n observations, ready to be fitted.
struct Dataset {
  Design design;    // n x p, without a column for the intercept
  Vector response;  // n numbers, or classes coded as in classes.hpp
  Vector weights;   // n; ones by default
  WeightKind weight_kind = WeightKind::importance;
  Vector offset;                          // n, added to the linear predictor; zeros by default
  std::vector<std::string> column_names;  // p, after encoding; empty where `matrix` names the columns
  std::string response_name = "y";
  std::vector<std::string> classes;    // labels of the classes; empty for a numeric response
  std::vector<Index> lines;            // the line of each row in the file, for messages; empty: 1, 2, ...
  std::vector<ColumnSource> sources;   // empty when the data did not come from a table
  std::vector<FilledEntry> filled;     // entries that were missing and hold a mean
  std::optional<KernelSource> kernel;  // set where the columns are features of a kernel
  std::optional<MatrixSource> matrix;  // set where the columns are the entries of a matrix
  std::vector<std::string> notes;      // sentences for the user on what was done to the data

  Index rows() const { return design.rows(); }
  Index columns() const { return design.columns(); }
  // The name of column j: "bmi", or "row,column" for an entry of a matrix. The latter is made on demand,
  // because a matrix may have too many entries to keep a name for each.
  std::string column_name(Index j) const;
  Index line(Index row) const { return lines.empty() ? row + 1 : lines[static_cast<std::size_t>(row)]; }
};

// A dataset in memory with unit weights, no offset, and columns named x1, x2, ...
Dataset make_dataset(Design design, Vector response);

// The same observations with the features of a kernel (kernel_features) as columns, named phi1, phi2, ...
// With `standardize` the kernel compares columns divided by their weighted standard deviations (divisor sum
// of w), and columns without variation take no part. A kernel without a gamma takes default_gamma, in which
// every row counts by its weight, or 1 / p with `standardize`. Throws InvalidData for data that validate()
// refuses.
Dataset with_kernel(Dataset data, const Kernel& kernel, bool standardize = false);

// Throws InvalidData, which names row and column, unless sizes agree, every number is finite, weights are
// nonnegative with a positive sum (integers when they are frequencies), and there is at least one row.
void validate(const Dataset& data);

}  // namespace alo
