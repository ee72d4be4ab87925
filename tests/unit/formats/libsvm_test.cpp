// SPDX-License-Identifier: MIT
#include "unit/formats/temporary_file.hpp"

namespace alo::testing {
namespace {

using Names = std::vector<std::string>;

Dataset read_svm(std::string_view content, const ReadOptions& options = {}) {
  return read_text(content, options, "data.svm");
}

std::string svm_refusal(std::string_view content, const ReadOptions& options = {}) {
  return read_refusal(content, options, "data.svm");
}

TEST(Libsvm, RowsMakeASparseDesign) {
  const Dataset data = read_svm("+1 1:0.5 3:-2 # first\n\n# nothing\n-1\n2.5 2:1e1\r\n");
  ASSERT_TRUE(data.design.is_sparse());
  const Matrix expected = (Matrix(3, 3) << 0.5, 0, -2, 0, 0, 0, 0, 10, 0).finished();
  EXPECT_EQ(Matrix(data.design.sparse_values()), expected);
  EXPECT_EQ(data.design.stored_entries(), 3);
  EXPECT_EQ(data.response, (Vector(3) << 1, -1, 2.5).finished());
  EXPECT_EQ(data.column_names, (Names{"x1", "x2", "x3"}));
  EXPECT_TRUE(data.notes.empty());
  validate(data);
}

TEST(Libsvm, IndexZeroAnywhereMakesTheWholeFileCountFromZero) {
  const Dataset data = read_svm("1 1:5\n2 0:7\n");
  EXPECT_EQ(Matrix(data.design.sparse_values()), (Matrix(2, 2) << 0, 5, 7, 0).finished());
  EXPECT_EQ(data.column_names, (Names{"x0", "x1"}));
  expect_parts(data.notes.at(0), {"counts columns from 0", "x0"});
}

TEST(Libsvm, QueryIdsArePassedOverWithANote) {
  const Dataset data = read_svm("1 qid:3 1:5\n2 qid:4 1:7\n");
  EXPECT_EQ(data.columns(), 1);
  expect_parts(data.notes.at(0), {"qid:"});
}

TEST(Libsvm, CompressedAndByFormat) {
  EXPECT_EQ(read_text(gzip("1 1:5\n"), {}, "data.libsvm.gz").columns(), 1);
  ReadOptions options;
  options.format = FileFormat::libsvm;
  EXPECT_EQ(read_text("1 1:5\n", options, "heart_scale").columns(), 1);
}

TEST(Libsvm, ColumnsCanBeDroppedAndUsedAsWeights) {
  ReadOptions options;
  options.drop = {"1"};
  options.weights = "3";
  const Dataset data = read_svm("1 1:5 2:6 3:7\n2 1:8 3:9\n", options);
  EXPECT_EQ(data.column_names, Names{"x2"});
  EXPECT_EQ(data.weights, (Vector(2) << 7, 9).finished());
  EXPECT_EQ(Matrix(data.design.sparse_values()), (Matrix(2, 1) << 6, 0).finished());
}

TEST(Libsvm, BadRowsAreRefusedWithTheirRow) {
  expect_parts(svm_refusal("1 1:1\n1 2:1 2:3\n"), {"data.svm, row 2", "index 2 follows index 2"});
  expect_parts(svm_refusal("1 3:1 2:3\n"), {"row 1", "must rise"});
  expect_parts(svm_refusal("1 1:nan\n"), {"row 1", "index 1", "not a finite number"});
  expect_parts(svm_refusal("1 1:1e999\n"), {"not a finite number"});
  expect_parts(svm_refusal("1 1:\n"), {"row 1", "value of index 1"});
  expect_parts(svm_refusal("1,2 1:1\n"), {"label '1,2'"});
  expect_parts(svm_refusal("1 5\n"), {"'5' is not index:value"});
  expect_parts(svm_refusal("1 -1:5\n"), {"'-1' is not an index"});
  expect_parts(svm_refusal("1 99999999999:5\n"), {"is not an index"});
  expect_parts(svm_refusal("1 2000000000:5\n"), {"2000000000 columns", "only 1 entries"});
  expect_parts(svm_refusal("# only a comment\n"), {"empty"});
}

TEST(Libsvm, TargetAndResponseDoNotFit) {
  ReadOptions options;
  options.target = "1";
  expect_parts(svm_refusal("1 1:1\n", options), {"[target]", "label"});
  options.target = "";
  options.response_file = "y.csv";
  expect_parts(svm_refusal("1 1:1\n", options), {"[response]", "label"});
}

}  // namespace
}  // namespace alo::testing
