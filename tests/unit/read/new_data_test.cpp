// SPDX-License-Identifier: MIT
#include "unit/formats/npy_file.hpp"
#include "unit/formats/temporary_file.hpp"

namespace alo::testing {
namespace {

using Sources = std::vector<ColumnSource>;

NewData read_new(std::string_view content, const Sources& sources, const ReadOptions& options = {},
                 const std::string& name = "new.csv") {
  const TemporaryFile file(name, content);
  return read_new_data(file.path(), sources, options);
}

std::string new_refusal(std::string_view content, const Sources& sources, const ReadOptions& options = {},
                        const std::string& name = "new.csv") {
  return refusal([&] { read_new(content, sources, options, name); });
}

Sources trained(std::string_view content, const ReadOptions& options = {}) {
  return read_text(content, options).sources;
}

const std::string training = "a,f,b,y\n1,u,2,1\n2,v,3,2\n3,w,5,3\n";

TEST(NewRows, NamesAreMatchedInAnyOrderAndOthersIgnored) {
  const NewData data = read_new("b,note,f,a\n9,hello,w,7\n8,bye,u,6\n", trained(training));
  EXPECT_EQ(data.design.dense_values(), (Matrix(2, 5) << 7, 0, 0, 1, 9, 6, 1, 0, 0, 8).finished());
  EXPECT_EQ(data.offset, Vector(Vector::Zero(2)));
}

TEST(NewRows, EncodingEqualsTraining) {
  const Dataset data = read_text(training);
  EXPECT_EQ(read_new(training, data.sources).design.dense_values(), data.design.dense_values());
}

TEST(NewRows, AbsentColumnsAreNamed) {
  expect_parts(new_refusal("f,y\nu,1\n", trained(training)), {"new.csv", "lacks 2", "'a', 'b'"});
}

TEST(NewRows, UnseenLevelsAreRefusedWithPlaceAndKnownLevels) {
  expect_parts(new_refusal("a,f,b\n1,u,2\n1,z,2\n", trained(training)),
               {"row 3, column 'f'", "'z'", "u, v, w"});
}

TEST(NewRows, NumbersAreLevelsOfATextColumn) {
  const Sources sources = trained("f,y\na,1\n2.0,2\nb,3\na,4\n");
  EXPECT_EQ(read_new("f\n2\n", sources).design.dense_values(), (Matrix(1, 3) << 1, 0, 0).finished());
}

TEST(NewRows, MissingValuesAreFilledOnlyWhereTrainingWas) {
  ReadOptions options;
  options.missing = MissingPolicy::mean;
  const Sources sources = trained("a,b,y\n1,2,3\nNA,4,5\n3,6,7\n", options);
  expect_parts(new_refusal("a,b\nNA,9\n", sources), {"row 2, column 'a'", "[missing mean]"});
  EXPECT_EQ(read_new("a,b\nNA,9\n", sources, options).design.dense_values(),
            (Matrix(1, 2) << 2, 9).finished());
  expect_parts(new_refusal("a,b\n1,NA\n", sources, options), {"row 2, column 'b'", "missing"});
  expect_parts(new_refusal("a,f,b\n1,,2\n", trained(training)), {"row 2, column 'f'", "missing"});
}

TEST(NewRows, WordsAndInfinityInNumberColumnsAreRefused) {
  expect_parts(new_refusal("a,f,b\nx,u,2\n", trained(training)),
               {"row 2, column 'a'", "'x' is not a number"});
  expect_parts(new_refusal("a,f,b\ninf,u,2\n", trained(training)), {"row 2, column 'a'", "not finite"});
}

TEST(NewRows, WithoutHeaderPredictorsAloneOrTheTrainingLayout) {
  ReadOptions options;
  options.target = "1";
  const Sources sources = trained("9,1,2\n8,3,4\n", options);
  const Matrix expected = (Matrix(1, 2) << 5, 6).finished();
  EXPECT_EQ(read_new("5,6\n", sources, options).design.dense_values(), expected);
  EXPECT_EQ(read_new("0,5,6\n", sources, options).design.dense_values(), expected);
  expect_parts(new_refusal("1,2,3,4,5\n", sources, options), {"5 columns", "2 predictors"});
  expect_parts(new_refusal("1\n", sources, options), {"1 columns"});
}

TEST(NewRows, OffsetIsTakenByNameOrPosition) {
  ReadOptions options;
  options.offset = "o";
  const Sources sources = trained("a,o,y\n1,2,3\n4,5,6\n", options);
  EXPECT_EQ(read_new("o,a\n7,8\n", sources, options).offset[0], 7.0);
  expect_parts(new_refusal("a,b\n7,8\n", sources, options), {"'o'", "[offset]"});
  expect_parts(new_refusal("o,a\nNA,8\n", sources, options), {"row 2, column 'o'", "missing"});
  options.offset = "2";
  const NewData data = read_new("1,2\n", sources, options);
  EXPECT_EQ(data.offset[0], 2.0);
  EXPECT_EQ(data.design.dense_values()(0, 0), 1.0);
}

TEST(NewRows, IndexedRowsAreMatchedByIndex) {
  const Sources sources = read_text("1 1:1 2:1 3:1\n", {}, "t.svm").sources;
  const NewData data = read_new("0 2:5\n0 1:7\n", sources, {}, "new.svm");
  ASSERT_TRUE(data.design.is_sparse());
  EXPECT_EQ(Matrix(data.design.sparse_values()), (Matrix(2, 3) << 0, 5, 0, 7, 0, 0).finished());
  expect_parts(new_refusal("0 9:5\n", sources, {}, "new.svm"), {"index 9", "the model, 3"});
  expect_parts(new_refusal("0 0:5\n", sources, {}, "new.svm"), {"index 0"});
}

TEST(NewRows, IndicesFromZeroStayFromZero) {
  const Sources sources = read_text("1 0:1 1:1\n", {}, "t.svm").sources;
  const NewData data = read_new("0 1:5\n", sources, {}, "new.svm");
  EXPECT_EQ(Matrix(data.design.sparse_values()), (Matrix(1, 2) << 0, 5).finished());
}

TEST(NewRows, DroppedIndicesStayDropped) {
  ReadOptions options;
  options.drop = {"2"};
  const Sources sources = read_text("1 1:1 2:1 3:1\n", options, "t.svm").sources;
  const NewData data = read_new("0 1:4 2:5 3:6\n", sources, options, "new.svm");
  EXPECT_EQ(Matrix(data.design.sparse_values()), (Matrix(1, 2) << 4, 6).finished());
}

TEST(NewRows, MatrixFormatsByPosition) {
  const Sources sources = trained("1,2,3\n4,5,6\n");
  const std::string array = npy_bytes("<f8", false, "(1, 2)", raw(std::vector<double>{7, 8}));
  EXPECT_EQ(read_new(array, sources, {}, "new.npy").design.dense_values(), (Matrix(1, 2) << 7, 8).finished());
  const NewData sparse = read_new("%%MatrixMarket matrix coordinate real general\n1 3 2\n1 2 5\n1 3 9\n",
                                  sources, {}, "new.mtx");
  EXPECT_EQ(Matrix(sparse.design.sparse_values()), (Matrix(1, 2) << 0, 5).finished());
  expect_parts(new_refusal("0 1:2\n", trained(training), {}, "new.svm"), {"column 'f' is text"});
}

}  // namespace
}  // namespace alo::testing
