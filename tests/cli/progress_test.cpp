// SPDX-License-Identifier: MIT
#include "progress.hpp"

#include <gtest/gtest.h>

namespace alo::command {
namespace {

TEST(RemainingTime, FirstReportOfAStageComesAfterWork) {
  RemainingTime time(0.0);
  EXPECT_DOUBLE_EQ(time.left("path", 0.5, 4.0), 4.0);
  EXPECT_DOUBLE_EQ(time.left("path", 1.0, 8.0), 0.0);
  // Ten folds of two seconds each.
  EXPECT_DOUBLE_EQ(time.left("cross validation", 0.1, 10.0), 18.0);
  EXPECT_DOUBLE_EQ(time.left("cross validation", 0.2, 12.0), 16.0);
}

TEST(ProgressLine, SaysHowFarAndHowLong) {
  EXPECT_EQ(progress_line("path", 0.3, 61.2), "path [#########.....................]  30 %, 1 min 02 s left");
}

}  // namespace
}  // namespace alo::command
