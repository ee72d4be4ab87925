// SPDX-License-Identifier: MIT
#include "leave_one_out/kink_homotopy.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <Eigen/QR>

#include "leave_one_out/hat.hpp"
#include "leave_one_out/kink_tableau.hpp"
#include "leave_one_out/parallel.hpp"
#include "solvers/chosen_solver.hpp"
#include "solvers/null_fit.hpp"

namespace alo {

namespace {

using End = KinkRowWalked::End;

constexpr double undefined = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t rows_at_once = 64;
constexpr double rank_tolerance = 1e-12;
// A row with this leverage in the columns that are not penalised alone determines one of them.
constexpr double alone_tolerance = 1e-10;
// Up to so many rows all are coordinates, and up to `most_rows` with columns that are not much fewer.
constexpr Index few_rows = 500;
constexpr Index most_rows = 4000;
constexpr Index rows_per_column = 3;
// Else so many besides the pinned ones.
constexpr Index near_rows = 300;
constexpr int rounds = 10;
// In every so many chunks one row is certified.
constexpr std::size_t chunks_per_certificate = 16;
// Predictions, relative to their size, and subgradients, relative to the slopes, agree to this.
constexpr double slack = 1e-9;

}  // namespace

bool has_kink_walks(const Problem& problem) {
  return problem.loss().has_kinks() && is_ridge(problem);
}

Index kink_walk_coordinates(Index rows, Index columns, Index pinned) {
  if (rows <= few_rows || (rows <= most_rows && rows <= rows_per_column * columns)) return rows;
  return std::min(rows, pinned + near_rows + rows / 100);
}

// The full fit in the terms of the walk.
struct KinkHomotopy::Start {
  const Fit* fit = nullptr;
  double lambda = 0.0;
  Vector subgradient;
  Vector predictor;
  std::vector<KinkWalk::Side> side;  // of every row: none, piece or kink
  std::vector<int> number;           // of its piece or kink
  Vector room;                       // to the next kink of a row on a piece; else infinite
  std::vector<Index> order;          // rows that are coordinates: V, then, behind c, the others
  Index pinned = 0;                  // size of V, which is independent
  std::vector<Index> place;          // coordinate of every row; -1: none
  bool all = false;                  // every row is a coordinate
  double radius = infinity;          // of moves of the fit with which no row outside meets a kink
  Matrix features;                   // r_j of the coordinates, one per column, unless all are
  Vector scale;                      // diagonal of G
  Matrix tableau;
  KinkWalk walk;

