// SPDX-License-Identifier: MIT
#include "unit/formats/temporary_file.hpp"

namespace alo::testing {
namespace {

using Names = std::vector<std::string>;

TEST(Csv, HeaderIsThereIffTheFirstRowHasAWord) {
  const Dataset named = read_text("a,b,y\n1,2,3\n4,5,7\n");
  EXPECT_EQ(named.column_names, (Names{"a", "b"}));
  EXPECT_EQ(named.response_name, "y");
  EXPECT_EQ(named.rows(), 2);
  const Dataset bare = read_text("1,2,3\n4,5,7\n");
  EXPECT_EQ(bare.column_names, (Names{"x1", "x2"}));
  EXPECT_EQ(bare.response_name, "y");
  EXPECT_EQ(bare.response, (Vector(2) << 3, 7).finished());
  EXPECT_EQ(bare.design.dense_values(), (Matrix(2, 2) << 1, 2, 4, 5).finished());
}

TEST(Csv, MissingEntriesInTheFirstRowDoNotMakeAHeader) {
  ReadOptions options;
  options.missing = MissingPolicy::drop_rows;
  EXPECT_EQ(read_text("1,NA,3\n4,5,6\n", options).rows(), 1);
}

TEST(Csv, HeaderWithNumbersIsNoted) {
  const Dataset data = read_text("5.1,setosa,2\n1,2,3\n2,3,4\n");
  EXPECT_EQ(data.column_names, (Names{"5.1", "setosa"}));
  ASSERT_EQ(data.notes.size(), 1u);
  expect_parts(data.notes[0], {"Row 1", "column names"});
}

TEST(Csv, NumbersInEveryCommonForm) {
  const Dataset data = read_text("y\n1\n+2\n-3.5\n.5\n6.\n 7 \n1e3\n-1E-2\n\"8\"\n1e-999\n");
  const Vector expected = (Vector(10) << 1, 2, -3.5, 0.5, 6, 7, 1000, -0.01, 8, 0).finished();
  EXPECT_EQ(data.response, expected);
  EXPECT_EQ(data.columns(), 0);
}

TEST(Csv, HexadecimalAndDecimalCommaAreNotNumbers) {
  expect_parts(read_refusal("a,y\n1,2\n0x10,3\n4,5\n"), {"row 3", "column 'a'", "'0x10' is not a number"});
  expect_parts(read_refusal("a;y\n1;2\n\"2,5\";3\n4;5\n"), {"row 3", "'2,5'", "decimals with a point"});
}

TEST(Csv, QuotesKeepDelimitersNewlinesAndQuotes) {
  const Dataset data = read_text(
      "\"a,1\",\"b\"\"2\",y\n\"x, y\",1,1\n\"two\nlines\",2,2\n\"x, y\",3,3\n\"say \"\"so\"\"\",4,4\n");
  EXPECT_EQ(data.column_names, (Names{"a,1=say \"so\"", "a,1=two\nlines", "a,1=x, y", "b\"2"}));
  EXPECT_EQ(data.rows(), 4);
  EXPECT_EQ(Vector(data.design.dense_values().col(1)), (Vector(4) << 0, 1, 0, 0).finished());
}

TEST(Csv, RowNumbersCountTheLinesInsideQuotes) {
  expect_parts(read_refusal("a,y\n\"1\n2\n3\",1\n4\n"), {"row 5", "expected 2", "found 1"});
}

TEST(Csv, CarriageReturnsByteOrderMarkAndTrailingBlankLines) {
  const Dataset data = read_text(
      "\xef\xbb\xbf"
      "a,y\r\n1,2\r\n3,4\r\n\r\n  \n");
  EXPECT_EQ(data.column_names, Names{"a"});
  EXPECT_EQ(data.response, (Vector(2) << 2, 4).finished());
  EXPECT_EQ(read_text("a,y\n1,2\n3,4").rows(), 2);
  EXPECT_EQ(read_text("\n\na,y\n1,2\n").rows(), 1);
}

TEST(Csv, OtherEncodingsAndLineEndsAreNamed) {
  expect_parts(read_refusal("\xff\xfe"
                            "a\n"),
               {"UTF-16"});
  expect_parts(read_refusal("a,y\r1,2\r3,4\r"), {"CR alone"});
}

TEST(Csv, RaggedRowsAreRefusedWithRowAndCounts) {
  expect_parts(read_refusal("a,b,y\n1,2,3\n4,5\n"), {"data.csv, row 3", "expected 3", "found 2"});
  expect_parts(read_refusal("a,b,y\n1,2,3\n4,5,6,7\n"), {"row 3", "expected 3", "found 4"});
  expect_parts(read_refusal("569,30,malignant,benign\n1,2,3,4,5\n"), {"row 2", "expected 4", "[skip]"});
  expect_parts(read_refusal("a,y\n1,2\n\n3,4\n"), {"row 3 is blank"});
}

TEST(Csv, BrokenQuotesAreRefused) {
  expect_parts(read_refusal("a,y\n1,2\n\"3,4\n5,6\n"), {"row 3", "quoted field does not end"});
  expect_parts(read_refusal("a,y\n\"1\"x,2\n"), {"row 2", "follows the end of a quoted field"});
}

TEST(Csv, NamesMustDifferAndEmptyOnesAreNumbered) {
  expect_parts(read_refusal("a,b,a,y\n1,2,3,4\n"), {"row 1", "'a'"});
  EXPECT_EQ(read_text(",b,y\n1,2,3\n").column_names, (Names{"column1", "b"}));
}

TEST(Csv, HeaderWithoutRowsIsRefused) {
  expect_parts(read_refusal("a,b,y\n"), {"data.csv", "no row of data"});
}

TEST(Csv, SkipLeavesOutLinesAndKeepsRowNumbers) {
  ReadOptions options;
  options.skip = 2;
  EXPECT_EQ(read_text("made by me\non Monday\na,y\n1,2\n", options).column_names, Names{"a"});
  expect_parts(read_refusal("one\ntwo\na,y\n1,2\n3\n", options), {"row 5"});
  options.skip = 9;
  expect_parts(read_refusal("a,y\n1,2\n", options), {"the 9 to skip", "[skip 9]"});
}

TEST(Csv, DelimitersAreGuessed) {
  for (const auto& [name, content] :
       std::vector<std::pair<std::string, std::string>>{{"d.csv", "a;b;y\n1;2;3\n"},
                                                        {"d.tsv", "a\tb\ty\n1\t2\t3\n"},
                                                        {"d.txt", "a\tb\ty\n1\t2\t3\n"},
                                                        {"d.tab", "a b y\n1 2 3\n"},
                                                        {"d.data", "  a   b  y  \n 1  2\t3 \n"},
                                                        {"d.data", "a,b,y\n1, 2,3\n"},
                                                        {"d", "a;b;y\n1;2;3\n"},
                                                        {"d.txt", "\"a\" \"b\"  y\n\"1\" 2 \"3\"\n"}}) {
    const Dataset data = read_text(content, {}, name);
    EXPECT_EQ(data.column_names, (Names{"a", "b"})) << name << content;
    EXPECT_EQ(data.design.dense_values(), (Matrix(1, 2) << 1, 2).finished()) << name << content;
  }
}

TEST(Csv, OneColumnWithBlanksInItsNameStaysOne) {
  const Dataset data = read_text("my value\n1\n2\n");
  EXPECT_EQ(data.response_name, "my value");
  EXPECT_EQ(data.columns(), 0);
}

TEST(Csv, TabsBetweenMissingEntriesAreARow) {
  ReadOptions options;
  options.missing = MissingPolicy::drop_rows;
  EXPECT_EQ(read_text("a\ty\n1\t2\n\t\n3\t4\n", options, "d.tsv").rows(), 2);
}

TEST(Csv, WideTablesCrossBlocks) {
  const Index rows = 2500;
  const Index columns = 37;
  std::string text;
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < columns; ++j) text += std::to_string(i * 100 + j) + (j + 1 < columns ? "," : "\n");
  }
  const Dataset data = read_text(text);
  ASSERT_EQ(data.rows(), rows);
  ASSERT_EQ(data.columns(), columns - 1);
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j + 1 < columns; ++j) {
      ASSERT_EQ(data.design.dense_values()(i, j), static_cast<double>(i * 100 + j));
    }
  }
}

