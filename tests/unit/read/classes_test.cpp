// SPDX-License-Identifier: MIT
#include "alo/classes.hpp"

#include "alo/losses/squared.hpp"
#include "alo/penalties/lasso.hpp"
#include "alo/problem.hpp"
#include "unit/formats/temporary_file.hpp"

namespace alo::testing {
namespace {

using Labels = std::vector<std::string>;

Vector vector(std::initializer_list<double> values) {
  return Eigen::Map<const Vector>(values.begin(), static_cast<Index>(values.size()));
}

Dataset words(const Labels& labels) {
  std::string text = "x,y\n";
  for (std::size_t i = 0; i < labels.size(); ++i) text += std::to_string(i) + "," + labels[i] + "\n";
  return read_text(text);
}

Dataset numbers(const Vector& response) {
  return make_dataset(Design(Matrix(Vector::LinSpaced(response.size(), 0, 1))), response);
}

TEST(Classes, AWordTargetIsReadAsIndicesInByteOrder) {
  const Dataset data = words({"no", "yes", "No", "no", "yes", "yes", "No"});
  EXPECT_EQ(data.classes, (Labels{"No", "no", "yes"}));
  EXPECT_EQ(data.response, vector({1, 2, 0, 1, 2, 2, 0}));
  EXPECT_EQ(data.response_name, "y");
  validate(data);
}

TEST(Classes, RowsThatAreDroppedTakeTheirClassesAlong) {
  ReadOptions options;
  options.missing = MissingPolicy::drop_rows;
  const Dataset data = read_text("x,y\n1,b\nNA,c\n3,a\n4,\n5,b\n6,a\n", options);
  EXPECT_EQ(data.classes, (Labels{"a", "b"}));
  EXPECT_EQ(data.response, vector({1, 0, 1, 0}));
  EXPECT_EQ(data.line(2), 6);
}

TEST(Classes, AMissingLabelIsRefused) {
  expect_parts(read_refusal("x,y\n1,b\n2,\n3,a\n4,b\n"), {"row 3, column 'y'", "missing"});
}

TEST(Classes, TextWithAClassForEveryRowIsNoTarget) {
  Labels labels;
  for (int i = 0; i < 30; ++i) labels.push_back("name" + std::to_string(i % 16));
  expect_parts(refusal([&] { words(labels); }), {"column 'y'", "16 different values in 30 rows", "[target]"});
  labels.clear();
  for (int i = 0; i < 303; ++i) labels.push_back("name" + std::to_string(i % 101));
  expect_parts(refusal([&] { words(labels); }), {"101 different values", "100 classes", "[target]"});
  labels.resize(100);
  labels.insert(labels.end(), labels.begin(), labels.end());
  EXPECT_EQ(words(labels).classes.size(), 100u);
}

TEST(Classes, TheLossFollowsFromTheResponse) {
  EXPECT_EQ(default_loss(numbers(vector({1, 2, 1}))), "logistic");
  EXPECT_EQ(default_loss(numbers(vector({1, 2, 3}))), "squared");
  EXPECT_EQ(default_loss(numbers(vector({1, 1, 1}))), "squared");
  EXPECT_EQ(default_loss(numbers(vector({1, 2}))), "squared");
  EXPECT_EQ(default_loss(words({"a", "b", "a"})), "logistic");
  EXPECT_EQ(default_loss(words({"a", "b", "c", "a", "b", "c"})), "multinomial");
}

TEST(Classes, OfTwoTheLargerNumberOrLaterWordIsPositive) {
  Dataset data = numbers(vector({10, -3, 10}));
  code_response(data, ResponseKind::two_classes);
  EXPECT_EQ(data.response, vector({1, -1, 1}));
  EXPECT_EQ(data.classes, (Labels{"-3", "10"}));
  ASSERT_EQ(data.notes.size(), 1u);
  EXPECT_EQ(data.notes[0], "+1 is '10', -1 is '-3'");
  data = words({"no", "yes", "no"});
  code_response(data, ResponseKind::two_classes);
  EXPECT_EQ(data.response, vector({-1, 1, -1}));
  EXPECT_EQ(data.classes, (Labels{"no", "yes"}));
}

TEST(Classes, ThePositiveOneCanBeNamed) {
  Dataset data = words({"no", "yes", "no"});
  code_response(data, ResponseKind::two_classes, "no");
  EXPECT_EQ(data.response, vector({1, -1, 1}));
  EXPECT_EQ(data.classes, (Labels{"yes", "no"}));
  data = numbers(vector({0, 1, 1}));
  code_response(data, ResponseKind::two_classes, "0.0");
  EXPECT_EQ(data.response, vector({1, -1, -1}));
  data = words({"no", "yes", "no"});
  expect_parts(refusal([&] { code_response(data, ResponseKind::two_classes, "si"); }),
               {"'si'", "[positive si]", "'no' and 'yes'"});
}

TEST(Classes, AThirdClassIsRefusedWithItsRow) {
  Dataset data = words({"no", "yes", "no", "perhaps", "yes", "no"});
  expect_parts(refusal([&] { code_response(data, ResponseKind::two_classes); }),
               {"'y' is 'perhaps' in row 5", "after 'no' and 'yes'", "two classes", "multinomial"});
  data = numbers(vector({0, 1, 0, 2}));
  expect_parts(refusal([&] { code_response(data, ResponseKind::two_classes); }),
               {"is 2 in row 4", "after '0' and '1'", "squared"});
}

TEST(Classes, OneClassIsRefused) {
  for (const ResponseKind kind : {ResponseKind::two_classes, ResponseKind::classes}) {
    Dataset data = words({"no", "no", "no"});
    expect_parts(refusal([&] { code_response(data, kind); }), {"'y'", "one class only, 'no'", "3 rows"});
    data = numbers(vector({4, 4}));
    expect_parts(refusal([&] { code_response(data, kind); }), {"one class only, '4'"});
  }
}

TEST(Classes, SeveralAreCountedFromZeroByValue) {
  Dataset data = numbers(vector({10, 9, 2.5, 10, 9, 2.5}));
  code_response(data, ResponseKind::classes);
  EXPECT_EQ(data.response, vector({2, 1, 0, 2, 1, 0}));
  EXPECT_EQ(data.classes, (Labels{"2.5", "9", "10"}));
  data = numbers(Vector::LinSpaced(50, 1, 50));
  expect_parts(refusal([&] { code_response(data, ResponseKind::classes); }),
               {"is 26 in row 26", "50 rows may have 25 classes", "[target]"});
}

TEST(Classes, TextIsNoNumber) {
  Dataset data = words({"no", "yes", "no"});
  expect_parts(refusal([&] { code_response(data, ResponseKind::number); }),
               {"'y' is 'no' in row 2", "takes numbers", "logistic"});
  // Class indices must not pass for numbers where nobody coded them.
  expect_parts(refusal([&] { Problem(data, SquaredLoss{}, Lasso{}); }),
               {"classes", "squared loss takes numbers"});
  data = numbers(vector({1, 2, 1}));
  code_response(data, ResponseKind::number);
  EXPECT_EQ(data.response, vector({1, 2, 1}));
  EXPECT_TRUE(data.classes.empty() && data.notes.empty());
}

TEST(Classes, AFileOfWordsWithAndWithoutHeading) {
  const TemporaryFile design("X.csv", "1,2\n3,5\n5,7\n");
  for (const char* content : {"no\nyes\nno\n", "answer\nno\nyes\nno\n", "no\r\nyes\r\nno"}) {
    const TemporaryFile response("y.txt", content);
    ReadOptions options;
    options.response_file = response.path();
    const Dataset data = read_dataset(design.path(), options);
    EXPECT_EQ(data.classes, (Labels{"no", "yes"})) << content;
    EXPECT_EQ(data.response, vector({0, 1, 0}));
    EXPECT_EQ(data.columns(), 2);
  }
  const TemporaryFile shorter("y.txt", "no\nyes\n");
  ReadOptions options;
  options.response_file = shorter.path();
  expect_parts(refusal([&] { read_dataset(design.path(), options); }), {"y.txt", "responses", "3 rows"});
}

TEST(Classes, LibsvmLabelsAreCodedLikeNumbers) {
  ReadOptions options;
  options.format = FileFormat::libsvm;
  Dataset data = read_text("# from a study\n+1 1:2\n-1 2:1\n3 1:1\n", options, "rows.svm");
  EXPECT_EQ(default_loss(data), "squared");
  expect_parts(refusal([&] { code_response(data, ResponseKind::two_classes); }), {"is 3 in row 4"});
}

}  // namespace
}  // namespace alo::testing
