// SPDX-License-Identifier: MIT
#include "nonsmooth.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bent_loss.hpp"
#include "cases.hpp"
#include "simulate.hpp"

namespace paper {

namespace {

using alo::Index;
using alo::Matrix;
using alo::Vector;

constexpr double lambda = 2;
constexpr double smoothing = 0.5;  // of the singular values: far from a kink
constexpr Index every = 8;         // the step between rows that are refitted without

PenaltyJet ridge(const Vector& coefficients) {
  return separable([](double b) { return Jet{lambda * b * b / 2, lambda * b, lambda}; }, coefficients);
}

// sum_k sqrt(s_k^2 + 0.5^2) over the singular values of a matrix of 5 x 6 or 10 x 12.
PenaltyJet schatten(const Vector& coefficients) {
  const Index rows = coefficients.size() == 30 ? 5 : 10;
  return spectral(root_absolute, smoothing, lambda, {rows, coefficients.size() / rows}, coefficients);
}

struct PenaltyCase {
  std::string name;
  PenaltyJet (*penalty)(const Vector& coefficients);
};
const std::vector<PenaltyCase> penalties = {{"ridge", ridge}, {"schatten", schatten}};

Matrix without(const Matrix& values, Index row) {
  std::vector<Index> rows;
  for (Index i = 0; i < values.rows(); ++i) {
    if (i != row) rows.push_back(i);
  }
  return values(rows, Eigen::all);
}

// Exact leave-one-out of some rows beside ALO: mean distance, mean move, and the distance in rows without
// which every other row keeps its place, where ALO is exact if the penalty is quadratic.
Json beside_refits(const BentLoss& loss, const PenaltyCase& penalty, const Matrix& design,
                   const Vector& response, const BentFit& fit, const Vector& alo) {
  double distance = 0, move = 0, same_distance = 0;
  int same = 0;
  int count = 0;
  for (Index i = 0; i < response.size(); i += every) {
    ++count;
    const BentFit rest =
        fit_bent(loss, penalty.penalty, without(design, i), without(response, i), fit.coefficients);
    const double exact = design.row(i).dot(rest.coefficients);
    distance += std::abs(alo[i] - exact);
    move += std::abs(exact - fit.model.linear_predictor(i, 0));
    std::vector<int> places = fit.places;
    places.erase(places.begin() + i);
    if (places != rest.places) continue;
    ++same;
    same_distance = std::max(same_distance, std::abs(alo[i] - exact));
  }
  return {{"distance", distance / count},
          {"move", move / count},
          {"same", static_cast<double>(same) / count},
          {"same distance", same_distance}};
}

Json run_unit(const BentLoss& loss, const PenaltyCase& penalty, Index columns, std::uint64_t seed) {
  compare::Simulation simulation;
  simulation.loss = loss.two_classes ? "logistic" : "squared";
  simulation.rows = 80;
  simulation.columns = columns;
  simulation.effects = 10;
  simulation.seed = seed;
  const alo::Dataset data = compare::simulate_dense(simulation, 0.0);
  const Matrix design = data.design.dense_values();
  const Vector& response = data.response;
  const BentFit fit = fit_bent(loss, penalty.penalty, design, response, Vector::Zero(columns));
  const Vector primal = alo::hold_out_primal(fit.model).linear_predictor;
  const Vector dual = alo::hold_out_dual(fit.model).linear_predictor;
  const double move = (primal - fit.model.linear_predictor).cwiseAbs().maxCoeff();
  Json record = beside_refits(loss, penalty, design, response, fit, primal);
  Vector start = fit.coefficients;
  for (const double h : {1e-4, 1e-5, 1e-6}) {
    const alo::LocalModel model = minimize(smoothed(loss, h, penalty.penalty), design, response, start);
    record[fmt::format("{:.0e}", h)] =
        (alo::hold_out_primal(model).linear_predictor - primal).cwiseAbs().maxCoeff() / move;
  }
  record["dual"] = (primal - dual).cwiseAbs().maxCoeff() / move;
  record["held"] = fit.model.pinned.size();
  return record;
}

// The largest value of a field over the records, and the sum.
double largest(const std::vector<Json>& records, const std::string& name) {
  double value = 0;
  for (const Json& record : records) value = std::max(value, number(record[name]));
  return value;
}
double sum(const std::vector<Json>& records, const std::string& name) {
  double value = 0;
  for (const Json& record : records) value += number(record[name]);
  return value;
}

}  // namespace

std::size_t nonsmooth_units(std::uint64_t seeds) {
  return 2 * bent_losses.size() * penalties.size() * seeds;
}

void add_nonsmooth(Context& context, std::uint64_t seeds, Outcome& outcome) {
  Table table{"nonsmooth",
              {{"loss", "penalty", "rows × columns", "rows at a kink, mean", "primal to dual",
                "smoothed to limit, h = 1e-4", "h = 1e-6", "mean distance ÷ mean move to refits",
                "rows without a change", "their largest distance"},
               {},
               false},
              false,
              "Losses with kinks and curvature off them: the theorem's formula beside smoothed models and "
              "beside refits without every eighth row; largest over rows and seeds, as shares of the largest "
              "move."};
  double dual = 0, ratio = 0, same = 0;
  for (const BentLoss& loss : bent_losses) {
    for (const PenaltyCase& penalty : penalties) {
      for (const Index columns : {Index{30}, Index{120}}) {
        std::vector<Json> records;
        for (std::uint64_t seed = first_seed; seed < first_seed + seeds; ++seed) {
          const std::string unit =
              fmt::format("bent-{}-{}-{}-seed{}", loss.name, penalty.name, columns, seed);
          records.push_back(
              context.records.get(unit, [&] { return run_unit(loss, penalty, columns, seed); }));
        }
        const double share = sum(records, "distance") / sum(records, "move");
        const auto count = static_cast<double>(seeds);
        table.cells.rows.push_back({loss.name, penalty.name, fmt::format("80 × {}", columns),
                                    fmt::format("{:.0f}", sum(records, "held") / count),
                                    fmt::format("{:.1e}", largest(records, "dual")),
                                    fmt::format("{:.1e}", largest(records, "1e-04")),
                                    fmt::format("{:.1e}", largest(records, "1e-06")), percent(share),
                                    percent(sum(records, "same") / count),
                                    fmt::format("{:.1e}", largest(records, "same distance"))});
        dual = std::max(dual, largest(records, "dual"));
        ratio = std::max(ratio, largest(records, "1e-06") / largest(records, "1e-04"));
        if (penalty.name == "ridge") same = std::max(same, largest(records, "same distance"));
      }
    }
  }
  outcome.tables.push_back(std::move(table));
  const std::string where = "losses with kinks and curvature, 80 × 30 and 80 × 120";
  outcome.claims.push_back({"the formula for nonsmooth losses is the limit of the smoothed one",
                            where,
                            {"error at h = 1e-6 ÷ error at h = 1e-4, largest", ratio, 0.1}});
  outcome.checks.push_back({"primal to dual with kinks and curvature, largest distance ÷ move", dual, 1e-8});
  outcome.checks.push_back(
      {"with a ridge, ALO to refits in rows without which no other row changes its place", same, 1e-8});
}

}  // namespace paper
