// SPDX-License-Identifier: MIT
#include "losses/relative_entropy.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace alo {
namespace {

// a log(a/b) - a + b of the doubles a and b, with 60 digits by mpmath.
TEST(RelativeEntropy, HasAllDigits) {
  struct Reference {
    double a, b, value;
  };
  for (const auto& [a, b, expected] :
       {Reference{1.0, 1.0000001, 4.99999967250536285e-15},
        Reference{0.3, 0.30000000000001, 1.66400347195053489e-28}, Reference{2.0, 1.8, 0.0107210313156525975},
        Reference{0.05, 0.8, 0.611370563888010972}, Reference{0.8, 1e-300, 551.641907477519627}}) {
    EXPECT_NEAR(relative_entropy(a, b, std::log(b)) / expected, 1.0, 2e-14) << a << " and " << b;
  }
}

TEST(RelativeEntropy, EdgesOfTheDomain) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(relative_entropy(0.0, 0.25, std::log(0.25)), 0.25);
  EXPECT_EQ(relative_entropy(0.0, 0.0, -800.0), 0.0);
  EXPECT_EQ(relative_entropy(-1e-16, 0.25, std::log(0.25)), 0.25) << "rounding";
  EXPECT_EQ(relative_entropy(-1e-12, 0.25, std::log(0.25)), infinity);
  EXPECT_EQ(relative_entropy(1.0, infinity, 800.0), infinity);
  // b underflows, its logarithm does not.
  EXPECT_NEAR(relative_entropy(1.0, 0.0, -800.0), 799.0, 1e-12);
}

}  // namespace
}  // namespace alo
