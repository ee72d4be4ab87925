// SPDX-License-Identifier: MIT
// The path as pieces between knots, for risks between the lambdas of a grid.
#include "solvers/quadratic/lasso_knots.hpp"

namespace alo {

namespace {

// Divides by the roots of the weights. Rows of weight zero have no part in the fit; their residual is zero.
Vector unweighted(const VectorView& values, const Vector& root_weights) {
  return (root_weights.array() > 0.0).select(values.array() / root_weights.array(), 0.0);
}

}  // namespace

// To be called before the walk advances by the distance. Does nothing unless pieces are wanted.
void LassoKnots::note_stretch(double distance) {
  if (!visitor_ || rate_ != 1.0 || distance == 0.0) return;
  way_.push_back({current_ - fallen_, distance, walk_.coefficients(), walk_.coefficient_rates(),
                  leverages_->mark(walk_, working_, trace())});
}

void LassoKnots::show_pieces(std::span<const Station> stations, const std::vector<Vector>& leverages) const {
  const double unit = columns_->unit();
  const Vector root = columns_->root_weights();
  for (const Station& station : stations) {
    Matrix states = Matrix::Zero(size(), static_cast<Index>(station.way.size()));
    Matrix rates = states;
    for (std::size_t m = 0; m < station.way.size(); ++m) {
      states.col(static_cast<Index>(m)).head(station.way[m].state.size()) = station.way[m].state;
      rates.col(static_cast<Index>(m)).head(station.way[m].rate.size()) = station.way[m].rate;
    }
    const Matrix fitted = columns_->multiply(working_, states);
    const Matrix changes = columns_->multiply(working_, rates);
    for (std::size_t m = 0; m < station.way.size(); ++m) {
      const Stretch& stretch = station.way[m];
      const auto column = static_cast<Index>(m);
      AffinePiece piece{stretch.threshold * unit, (stretch.threshold - stretch.distance) * unit,
                        columns_->target() - fitted.col(column), changes.col(column) / unit,
                        leverages[stretch.mark]};
      for (Vector* values : {&piece.residual, &piece.slope}) *values = unweighted(*values, root);
      visitor_(piece);
    }
  }
}

void LassoKnots::visit_pieces(double lambda, const PieceVisitor& visitor) {
  restart();
  const Vector null = unweighted(columns_->target(), columns_->root_weights());
  visitor({first_ * columns_->unit(), first_ * columns_->unit(), null, Vector::Zero(null.size()),
           columns_->free_leverages()});
  visitor_ = visitor;
  solve(std::span(&lambda, 1));
  visitor_ = {};
}

}  // namespace alo
