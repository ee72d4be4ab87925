// SPDX-License-Identifier: MIT
// What follows from the settings of a model, and what is refused, in the words of a front end.
#include "alo/model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alo/error.hpp"

namespace alo {
namespace {

using testing::HasSubstr;

// A front end that spells settings by their names in brackets: "[mix]", "[penalty ridge]".
std::string spell(Setting setting, std::string_view value) {
  for (const auto& [one, name] : setting_names) {
    if (one == setting) {
      return "[" + std::string(name) + (value.empty() ? "" : " ") + std::string(value) + "]";
    }
  }
  return {};
}

// The text of the error that the work throws; empty where it throws none.
template <class Work>
std::string message_of(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

Dataset numbers() {
  Matrix x(6, 2);
  x << 1, 2, 0, 1, 2, 2, 3, 0, 1, 1, 2, 0;
  Vector y(6);
  y << 1, 0, 3, 5, 2, 4;
  return make_dataset(Design(std::move(x)), std::move(y));
}

Dataset two_values() {
  Dataset data = numbers();
  data.response << 0, 1, 0, 1, 1, 0;
  return data;
}

std::string refusal(const ModelSettings& settings) {
  return message_of([&] { check_settings(settings, spell); });
}

TEST(MakeModel, LossPenaltyAndMetricFollowFromTheData) {
  const Model lasso = make_model({}, numbers(), {}, spell);
  EXPECT_EQ(lasso.problem.loss().name(), "squared");
  EXPECT_EQ(lasso.problem.penalty().name(), "lasso");
  EXPECT_EQ(lasso.metrics, std::vector{Metric::mse});
  EXPECT_TRUE(lasso.problem.intercept() && lasso.problem.standardize());
  EXPECT_TRUE(lasso.notes.empty());

  const Model classes = make_model({}, two_values(), {}, spell);
  EXPECT_EQ(classes.problem.loss().name(), "logistic");
  ASSERT_FALSE(classes.notes.empty());
  EXPECT_THAT(classes.notes.front(), HasSubstr("has two values: the loss is logistic; [loss squared] fits"));

  ModelSettings hinge;
  hinge.loss = "hinge";
  EXPECT_EQ(make_model(hinge, two_values(), {}, spell).problem.penalty().name(), "ridge");
  hinge.kernel = KernelKind::rbf;
  const Model machine = make_model(hinge, two_values(), {}, spell);
  EXPECT_FALSE(machine.problem.intercept());
  EXPECT_TRUE(machine.problem.data().kernel.has_value());
}

TEST(MakeModel, RefusesInTheWordsOfTheFrontEnd) {
  ModelSettings settings;
  settings.mix = 0.5;
  EXPECT_EQ(refusal(settings),
            "[mix] belongs to [penalty elastic-net and sparse-group-lasso]; the penalty here is lasso");
  settings.penalty = "elastic-net";
  EXPECT_EQ(refusal(settings), "");
  settings.mix = 1.5;
  EXPECT_EQ(refusal(settings), "[mix 1.5]: it must be between 0 and 1");
  settings = {};
  settings.penalty = "group-lasso";
  EXPECT_EQ(refusal(settings), "[penalty group-lasso] needs the groups: add [groups]");
  settings = {};
  settings.gamma = 1.0;
  EXPECT_THAT(refusal(settings), HasSubstr("[gamma] belongs to [kernel rbf and poly]"));
  settings = {};
  settings.quantile = 0.5;
  EXPECT_THAT(
      message_of([&] { make_model(settings, numbers(), {}, spell); }),
      HasSubstr("[quantile] belongs to [loss quantile]; the squared loss has none. The loss follows from"));
}

TEST(MakeModel, RefusesGroupsAndPairsThatDoNotFitTheColumns) {
  ModelSettings settings;
  settings.penalty = "group-lasso";
  settings.groups = Groups{{0, 0, 1}, 0};
  EXPECT_THAT(message_of([&] { make_model(settings, numbers(), {}, spell); }),
              HasSubstr("groups for 3 coefficients, but 2 columns"));
  settings = {};
  settings.penalty = "fused-lasso";
  settings.edges = Edges{{0, 2}};
  EXPECT_THAT(message_of([&] { make_model(settings, numbers(), {}, spell); }),
              HasSubstr("0 and 2, counted from 0, are no pair of 2 coefficients"));
}

TEST(MakeModel, ChecksTheSettingsOfARun) {
  TuneOptions options;
  options.lambdas = {1.0};
  EXPECT_EQ(message_of([&] { check_settings(options, false, spell); }), "");
  EXPECT_THAT(message_of([&] { check_settings(options, true, spell); }),
              HasSubstr("[lambda] gives the values"));
  options.metrics = {Metric::mse, Metric::mae, Metric::mse};
  EXPECT_EQ(message_of([&] { check_settings(options, false, spell); }), "[metric]: mse is named twice");
}

}  // namespace
}  // namespace alo
