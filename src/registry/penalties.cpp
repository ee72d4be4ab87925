// SPDX-License-Identifier: MIT
// The one table of penalties that every front end reads.
#include <algorithm>

#include <fmt/format.h>

#include "alo/error.hpp"
#include "alo/penalties/elastic_net.hpp"
#include "alo/penalties/frobenius.hpp"
#include "alo/penalties/generalized_lasso.hpp"
#include "alo/penalties/group_lasso.hpp"
#include "alo/penalties/lasso.hpp"
#include "alo/penalties/nuclear.hpp"
#include "alo/penalties/ridge.hpp"
#include "alo/penalties/schatten.hpp"
#include "alo/penalties/slope.hpp"
#include "alo/penalties/sparse_group_lasso.hpp"
#include "registry/table.hpp"

namespace alo {

namespace {

struct PenaltyEntry {
  ModelEntry entry;
  Penalty (*make)(const ModelParameters&);
};

Index needed_columns(const ModelParameters& given, std::string_view penalty) {
  if (given.columns > 0) return given.columns;
  throw InvalidArgument(fmt::format("the {} penalty needs the number of coefficients", penalty));
}

const std::vector<Index>& needed_groups(const ModelParameters& given, std::string_view penalty) {
  if (!given.groups.empty()) return given.groups;
  throw InvalidArgument(fmt::format("the {} penalty needs the group of every coefficient", penalty));
}

MatrixShape needed_shape(const ModelParameters& given, std::string_view penalty) {
  if (given.shape) return *given.shape;
  throw InvalidArgument(fmt::format("the {} penalty needs the shape of the matrix of coefficients", penalty));
}

// The factor of each group from the weights of its coefficients.
Vector group_factors(const std::vector<Index>& groups, const Vector& weights) {
  const auto count = static_cast<Index>(groups.size());
  if (weights.size() == 0) return {};
  if (weights.size() != count) {
    throw InvalidData(fmt::format("there are {} penalty weights for {} coefficients", weights.size(), count));
  }
  Vector factors(*std::max_element(groups.begin(), groups.end()) + 1);
  std::vector<Index> first(static_cast<std::size_t>(factors.size()), -1);
  for (Index j = 0; j < count; ++j) {
    const Index group = groups[static_cast<std::size_t>(j)];
    Index& member = first[static_cast<std::size_t>(group)];
    if (member < 0) {
      member = j;
      factors[group] = weights[j];
    } else if (weights[j] != factors[group]) {
      throw InvalidData(fmt::format(
          "coefficients {} and {} are in one group but have penalty weights {} and {}; a group has one",
          member + 1, j + 1, factors[group], weights[j]));
    }
  }
  return factors;
}

Vector slope_sequence(const ModelParameters& given) {
  if (given.penalty_weights.size() > 0) return given.penalty_weights;
  const Index columns = needed_columns(given, "slope");
  const double q = given.slope_q.value_or(default_slope_q(given.slope_shape, columns));
  switch (given.slope_shape) {
    case SlopeShape::benjamini_hochberg:
      break;
    case SlopeShape::oscar:
      return oscar_sequence(columns, q);
    case SlopeShape::linear:
      return linear_sequence(columns, q);
  }
  return benjamini_hochberg_sequence(columns, q);
}

Penalty fused_lasso(const ModelParameters& given) {
  const Index columns = needed_columns(given, "fused-lasso");
  if (!given.edges && given.sparse == 0.0) return GeneralizedLasso::differences(columns, 1, "fused-lasso");
  return GeneralizedLasso::on_graph(columns, given.edges ? *given.edges : edges_of_grid(1, columns),
                                    given.sparse);
}

const std::vector<PenaltyEntry>& penalty_table() {
  static const std::vector<PenaltyEntry> table = {
      {{"ridge", "half the sum of squared coefficients", true},
       [](const ModelParameters& given) { return Penalty(Ridge(given.penalty_weights)); }},
      {{"lasso", "sum of absolute coefficients; many become exactly zero", true},
       [](const ModelParameters& given) { return Penalty(Lasso(given.penalty_weights)); }},
      {{"elastic-net", "a mix of lasso and ridge, or a lasso with a fixed ridge part", true},
       [](const ModelParameters& given) {
         return Penalty(given.ridge ? ElasticNet::with_fixed_ridge(*given.ridge, given.penalty_weights)
                                    : ElasticNet(given.mix, given.penalty_weights));
       }},
      {{"generalized-lasso", "sum of absolute values of D b, D the penalty matrix", false},
       [](const ModelParameters& given) {
         if (given.penalty_matrix.cols() == 0) {
           throw InvalidArgument("the generalized-lasso penalty needs its matrix");
         }
         return Penalty(GeneralizedLasso::recognize(given.penalty_matrix));
       }},
      {{"fused-lasso", "sum of absolute differences of neighbours; coefficients are constant in blocks",
        false},
       fused_lasso},
      {{"trend-filter", "absolute differences of a given order; coefficients are polynomials in pieces",
        false},
       [](const ModelParameters& given) {
         const Index columns = needed_columns(given, "trend-filter");
         return Penalty(GeneralizedLasso::differences(columns, given.order, "trend-filter"));
       }},
      {{"wavelet", "sum of absolute Haar details: differences between means of neighbouring intervals",
        false},
       [](const ModelParameters& given) {
         return Penalty(GeneralizedLasso::haar(needed_columns(given, "wavelet")));
       }},
      {{"group-lasso", "sizes of groups of coefficients; groups become zero as one", true},
       [](const ModelParameters& given) {
         const std::vector<Index>& groups = needed_groups(given, "group-lasso");
         return Penalty(GroupLasso(groups, group_factors(groups, given.penalty_weights)));
       }},
      {{"sparse-group-lasso", "a mix of lasso and group-lasso: few groups, few coefficients in each", true},
       [](const ModelParameters& given) {
         const std::vector<Index>& groups = needed_groups(given, "sparse-group-lasso");
         return Penalty(SparseGroupLasso(groups, given.mix, group_factors(groups, given.penalty_weights)));
       }},
      {{"slope", "absolute coefficients, the larger ones weighted more; correlated ones become equal", true},
       [](const ModelParameters& given) { return Penalty(Slope(slope_sequence(given))); }},
      {{"nuclear", "sum of the singular values of the matrix of coefficients; fits of low rank", false},
       [](const ModelParameters& given) { return Penalty(NuclearNorm(needed_shape(given, "nuclear"))); }},
      {{"schatten", "the nuclear norm, rounded off near zero over the length of its smoothing", false},
       [](const ModelParameters& given) {
         if (!given.smoothing) throw InvalidArgument("the schatten penalty needs its smoothing");
         return Penalty(Schatten(needed_shape(given, "schatten"), *given.smoothing));
       }},
      {{"frobenius", "half the sum of squares of the matrix of coefficients: the ridge penalty", false},
       [](const ModelParameters& given) { return Penalty(Frobenius(needed_shape(given, "frobenius"))); }},
  };
  return table;
}

}  // namespace

const std::vector<ModelEntry>& penalties() {
  static const std::vector<ModelEntry> result = entries_of(penalty_table());
  return result;
}

double default_slope_q(SlopeShape shape, Index columns) {
  switch (shape) {
    case SlopeShape::benjamini_hochberg:
      break;
    case SlopeShape::oscar:
      return 1.0 / static_cast<double>(std::max<Index>(1, columns));
    case SlopeShape::linear:
      return 0.5;
  }
  return 0.1;
}

const ModelEntry& penalty_entry(std::string_view name) {
  return find_row(penalty_table(), "penalty", name).entry;
}

Penalty make_penalty(std::string_view name, const ModelParameters& parameters) {
  return find_row(penalty_table(), "penalty", name).make(parameters);
}

}  // namespace alo
