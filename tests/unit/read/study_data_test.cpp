// SPDX-License-Identifier: MIT
#include <cstdlib>

#include "unit/formats/temporary_file.hpp"

namespace alo::testing {
namespace {

// Published data sets as they are found, where they are at hand.
class StudyData : public ::testing::Test {
 protected:
  static std::string file(const std::string& name) {
    const char* folder = std::getenv("ALO_DATA");
    const std::filesystem::path base = folder != nullptr
                                           ? std::filesystem::path(folder)
                                           : std::filesystem::path(ALO_SOURCE_DIR) / "../shared/data";
    return (base / name).string();
  }
  static bool absent(const std::string& path) { return !std::filesystem::exists(path); }
};

TEST_F(StudyData, HeartDiseaseWithATextColumn) {
  const std::string path = file("saheart/SAheart.data");
  if (absent(path)) GTEST_SKIP() << path << " is not there";
  ReadOptions options;
  options.drop = {"row.names"};
  const Dataset data = read_dataset(path, options);
  EXPECT_EQ(data.rows(), 462);
  EXPECT_EQ(data.columns(), 9);
  EXPECT_EQ(data.column_names[4], "famhist=Present");
  EXPECT_EQ(data.design.dense_values().col(4).sum(), 192.0);
  EXPECT_EQ(data.response.sum(), 160.0);
}

TEST_F(StudyData, SalariesWithMissingResponses) {
  const std::string path = file("hitters/Hitters.csv");
  if (absent(path)) GTEST_SKIP() << path << " is not there";
  ReadOptions options;
  options.drop = {"rownames"};
  options.target = "Salary";
  expect_parts(refusal([&] { read_dataset(path, options); }), {"column 'Salary'", "first of 59"});
  options.missing = MissingPolicy::drop_rows;
  const Dataset data = read_dataset(path, options);
  EXPECT_EQ(data.rows(), 263);
  EXPECT_EQ(data.columns(), 19);
}

TEST_F(StudyData, BlankSeparatedProstate) {
  const std::string path = file("prostate/prostate.data");
  if (absent(path)) GTEST_SKIP() << path << " is not there";
  ReadOptions options;
  options.target = "lpsa";
  options.drop = {"row_names"};
  const Dataset data = read_dataset(path, options);
  EXPECT_EQ(data.rows(), 97);
  EXPECT_EQ(data.column_names.back(), "train=T");
  EXPECT_EQ(data.design.dense_values().col(8).sum(), 67.0);
}

TEST_F(StudyData, ScaledHeartInIndexForm) {
  const std::string path = file("heart_scale/heart_scale");
  if (absent(path)) GTEST_SKIP() << path << " is not there";
  ReadOptions options;
  options.format = FileFormat::libsvm;
  const Dataset data = read_dataset(path, options);
  EXPECT_EQ(data.rows(), 270);
  EXPECT_EQ(data.columns(), 13);
  EXPECT_EQ(data.response.sum(), -30.0);
}

TEST_F(StudyData, CompressedDigitsWithoutHeader) {
  const std::string path = file("digits/digits.csv.gz");
  if (absent(path)) GTEST_SKIP() << path << " is not there";
  const Dataset data = read_dataset(path);
  EXPECT_EQ(data.rows(), 1797);
  EXPECT_EQ(data.columns(), 64);
}

TEST_F(StudyData, TabSeparatedDiabetes) {
  const std::string path = file("diabetes/diabetes.tab.txt");
  if (absent(path)) GTEST_SKIP() << path << " is not there";
  const Dataset data = read_dataset(path);
  EXPECT_EQ(data.rows(), 442);
  EXPECT_EQ(data.columns(), 10);
  EXPECT_NEAR(data.response.mean(), 152.1335, 1e-4);
}

TEST_F(StudyData, LinesAboveTheDataAreSkipped) {
  const std::string path = file("breast_cancer/breast_cancer.csv");
  if (absent(path)) GTEST_SKIP() << path << " is not there";
  expect_parts(refusal([&] { read_dataset(path); }), {"row 2", "expected 4", "found 31", "[skip]"});
  ReadOptions options;
  options.skip = 1;
  const Dataset data = read_dataset(path, options);
  EXPECT_EQ(data.rows(), 569);
  EXPECT_EQ(data.columns(), 30);
  EXPECT_EQ(data.response.sum(), 357.0);
}

}  // namespace
}  // namespace alo::testing
