// SPDX-License-Identifier: MIT
#include "data/column_scale.hpp"

namespace alo {

Vector column_means(const Design& design, const Vector& weights) {
  return design.transpose_multiply(weights) / weights.sum();
}

Vector column_deviations(const Design& design, const Vector& means, const Vector& weights) {
  const Design centered = design.with_view(means, {});
  return (centered.weighted_square_norms(weights) / weights.sum()).cwiseSqrt();
}

}  // namespace alo
