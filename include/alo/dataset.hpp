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
  frequency,   // weight = number of copies; leaving out removes one copy
};

// How one column of the file became columns of the design; kept so that new data
// can be encoded the same way.
struct ColumnSource {
  std::string name;
  // Text columns: levels in byte order. Two levels make one indicator column (of
  // the later level), more make one column each. Empty for numbers.
  std::vector<std::string> levels;
  // The value that stands for a missing number (the column's mean), if any was filled in.
  double fill = 0.0;
  bool filled = false;
};

// An entry of the design that was missing and was filled with the column's mean.
struct FilledEntry {
  Index row;
  Index column;
};

// What a design of kernel features was made from.
struct KernelSource {
  Kernel kernel;
  Design columns;  // the kernel is one of their rows, seen through a scale if they were standardised
  std::vector<std::string> column_names;
};

// Columns without variation, where the kernel is one of standardised columns: they are left out of it.
std::vector<Index> columns_left_out(const KernelSource& source);

// What the rows of the design tell about a matrix of coefficients B.
enum class MatrixRows {
  entries,   // one entry of B each
  rank_one,  // a'B b each, a and b from files of their own
};

// The design of a matrix of coefficients, whose columns are its entries, row by row.
struct MatrixSource {
  MatrixRows kind = MatrixRows::entries;
  std::vector<std::string> row_names;
  std::vector<std::string> column_names;
  // Entries: what the file calls the two columns that name them; empty where it has no names.
  std::string row_field;
  std::string column_field;
};

// n observations, ready to be fitted.
struct Dataset {
  Design design;    // n x p, without intercept column
  Vector response;  // n: numbers, or classes by their index or sign (classes.hpp)
  Vector weights;   // n; ones unless given
  WeightKind weight_kind = WeightKind::importance;
  Vector offset;                          // n; zeros unless given; added to the linear predictor
  std::vector<std::string> column_names;  // p, after encoding; none where the matrix has them
  std::string response_name = "y";
  std::vector<std::string> classes;    // labels of the classes; empty for a response of numbers
  std::vector<Index> lines;            // line of the file of each row, for messages; empty: 1, 2, ...
  std::vector<ColumnSource> sources;   // empty when the data did not come from a table
  std::vector<FilledEntry> filled;     // entries filled by --missing mean
  std::optional<KernelSource> kernel;  // where the design is features and not columns of the data
  std::optional<MatrixSource> matrix;  // where the columns are the entries of a matrix
  std::vector<std::string> notes;      // what was done to the data, in sentences for the user

  Index rows() const { return design.rows(); }
  Index columns() const { return design.columns(); }
  // Of column j: "bmi", or "row,column" of a matrix, of which there may be too many to keep.
  std::string column_name(Index j) const;
  Index line(Index row) const { return lines.empty() ? row + 1 : lines[static_cast<std::size_t>(row)]; }
};

// A dataset in memory with unit weights, no offset, and columns named x1, x2, ...
Dataset make_dataset(Design design, Vector response);

// The same observations with features of the kernel (kernel_features) for columns, called phi1, phi2, ...
// With `standardize` the kernel is one of columns divided by their weighted standard deviations (divisor
// sum of w), columns without variation left out. Without a gamma it is default_gamma, or 1 / p with
// `standardize`. Throws InvalidData for data that validate() refuses.
Dataset with_kernel(Dataset data, const Kernel& kernel, bool standardize = false);

// Throws InvalidData, naming row and column, unless sizes agree, every number is
// finite, weights are nonnegative with a positive sum (integers when they are
// frequencies), and there is at least one row.
void validate(const Dataset& data);

}  // namespace alo
