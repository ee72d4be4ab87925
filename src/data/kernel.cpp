// SPDX-License-Identifier: MIT
#include "alo/kernel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "alo/dataset.hpp"
#include "alo/error.hpp"
#include "data/column_scale.hpp"
#include "linalg/blas.hpp"

namespace alo {

namespace {

// The number of rows that are made dense at a time. For 10 000 columns they take 20 MB. At ten times the
// value memory grows tenfold, and matrix products gain nothing.
constexpr Index block_rows = 256;

// Visits blocks of rows, each as the columns of a dense matrix: visit(first, rows). The rows, seen through
// the view, are products X'E with unit vectors E, which cost the same for sparse and for dense columns.
template <class Visit>
void for_each_block(const Design& design, const Visit& visit) {
  for (Index first = 0; first < design.rows(); first += block_rows) {
    const Index count = std::min(block_rows, design.rows() - first);
    Matrix units = Matrix::Zero(design.rows(), count);
    units.middleRows(first, count).setIdentity();
    visit(first, design.transpose_multiply_columns(units));
  }
}

Vector row_square_norms(const Design& design) {
  Vector norms(design.rows());
  for_each_block(design, [&](Index first, const Matrix& rows) {
    norms.segment(first, rows.cols()) = rows.colwise().squaredNorm();
  });
  return norms;
}

// X Z'.
Matrix row_products(const Design& x, const Design& z) {
  Matrix products(x.rows(), z.rows());
  for_each_block(z, [&](Index first, const Matrix& rows) {
    products.middleCols(first, rows.cols()) = x.multiply_columns(rows);
  });
  return products;
}

// The means of the stored columns, without the view.
Vector stored_means(const Design& design) {
  const auto rows = static_cast<double>(std::max<Index>(design.rows(), 1));
  return design.with_view({}, {}).transpose_multiply(Vector::Ones(design.rows())) / rows;
}

// default_gamma with a weight for each row, so that copies of a row count as often as they are.
double weighted_gamma(const Design& design, const Vector& weights) {
  const auto p = static_cast<double>(design.columns());
  const double total = weights.sum();
  const Vector means = design.with_view({}, {}).transpose_multiply(weights) / total;
  // The variance within columns plus that between them avoids the cancellation of E[x^2] - (E[x])^2.
  const double within = design.with_view(means, {}).weighted_square_norms(weights).sum() / total;
  const double between = (means.array() - means.mean()).square().sum();
  const double variance = (within + between) / p;
  return variance > 0.0 ? 1.0 / (p * variance) : 1.0;
}

// A design that stores what the view shows.
Design without_view(const Design& design) {
  if (design.center().size() == 0 && design.scale().size() == 0) return design;
  std::vector<Index> all(static_cast<std::size_t>(design.columns()));
  std::iota(all.begin(), all.end(), Index{0});
  return Design(design.gather(all));
}

// The rows minus a centre. The difference is stored, because a view would subtract the centre only after
// the products, when digits are lost already. A sparse design is returned as it is.
Design shifted(const Design& design, const Vector& center) {
  if (design.is_sparse()) return design;
  return without_view(design.with_view(center, design.scale()));
}

// |x_i - z_j|^2 by the binomial formula, after a common shift of both, which avoids cancellation for rows
// far from the origin.
Matrix square_distances(const Design& x, const Design& z) {
  const Vector center = x.is_sparse() || z.is_sparse() ? Vector::Zero(z.columns()) : stored_means(z);
  const Design left = shifted(x, center);
  const Design right = shifted(z, center);
  Matrix distances = -2.0 * row_products(left, right);
  distances.colwise() += row_square_norms(left);
  distances.rowwise() += row_square_norms(right).transpose();
  return distances.cwiseMax(0.0);
}

// The columns divided by their standard deviations; those without variation are divided by infinity, so
// that they are zero.
Design standardized(const Dataset& data) {
  Vector scale = column_deviations(data.design, column_means(data.design, data.weights), data.weights);
  for (const Index j : data.design.constant_columns(data.weights)) {
    scale[j] = std::numeric_limits<double>::infinity();
  }
  return data.design.with_view({}, std::move(scale));
}

}  // namespace

std::string_view to_string(KernelKind kind) {
  switch (kind) {
    case KernelKind::linear:
      return "linear";
    case KernelKind::rbf:
      return "rbf";
    case KernelKind::polynomial:
      return "poly";
  }
  return "";
}

void check(const Kernel& kernel) {
  if (kernel.kind == KernelKind::linear) return;
  if (!kernel.gamma) {
    throw InvalidArgument(fmt::format("the {} kernel needs its gamma", to_string(kernel.kind)));
  }
  if (!(*kernel.gamma > 0.0) || !std::isfinite(*kernel.gamma)) {
    throw InvalidArgument(fmt::format("gamma is {}; it must be a positive number", *kernel.gamma));
  }
  if (kernel.degree < 1) {
    throw InvalidArgument(
        fmt::format("the degree is {}; it must be a whole number of at least 1", kernel.degree));
  }
  if (!(kernel.coef0 >= 0.0) || !std::isfinite(kernel.coef0)) {
    throw InvalidArgument(
        fmt::format("coef0 is {}; it must be at least 0, else the polynomial is no inner product of features",
                    kernel.coef0));
  }
}

std::string describe(const Kernel& kernel) {
  switch (kernel.kind) {
    case KernelKind::linear:
      break;
    case KernelKind::rbf:
      return fmt::format("rbf kernel (gamma {:.6g})", kernel.gamma.value_or(0.0));
    case KernelKind::polynomial:
      return fmt::format("poly kernel (gamma {:.6g}, degree {}, coef0 {:.6g})", kernel.gamma.value_or(0.0),
                         kernel.degree, kernel.coef0);
  }
  return "linear kernel";
}

double default_gamma(const Design& design) {
  return weighted_gamma(design, Vector::Ones(design.rows()));
}

Matrix kernel_matrix(const Kernel& kernel, const Design& x, const Design& z) {
  check(kernel);
  switch (kernel.kind) {
    case KernelKind::linear:
      break;
    case KernelKind::rbf:
      return (-*kernel.gamma * square_distances(x, z).array()).exp();
    case KernelKind::polynomial:
      return (*kernel.gamma * row_products(x, z).array() + kernel.coef0).unaryExpr([&](double value) {
        return std::pow(value, kernel.degree);
      });
  }
  return row_products(x, z);
}

Design kernel_features(const Kernel& kernel, const Design& design) {
  check(kernel);
  if (kernel.kind == KernelKind::linear) return without_view(design);
  Matrix similarities = kernel_matrix(kernel, design, design);
  if (!similarities.allFinite()) {
    throw InvalidData(
        fmt::format("the {} is too large to be computed for these columns; rescale them or lower gamma",
                    describe(kernel)));
  }
  Matrix features = blas::semidefinite_factor(std::move(similarities));
  if (features.cols() == 0) {
    throw InvalidData(fmt::format("the {} is zero for all rows: there is nothing to fit", describe(kernel)));
  }
  return Design(std::move(features));
}

std::vector<Index> columns_left_out(const KernelSource& source) {
  std::vector<Index> columns;
  const Vector& scale = source.columns.scale();
  for (Index j = 0; j < scale.size(); ++j) {
    if (!std::isfinite(scale[j])) columns.push_back(j);
  }
  return columns;
}

Dataset with_kernel(Dataset data, const Kernel& kernel, bool standardize) {
  validate(data);
  KernelSource source{kernel, standardize ? standardized(data) : data.design, std::move(data.column_names)};
  if (kernel.kind != KernelKind::linear && !kernel.gamma) {
    const auto kept =
        static_cast<double>(data.columns()) - static_cast<double>(columns_left_out(source).size());
    source.kernel.gamma = standardize ? 1.0 / std::max(kept, 1.0) : weighted_gamma(data.design, data.weights);
  }
  data.design = kernel_features(source.kernel, source.columns);
  data.column_names.clear();
  for (Index j = 0; j < data.columns(); ++j) data.column_names.push_back(fmt::format("phi{}", j + 1));
  data.filled.clear();
  data.kernel = std::move(source);
  return data;
}

}  // namespace alo