TEST(Csv, LibsvmContentWithoutExtensionIsRecognised) {
  expect_parts(read_refusal("+1 1:0.5 3:2\n", {}, "heart"), {"[format libsvm]"});
}

TEST(Vectors, RowColumnHeaderAndInfinity) {
  const Vector expected = (Vector(3) << 1, 0, std::numeric_limits<double>::infinity()).finished();
  for (const char* content :
       {"1\n0\ninf\n", "w\n1\n0\nInf\n", "1,0,inf\n", "a,b,c\n1,0,inf\n", "1 0 inf\n"}) {
    const TemporaryFile file("weights", content);
    EXPECT_EQ(read_vector(file.path()), expected) << content;
  }
}

TEST(Vectors, WordsMissingEntriesAndTablesAreRefused) {
  const auto vector_refusal = [](const char* content) {
    const TemporaryFile file("w.csv", content);
    return refusal([&] { read_vector(file.path()); });
  };
  expect_parts(vector_refusal("1\nx\n"), {"w.csv", "row 2", "'x'"});
  expect_parts(vector_refusal("1\nNA\n2\n"), {"row 2", "missing"});
  expect_parts(vector_refusal("1,2\n3,4\n"), {"2 rows and 2 columns"});
}

}  // namespace
}  // namespace alo::testing
