// SPDX-License-Identifier: MIT
#include "unit/formats/npy_file.hpp"

#include <cstdint>

#include "unit/formats/temporary_file.hpp"

namespace alo::testing {
namespace {

Dataset read_array(const std::string& content, const ReadOptions& options = {}) {
  return read_text(content, options, "data.npy");
}

std::string npy_refusal(const std::string& content, const ReadOptions& options = {}) {
  return read_refusal(content, options, "data.npy");
}

// The matrix 1 2 3 / 4 5 6 with the last column as the target.
void expect_one_to_six(const Dataset& data, const std::string& what) {
  EXPECT_EQ(data.design.dense_values(), (Matrix(2, 2) << 1, 2, 4, 5).finished()) << what;
  EXPECT_EQ(data.response, (Vector(2) << 3, 6).finished()) << what;
}

template <class Value>
void check_type(const std::string& kind) {
  const std::vector<Value> by_rows = {1, 2, 3, 4, 5, 6};
  const std::vector<Value> by_columns = {1, 4, 2, 5, 3, 6};
  for (const bool big : {false, true}) {
    const std::string type = (big ? ">" : sizeof(Value) == 1 ? "|" : "<") + kind;
    expect_one_to_six(read_array(npy_bytes(type, false, "(2, 3)", raw(by_rows, big))), type + " C");
    expect_one_to_six(read_array(npy_bytes(type, true, "(2, 3)", raw(by_columns, big))), type + " Fortran");
  }
}

TEST(Npy, EveryTypeInBothOrdersAndByteOrders) {
  check_type<double>("f8");
  check_type<float>("f4");
  check_type<std::int8_t>("i1");
  check_type<std::int16_t>("i2");
  check_type<std::int32_t>("i4");
  check_type<std::int64_t>("i8");
  check_type<std::uint8_t>("u1");
  check_type<std::uint16_t>("u2");
  check_type<std::uint32_t>("u4");
  check_type<std::uint64_t>("u8");
}

TEST(Npy, BooleansVersionsAndCompression) {
  const Dataset data = read_array(npy_bytes("|b1", false, "(2, 2)", std::string("\1\0\0\1", 4)));
  EXPECT_EQ(data.response, (Vector(2) << 0, 1).finished());
  const std::string values = raw(std::vector<double>{1, 2, 3, 4, 5, 6});
  for (const int version : {1, 2, 3}) {
    expect_one_to_six(read_array(npy_bytes("<f8", false, "(2, 3)", values, version)), "version");
  }
  expect_one_to_six(read_text(gzip(npy_bytes("<f8", false, "(2, 3)", values)), {}, "data.npy.gz"), "gz");
  expect_one_to_six(read_text(npy_bytes("<f8", false, "(2, 3)", values), {}, "unnamed"), "magic");
}

TEST(Npy, NegativeIntegersKeepTheirSign) {
  const Dataset data =
      read_array(npy_bytes("<i2", false, "(1, 2)", raw(std::vector<std::int16_t>{-5, -300})));
  EXPECT_EQ(data.design.dense_values()(0, 0), -5.0);
  EXPECT_EQ(data.response[0], -300.0);
}

TEST(Npy, TargetByPositionAndResponseFiles) {
  const std::string matrix = npy_bytes("<f8", false, "(2, 3)", raw(std::vector<double>{1, 2, 3, 4, 5, 6}));
  ReadOptions options;
  options.target = "1";
  EXPECT_EQ(read_array(matrix, options).response, (Vector(2) << 1, 4).finished());
  options.target = "";
  for (const char* shape : {"(2,)", "(2, 1)", "(1, 2)"}) {
    const TemporaryFile response("y.npy", npy_bytes("<f8", false, shape, raw(std::vector<double>{7, 8})));
    options.response_file = response.path();
    const Dataset data = read_array(matrix, options);
    EXPECT_EQ(data.response, (Vector(2) << 7, 8).finished());
    EXPECT_EQ(data.columns(), 3);
  }
}

TEST(Npy, MissingAndInfiniteValuesFollowTheOptions) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  const std::string gaps = npy_bytes("<f8", false, "(2, 2)", raw(std::vector<double>{1, 2, nan, 4}));
  expect_parts(npy_refusal(gaps), {"data.npy, row 2, column 1", "missing"});
  ReadOptions options;
  options.missing = MissingPolicy::mean;
  EXPECT_EQ(read_array(gaps, options).design.dense_values()(1, 0), 1.0);
  expect_parts(npy_refusal(npy_bytes("<f8", false, "(1, 2)", raw(std::vector<double>{inf, 2}))),
               {"row 1, column 1", "not finite"});
}

TEST(Npy, BadFilesAreRefusedWithTheReason) {
  const std::string values = raw(std::vector<double>{1, 2, 3, 4, 5, 6});
  const std::string good = npy_bytes("<f8", false, "(2, 3)", values);
  expect_parts(npy_refusal("a,b\n1,2\n"), {"data.npy", "not an NPY file"});
  for (std::size_t size = 0; size < good.size(); ++size) npy_refusal(good.substr(0, size));
  expect_parts(npy_refusal(good.substr(0, good.size() - 1)), {"truncated NPY file", "2 x 3"});
  expect_parts(npy_refusal(good.substr(0, 20)), {"truncated NPY file", "header"});
  expect_parts(npy_refusal(good + "x"), {"1 bytes follow"});
  expect_parts(npy_refusal(npy_bytes("<f8", false, "(1, 2, 3)", values)), {"3 dimensions"});
  expect_parts(npy_refusal(npy_bytes("<f8", false, "(6,)", values)), {"1 dimension,"});
  expect_parts(npy_refusal(npy_bytes("<c16", false, "(1, 3)", values)), {"'<c16'"});
  expect_parts(npy_refusal(npy_bytes("<f2", false, "(4, 6)", values)), {"'<f2'"});
  expect_parts(npy_refusal(npy_bytes("<U1", false, "(4, 3)", values)), {"'<U1'"});
  expect_parts(npy_refusal(npy_bytes("|O", false, "(4, 3)", values)), {"'|O'"});
  expect_parts(npy_refusal(npy_bytes("<f8", false, "(0, 3)", "")), {"empty"});
  expect_parts(npy_refusal(npy_bytes("<f8", false, "(4611686018427387904, 4)", values)), {"truncated"});
  expect_parts(npy_refusal(npy_bytes("<f8", false, "(-2, 3)", values)), {"bad shape"});
  expect_parts(npy_refusal(npy_bytes("<f8", false, "(2, 3)", values, 9)), {"version 9"});
}

}  // namespace
}  // namespace alo::testing
