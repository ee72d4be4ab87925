// SPDX-License-Identifier: MIT
#include "leave_one_out/training_part.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <utility>

#include <fmt/format.h>

#include "alo/error.hpp"
#include "certificate/null_fit.hpp"

namespace alo {

namespace {

// Some rows of a design, with the same view.
Design take_rows(const Design& design, const std::vector<Index>& rows) {
  if (!design.is_sparse()) {
    return Design(Matrix(design.dense_values()(rows, Eigen::all))).with_view(design.center(), design.scale());
  }
  const SparseMap& values = design.sparse_values();
  std::vector<Index> place(static_cast<std::size_t>(design.rows()), -1);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    place[static_cast<std::size_t>(rows[k])] = static_cast<Index>(k);
  }
  std::vector<Eigen::Triplet<double>> entries;
  for (Index j = 0; j < values.outerSize(); ++j) {
    for (SparseMap::InnerIterator entry(values, j); entry; ++entry) {
      const Index row = place[static_cast<std::size_t>(entry.row())];
      if (row >= 0) entries.emplace_back(row, j, entry.value());
    }
  }
  SparseMatrix taken(static_cast<Index>(rows.size()), values.cols());
  taken.setFromTriplets(entries.begin(), entries.end());
  return Design(std::move(taken)).with_view(design.center(), design.scale());
}

Dataset take_rows(const Dataset& data, Design design, const std::vector<Index>& rows) {
  Dataset part = data;
  part.design = take_rows(design, rows);
  part.response = Vector(data.response(rows));
  part.weights = Vector(data.weights(rows));
  part.offset = Vector(data.offset(rows));
  part.filled.clear();
  part.lines.clear();
  for (const Index i : rows) part.lines.push_back(data.line(i));
  if (part.kernel) part.kernel->columns = take_rows(data.kernel->columns, rows);
  return part;
}

}  // namespace

// The shuffle is written out because that of the standard library differs between implementations.
std::vector<int> assign_folds(const Problem& problem, int folds, std::uint64_t seed) {
  std::vector<int> dealt(static_cast<std::size_t>(problem.rows()));
  for (std::size_t i = 0; i < dealt.size(); ++i) {
    dealt[i] = static_cast<int>(i % static_cast<std::size_t>(folds));
  }
  std::mt19937_64 generator(seed);
  const auto shuffle = [&](auto& items) {
    for (std::size_t i = items.size(); i-- > 1;) std::swap(items[i], items[generator() % (i + 1)]);
  };
  if (problem.loss().response_kind() == ResponseKind::number) {
    shuffle(dealt);
    return dealt;
  }
  std::vector<Index> order(dealt.size());
  std::iota(order.begin(), order.end(), Index{0});
  shuffle(order);
  const Vector& response = problem.data().response;
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return response[a] < response[b]; });
  std::vector<int> assignment(dealt.size());
  for (std::size_t k = 0; k < order.size(); ++k) assignment[static_cast<std::size_t>(order[k])] = dealt[k];
  return assignment;
}

Design refill(const Dataset& data, const Vector& training_weights) {
  if (data.filled.empty()) return data.design;
  Matrix values = data.design.dense_values();
  std::vector<std::vector<Index>> rows_of(static_cast<std::size_t>(data.columns()));
  for (const FilledEntry& entry : data.filled) {
    rows_of[static_cast<std::size_t>(entry.column)].push_back(entry.row);
  }
  for (Index j = 0; j < data.columns(); ++j) {
    const std::vector<Index>& rows = rows_of[static_cast<std::size_t>(j)];
    if (rows.empty()) continue;
    Vector observed = (training_weights.array() > 0.0).cast<double>();
    for (const Index i : rows) observed[i] = 0.0;
    if (observed.sum() == 0.0) continue;  // not observed in this part: the overall mean stays
    const double mean = observed.dot(values.col(j)) / observed.sum();
    for (const Index i : rows) values(i, j) = mean;
  }
  return Design(std::move(values));
}

TrainingPart training_part(const Problem& problem, const std::vector<int>& assignment, int fold) {
  const Dataset& data = problem.data();
  std::vector<Index> kept, held_out;
  Vector training_weights = data.weights;
  for (Index i = 0; i < data.rows(); ++i) {
    const bool is_held_out = assignment[static_cast<std::size_t>(i)] == fold;
    if (is_held_out) training_weights[i] = 0.0;
    (is_held_out ? held_out : kept).push_back(i);
  }
  const double share = training_weights.sum() / data.weights.sum();
  if (!(share > 0.0)) {
    throw InvalidData(fmt::format("without fold {} every weight is zero; use fewer folds", fold + 1));
  }
  const Design filled = refill(data, training_weights);
  Dataset rows = take_rows(data, filled, kept);
  const bool counts = data.weight_kind == WeightKind::frequency;
  if (!counts) rows.weights /= share;
  TrainingPart part{
      {std::move(rows), problem.loss(), problem.penalty(), {problem.intercept(), problem.standardize()}},
      held_out,
      take_rows(filled, held_out),
      counts ? share : 1.0};
  if (!null_fit(part.problem, part.problem.data().weights).attained) {
    throw InvalidData(
        fmt::format("without fold {} there is no best null fit (a class or every positive count is in that "
                    "fold); use more folds or merge small classes",
                    fold + 1));
  }
  return part;
}

Matrix predict_held_out(const Problem& problem, const TrainingPart& part, const Fit& fit) {
  Matrix predictor = part.held_out_design.multiply_columns(by_output(fit.coefficients, problem.outputs()));
  predictor.colwise() += Vector(problem.data().offset(part.held_out));
  predictor.rowwise() += fit.intercept.transpose();
  return predictor;
}

}  // namespace alo
