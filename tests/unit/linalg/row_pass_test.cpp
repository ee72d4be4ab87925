// SPDX-License-Identifier: MIT
#include "linalg/row_pass.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

namespace alo {
namespace {

TEST(RowPass, VisitsEveryRowOnceAndAddsUpInTheirOrder) {
  for (const int threads : {1, 2, 3}) {
    const blas::ThreadScope scope(threads);
    for (const Index rows : {0, 1, 7, 64, 65, 1000}) {
      std::vector<int> visits(static_cast<std::size_t>(rows), 0);
      struct Sums {
        std::vector<Index> order;
        Sums& operator+=(const Sums& other) {
          order.insert(order.end(), other.order.begin(), other.order.end());
          return *this;
        }
      };
      const Sums sums = pass_over_rows(rows, 8, Sums(), [&](const RowBlock& block, Sums& some) {
        EXPECT_LE(block.count, 8);
        EXPECT_GT(block.count, 0);
        for (Index i = block.first; i < block.first + block.count; ++i) {
          ++visits[static_cast<std::size_t>(i)];
          some.order.push_back(i);
        }
      });
      EXPECT_EQ(visits, std::vector<int>(static_cast<std::size_t>(rows), 1)) << rows;
      ASSERT_EQ(static_cast<Index>(sums.order.size()), rows);
      EXPECT_TRUE(std::is_sorted(sums.order.begin(), sums.order.end())) << rows;
    }
  }
}

TEST(RowPass, UsesTheThreadsThatBlasMayUseWhereThereIsWorkForThem) {
  const blas::ThreadScope scope(2);
  EXPECT_EQ(row_runs(1000, 8), 2U);
  EXPECT_EQ(row_runs(63, 8), 1U);
  parallel_for(2, 2, [](std::size_t, std::mutex&) { EXPECT_EQ(row_runs(1000, 8), 1U); });
}

}  // namespace
}  // namespace alo
