// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <sys/stat.h>

#include "unit/formats/temporary_file.hpp"

namespace alo::testing {
namespace {

const std::string table = "a,b,y\n1,2,3\n4,5,6\n";

// Puts a file in the place of standard input for the scope.
class StandardInput {
 public:
  explicit StandardInput(const std::string& path) : saved_(dup(STDIN_FILENO)) {
    const int file = open(path.c_str(), O_RDONLY);
    dup2(file, STDIN_FILENO);
    close(file);
  }
  StandardInput(const StandardInput&) = delete;
  StandardInput& operator=(const StandardInput&) = delete;
  ~StandardInput() {
    dup2(saved_, STDIN_FILENO);
    close(saved_);
  }

 private:
  int saved_;
};

TEST(Bytes, MissingFileFolderAndEmptyFileAreRefusedByName) {
  expect_parts(refusal([] { read_dataset("/no/such/file.csv"); }), {"/no/such/file.csv", "no such file"});
  expect_parts(refusal([] { read_dataset("/tmp"); }), {"/tmp", "folder"});
  expect_parts(read_refusal(""), {"data.csv", "empty"});
  expect_parts(read_refusal("\n \n\n"), {"data.csv", "empty"});
}

TEST(Bytes, UnreadableFileIsRefused) {
  if (geteuid() == 0) GTEST_SKIP() << "root reads every file";
  const TemporaryFile file("secret.csv", table);
  chmod(file.path().c_str(), 0);
  expect_parts(refusal([&] { read_dataset(file.path()); }), {"secret.csv", "permission"});
}

TEST(Bytes, GzipGivesTheSameData) {
  const Dataset data = read_text(gzip(table), {}, "data.csv.gz");
  EXPECT_EQ(data.column_names, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(data.response, (Vector(2) << 3, 6).finished());
}

TEST(Bytes, GzipOfSeveralMembersAndZeroPaddingIsRead) {
  const Dataset data =
      read_text(gzip("a,y\n1,2\n") + gzip("3,4\n") + std::string(5, '\0'), {}, "data.csv.gz");
  EXPECT_EQ(data.rows(), 2);
}

TEST(Bytes, GzipIsRecognisedWithoutItsExtension) {
  EXPECT_EQ(read_text(gzip(table)).rows(), 2);
}

TEST(Bytes, EveryTruncationOfGzipIsRefused) {
  const std::string whole = gzip(table);
  for (std::size_t size = 2; size < whole.size(); ++size) {
    expect_parts(read_refusal(whole.substr(0, size), {}, "data.csv.gz"), {"data.csv.gz", "gzip"});
  }
  expect_parts(read_refusal(whole.substr(0, whole.size() / 2), {}, "data.csv.gz"), {"truncated gzip"});
}

TEST(Bytes, CorruptGzipAndFalseExtensionAreRefused) {
  std::string corrupt = gzip(table);
  corrupt[corrupt.size() - 6] = static_cast<char>(corrupt[corrupt.size() - 6] ^ 1);
  expect_parts(read_refusal(corrupt, {}, "data.csv.gz"), {"corrupt gzip"});
  expect_parts(read_refusal(gzip(table) + "more", {}, "data.csv.gz"), {"corrupt gzip", "follow"});
  expect_parts(read_refusal(table, {}, "data.csv.gz"), {"not gzip"});
  expect_parts(read_refusal("", {}, "data.csv.gz"), {"truncated gzip"});
}

TEST(Bytes, StandardInputIsReadPlainAndCompressed) {
  for (const std::string& content : {table, gzip(table)}) {
    const TemporaryFile file("input", content);
    const StandardInput input(file.path());
    EXPECT_EQ(read_dataset("-").rows(), 2);
  }
  const TemporaryFile file("input", "a,y\n1\n");
  const StandardInput input(file.path());
  expect_parts(refusal([] { read_dataset("-"); }), {"standard input, row 2", "expected 2", "found 1"});
}

}  // namespace
}  // namespace alo::testing
