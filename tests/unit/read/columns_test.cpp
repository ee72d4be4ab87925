// SPDX-License-Identifier: MIT
#include <cmath>

#include "unit/formats/temporary_file.hpp"

namespace alo::testing {
namespace {

using Names = std::vector<std::string>;

const std::string five = "a,b,w,o,y\n1,2,1,0.5,3\n4,5,2,0.25,6\n";

TEST(Columns, TargetByNameOrPositionAndTheNameWins) {
  ReadOptions options;
  options.target = "a";
  EXPECT_EQ(read_text(five, options).response, (Vector(2) << 1, 4).finished());
  options.target = "2";
  EXPECT_EQ(read_text(five, options).response_name, "b");
  EXPECT_EQ(read_text("2,b,y\n1,7,3\n", options).response[0], 1.0);
  EXPECT_EQ(read_text("1,7,3\n", options).column_names, (Names{"x1", "x2"}));
}

TEST(Columns, WeightsOffsetAndDropLeaveTheDesign) {
  ReadOptions options;
  options.weights = "w";
  options.offset = "4";
  options.drop = {"a"};
  options.weight_kind = WeightKind::frequency;
  const Dataset data = read_text(five, options);
  EXPECT_EQ(data.column_names, Names{"b"});
  EXPECT_EQ(data.weights, (Vector(2) << 1, 2).finished());
  EXPECT_EQ(data.offset, (Vector(2) << 0.5, 0.25).finished());
  EXPECT_EQ(data.weight_kind, WeightKind::frequency);
  validate(data);
}

TEST(Columns, TheLastFreeColumnIsTheTarget) {
  ReadOptions options;
  options.weights = "y";
  EXPECT_EQ(read_text(five, options).response_name, "o");
}

TEST(Columns, UnknownAndDoublyUsedColumnsAreRefused) {
  ReadOptions options;
  options.drop = {"bmii"};
  expect_parts(read_refusal("age,bmi,y\n1,2,3\n", options), {"'bmii'", "[drop]", "did you mean 'bmi'"});
  options.drop = {"y"};
  options.target = "y";
  expect_parts(read_refusal(five, options), {"'y'", "[target]", "[drop]"});
  options.drop = {};
  options.target = "7";
  expect_parts(read_refusal("1,2\n3,4\n", options), {"'7'", "[target]", "from 1 to 2"});
  options.target = "";
  options.drop = {"1"};
  expect_parts(read_refusal("y\n1\n2\n", options), {"no column is left"});
}

TEST(Columns, NegativeWeightIsRefusedWithItsRow) {
  ReadOptions options;
  options.weights = "w";
  expect_parts(read_refusal("a,w,y\n1,1,1\n2,-3,2\n", options), {"row 3", "column 'w'", "-3"});
}

TEST(Columns, TwoLevelsMakeOneIndicatorOfTheLaterLevel) {
  const Dataset data = read_text("f,y\nb,1\na,2\nb,3\n");
  EXPECT_EQ(data.column_names, Names{"f=b"});
  EXPECT_EQ(Vector(data.design.dense_values().col(0)), (Vector(3) << 1, 0, 1).finished());
  EXPECT_EQ(data.sources.at(0).levels, (Names{"a", "b"}));
}

TEST(Columns, MoreLevelsMakeOneColumnEachInByteOrder) {
  const Dataset data = read_text("x,f,z,y\n1,b,4,1\n2,B,5,2\n3,a,6,3\n");
  EXPECT_EQ(data.column_names, (Names{"x", "f=B", "f=a", "f=b", "z"}));
  const Matrix expected = (Matrix(3, 5) << 1, 0, 0, 1, 4, 2, 1, 0, 0, 5, 3, 0, 1, 0, 6).finished();
  EXPECT_EQ(data.design.dense_values(), expected);
}

TEST(Columns, OneLevelMakesAConstantColumn) {
  const Dataset data = read_text("f,y\na,1\na,2\n");
  EXPECT_EQ(data.column_names, Names{"f=a"});
  EXPECT_EQ(data.design.dense_values().sum(), 2.0);
}

TEST(Columns, NumbersAmongMoreWordsAreLevels) {
  const Dataset data = read_text("f,y\na,1\n2.0,2\nb,3\na,4\n2,5\n");
  EXPECT_EQ(data.column_names, (Names{"f=2", "f=a", "f=b"}));
  EXPECT_EQ(data.design.dense_values().col(0).sum(), 2.0);
}

TEST(Columns, AWordAmongNumbersIsRefusedWithItsPlace) {
  expect_parts(read_refusal("a,b,y\n1,2,3\n4,oops,6\n7,8,9\n"),
               {"data.csv, row 3, column 'b'", "'oops' is not a number", "[drop b]"});
  expect_parts(read_refusal("1,2,3\n4,oops,6\n7,8,9\n"), {"row 2, column 2", "[drop 2]"});
  expect_parts(read_refusal("a,y\n1,1\nx,2\n"), {"row 3", "'x' is not a number"});
}

TEST(Columns, TooManyLevelsAreRefusedAndDropHelps) {
  std::string text = "name,x,y\n";
  for (int i = 0; i < 21; ++i) text += "n" + std::to_string(i) + ",1,2\n";
  expect_parts(read_refusal(text), {"column 'name'", "more than 20", "[drop name]"});
  ReadOptions options;
  options.drop = {"name"};
  EXPECT_EQ(read_text(text, options).columns(), 1);
  const std::string twenty = text.substr(0, text.rfind("n20"));
  EXPECT_EQ(read_text(twenty).columns(), 21);
}

TEST(Columns, InfinityIsRefusedUnlessItsColumnIsDropped) {
  for (const char* word : {"inf", "-Inf", "Infinity", "1e999"}) {
    const std::string text = std::string("a,b,y\n1,2,3\n") + word + ",5,6\n7,8,9\n";
    expect_parts(read_refusal(text), {"row 3, column 'a'", "not finite"});
    ReadOptions options;
    options.drop = {"a"};
    EXPECT_EQ(read_text(text, options).rows(), 3);
  }
}

TEST(Columns, TextWeightsAreRefused) {
  ReadOptions options;
  options.weights = "w";
  expect_parts(read_refusal("w,y\nbig,1\nsmall,2\n", options), {"column 'w'", "weights must be numbers"});
}

TEST(Missing, EveryWordIsRefusedByDefault) {
  for (const char* word : {"", "NA", "N/A", "NULL", "null", "?", "nan", "NaN", " NA ", "\"\""}) {
    const std::string text = std::string("a,b,y\n1,2,3\n") + word + ",5,6\n7,?,9\n";
    expect_parts(read_refusal(text),
                 {"row 3, column 'a'", "missing", "first of 2", "[missing drop-rows]", "[missing mean]"});
  }
}

TEST(Missing, DroppedColumnsMayHaveThem) {
  ReadOptions options;
  options.drop = {"a"};
  EXPECT_EQ(read_text("a,b,y\nNA,1,2\n", options).rows(), 1);
}

TEST(Missing, DropRowsSaysHowMany) {
  ReadOptions options;
  options.missing = MissingPolicy::drop_rows;
  const Dataset data = read_text("a,f,y\n1,u,3\nNA,v,4\n5,,6\n7,u,NA\n8,w,9\n", options);
  EXPECT_EQ(data.response, (Vector(2) << 3, 9).finished());
  EXPECT_EQ(data.column_names, (Names{"a", "f=w"}));
  EXPECT_EQ(data.design.dense_values(), (Matrix(2, 2) << 1, 0, 8, 1).finished());
  ASSERT_EQ(data.notes.size(), 1u);
  expect_parts(data.notes[0], {"3 of 5 rows"});
  EXPECT_TRUE(data.filled.empty());
  expect_parts(read_refusal("a,y\nNA,1\n2,NA\n", options), {"every row"});
}

TEST(Missing, MeanFillsAndRemembers) {
  ReadOptions options;
  options.missing = MissingPolicy::mean;
  const Dataset data = read_text("f,a,b,y\nu,1,1,1\nv,NA,2,2\nw,4,NA,3\nu,?,3,4\n", options);
  EXPECT_EQ(data.column_names, (Names{"f=u", "f=v", "f=w", "a", "b"}));
  EXPECT_EQ(Vector(data.design.dense_values().col(3)), (Vector(4) << 1, 2.5, 4, 2.5).finished());
  ASSERT_EQ(data.filled.size(), 3u);
  EXPECT_EQ(data.filled[0].row, 1);
  EXPECT_EQ(data.filled[0].column, 3);
  EXPECT_EQ(data.filled[2].row, 2);
  EXPECT_EQ(data.filled[2].column, 4);
  EXPECT_FALSE(data.sources.at(0).filled);
  EXPECT_TRUE(data.sources.at(1).filled);
  EXPECT_EQ(data.sources.at(1).fill, 2.5);
  EXPECT_EQ(data.sources.at(2).fill, 2.0);
  expect_parts(data.notes.at(0), {"mean", "2 in column 'a'", "1 in column 'b'"});
}

TEST(Missing, MeanRefusesTargetTextAndEmptyColumns) {
  ReadOptions options;
  options.missing = MissingPolicy::mean;
  expect_parts(read_refusal("a,y\n1,NA\n2,1\n", options), {"row 2, column 'y'", "drop-rows"});
  expect_parts(read_refusal("f,y\nu,1\n,2\nv,2\n", options), {"row 3, column 'f'", "text has no mean"});
  expect_parts(read_refusal("a,y\nNA,1\nNA,2\n", options), {"column 'a'", "every value is missing"});
  options.weights = "w";
  expect_parts(read_refusal("w,y\nNA,1\n1,2\n", options), {"row 2, column 'w'", "drop-rows"});
}

TEST(Response, OwnFileWithDroppedRows) {
  const TemporaryFile response("y.txt", "10\n20\n30\n");
  ReadOptions options;
  options.response_file = response.path();
  options.missing = MissingPolicy::drop_rows;
  const Dataset data = read_text("a,b\n1,2\nNA,3\n4,5\n", options);
  EXPECT_EQ(data.response, (Vector(2) << 10, 30).finished());
  EXPECT_EQ(data.columns(), 2);
  expect_parts(read_refusal("a,b\n1,2\n", options), {"y.txt has 3 responses", "1 rows"});
  options.target = "a";
  EXPECT_THROW(read_text("a,b\n1,2\n", options), InvalidArgument);
}

}  // namespace
}  // namespace alo::testing
