// SPDX-License-Identifier: MIT
// Units do not matter: with columns, responses or weights multiplied by a number and lambda to match, fits,
// held-out predictions, certificates and flags are the same up to that number.
#include <cmath>
#include <span>

#include <gtest/gtest.h>

#include "alo/leave_one_out.hpp"
#include "alo/path.hpp"
#include "alo/registry.hpp"
#include "certificate/null_fit.hpp"
#include "random_matrix.hpp"
#include "random_problem.hpp"

namespace alo {
namespace {

using testing_support::all_rows;
using testing_support::fit_at;
using testing_support::in_domain;
using testing_support::normal_matrix;

constexpr Index rows = 24;
constexpr Index columns = 6;
// Products of numbers that are no powers of two are rounded, and conditions of some 1e3 raise that.
constexpr double tolerance = 1e-8;

struct Model {
  std::string loss;
  std::string penalty;
  bool standardize;
};

// Numbers by which columns, response and weights are multiplied.
struct Units {
  double columns = 1.0;
  double response = 1.0;
  double weights = 1.0;
};

// Every penalty here is the same number of times lambda larger for larger coefficients, so that lambda takes
// the units of the slopes, which are weights times columns times the derivative of the loss.
struct Held {
  Fit fit;
  LeaveOneOut formula;
  LeaveOneOut exact;
  std::vector<std::optional<bool>> certified;
};

class InUnits {
 public:
  InUnits(Model model, unsigned seed) : model_(std::move(model)) {
    x_ = normal_matrix(rows, columns, seed);
    const Vector signal = x_.leftCols(3) * Vector{{1.0, -2.0, 1.0}};
    response_ = in_domain(model_.loss, signal + normal_matrix(rows, 1, seed + 1).col(0));
  }

  // The degree of the loss in the units of the response: 2 for a square, 1 for an absolute value.
  int degree() const {
    return model_.loss == "squared" || model_.loss == "huber" || model_.loss == "pseudo-huber" ? 2 : 1;
  }
  bool takes_any_response() const {
    return response_kind(model_.loss) == ResponseKind::number && model_.loss != "poisson";
  }

  Held held(const Units& units) const {
    Dataset data = make_dataset(Design(Matrix(units.columns * x_)), units.response * response_);
    data.weights *= units.weights;
    ModelParameters parameters;
    parameters.columns = columns;
    parameters.delta = 0.7 * units.response;
    parameters.epsilon = 0.2 * units.response;
    parameters.groups = {0, 0, 1, 1, 2, 2};
    parameters.shape = MatrixShape{2, 3};
    const Problem problem(std::move(data), make_loss(model_.loss, parameters),
                          make_penalty(model_.penalty, parameters), {true, model_.standardize});
    const double share = 0.2;
    Held result;
    result.fit = fit_at(problem, share * start(problem, units));
    const std::span<const Fit> fits(&result.fit, 1);
    if (has_approximation(problem)) result.formula = approximate_leave_one_out(problem, result.fit);
    result.exact = exact_leave_one_out(problem, fits, all_rows(problem)).values.at(0);
    result.certified = certify_rows(problem, result.fit);
    return result;
  }

 private:
  // Ridges have no largest lambda. Theirs has the units of weights times squared columns.
  double start(const Problem& problem, const Units& units) const {
    if (model_.penalty != "ridge") return lambda_start(problem);
    const double columns_squared = model_.standardize ? 1.0 : units.columns * units.columns;
    const double curvature = std::pow(units.response, degree() - 2);
    return 5.0 * units.weights * columns_squared * curvature;
  }

  Model model_;
  Matrix x_;
  Vector response_;
};

void expect_same(const Vector& one, const Vector& other, double unit, const char* what) {
  ASSERT_EQ(one.size(), other.size()) << what;
  if (one.size() == 0) return;
  const double size = one.array().isNaN().select(0.0, one).lpNorm<Eigen::Infinity>();
  for (Index i = 0; i < one.size(); ++i) {
    ASSERT_EQ(std::isnan(one[i]), std::isnan(other[i])) << what << ' ' << i;
    if (std::isnan(one[i])) continue;
    EXPECT_NEAR(other[i] / unit, one[i], tolerance * size) << what << ' ' << i;
  }
}

void expect_same(const Held& one, const Held& other, const Units& units) {
  expect_same(one.fit.coefficients, other.fit.coefficients, units.response / units.columns, "coefficient");
  EXPECT_EQ(one.fit.status, other.fit.status);
  for (Index j = 0; j < columns; ++j) {
    EXPECT_EQ(one.fit.coefficients[j] == 0.0, other.fit.coefficients[j] == 0.0) << "zero " << j;
  }
  expect_same(one.formula.linear_predictor, other.formula.linear_predictor, units.response, "formula");
  EXPECT_EQ(one.formula.flags, other.formula.flags);
  expect_same(one.exact.linear_predictor, other.exact.linear_predictor, units.response, "exact");
  EXPECT_EQ(one.exact.flags, other.exact.flags);
  EXPECT_EQ(one.exact.missed, other.exact.missed);
  EXPECT_EQ(one.certified, other.certified);
}

std::vector<Model> models() {
  std::vector<Model> result;
  for (const char* penalty : {"ridge", "lasso", "slope", "group-lasso", "sparse-group-lasso", "fused-lasso",
                              "trend-filter", "nuclear"}) {
    result.push_back({"squared", penalty, false});
  }
  result.push_back({"squared", "lasso", true});
  for (const char* loss : {"huber", "pseudo-huber", "logistic", "squared-hinge", "poisson"}) {
    result.push_back({loss, "lasso", false});
    result.push_back({loss, "ridge", true});
  }
  result.push_back({"logistic", "slope", false});
  for (const char* loss : {"hinge", "absolute", "quantile", "epsilon-insensitive"}) {
    result.push_back({loss, "ridge", false});
  }
  result.push_back({"absolute", "lasso", false});
  return result;
}

class UnitsContract : public testing::TestWithParam<std::size_t> {
 protected:
  const Model model = models()[GetParam()];
  void compare(const Units& units) const {
    SCOPED_TRACE(model.loss + " " + model.penalty + " " + testing::PrintToString(units.columns) + " " +
                 testing::PrintToString(units.response) + " " + testing::PrintToString(units.weights));
    for (const unsigned seed : {3u, 4u}) {
      const InUnits problem(model, seed);
      if (units.response != 1.0 && !problem.takes_any_response()) continue;
      expect_same(problem.held({}), problem.held(units), units);
    }
  }
};

TEST_P(UnitsContract, OfColumns) {
  for (const double unit : {3e-8, 1e-4, 7e5, 1e8}) compare({.columns = unit});
}

TEST_P(UnitsContract, OfTheResponse) {
  for (const double unit : {1e-7, 3e-3, 2e4, 1e8}) compare({.response = unit});
}

TEST_P(UnitsContract, OfWeights) {
  for (const double unit : {1e-8, 3e-3, 7e5, 1e8}) compare({.weights = unit});
}

INSTANTIATE_TEST_SUITE_P(All, UnitsContract, testing::Range(std::size_t{0}, models().size()),
                         [](const auto& test) {
                           const Model model = models()[test.param];
                           std::string name =
                               model.loss + "_" + model.penalty + (model.standardize ? "_standardized" : "");
                           for (char& letter : name) letter = letter == '-' ? '_' : letter;
                           return name;
                         });

}  // namespace
}  // namespace alo