  Index coordinate(std::size_t position, Index free) const {
    const auto index = static_cast<Index>(position);
    return index < pinned ? index : index + free;
  }
};

struct KinkHomotopy::Chunk {
  std::vector<KinkRowWalked> walked;
  std::vector<double> moved;      // |t| of the fit, per row
  std::vector<char> met_outside;  // per row: the fit without it moves rows outside beyond a kink
  std::vector<Index> outside;     // those
  Index missed = 0;
};

KinkHomotopy::KinkHomotopy(const Problem& problem, const ExactOptions& options)
    : problem_(problem), options_(options), share_(problem.removed_share()), rows_(problem) {
  const Vector& weights = problem.data().weights;
  const Vector weighted = (weights.array() > 0.0).cast<double>();
  free_ = blas::orthonormal_basis(weighted.asDiagonal() * unpenalized_columns(problem, null_lambda),
                                  rank_tolerance);
  const Kinks kinks = problem.loss().kinks(problem.data().response);
  kinks_.position = kinks.position.transpose();
  kinks_.slope = (weights.asDiagonal() * kinks.slope).transpose();

  feature_norms_.resize(problem.rows());
  std::vector<Index> part;
  for (Index i = 0; i < problem.rows(); ++i) {
    part.push_back(i);
    if (part.size() < rows_at_once && i + 1 < problem.rows()) continue;
    feature_norms_(part) = rows_.gather(part).colwise().squaredNorm();
    part.clear();
  }
  const double trace = feature_norms_.sum();
  free_weight_ = free_.cols() > 0 && trace > 0.0 ? trace / static_cast<double>(free_.cols()) : 1.0;
  feature_norms_ = (feature_norms_ + free_weight_ * free_.rowwise().squaredNorm()).cwiseSqrt();
}

KinkHomotopy::Start KinkHomotopy::begin(const Fit& fit) const {
  const Index n = problem_.rows();
  Start start;
  start.fit = &fit;
  start.lambda = fit.lambda;
  start.subgradient = fit.subgradient;
  // A fit of a path may have dropped its linear predictor.
  start.predictor = problem_.linear_predictor(fit.intercept, fit.coefficients);
  start.side.assign(static_cast<std::size_t>(n), KinkWalk::Side::none);
  start.number.assign(static_cast<std::size_t>(n), 0);
  start.room = Vector::Constant(n, infinity);
  for (Index j = 0; j < n; ++j) {
    if (problem_.data().weights[j] == 0.0) continue;
    const double g = fit.subgradient[j];
    const double eta = start.predictor[j];
    double room = -infinity;
    int number = 0;
    for (int m = 0; m <= kinks_.count(); ++m) {
      if (kinks_.slope(m, j) != g) {
        if (kinks_.slope(m, j) < g && room == -infinity) number = m;
        continue;
      }
      const double below = m > 0 ? eta - kinks_.position(m - 1, j) : infinity;
      const double above = m < kinks_.count() ? kinks_.position(m, j) - eta : infinity;
      if (std::min(below, above) <= room) continue;
      room = std::min(below, above);
      number = m;
    }
    const auto at = static_cast<std::size_t>(j);
    const bool on_piece = room > -infinity;
    start.side[at] = on_piece ? KinkWalk::Side::piece : KinkWalk::Side::kink;
    start.number[at] = on_piece ? number : std::min(number, static_cast<int>(kinks_.count()) - 1);
    if (on_piece) start.room[j] = room;
  }
  return start;
}

// The pinned rows, and of the others all or the nearest to their kinks.
void KinkHomotopy::choose_rows(Start& start) const {
  const Index n = problem_.rows();
  std::vector<Index> others;
  for (Index j = 0; j < n; ++j) {
    const bool pinned = start.side[static_cast<std::size_t>(j)] == KinkWalk::Side::kink;
    (pinned ? start.order : others).push_back(j);
  }
  start.pinned = static_cast<Index>(start.order.size());
  const Index columns = static_cast<Index>(rows_.columns().penalized.size()) + free_.cols();
  const Index coordinates = kink_walk_coordinates(n, columns, start.pinned);
  start.all = coordinates == n;
  if (!start.all) {
    const Vector distance = start.room.cwiseQuotient(feature_norms_);
    std::sort(others.begin(), others.end(), [&](Index a, Index b) { return distance[a] < distance[b]; });
    others.resize(static_cast<std::size_t>(coordinates - start.pinned));
  }
  start.order.insert(start.order.end(), others.begin(), others.end());
}

// What the system needs of the rows that are coordinates.
void KinkHomotopy::store_kernel(Start& start) {
  if (!start.all) {
    start.features = rows_.gather(start.order);
    const Index own = start.features.rows();
    start.features.conservativeResize(own + free_.cols(), Eigen::NoChange);
    start.features.bottomRows(free_.cols()) =
        std::sqrt(free_weight_) * free_(start.order, Eigen::all).transpose();
  } else if (kernel_.size() == 0) {
    kernel_ = weighted_kernel(problem_.design(), rows_.columns().penalized, rows_.columns().factors);
    blas::add_product_transposed(kernel_, free_weight_, free_, free_);
  }
}

// G and -F of the coordinates, in their order.
Matrix KinkHomotopy::system(const Start& start) const {
  const Index f = free_.cols();
  const auto count = static_cast<Index>(start.order.size());
  const Matrix products = start.all ? Matrix() : blas::gram(start.features);
  Matrix result = Matrix::Zero(count + f, count + f);
  for (Index b = 0; b < count; ++b) {
    const auto at_b = static_cast<std::size_t>(b);
    auto column = result.col(start.coordinate(at_b, f));
    const VectorView source = start.all ? kernel_.col(start.order[at_b]) : products.col(b);
    for (Index a = 0; a < count; ++a) {
      const Index from = start.all ? start.order[static_cast<std::size_t>(a)] : a;
      column[start.coordinate(static_cast<std::size_t>(a), f)] = source[from] / start.lambda;
    }
    column.segment(start.pinned, f) = -free_.row(start.order[at_b]).transpose();
  }
  result.middleCols(start.pinned, f) = result.middleRows(start.pinned, f).transpose().eval();
  return result;
}

// Puts pinned rows that depend on others of them behind c, among those that are not pivoted.
void KinkHomotopy::hold_dependent_rows(Start& start, const Matrix& matrix) const {
  const auto pinned = static_cast<std::size_t>(start.pinned);
  std::vector<char> chosen(pinned, 0);
  std::vector<Index> order;
  for (const Index k : independent_rows(matrix.topLeftCorner(start.pinned, start.pinned))) {
    chosen[static_cast<std::size_t>(k)] = 1;
    order.push_back(start.order[static_cast<std::size_t>(k)]);
  }
  start.pinned = static_cast<Index>(order.size());
  for (std::size_t k = 0; k < start.order.size(); ++k) {
    if (k >= pinned || chosen[k] == 0) order.push_back(start.order[k]);
  }
  start.order = std::move(order);
}

// False where the pinned rows do not determine c.
bool KinkHomotopy::make_tableau(Start& start) {
  for (const bool again : {false, true}) {
    store_kernel(start);
    Matrix matrix = system(start);
    start.scale = matrix.diagonal();
    if (auto tableau = kink_tableau(matrix, start.pinned, free_.cols())) {
      start.tableau = std::move(*tableau);
      stand(start);
      return true;
    }
    if (!again) hold_dependent_rows(start, matrix);
  }
  return false;
}

// The walk at the full fit.
void KinkHomotopy::stand(Start& start) const {
  const Index f = free_.cols();
  const Index size = start.tableau.rows();
  RowKinks kinks{Matrix::Zero(kinks_.count(), size), Matrix::Zero(kinks_.count() + 1, size)};
  start.place.assign(static_cast<std::size_t>(problem_.rows()), -1);
  for (std::size_t k = 0; k < start.order.size(); ++k) {
    const Index coordinate = start.coordinate(k, f);
    start.place[static_cast<std::size_t>(start.order[k])] = coordinate;
    kinks.position.col(coordinate) = kinks_.position.col(start.order[k]);
    kinks.slope.col(coordinate) = kinks_.slope.col(start.order[k]);
  }
  start.walk = KinkWalk(std::make_shared<const RowKinks>(std::move(kinks)), size);
  for (std::size_t k = 0; k < start.order.size(); ++k) {
    const Index row = start.order[k];
    const Index coordinate = start.coordinate(k, f);
    KinkWalk::Side side = start.side[static_cast<std::size_t>(row)];
    if (side == KinkWalk::Side::kink && coordinate >= start.pinned) side = KinkWalk::Side::held;
    start.walk.place(coordinate, side, start.number[static_cast<std::size_t>(row)], start.subgradient[row],
                     start.predictor[row]);
    if (side == KinkWalk::Side::held) start.walk.bar(coordinate);
  }
  start.radius = infinity;
  for (Index j = 0; j < problem_.rows(); ++j) {
    if (start.place[static_cast<std::size_t>(j)] < 0) {
      start.radius = std::min(start.radius, start.room[j] / feature_norms_[j]);
    }
  }
}

// G and -F between the coordinates and these rows.
Matrix KinkHomotopy::entries(const Start& start, std::span<const Index> rows) const {
  const Index f = free_.cols();
  const auto count = static_cast<Index>(rows.size());
  Matrix result(start.tableau.rows(), count);
  Matrix products;
  if (!start.all) {
    Matrix features(start.features.rows(), count);
    features.topRows(features.rows() - f) = rows_.gather(rows);
    for (Index r = 0; r < count; ++r) {
      features.col(r).tail(f) =
          std::sqrt(free_weight_) * free_.row(rows[static_cast<std::size_t>(r)]).transpose();
    }
    products = blas::transpose_multiply(start.features, features);
  }
  for (Index r = 0; r < count; ++r) {
    const Index row = rows[static_cast<std::size_t>(r)];
    const VectorView source = start.all ? kernel_.col(row) : VectorView(products.col(r));
    for (std::size_t k = 0; k < start.order.size(); ++k) {
      const Index from = start.all ? start.order[k] : static_cast<Index>(k);
      result(start.coordinate(k, f), r) = source[from] / start.lambda;
    }
    result.col(r).segment(start.pinned, f) = -free_.row(row).transpose();
  }
  return result;
}

KinkRow KinkHomotopy::held_out_row(const Start& start, Index row) const {
  const auto at = static_cast<std::size_t>(row);
  return {start.place[at],
          start.subgradient[row],
          start.predictor[row],
          1.0 - share_[row],
          kinks_.position.col(row),
          kinks_.slope.col(row),
          start.side[at] == KinkWalk::Side::kink,
          start.number[at]};
}

// Of the subgradients, where the rows are coordinates, and of c.
Vector KinkHomotopy::change_of(const Start& start, const KinkRow& row, const KinkRowWalked& walked,
                               const KinkWalk& walk) const {
  Vector change = walk.subgradients() - start.walk.subgradients();
  if (row.at >= 0) change[row.at] = walked.subgradient - row.subgradient;
  const auto c = [&](const KinkWalk& at) { return at.state().segment(start.pinned, free_.cols()); };
  change.segment(start.pinned, free_.cols()) = c(walk) - c(start.walk);
  return change;
}

// |t|: the change of the coefficients has the square -(change of g)'(change of eta) / lambda, as F'g = 0.
double KinkHomotopy::size_of_move(const Start& start, const KinkRow& row, const KinkRowWalked& walked,
                                  const VectorView& change, const KinkWalk& walk) const {
  double product = (walked.subgradient - row.subgradient) * (walked.predictor - row.predictor);
  const Index c_end = start.pinned + free_.cols();
  for (Index k = 0; k < walk.size(); ++k) {
    if (change[k] == 0.0 || k == row.at || (k >= start.pinned && k < c_end)) continue;
    product += change[k] * (walk.predictor(k) - start.walk.predictor(k));
  }
  const double free = change.segment(start.pinned, free_.cols()).squaredNorm() / free_weight_;
  return std::sqrt(std::max(0.0, -product / start.lambda) + free);
}

// The walk has carried along what can be computed from where it ended: the row's prediction,
//     eta_i - (eta_i of before) = -sum_j G_ij (change of g_j) + F_i (change of c);
// and all rows are between their walls.
bool KinkHomotopy::is_consistent(const Start& start, Index row, const KinkRowWalked& walked,
                                 const VectorView& entries, const VectorView& change,
                                 const KinkWalk& walk) const {
  double computed = -entries.dot(change);
  if (start.place[static_cast<std::size_t>(row)] < 0) {
    const double own = feature_norms_[row] * feature_norms_[row] / start.lambda;
    computed -= own * (walked.subgradient - start.subgradient[row]);
  }
  const double carried = walked.predictor - start.predictor[row];
  const KinkWalk::Excess excess = walk.largest_excess();
  const double size = 1.0 + start.predictor.lpNorm<Eigen::Infinity>() + std::abs(carried);
  return std::abs(computed - carried) <= slack * size && excess.predictor <= slack * size &&
         excess.subgradient <= slack * kinks_.slope.lpNorm<Eigen::Infinity>();
}

KinkHomotopy::Chunk KinkHomotopy::walk_rows(const Start& start, std::span<const Index> rows, bool first_piece,
                                            bool certify) const {
  const Index pivoted = start.pinned + free_.cols();
  const Matrix at_rows = entries(start, rows);
  Matrix directions = at_rows;  // T[:,i], of rows outside by the formula of the tableau
  if (!start.all) {
    directions.topRows(pivoted).setZero();
    blas::add_product(directions, -1.0, start.tableau.leftCols(pivoted), at_rows.topRows(pivoted));
  }
  Matrix changes = Matrix::Zero(directions.rows(), directions.cols());
  Chunk chunk;
  chunk.met_outside.assign(rows.size(), 0);
  KinkWalk walk;
  OwnPivots pivots(start.tableau);
  for (std::size_t m = 0; m < rows.size(); ++m) {
    const auto column = static_cast<Index>(m);
    const KinkRow row = held_out_row(start, rows[m]);
    double gain = 0.0;
    if (row.at >= 0) {
      directions.col(column) = start.tableau.col(row.at);
      gain = start.tableau(row.at, row.at);
    } else {
      gain = feature_norms_[rows[m]] * feature_norms_[rows[m]] / start.lambda -
             at_rows.col(column).head(pivoted).dot(directions.col(column).head(pivoted));
    }
    walk = start.walk;
    pivots.clear();
    KinkRowWalked walked =
        hold_out(row, directions.col(column), gain, start.scale, walk, pivots, first_piece);
    const bool alone = row.kept == 0.0 && free_.row(rows[m]).squaredNorm() > 1.0 - alone_tolerance;
    if (alone) walked.end = End::failed;
    if (walked.end == End::arrived) {
      changes.col(column) = change_of(start, row, walked, walk);
      if (!is_consistent(start, rows[m], walked, at_rows.col(column), changes.col(column), walk)) {
        walked.end = End::failed;
      }
    }
    chunk.moved.push_back(start.all ? 0.0 : size_of_move(start, row, walked, changes.col(column), walk));
    chunk.walked.push_back(walked);
  }
  if (!start.all) check_outside(start, rows, changes, chunk);
  if (certify) {
    const auto longest =
        std::max_element(chunk.walked.begin(), chunk.walked.end(),
                         [](const KinkRowWalked& a, const KinkRowWalked& b) { return a.knots < b.knots; });
    const auto m = static_cast<std::size_t>(longest - chunk.walked.begin());
    const bool settled = longest->end == End::arrived && chunk.met_outside[m] == 0;
    if (settled && !is_certified(start, rows[m], *longest, changes.col(static_cast<Index>(m)))) {
      chunk.missed = 1;
    }
  }
  return chunk;
}

// By the code that certifies fits, from the original data without the row.
bool KinkHomotopy::is_certified(const Start& start, Index row, const KinkRowWalked& walked,
                                const VectorView& change) const {
  const Vector weights = weights_without(problem_, row);
  if (weights.sum() == 0.0) return true;
  Vector rise = Vector::Zero(problem_.rows());  // of the subgradients
  for (std::size_t k = 0; k < start.order.size(); ++k) {
    rise[start.order[k]] = change[start.coordinate(k, free_.cols())];
  }
  rise[row] = walked.subgradient - start.subgradient[row];
  const Vector slopes = problem_.design().transpose_multiply(rise);
  Vector coefficients = problem_.scale().cwiseProduct(start.fit->coefficients);
  double intercept = start.fit->intercept[0];
  if (problem_.intercept()) intercept += start.fit->coefficients.dot(problem_.design().center());
  const RidgeColumns& columns = rows_.columns();
  for (std::size_t k = 0; k < columns.penalized.size(); ++k) {
    const Index j = columns.penalized[k];
    coefficients[j] -= slopes[j] / (start.lambda * columns.factors[static_cast<Index>(k)]);
  }
  if (free_.cols() > 0) {  // from the basis U to the columns that it stands for
    const Matrix all = (problem_.data().weights.array() > 0.0).cast<double>().matrix().asDiagonal() *
                       unpenalized_columns(problem_, null_lambda);
    const Vector target = free_ * change.segment(start.pinned, free_.cols());
    const Vector moves = all.completeOrthogonalDecomposition().solve(target);
    if (problem_.intercept()) intercept += moves[0];
    coefficients(columns.free) += moves.tail(static_cast<Index>(columns.free.size()));
  }
  Fit fit = make_fit(problem_, start.lambda, coefficients, Vector::Constant(1, intercept));
  fit.subgradient = start.subgradient + rise;
  Certifier(problem_, weights).certify(std::span(&fit, 1));
  const double size = 1.0 + start.predictor.lpNorm<Eigen::Infinity>();
  return meets(fit.certificate, options_.fit.tolerance) &&
         std::abs(fit.linear_predictor[row] - walked.predictor) <= 1e-8 * size;
}

// Rows outside that the fit without a row moves beyond a kink.
void KinkHomotopy::check_outside(const Start& start, std::span<const Index> rows, const Matrix& changes,
                                 Chunk& chunk) const {
  std::vector<Index> doubtful;  // of the chunk
  for (std::size_t m = 0; m < rows.size(); ++m) {
    if (chunk.walked[m].end == End::arrived && chunk.moved[m] * (1.0 + slack) > start.radius) {
      doubtful.push_back(static_cast<Index>(m));
    }
  }
  if (doubtful.empty()) return;
  // The move of the fit, on the penalised columns and on U.
  const Index own = start.features.rows() - free_.cols();
  Matrix moves = Matrix::Zero(own, static_cast<Index>(doubtful.size()));
  Matrix free_moves(free_.cols(), moves.cols());
  for (Index d = 0; d < moves.cols(); ++d) {
    const Index m = doubtful[static_cast<std::size_t>(d)];
    const Index row = rows[static_cast<std::size_t>(m)];
    for (std::size_t k = 0; k < start.order.size(); ++k) {
      const double change = changes(start.coordinate(k, free_.cols()), m);
      if (change != 0.0)
        moves.col(d) -= change / start.lambda * start.features.col(static_cast<Index>(k)).head(own);
    }
    if (start.place[static_cast<std::size_t>(row)] < 0) {
      const double change = chunk.walked[static_cast<std::size_t>(m)].subgradient - start.subgradient[row];
      moves.col(d) -= change / start.lambda * rows_.gather(std::span(&row, 1));
    }
    free_moves.col(d) = changes.col(m).segment(start.pinned, free_.cols());
  }
  moves.array().colwise() /= rows_.columns().factors.array().sqrt();
  Matrix shifts = problem_.design().multiply_columns(rows_.columns().penalized, moves);
  blas::add_product(shifts, 1.0, free_, free_moves);

  const double allowed = slack * (1.0 + start.predictor.lpNorm<Eigen::Infinity>());
  for (Index j = 0; j < problem_.rows(); ++j) {
    const auto at = static_cast<std::size_t>(j);
    if (start.place[at] >= 0 || start.side[at] == KinkWalk::Side::none) continue;
    const int piece = start.number[at];
    const double low = piece > 0 ? kinks_.position(piece - 1, j) - allowed : -infinity;
    const double high = piece < kinks_.count() ? kinks_.position(piece, j) + allowed : infinity;
    bool met = false;
    for (Index d = 0; d < shifts.cols(); ++d) {
      const auto m = static_cast<std::size_t>(doubtful[static_cast<std::size_t>(d)]);
      const double predictor = start.predictor[j] + shifts(j, d);
      if ((predictor >= low && predictor <= high) || rows[m] == j) continue;
      chunk.met_outside[m] = 1;
      met = true;
    }
    if (met) chunk.outside.push_back(j);
  }
}

std::vector<Index> KinkHomotopy::walk_all(const Fit& fit, std::vector<Index> rows, bool first_piece,
                                          const Listener& listener) {
  Start start = begin(fit);
  choose_rows(start);
  for (int round = 0; round < rounds && !rows.empty(); ++round) {
    if (!make_tableau(start)) break;
    std::vector<Index> again;
    std::vector<Index> outside;
    bool stopped = false;
    parallel_for((rows.size() + rows_at_once - 1) / rows_at_once, options_.threads,
                 [&](std::size_t c, std::mutex& mutex) {
                   {
                     const std::scoped_lock lock(mutex);
                     if (stopped) return;
                   }
                   const std::size_t first = c * rows_at_once;
                   const std::span part = std::span<const Index>(rows).subspan(
                       first, std::min(rows_at_once, rows.size() - first));
                   const Chunk chunk =
                       walk_rows(start, part, first_piece, !first_piece && c % chunks_per_certificate == 0);
                   const std::scoped_lock lock(mutex);
                   stopped = !listener(part, chunk);
                   outside.insert(outside.end(), chunk.outside.begin(), chunk.outside.end());
                   for (std::size_t m = 0; m < part.size(); ++m) {
                     if (chunk.met_outside[m] != 0) again.push_back(part[m]);
                   }
                 });
    rows = std::move(again);
    if (stopped || first_piece) return {};
    std::sort(outside.begin(), outside.end());
    outside.erase(std::unique(outside.begin(), outside.end()), outside.end());
    start.order.insert(start.order.end(), outside.begin(), outside.end());
    std::sort(rows.begin(), rows.end());
  }
  return rows;
}

KinkHomotopy::Result KinkHomotopy::run(const Fit& fit, const std::vector<Index>& rows,
                                       const std::function<bool(Index)>& progress) {
  Result result;
  result.linear_predictor = Vector::Constant(problem_.rows(), undefined);
  std::vector<Index> left = walk_all(fit, rows, false, [&](std::span<const Index> part, const Chunk& chunk) {
    Index finished = 0;
    for (std::size_t m = 0; m < part.size(); ++m) {
      if (chunk.met_outside[m] != 0) continue;
      ++finished;
      if (chunk.walked[m].end == End::arrived) {
        result.linear_predictor[part[m]] = chunk.walked[m].predictor;
      } else {
        result.unsure.push_back(part[m]);
      }
    }
    result.missed += chunk.missed;
    return progress(finished);
  });
  if (!left.empty()) progress(static_cast<Index>(left.size()));
  result.unsure.insert(result.unsure.end(), left.begin(), left.end());
  std::sort(result.unsure.begin(), result.unsure.end());
  return result;
}

std::vector<std::optional<bool>> KinkHomotopy::certify(const Fit& fit) {
  std::vector<std::optional<bool>> certified(static_cast<std::size_t>(problem_.rows()));
  std::vector<Index> rows(certified.size());
  std::iota(rows.begin(), rows.end(), Index{0});
  walk_all(fit, rows, true, [&](std::span<const Index> part, const Chunk& chunk) {
    for (std::size_t m = 0; m < part.size(); ++m) {
      if (chunk.walked[m].end == End::failed) continue;
      certified[static_cast<std::size_t>(part[m])] =
          chunk.walked[m].end == End::arrived && chunk.met_outside[m] == 0;
    }
    return true;
  });
  return certified;
}

}  // namespace alo
