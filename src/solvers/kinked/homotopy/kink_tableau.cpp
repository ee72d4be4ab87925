// SPDX-License-Identifier: MIT
#include "solvers/kinked/homotopy/kink_tableau.hpp"

#include <cmath>

#include "linalg/blas.hpp"
#include "linalg/tolerances.hpp"

namespace alo {

std::optional<Matrix> kink_tableau(Matrix system, Index pinned, Index free) {
  Matrix& t = system;
  const Index rest = t.rows() - pinned;
  const Vector diagonal = t.diagonal().head(pinned);
  const auto lower = blas::cholesky(t.topLeftCorner(pinned, pinned));
  if (!lower || (lower->diagonal().array().square() <= tolerances::tableau_pivot * diagonal.array()).any()) {
    return std::nullopt;
  }
  auto between = t.topRightCorner(pinned, rest);
  blas::solve_lower_in_place(*lower, between);
  blas::subtract_gram(t.bottomRightCorner(rest, rest), between);
  blas::solve_lower_transposed_in_place(*lower, between);
  t.bottomLeftCorner(rest, pinned) = between.transpose();
  t.topLeftCorner(pinned, pinned) = -blas::inverse_from_cholesky(*lower);
  if (free == 0) return system;

  // A block pivot at c: with R = T[:,c], T becomes T + R C^-1 R', except for its rows at c, which become
  // -C^-1 R', and the block on the diagonal there, which becomes C^-1.
  const Matrix middle = -t.block(pinned, pinned, free, free);
  const auto root = blas::cholesky(middle);
  if (!root || (root->diagonal().array().square() <= tolerances::tableau_pivot * middle.diagonal().array() ||
                middle.diagonal().array() <= 0.0)
                   .any()) {
    return std::nullopt;
  }
  Matrix half = t.middleCols(pinned, free);
  blas::solve_right_transposed_in_place(*root, half);
  blas::add_product_transposed(t, 1.0, half, half);
  const Matrix solved = -blas::solve_lower_transposed(*root, half.transpose());
  t.middleRows(pinned, free) = solved;
  t.middleCols(pinned, free) = solved.transpose();
  t.block(pinned, pinned, free, free) = blas::inverse_from_cholesky(*root);
  return system;
}

std::vector<Index> independent_rows(Matrix gram) {
  const Index size = gram.rows();
  const Vector diagonal = gram.diagonal();
  std::vector<Index> chosen;
  std::vector<char> left(static_cast<std::size_t>(size), 1);
  while (true) {
    Index best = -1;
    for (Index k = 0; k < size; ++k) {
      const bool stands =
          left[static_cast<std::size_t>(k)] != 0 && gram(k, k) > tolerances::tableau_pivot * diagonal[k];
      if (stands && (best < 0 || gram(k, k) > gram(best, best))) best = k;
    }
    if (best < 0) break;
    left[static_cast<std::size_t>(best)] = 0;
    chosen.push_back(best);
    const Vector column = gram.col(best) / std::sqrt(gram(best, best));
    gram.noalias() -= column * column.transpose();
  }
  return chosen;
}

}  // namespace alo
