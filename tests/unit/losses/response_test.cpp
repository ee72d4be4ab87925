// SPDX-License-Identifier: MIT
// Responses that a loss refuses, with the row and the rule.
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alo/error.hpp"
#include "alo/registry.hpp"

namespace alo {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

Loss loss_named(const std::string& name) {
  ModelParameters parameters;
  parameters.delta = 1.0;
  parameters.classes = 3;
  return make_loss(name, parameters);
}

void expect_refused(const std::string& loss, const Vector& response, const std::string& where,
                    const std::string& rule) {
  EXPECT_THAT([&] { loss_named(loss).check_response(response); },
              ThrowsMessage<InvalidData>(AllOf(HasSubstr(where), HasSubstr(rule), HasSubstr(loss))));
}

TEST(Response, OfTwoClasses) {
  for (const std::string loss : {"logistic", "probit", "squared-hinge", "hinge"}) {
    expect_refused(loss, Vector{{1.0, -1.0, 0.0}}, "row 3 is 0", "-1 and +1");
    expect_refused(loss, Vector{{2.0, 1.0}}, "row 1 is 2", "-1 and +1");
    expect_refused(loss, Vector::Constant(3, -1.0), "-1 in every row", "both classes");
    EXPECT_NO_THROW(loss_named(loss).check_response(Vector{{1.0, -1.0}}));
  }
}

TEST(Response, OfCounts) {
  expect_refused("poisson", Vector{{0.0, 3.0, -2.0}}, "row 3 is -2", "not negative");
  expect_refused("poisson", Vector::Zero(4), "0 in every row", "positive count");
  EXPECT_NO_THROW(loss_named("poisson").check_response(Vector{{0.0, 2.5}})) << "quasi-Poisson";
}

TEST(Response, OfAmounts) {
  expect_refused("gamma", Vector{{1.0, 0.0}}, "row 2 is 0", "positive");
  expect_refused("gamma", Vector{{1.0, 2.0, -0.5}}, "row 3 is -0.5", "positive");
}

TEST(Response, OfSeveralClasses) {
  expect_refused("multinomial", Vector{{0.0, 1.0, 2.0, 1.5}}, "row 4 is 1.5", "0 to 2");
  expect_refused("multinomial", Vector{{0.0, 3.0, 1.0, 2.0}}, "row 2 is 3", "0 to 2");
  expect_refused("multinomial", Vector{{-1.0, 1.0, 2.0}}, "row 1 is -1", "0 to 2");
  expect_refused("multinomial", Vector{{0.0, 2.0, 2.0}}, "class 1", "every class");
}

TEST(Response, OfNumbersIsAnyNumber) {
  for (const std::string loss :
       {"squared", "huber", "pseudo-huber", "absolute", "quantile", "epsilon-insensitive"}) {
    EXPECT_NO_THROW(loss_named(loss).check_response(Vector{{-3.0, 0.0, 1e6}}));
  }
}

}  // namespace
}  // namespace alo
