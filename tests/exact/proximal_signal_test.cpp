// SPDX-License-Identifier: MIT
// Signals whose fit is a proximal point that can be written down: wavelets, and blocks shrunk towards zero.
#include <cmath>
#include <random>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "alo/error.hpp"
#include "alo/leave_one_out.hpp"
#include "alo/path.hpp"
#include "alo/penalties/generalized_lasso.hpp"
#include "alo/registry.hpp"
#include "alo/tune.hpp"
#include "random_problem.hpp"
#include "signal_path.hpp"
#include "solvers/generalized_lasso/proximal_signal.hpp"
#include "solvers/method.hpp"

namespace alo {
namespace {

using testing_support::assert_signal_path;
using testing_support::fit_at;
using testing_support::leave_any_row_out;
using testing_support::RowLeftOut;

Penalty penalty_of(const std::string& kind, Index rows) {
  if (kind == "wavelet") return GeneralizedLasso::haar(rows);
  std::vector<std::pair<Index, Index>> edges;
  for (Index i = 0; i + 1 < rows; ++i) edges.emplace_back(i, i + 1);
  for (Index i = 0; kind == "graph" && i + 5 < rows; i += 3) edges.emplace_back(i, i + 5);
  return GeneralizedLasso::on_graph(rows, edges, 0.3);
}

Problem signal(const std::string& kind, Index rows, unsigned seed, bool offset = false) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal;
  Vector y(rows);
  for (Index i = 0; i < rows; ++i) y[i] = (i < rows / 2 ? 0.0 : 3.0) + normal(generator);
  SparseMatrix identity(rows, rows);
  identity.setIdentity();
  Dataset data = make_dataset(Design(identity), y);
  for (Index i = 0; offset && i < rows; ++i) data.offset[i] = normal(generator);
  return {std::move(data), make_loss("squared", {}), penalty_of(kind, rows), {false, false}};
}

Problem any_proximal_signal() {
  const auto kind = *rc::gen::element<std::string>("wavelet", "chain", "graph");
  const auto rows = *rc::gen::inRange<Index>(3, 40);
  const auto seed = *rc::gen::inRange(1u, 1000000u);
  RC_LOG() << kind << " rows " << rows << " seed " << seed << '\n';
  return signal(kind, rows, seed, *rc::gen::arbitrary<bool>());
}

RC_GTEST_PROP(ProximalSignal, EveryFitIsCertifiedAndAllFormsAgree, ()) {
  const Problem problem = any_proximal_signal();
  RC_ASSERT(route(problem).name() == "proximal-signal");
  assert_signal_path(problem);
}

// Where a coefficient without its row could have several values, the prediction is the midpoint of all of
// them. Of all signals with such a value the best is as good as the best of all; beyond the ends it is worse.
RC_GTEST_PROP(ProximalSignal, ExactIsTheMidpointOfAllBestValues, ()) {
  const Problem problem = any_proximal_signal();
  const RowLeftOut out = leave_any_row_out(problem);
  const double best = out.objective(out.refit.coefficients);
  const double lambda = out.fit.lambda;
  RC_ASSERT(std::abs(out.prediction - 0.5 * (out.low + out.high)) <=
            1e-12 * (1.0 + std::abs(out.prediction)));
  const auto fitted_at = [&](double value) {
    Dataset moved = problem.data();
    moved.response[out.row] = value;
    const Problem filled(std::move(moved), problem.loss(), problem.penalty(), {false, false});
    return fit_at(filled, lambda).coefficients;
  };
  for (const double value : {out.low, out.prediction, out.high}) {
    const Vector held_out = fitted_at(value);
    const double reached = held_out[out.row] + problem.data().offset[out.row];
    RC_ASSERT(std::abs(reached - value) < 1e-10 * (1.0 + lambda));
    RC_ASSERT(out.objective(held_out) < best + 1e-9 * (1.0 + best));
  }
  // A row of a value beyond the ends is not fitted by that value: the fit pulls it back.
  const double step = 1e-3;
  RC_ASSERT(fitted_at(out.low - step)[out.row] + problem.data().offset[out.row] > out.low - step + 1e-6);
  RC_ASSERT(fitted_at(out.high + step)[out.row] + problem.data().offset[out.row] < out.high + step - 1e-6);
}

// A dense matrix of all rows would take 20 GB.
TEST(ProximalSignal, MayBeLong) {
  for (const std::string kind : {"wavelet", "chain"}) {
    const Problem problem = signal(kind, 50'000, 1);
    TuneOptions options;
    options.lambdas = {10.0, 3.0};
    options.check_rows = 20;
    const TuneResult result = tune(problem, options);
    EXPECT_TRUE(result.certified) << kind;
    ASSERT_TRUE(result.check) << kind;
    EXPECT_EQ(result.check->verdict, CheckVerdict::trusted) << kind;
  }
}

TEST(ProximalSignal, StoppedWhileRowsAreSettledIsNotComplete) {
  const Problem problem = signal("chain", 60, 1);
  TuneOptions options;
  options.lambdas = {0.5, 0.1};
  options.choose = ChooseBy::alo;
  options.repair = Repair::exact;
  for (int allowed = 0; allowed < 100; ++allowed) {
    int asked = 0;
    const TuneResult stopped = tune(problem, options, {{}, [&] { return ++asked > allowed; }});
    if (stopped.path.empty() || stopped.risk[0].alo.back().undefined == 0) continue;
    EXPECT_FALSE(stopped.complete) << allowed;
  }
}

TEST(ProximalSignal, OtherLongSignalsAreRefused) {
  ModelParameters parameters;
  parameters.delta = 1.0;
  try {
    const Problem chain = signal("chain", 10'001, 1);
    tune({chain.data(), make_loss("huber", parameters), chain.penalty(), {false, false}});
    FAIL() << "not refused";
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find("10001 rows is too long"), std::string::npos) << error.what();
  }
}

TEST(ProximalSignal, LargeMatricesWithoutStructureAreRefused) {
  SparseMatrix matrix(20'000, 20'000);
  matrix.setIdentity();
  matrix.coeffRef(0, 0) = 2.0;
  EXPECT_THROW(GeneralizedLasso::recognize(matrix), InvalidArgument);
}

}  // namespace
}  // namespace alo
