// SPDX-License-Identifier: MIT
#include <random>

#include <gmock/gmock.h>

#include "seed.hpp"
#include "unit/formats/npy_file.hpp"
#include "unit/formats/temporary_file.hpp"

namespace alo::testing {
namespace {

// Changes, inserts, removes or repeats a few bytes, some of them bytes that matter to a reader.
std::string mutate(std::string text, std::mt19937_64& random) {
  static const std::string telling = "\"\",;:\n\r\t #%.-+eEnN019()'<>|\xff\x00";
  const auto below = [&](std::size_t bound) { return static_cast<std::size_t>(random() % bound); };
  const std::size_t changes = 1 + below(4);
  for (std::size_t k = 0; k < changes && !text.empty(); ++k) {
    const std::size_t at = below(text.size());
    const char byte = below(2) == 0 ? static_cast<char>(below(256)) : telling[below(telling.size())];
    switch (below(5)) {
      case 0:
        text[at] = byte;
        break;
      case 1:
        text.insert(at, 1, byte);
        break;
      case 2:
        text.erase(at, 1 + below(4));
        break;
      case 3:
        text.insert(at, text.substr(at, 1 + below(12)));
        break;
      default:
        if (below(4) == 0) text.resize(at);
    }
  }
  return text;
}

// Every mutation must either be read as data that pass validation or be refused.
// Readers refuse what is no number. Whether the numbers of a column are within the range of their squares is
// asked of the dataset.
void expect_valid(const Dataset& data, const std::string& text) {
  try {
    validate(data);
  } catch (const InvalidData& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("another unit")) << ::testing::PrintToString(text);
  }
}

void check_mutations(const std::string& name, const std::string& valid, const ReadOptions& options,
                     int count) {
  std::mt19937_64 random(testing_support::varied(20240517));
  int accepted = 0;
  int refused = 0;
  ASSERT_NO_THROW(validate(read_text(valid, options, name)));
  const TemporaryFile file(name, valid);
  for (int k = 0; k < count; ++k) {
    const std::string text = mutate(valid, random);
    file.rewrite(text);
    try {
      const Dataset data = read_dataset(file.path(), options);
      expect_valid(data, text);
      ++accepted;
    } catch (const InvalidData& error) {
      ASSERT_FALSE(std::string(error.what()).empty());
      ++refused;
    }
  }
  EXPECT_GT(refused, 0);
  EXPECT_GT(accepted + refused, count - 1);
}

const std::string csv = "a,\"b, c\",f,y\n1,2.5,\"u \"\"v\"\"\",3\r\n-4e2,NA,w,6\n7, 8 ,w,9\n1e-3,.5,u,0\n";

TEST(Mutations, Csv) {
  ReadOptions options;
  options.missing = MissingPolicy::drop_rows;
  check_mutations("d.csv", csv, options, 2000);
  options.missing = MissingPolicy::mean;
  check_mutations("d.csv", csv, options, 2000);
}

TEST(Mutations, BlankSeparatedText) {
  check_mutations("d.txt", "a  b y\n1 2 3\n 4  5 6 \n\"7\" 8 9\n", {}, 2000);
}

TEST(Mutations, CompressedCsv) {
  ReadOptions options;
  options.missing = MissingPolicy::drop_rows;
  check_mutations("d.csv.gz", gzip(csv), options, 2000);
}

TEST(Mutations, Libsvm) {
  check_mutations("d.svm", "+1 1:0.5 3:2 # note\n-1 qid:2 2:1e3\n\n0 1:-4 2:5 3:6\n", {}, 2000);
}

TEST(Mutations, Npy) {
  ReadOptions options;
  options.missing = MissingPolicy::drop_rows;
  const std::string values = raw(std::vector<double>{1, 2, 3, 4, 5, 6});
  check_mutations("d.npy", npy_bytes("<f8", false, "(2, 3)", values), options, 2000);
  check_mutations("d.npy", npy_bytes("<i4", true, "(4, 3)", values, 2), options, 2000);
}

TEST(Mutations, MatrixMarket) {
  check_mutations("d.mtx",
                  "%%MatrixMarket matrix coordinate real general\n2 3 4\n1 1 1.5\n2 3 9\n1 3 -2\n2 2 4\n", {},
                  2000);
  ReadOptions options;
  options.missing = MissingPolicy::drop_rows;
  check_mutations("d.mtx", "%%MatrixMarket matrix array real symmetric\n% c\n2 2\n1\n2e1\n3\n", options,
                  2000);
}

}  // namespace
}  // namespace alo::testing
