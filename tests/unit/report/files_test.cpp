// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>

#include "alo/error.hpp"
#include "alo/report.hpp"
#include "unit/report/example_result.hpp"
#include "unit/report/scratch_folder.hpp"

namespace alo {
namespace {

using example::read_text;
using example::ScratchFolder;

// Lets no file grow beyond a size, as a full disk would, while it lives.
class SmallDisk {
 public:
  explicit SmallDisk(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &limit_);
    const rlimit small{bytes, limit_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
  }
  ~SmallDisk() {
    setrlimit(RLIMIT_FSIZE, &limit_);
    std::signal(SIGXFSZ, handler_);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

 private:
  rlimit limit_{};
  void (*handler_)(int);
};

std::string failure(const std::filesystem::path& path, const std::string& text) {
  try {
    write_file(path, text);
  } catch (const OutputError& error) {
    return error.what();
  }
  return "";
}

TEST(WriteFile, ReplacesAFileAndLeavesNothingElse) {
  const ScratchFolder folder;
  const auto path = folder.path() / "a.txt";
  write_file(path, "old");
  write_file(path, "new");
  EXPECT_EQ(read_text(path), "new");
  EXPECT_EQ(folder.entries(), 1U);
}

TEST(WriteFile, FollowsALinkToItsTarget) {
  const ScratchFolder folder;
  write_file(folder.path() / "target", "old");
  std::filesystem::create_symlink("target", folder.path() / "link");
  write_file(folder.path() / "link", "new");
  EXPECT_EQ(read_text(folder.path() / "target"), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path() / "link"));
}

TEST(WriteFile, AFullDiskLeavesTheOldFileAndNoPartialOne) {
  const ScratchFolder folder;
  const auto path = folder.path() / "result.json";
  write_file(path, "old");
  {
    const SmallDisk disk(4096);
    EXPECT_THAT(failure(path, std::string(100000, 'x')), testing::HasSubstr("File too large"));
  }
  EXPECT_EQ(read_text(path), "old");
  EXPECT_EQ(folder.entries(), 1U);
}

TEST(WriteFile, SaysWhyAFileCannotBeMade) {
  const ScratchFolder folder;
  EXPECT_THAT(failure(folder.path() / "missing" / "a.txt", "x"),
              testing::HasSubstr("No such file or directory"));
  write_file(folder.path() / "file", "x");
  EXPECT_THAT(failure(folder.path() / "file" / "a.txt", "x"), testing::HasSubstr("Not a directory"));
  std::filesystem::create_directory(folder.path() / "taken");
  EXPECT_THAT(failure(folder.path() / "taken", "x"), testing::HasSubstr("directory"));
  EXPECT_THAT(failure("", "x"), testing::HasSubstr("not a file name"));
  EXPECT_EQ(folder.entries(), 2U);
}

TEST(WriteFile, ADeviceIsWrittenToAndItsErrorsAreSeen) {
  write_file("/dev/null", "x");
  EXPECT_THAT(failure("/dev/full", "x"), testing::HasSubstr("No space left on device"));
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
}

TEST(WriteReport, WritesEveryFile) {
  const ScratchFolder folder;
  const Problem problem = example::example_problem();
  write_report(folder.path() / "deep" / "er", problem, example::example_result(problem), {});
  for (const char* name : {"result.json", "risk.csv", "coefficients.csv", "model.json", "risk.svg",
                           "paths.svg", "leverage.svg", "report.html"}) {
    EXPECT_GT(std::filesystem::file_size(folder.path() / "deep" / "er" / name), 100U) << name;
  }
}

TEST(WriteReport, RemovesAnOutdatedModel) {
  const ScratchFolder folder;
  const Problem problem = example::example_problem();
  TuneResult result = example::example_result(problem);
  write_report(folder.path(), problem, result, {});
  result.minimum.reset();
  result.one_se.reset();
  write_report(folder.path(), problem, result, {});
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "model.json"));
  EXPECT_EQ(folder.entries(), 7U);
}

TEST(WriteReport, RefusesAFolderThatCannotBeMade) {
  const ScratchFolder folder;
  write_file(folder.path() / "file", "x");
  const Problem problem = example::example_problem();
  const TuneResult result = example::example_result(problem);
  EXPECT_THROW(write_report(folder.path() / "file", problem, result, {}), OutputError);
  EXPECT_THROW(write_report(folder.path() / "file" / "below", problem, result, {}), OutputError);
}

}  // namespace
}  // namespace alo
