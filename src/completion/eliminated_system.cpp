// SPDX-License-Identifier: MIT
#include "completion/eliminated_system.hpp"

#include <Eigen/Cholesky>

#include "linalg/blas.hpp"

namespace alo {

namespace {

// Columns of the lower triangle that are updated by one product; only the speed depends on it.
constexpr Index panel_columns = 256;

}  // namespace

EliminatedSystem::EliminatedSystem(const FactoredLoss& loss, const FactoredLoss::Point& point, double lambda)
    : loss_(loss),
      rank_(point.sigma.size()),
      lambda_(lambda),
      sigma_(point.sigma),
      factors_(point.factors.topRows(rank_)),
      curvature_(loss.curvature(point)),
      slope_(point.slope) {
  gather_rows();
}

void EliminatedSystem::gather_rows() {
  const EntryList& entries = loss_.entries();
  rows_.resize(static_cast<std::size_t>(entries.rows()));
  meetings_.resize(static_cast<std::size_t>(entries.columns()));
  for (Index a = 0; a < entries.rows(); ++a) {
    Row& row = rows_[static_cast<std::size_t>(a)];
    const Index count = entries.first(a + 1) - entries.first(a);
    row.curvature = Vector::Zero(count);
    row.slope = Vector::Zero(count);
    for (Index j = entries.first(a); j < entries.first(a + 1); ++j) {
      const Index b = entries.column(j);
      if (row.column.empty() || row.column.back() != b) {
        meetings_[static_cast<std::size_t>(b)].push_back({a, row.size()});
        row.column.push_back(b);
      }
      const Index place = row.size() - 1;
      row.entry_place.push_back(place);
      row.curvature[place] += curvature_[j];
      row.slope[place] += slope_[j];
    }
  }
}

Matrix EliminatedSystem::cross_block(const Row& row, Index a, Index place) const {
  Matrix block =
      row.curvature[place] * right(row.column[static_cast<std::size_t>(place)]) * left(a).transpose();
  block.diagonal().array() += row.slope[place];
  return block;
}

void EliminatedSystem::eliminate_rows() {
  row_factor_.clear();
  panels_.clear();
  for (Index a = 0; a < loss_.entries().rows(); ++a) {
    const Row& row = rows_[static_cast<std::size_t>(a)];
    Matrix own = lambda_ * Matrix::Identity(rank_, rank_);
    Matrix cross(rank_, row.size() * rank_);
    for (Index k = 0; k < row.size(); ++k) {
      const auto other = right(row.column[static_cast<std::size_t>(k)]);
      own += row.curvature[k] * other * other.transpose();
      cross.middleCols(k * rank_, rank_) = cross_block(row, a, k);
    }
    row_factor_.emplace_back(Eigen::LLT<Matrix>(own).matrixL());
    blas::solve_lower_in_place(row_factor_.back(), cross);
    panels_.push_back(std::move(cross));
  }
}

// S is formed block column by block column, so that the part being written stays in the cache.
void EliminatedSystem::subtract_rows() {
  system_ = Matrix::Zero(kept(), kept());
  for (Index b = 0; b < loss_.entries().columns(); ++b) {
    auto panel = system_.middleCols(b * rank_, rank_);
    auto own = panel.middleRows(b * rank_, rank_);
    own.diagonal().array() += lambda_;
    for (const auto [a, place] : meetings_[static_cast<std::size_t>(b)]) {
      const Row& row = rows_[static_cast<std::size_t>(a)];
      own += row.curvature[place] * left(a) * left(a).transpose();
      const Matrix& cross = panels_[static_cast<std::size_t>(a)];
      const Index from = place * rank_;  // places are in the order of columns: the lower triangle
      const Matrix product =
          blas::transpose_multiply(cross.rightCols(cross.cols() - from), cross.middleCols(from, rank_));
      for (Index k = place; k < row.size(); ++k) {
        panel.middleRows(row.column[static_cast<std::size_t>(k)] * rank_, rank_) -=
            product.middleRows(k * rank_ - from, rank_);
      }
    }
  }
}

// Adds a multiple of the projector onto the rotations. The rotation that takes R_k to R_l and R_l to -R_k has
// length sqrt(sigma_k + sigma_l), and the rotations are orthogonal because the columns of R are.
void EliminatedSystem::fix_rotations() {
  const Index columns = loss_.entries().columns();
  Matrix rotations = Matrix::Zero(kept(), rank_ * (rank_ - 1) / 2);
  Index next = 0;
  for (Index k = 0; k < rank_; ++k) {
    for (Index l = k + 1; l < rank_; ++l, ++next) {
      const double scale = 1.0 / std::sqrt(sigma_[k] + sigma_[l]);
      for (Index b = 0; b < columns; ++b) {
        rotations(b * rank_ + l, next) = scale * right(b)[k];
        rotations(b * rank_ + k, next) = -scale * right(b)[l];
      }
    }
  }
  const double size = system_.diagonal().mean();
  for (Index first = 0; first < kept(); first += panel_columns) {
    const Index count = std::min(panel_columns, kept() - first);
    blas::add_product_transposed(system_.block(first, first, kept() - first, count), size,
                                 rotations.bottomRows(kept() - first), rotations.middleRows(first, count));
  }
}

bool EliminatedSystem::invert() {
  eliminate_rows();
  subtract_rows();
  fix_rotations();
  if (!blas::cholesky_in_place(system_)) return false;
  system_ = blas::inverse_from_cholesky(std::move(system_));
  return true;
}

// Computes S^-1 E_a' on the block rows of S in which row a has entries, one block column of S^-1 at a time.
void EliminatedSystem::multiply_inverse() {
  for (std::size_t a = 0; a < panels_.size(); ++a) {
    panels_[a] = Matrix::Zero(rows_[a].size() * rank_, rank_);
  }
  Matrix gathered;
  for (Index b = 0; b < loss_.entries().columns(); ++b) {
    const auto panel = system_.middleCols(b * rank_, rank_);
    for (const auto [a, place] : meetings_[static_cast<std::size_t>(b)]) {
      const Row& row = rows_[static_cast<std::size_t>(a)];
      gathered.resize(row.size() * rank_, rank_);
      for (Index k = 0; k < row.size(); ++k) {
        gathered.middleRows(k * rank_, rank_) =
            panel.middleRows(row.column[static_cast<std::size_t>(k)] * rank_, rank_);
      }
      const Vector along = gathered * left(a);
      Matrix& sum = panels_[static_cast<std::size_t>(a)];
      sum += row.slope[place] * gathered;
      sum.noalias() += row.curvature[place] * along * right(b).transpose();
    }
  }
}

// With q = D_a^-1 R_b and t = L_a at b less E_a'q, H = R_b'q + t'S^-1 t.
Vector EliminatedSystem::hat() {
  multiply_inverse();
  Vector result = intercept_part();
  for (Index a = 0; a < loss_.entries().rows(); ++a) {
    const Row& row = rows_[static_cast<std::size_t>(a)];
    const Matrix& inverse_cross = panels_[static_cast<std::size_t>(a)];
    Matrix middle = Matrix::Zero(rank_, rank_);  // E_a S^-1 E_a'
    for (Index k = 0; k < row.size(); ++k) {
      middle += cross_block(row, a, k) * inverse_cross.middleRows(k * rank_, rank_);
    }
    Vector at_place(row.size());
    for (Index k = 0; k < row.size(); ++k) {
      const Index b = row.column[static_cast<std::size_t>(k)];
      Matrix solved = right(b);
      blas::solve_lower_in_place(row_factor_[static_cast<std::size_t>(a)], solved);
      const double own = solved.squaredNorm();
      blas::solve_lower_transposed_in_place(row_factor_[static_cast<std::size_t>(a)], solved);
      const Vector q = solved.col(0);
      const double direct = left(a).dot(system_.block(b * rank_, b * rank_, rank_, rank_) * left(a));
      const double mixed = left(a).dot(inverse_cross.middleRows(k * rank_, rank_) * q);
      at_place[k] = own + direct - 2.0 * mixed + q.dot(middle * q);
    }
    const Index first = loss_.entries().first(a);
    for (std::size_t i = 0; i < row.entry_place.size(); ++i) {
      result[first + static_cast<Index>(i)] += at_place[row.entry_place[i]];
    }
  }
  return result;
}

Vector EliminatedSystem::intercept_part() const {
  const EntryList& entries = loss_.entries();
  Vector result = Vector::Zero(entries.size());
  if (!loss_.has_intercept()) return result;
  const Index rows = entries.rows();
  Matrix constant = Matrix::Zero(rank_, rows + entries.columns());  // c, then z
  for (Index a = 0; a < rows; ++a) {
    for (Index j = entries.first(a); j < entries.first(a + 1); ++j) {
      constant.col(a) += curvature_[j] * right(entries.column(j));
      constant.col(rows + entries.column(j)) += curvature_[j] * left(a);
    }
  }
  const Matrix target = constant;
  const auto solve_row = [&](Index a, const Vector& x) -> Vector {
    const auto factor = row_factor_[static_cast<std::size_t>(a)].triangularView<Eigen::Lower>();
    return factor.transpose().solve(factor.solve(x));
  };
  for (Index a = 0; a < rows; ++a) {
    const Row& row = rows_[static_cast<std::size_t>(a)];
    const Vector solved = solve_row(a, target.col(a));
    for (Index k = 0; k < row.size(); ++k) {
      constant.col(rows + row.column[static_cast<std::size_t>(k)]) -=
          cross_block(row, a, k).transpose() * solved;
    }
  }
  const Vector kept_target = constant.rightCols(entries.columns()).reshaped();
  constant.rightCols(entries.columns()) =
      blas::multiply_vector(system_, kept_target).reshaped(rank_, entries.columns());
  for (Index a = 0; a < rows; ++a) {
    const Row& row = rows_[static_cast<std::size_t>(a)];
    Vector left_target = target.col(a);
    for (Index k = 0; k < row.size(); ++k) {
      left_target -= cross_block(row, a, k) * constant.col(rows + row.column[static_cast<std::size_t>(k)]);
    }
    constant.col(a) = solve_row(a, left_target);
  }
  const double rest = curvature_.sum() - target.cwiseProduct(constant).sum();
  for (Index a = 0; a < rows; ++a) {
    for (Index j = entries.first(a); j < entries.first(a + 1); ++j) {
      const Index b = entries.column(j);
      const double moved = right(b).dot(constant.col(a)) + left(a).dot(constant.col(rows + b));
      result[j] = (1.0 - moved) * (1.0 - moved) / rest;
    }
  }
  return result;
}

}  // namespace alo
