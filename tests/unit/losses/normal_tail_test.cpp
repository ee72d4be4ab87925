// SPDX-License-Identifier: MIT
#include "losses/normal_tail.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace alo {
namespace {

// With 60 digits by mpmath: log(erfc(-v/sqrt 2)/2), the density over that probability, and v more.
struct Reference {
  double v, log_probability, hazard, excess;
};

constexpr Reference references[] = {
    {-1000, -500007.826694812184, 1000.00099999800001, 0.000999998000009999926},
    {-40, -804.608442013753788, 40.0249688472072637, 0.0249688472072637232},
    {-9, -43.6281491133321155, 9.1085231050028688, 0.108523105002868798},
    {-3, -6.60772622151034954, 3.28309865493043651, 0.283098654930436507},
    {-0.5, -1.17591176159361861, 1.14107777036806448, 0.641077770368064481},
    {0, -0.693147180559945309, 0.797884560802865356, 0.797884560802865356},
    {2, -0.0230129093289634885, 0.0552478626789899591, 2.05524786267898996},
    {6, -9.86587645524375732e-10, 6.07588285581767645e-9, 6.00000000607588286},
    {20, -2.7536241186062337e-89, 5.52094836215976319e-88, 20.0},
};

TEST(NormalTail, HasAllDigits) {
  for (const Reference& expected : references) {
    const NormalTail tail = normal_tail(expected.v);
    // An exponential of -x^2/2 has the rounding of x^2/2, up to 200 units here.
    EXPECT_NEAR(tail.log_probability / expected.log_probability, 1.0, 1e-13) << expected.v;
    EXPECT_NEAR(tail.hazard / expected.hazard, 1.0, 1e-13) << expected.v;
    EXPECT_NEAR(tail.excess / expected.excess, 1.0, 1e-13) << expected.v;
  }
}

TEST(NormalTail, IsContinuousWhereTheFractionTakesOver) {
  const NormalTail left = normal_tail(std::nextafter(-4.0, -5.0));
  const NormalTail right = normal_tail(-4.0);
  EXPECT_NEAR(left.log_probability, right.log_probability, 1e-14);
  EXPECT_NEAR(left.excess, right.excess, 1e-13);
}

TEST(NormalTail, HazardIsInverted) {
  for (const double v : {-1e4, -300.0, -20.0, -4.0, -1.0, -0.3, -0.2, 0.0, 0.5, 3.0, 12.0, 35.0}) {
    EXPECT_NEAR(inverse_hazard(normal_tail(v).hazard), v, 1e-13 * (1.0 + std::abs(v)));
  }
}

}  // namespace
}  // namespace alo
