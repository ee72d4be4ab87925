// SPDX-License-Identifier: MIT
#include "formulas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "alo/leave_one_out.hpp"
#include "alo/path.hpp"
#include "alo/registry.hpp"
#include "cases.hpp"
#include "plain.hpp"
#include "simulate.hpp"

namespace paper {

namespace {

using alo::Index;
using alo::Vector;

constexpr Index rows = 80;
const std::vector<Index> widths = {30, 120};

// A penalty with its lambda: a number, or a share of the lambda at which all coefficients are zero.
struct PenaltyCase {
  std::string name;
  double lambda = 0;
  double share = 0;
};
// Four kinds of tangent spaces and curvatures: all coordinates, some of them, blocks, products of singular
// vectors.
const std::vector<PenaltyCase> for_smooth = {{"ridge", 2, 0},         {"lasso", 0, 0.3},
                                             {"elastic-net", 0, 0.3}, {"group-lasso", 0, 0.3},
                                             {"fused-lasso", 0, 0.3}, {"nuclear", 0, 0.3}};
// Of several outputs the library takes these.
const std::vector<PenaltyCase> for_classes = {{"ridge", 2, 0}, {"lasso", 0, 0.3}, {"elastic-net", 0, 0.3}};
// A loss with kinks needs a penalty with curvature.
const std::vector<PenaltyCase> for_kinks = {{"ridge", 2, 0}, {"elastic-net", 2, 0}, {"frobenius", 2, 0}};

alo::MatrixShape shape_of(Index columns) {
  const Index side = columns == 30 ? 5 : 10;
  return {side, columns / side};
}

// Fivefold groups of neighbouring columns.
std::vector<Index> groups_of(Index columns) {
  std::vector<Index> groups;
  for (Index j = 0; j < columns; ++j) groups.push_back(j / 5);
  return groups;
}

// A response in the domain of the loss, from a linear model with ten effects.
alo::Dataset simulate(const std::string& loss, Index columns, std::uint64_t seed) {
  compare::Simulation simulation;
  simulation.rows = rows;
  simulation.columns = columns;
  simulation.effects = 10;
  simulation.seed = seed;
  const alo::ResponseKind kind = alo::response_kind(loss);
  if (kind == alo::ResponseKind::two_classes) simulation.loss = "logistic";
  if (loss == "poisson") simulation.loss = "poisson";
  alo::Dataset data = compare::simulate_dense(simulation, 0.0);
  if (loss == "gamma") data.response = (0.3 * data.response).array().exp();
  if (kind == alo::ResponseKind::classes) {
    data.response = data.response.unaryExpr([](double u) { return u < -1 ? 0.0 : u < 1 ? 1.0 : 2.0; });
  }
  return data;
}

const std::vector<PenaltyCase>& penalties_of(const alo::Loss& loss) {
  if (loss.has_kinks()) return for_kinks;
  return loss.outputs() > 1 ? for_classes : for_smooth;
}

alo::Loss loss_of(const std::string& name) {
  alo::ModelParameters parameters;
  parameters.delta = 1.0;
  parameters.quantile = 0.3;
  parameters.classes = 3;
  return alo::make_loss(name, parameters);
}

// The predictions of each row, one column for each output. Several logits mean the same with another number
// added to all of them, which the dual formula cannot tell; they are centred.
alo::Matrix by_row(const Vector& predictor, Index outputs) {
  alo::Matrix values = Eigen::Map<const alo::Matrix>(predictor.data(), predictor.size() / outputs, outputs);
  if (outputs > 1) values.colwise() -= values.rowwise().mean().eval();
  return values;
}

// The largest distance of the two formulas over rows, relative to the largest move of a prediction. Rows that
// one of them calls undefined must be undefined by the other; else the distance is infinite.
double distance_of_formulas(const std::string& loss, const PenaltyCase& penalty, Index columns,
                            std::uint64_t seed) {
  alo::ModelParameters parameters;
  parameters.columns = columns;
  parameters.shape = shape_of(columns);
  parameters.groups = groups_of(columns);
  const alo::Problem problem = compare::plain_problem(simulate(loss, columns, seed), loss_of(loss),
                                                      alo::make_penalty(penalty.name, parameters));
  const double lambda = penalty.share > 0 ? penalty.share * alo::lambda_start(problem) : penalty.lambda;
  const alo::Fit fit = alo::fit_path(problem, {lambda}).fits.front();
  const alo::LeaveOneOut primal = alo::approximate_leave_one_out(problem, fit, alo::Framework::primal);
  const alo::LeaveOneOut dual = alo::approximate_leave_one_out(problem, fit, alo::Framework::dual);
  if (primal.flags != dual.flags) return std::numeric_limits<double>::infinity();
  const Index outputs = problem.outputs();
  const alo::Matrix one = by_row(primal.linear_predictor, outputs),
                    other = by_row(dual.linear_predictor, outputs),
                    fitted = by_row(fit.linear_predictor, outputs);
  double distance = 0, move = 0;
  for (Index i = 0; i < one.rows(); ++i) {
    if (!one.row(i).allFinite()) continue;
    distance = std::max(distance, (one.row(i) - other.row(i)).cwiseAbs().maxCoeff());
    move = std::max(move, (one.row(i) - fitted.row(i)).cwiseAbs().maxCoeff());
  }
  return distance / move;
}

}  // namespace

std::size_t formula_units() {
  std::size_t units = 0;
  for (const alo::ModelEntry& entry : alo::losses())
    units += widths.size() * penalties_of(loss_of(entry.name)).size();
  return units;
}

void add_formulas(Context& context, std::uint64_t seeds, Outcome& outcome) {
  Table table{"formulas",
              {{"loss", "penalty", "80 × 30", "80 × 120"}, {}, false},
              false,
              "The primal and the dual formula: largest distance over rows and seeds, as a share of the "
              "largest move."};
  double largest = 0;
  std::size_t count = 0;
  for (const alo::ModelEntry& entry : alo::losses()) {
    for (const PenaltyCase& penalty : penalties_of(loss_of(entry.name))) {
      std::vector<std::string> line = {entry.name, penalty.name};
      for (const Index columns : widths) {
        const Json record =
            context.records.get(fmt::format("formulas-{}-{}-{}", entry.name, penalty.name, columns), [&] {
              double worst = 0;
              for (std::uint64_t seed = first_seed; seed < first_seed + seeds; ++seed)
                worst = std::max(worst, distance_of_formulas(entry.name, penalty, columns, seed));
              return Json{{"distance", alo::report::number(worst)}};
            });
        line.push_back(fmt::format("{:.1e}", number(record["distance"])));
        largest =
            std::max(largest, std::isnan(number(record["distance"])) ? std::numeric_limits<double>::infinity()
                                                                     : number(record["distance"]));
      }
      table.cells.rows.push_back(std::move(line));
      ++count;
    }
  }
  outcome.tables.push_back(std::move(table));
  // Rounding is near 1e-13; errors of a formula are near one.
  outcome.claims.push_back({"the dual approximation equals the primal one",
                            fmt::format("{} pairs of loss and penalty, 80 × 30 and 80 × 120", count),
                            {"largest distance ÷ largest move", largest, 1e-8}});
  outcome.checks.push_back({"primal to dual, largest distance ÷ largest move", largest, 1e-8});
}

}  // namespace paper
