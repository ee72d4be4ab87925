// SPDX-License-Identifier: MIT
#include "unit/formats/temporary_file.hpp"

namespace alo::testing {
namespace {

Dataset read_mtx(std::string_view content, const ReadOptions& options = {}) {
  return read_text(content, options, "data.mtx");
}

std::string mtx_refusal(std::string_view content, const ReadOptions& options = {}) {
  return read_refusal(content, options, "data.mtx");
}

const std::string coordinate =
    "%%MatrixMarket matrix coordinate real general\n% comment\n2 3 4\n1 1 1.5\n2 3 9\n1 3 -2\n2 2 4\n";

TEST(MatrixMarket, CoordinatesMakeASparseDesignWithTheLastColumnAsTarget) {
  const Dataset data = read_mtx(coordinate);
  ASSERT_TRUE(data.design.is_sparse());
  EXPECT_EQ(Matrix(data.design.sparse_values()), (Matrix(2, 2) << 1.5, 0, 0, 4).finished());
  EXPECT_EQ(data.response, (Vector(2) << -2, 9).finished());
  validate(data);
}

TEST(MatrixMarket, TargetByPositionOrResponseFile) {
  ReadOptions options;
  options.target = "1";
  EXPECT_EQ(read_mtx(coordinate, options).response, (Vector(2) << 1.5, 0).finished());
  const TemporaryFile response("y.csv", "y\n7\n8\n");
  options.target = "";
  options.response_file = response.path();
  const Dataset data = read_mtx(coordinate, options);
  EXPECT_EQ(data.columns(), 3);
  EXPECT_EQ(data.response, (Vector(2) << 7, 8).finished());
}

TEST(MatrixMarket, PatternIntegerAndSymmetric) {
  const TemporaryFile response("y.csv", "7\n8\n");
  ReadOptions options;
  options.response_file = response.path();
  const Dataset pattern =
      read_mtx("%%MatrixMarket MATRIX Coordinate Pattern General\n2 2 2\n1 2\n2 1\n", options);
  EXPECT_EQ(Matrix(pattern.design.sparse_values()), (Matrix(2, 2) << 0, 1, 1, 0).finished());
  const Dataset symmetric =
      read_mtx("%%MatrixMarket matrix coordinate integer symmetric\n2 2 2\n2 1 3\n2 2 5\n", options);
  EXPECT_EQ(Matrix(symmetric.design.sparse_values()), (Matrix(2, 2) << 0, 3, 3, 5).finished());
}

TEST(MatrixMarket, ArraysAreDenseAndByColumns) {
  const std::string text = "%%MatrixMarket matrix array real general\n2 3\n1\n2\n3\n4\n5\n6\n";
  const Dataset data = read_mtx(text);
  ASSERT_FALSE(data.design.is_sparse());
  EXPECT_EQ(data.design.dense_values(), (Matrix(2, 2) << 1, 3, 2, 4).finished());
  EXPECT_EQ(data.response, (Vector(2) << 5, 6).finished());
  const Dataset symmetric = read_mtx("%%MatrixMarket matrix array real symmetric\n2 2\n1\n2\n3\n");
  EXPECT_EQ(symmetric.design.dense_values(), (Matrix(2, 1) << 1, 2).finished());
  EXPECT_EQ(symmetric.response, (Vector(2) << 2, 3).finished());
  EXPECT_EQ(read_text(gzip(text), {}, "data.mtx.gz").rows(), 2);
  EXPECT_EQ(read_text(text, {}, "unnamed").rows(), 2);
}

TEST(MatrixMarket, BadFilesAreRefusedWithTheirRow) {
  const std::string head = "%%MatrixMarket matrix coordinate real general\n";
  expect_parts(mtx_refusal("1 2 3\n"), {"data.mtx, row 1", "not a Matrix Market header"});
  expect_parts(mtx_refusal("%%MatrixMarket matrix coordinate complex general\n1 1 0\n"), {"'complex'"});
  expect_parts(mtx_refusal("%%MatrixMarket matrix coordinate real hermitian\n1 1 0\n"), {"'hermitian'"});
  expect_parts(mtx_refusal("%%MatrixMarket matrix list real general\n1 1 0\n"), {"'list'"});
  expect_parts(mtx_refusal(head), {"truncated", "the size"});
  expect_parts(mtx_refusal(head + "2 2 2\n1 1 1\n"), {"truncated"});
  expect_parts(mtx_refusal(head + "2 2 1\n3 1 1\n"), {"row 3", "row index 3", "from 1 to 2"});
  expect_parts(mtx_refusal(head + "2 2 1\n1 0 1\n"), {"row 3", "column index 0"});
  expect_parts(mtx_refusal(head + "2 2 1\n1 1 x\n"), {"row 3", "'x'"});
  expect_parts(mtx_refusal(head + "2 2 1\n1 1 nan\n"), {"row 3", "not a finite number"});
  expect_parts(mtx_refusal(head + "2 2 1\n1 1 1 1\n"), {"row 3", "unexpected"});
  expect_parts(mtx_refusal(head + "2 2 1\n1 1 1\n2 2 2\n"), {"row 4", "more entries"});
  expect_parts(mtx_refusal(head + "2 2 2\n1 1 1\n1 1 2\n"), {"row 1, column 1", "twice"});
  expect_parts(mtx_refusal(head + "2 2 999999999999\n1 1 1\n"), {"truncated"});
  expect_parts(mtx_refusal(head + "2000000000 2000000000 1\n1 1 1\n"), {"only 1 entries"});
  expect_parts(mtx_refusal(head + "2 2 1.5\n1 1 1\n"), {"row 2", "whole number"});
  const std::string array = "%%MatrixMarket matrix array real general\n";
  expect_parts(mtx_refusal(array + "1000000000 1000000000\n1\n"), {"truncated"});
  expect_parts(mtx_refusal(array + "1 2\n1\n"), {"truncated", "a value"});
  expect_parts(mtx_refusal(array + "1 1\nx\n"), {"row 3", "'x'"});
  expect_parts(mtx_refusal(array + "1 2\ninf\n2\n"), {"row 1, column 1", "not finite"});
  expect_parts(mtx_refusal("%%MatrixMarket matrix array real symmetric\n1 2\n1\n2\n"), {"symmetric"});
}

TEST(MatrixMarket, SkipDoesNotFit) {
  ReadOptions options;
  options.skip = 1;
  expect_parts(mtx_refusal(coordinate, options), {"[skip]"});
}

}  // namespace
}  // namespace alo::testing
