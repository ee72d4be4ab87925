// SPDX-License-Identifier: MIT
#include "solvers/smooth/newton_solver.hpp"

#include <algorithm>
#include <cmath>

#include "certificate/null_fit.hpp"
#include "linalg/decompositions.hpp"
#include "linalg/special_values.hpp"
#include "solvers/fit_scale.hpp"
#include "solvers/smooth/newton_step.hpp"

namespace alo {

namespace {

using Place = SignedFace::Place;

// Bounds on the error of a solution: the largest component of the negative gradient on the face, relative to
// lambda a_j, or where there is no absolute value to smooth_share |x_j| |r|. A solution ends at the first, a
// fifth of FitOptions::tolerance; at a tenth rounding keeps badly conditioned fits from it, at ten times
// certificates are missed. Solutions on the way to a smaller lambda end at the second; any value between 1e-6
// and 1e-2 serves. A fit without a row counts as missed when its error stays above the third: rounding alone
// leaves up to some 1e-10 in badly conditioned fits, and 1e-7 would be visible in predictions. Tests pass
// from 1e-9 to 1e-5; at 1e-11 rows of exact leave-one-out count as missed.
constexpr double converged = 2e-11;
constexpr double nearly_converged = 1e-4;
constexpr double acceptable = 1e-8;
constexpr double smooth_share = 0.1;
// A slope that exceeds lambda a_j by this share violates the optimality conditions. It must be above
// `converged`, or rounding lets columns join and leave in turn. A column that stays out adds up to this share
// of lambda |b|_1 to the duality gap, which is at most FitOptions::tolerance of the null fit's excess; at ten
// times such fits can miss their certificate. Only slopes within the share of lambda are concerned: of 600
// random cases for each test of exact_losses none differs between 1e-12 and 1e-6.
constexpr double violation = 1e-10;
// Safeguards: steps on one face, and changes of the face, of which a search that converges needs some tens.
constexpr int most_steps = 300;
constexpr int most_rounds = 200;
// The search ends after `patience` steps in a row of which none halved the error, lowered the objective by
// this share, or dropped a member. A tenth of the share is near the rounding of objectives. More patience
// only takes time; tests pass with one step, and with none fits end before they are accurate.
constexpr int patience = 12;
constexpr double gain_tolerance = 1e-12;
// A lambda far below that of the last solution is approached in at most most_strides strides of this factor.
// Any factor between 0.1 and 0.7 serves: long strides bring wrong signs and members, short ones more
// solutions.
constexpr double longest_stride = 0.3;
constexpr int most_strides = 12;
// The columns put beside the members: those whose slopes could reach lambda if they grew by the first share
// of the change of lambda, or, where a row will be left out, those above the second share of lambda. Columns
// that this misses are found among all columns later, so only the speed depends on these.
constexpr double growth_share = 0.3;
constexpr double near_share = 0.95;
// The block is compacted when it has more unneeded columns than this share of the needed ones. Only the speed
// depends on it.
constexpr double stale_share = 0.3;

// The most columns that join together.
std::size_t most_at_once(const SignedFace& face) {
  return std::max<std::size_t>(50, face.members.size() / 2);
}

}  // namespace

NewtonSolver::NewtonSolver(const Problem& problem, Vector weights)
    : problem_(problem), screen_(problem), face_(problem, std::move(weights)), solved_lambda_(infinity) {
  const Vector zero = Vector::Zero(problem.columns() * problem.outputs());
  start_from(zero, Vector::Zero(problem.outputs()), infinity);
}

void NewtonSolver::start_from(const Vector& coefficients, const Vector& intercept, double lambda) {
  face_.lambda = std::isfinite(lambda) ? lambda : 0.0;
  solved_lambda_ = lambda;
  face_.begin_at(coefficients, intercept);
  factor_.point_moved(face_);
  factor_.forget();
}

void NewtonSolver::start_from(const Fit& fit) {
  const StartingPoint start = starting_point(problem_, fit);
  start_from(start.coefficients.reshaped(), start.intercept, fit.lambda);
}

double NewtonSolver::error(const Vector& descent) const {
  double worst = 0.0;
  const double size_of_residual = face_.residual.norm();
  for (Index m = 0; m < face_.size(); ++m) {
    if (descent[m] == 0.0) continue;
    worst = std::max(worst, std::abs(descent[m]) / slope_scale(face_.member(m).column, size_of_residual));
  }
  return worst;
}

double NewtonSolver::slope_scale(Index column, double size_of_residual) const {
  const double absolute = face_.absolute_of(column);
  if (absolute > 0.0) return absolute;
  const double norm = column == Coordinate::intercept ? std::sqrt(static_cast<double>(problem_.rows()))
                                                      : screen_.norms()[column];
  return smooth_share * norm * size_of_residual;
}

void NewtonSolver::refactor() {
  do {
    face_.forget_dropped();
    factor_.make(face_);
  } while (NewtonStep(face_, factor_).exchange());
  std::replace(face_.places.begin(), face_.places.end(), Place::set_aside, Place::outside);
}

void NewtonSolver::minimize(double tolerance) {
  double best = infinity;
  double lowest = face_.objective;
  Index fewest = face_.size();
  int idle = 0;
  int raised = 0;  // steps in a row whose factor has more on its diagonal than the Hessian
  for (int count = 0; count < most_steps; ++count) {
    // Along flat directions dropped members would join and be dropped again, so then none join.
    if (count > 0 && raised <= patience && admit_from_block()) {
      best = infinity;
      fewest = face_.size();
    }
    const double now = error(face_.descent());
    if (now <= tolerance || idle > patience) return;
    const bool gained = now < 0.5 * best || face_.objective < lowest - gain_tolerance * std::abs(lowest) ||
                        face_.size() < fewest;
    idle = gained ? 0 : idle + 1;
    fewest = std::min(fewest, face_.size());
    best = std::min(best, now);
    lowest = std::min(lowest, face_.objective);
    if (factor_.is_due(face_) || raised > patience) refactor();
    raised = factor_.is_raised() ? raised + 1 : 0;
    NewtonStep step(face_, factor_);
    if (raised > patience && step.take_apart()) continue;
    if (step.take(face_.descent())) continue;
    if (factor_.is_fresh()) return;  // the remaining gain is below rounding
    refactor();
  }
}

bool NewtonSolver::admit_from_block() {
  std::vector<Violator> violators;
  const std::span<const Index> columns = face_.block.columns();
  for (std::size_t at = 0; at < columns.size(); ++at) {
    const Index j = columns[at];
    if (j == Coordinate::intercept || face_.terms.absolute[j] == 0.0) continue;
    const double bound = face_.absolute_of(j);
    for (Index k = 0; k < face_.outputs(); ++k) {
      if (face_.place({j, k}) != Place::outside) continue;
      const double slope = face_.block_slopes(static_cast<Index>(at), k);
      const double excess = std::abs(slope) - bound;
      if (excess > violation * bound) violators.push_back({excess / bound, {j, k}, slope});
    }
  }
  std::sort(violators.begin(), violators.end(), Violator::is_worse);
  if (violators.size() > most_at_once(face_)) violators.resize(most_at_once(face_));
  return admit(std::move(violators)) > 0;
}

bool NewtonSolver::admit_from_all() {
  const Vector bounds = face_.lambda * face_.terms.absolute;
  screen_.update(face_.residual, bounds);
  std::vector<Violator> violators;
  for (Index k = 0; k < face_.outputs(); ++k) {
    for (Index j = 0; j < bounds.size(); ++j) {
      const double slope = screen_.slopes()(j, k);
      const double excess = std::abs(slope) - bounds[j];
      if (!(excess > violation * bounds[j]) || face_.terms.absolute[j] == 0.0) continue;
      if (face_.place({j, k}) != Place::member) violators.push_back({excess / bounds[j], {j, k}, slope});
    }
  }
  std::sort(violators.begin(), violators.end(), Violator::is_worse);
  for (std::size_t begin = 0; begin < violators.size();) {
    const std::size_t end = std::min(begin + most_at_once(face_), violators.size());
    const std::vector<Violator> some(violators.begin() + begin, violators.begin() + end);
    if (admit(some) > 0 || admit_dependent(some)) return true;
    begin = end;
  }
  return false;
}

std::size_t NewtonSolver::admit(std::vector<Violator> violators) {
  if (violators.empty()) return 0;
  const std::size_t count = violators.size();
  std::erase_if(violators, [this](const Violator& violator) { return bring_back(violator); });
  const std::size_t back = count - violators.size();
  if (violators.empty()) return back;
  if (!factor_.is_of(face_)) refactor();
  std::vector<Coordinate> fresh;
  for (const Violator& violator : violators) {
    face_.block.position(violator.coordinate.column);
    fresh.push_back(violator.coordinate);
    face_.place(violator.coordinate) = Place::set_aside;
  }
  const std::vector<Index> joined = factor_.append(face_, fresh);
  for (const Index at : joined) {
    const Violator& violator = violators[static_cast<std::size_t>(at)];
    face_.join(violator.coordinate, join_sign(violator));
  }
  face_.extend_slopes();
  return back + joined.size();
}

bool NewtonSolver::admit_dependent(const std::vector<Violator>& violators) {
  std::vector<Coordinate> coordinates;
  Vector slopes(static_cast<Index>(violators.size()));
  for (std::size_t k = 0; k < violators.size(); ++k) {
    coordinates.push_back(violators[k].coordinate);
    slopes[static_cast<Index>(k)] = violators[k].slope;
  }
  const Vector remaining = factor_.remaining_slopes(face_, coordinates, slopes);
  const double size_of_residual = face_.residual.norm();
  const Violator* best = nullptr;
  double most = violation;
  for (std::size_t k = 0; k < violators.size(); ++k) {
    const Index j = coordinates[k].column;
    const double slope = std::copysign(1.0, violators[k].slope) * remaining[static_cast<Index>(k)];
    const double excess = (slope - face_.absolute_of(j)) / slope_scale(j, size_of_residual);
    if (!(excess > most)) continue;
    most = excess;
    best = &violators[k];
  }
  if (best == nullptr) return false;
  face_.join(best->coordinate, join_sign(*best));
  factor_.members_changed();
  refactor();
  return true;
}

double NewtonSolver::join_sign(const Violator& violator) const {
  return face_.lambda > 0.0 ? std::copysign(1.0, violator.slope) : 0.0;
}

bool NewtonSolver::bring_back(const Violator& violator) {
  for (std::size_t m = 0; m < face_.members.size(); ++m) {
    const Coordinate& member = face_.members[m];
    if (member.column != violator.coordinate.column || member.output != violator.coordinate.output) continue;
    face_.dropped[m] = 0;
    face_.signs[m] = join_sign(violator);
    face_.place(member) = Place::member;
    factor_.pairs().clear();
    return true;
  }
  return false;
}

void NewtonSolver::look_ahead(double lambda) {
  std::vector<Index> wanted;
  std::vector<char> is_wanted(static_cast<std::size_t>(problem_.columns() + 1), 0);
  const auto want = [&](Index column) {
    if (is_wanted[static_cast<std::size_t>(column + 1)] != 0) return;
    is_wanted[static_cast<std::size_t>(column + 1)] = 1;
    wanted.push_back(column);
  };
  for (const Coordinate& member : face_.members) want(member.column);
  if (std::isfinite(solved_lambda_) && screen_.slopes().size() > 0) {
    const double threshold =
        lambda < solved_lambda_
            ? std::max(lambda - growth_share * (solved_lambda_ - lambda), longest_stride * lambda)
            : near_share * lambda;
    const Vector largest = screen_.slopes().cwiseAbs().rowwise().maxCoeff();
    for (Index j = 0; j < problem_.columns(); ++j) {
      const double absolute = face_.terms.absolute[j];
      if (absolute > 0.0 && largest[j] >= threshold * absolute) want(j);
    }
  }
  const auto stale = static_cast<double>(face_.block.columns().size()) - static_cast<double>(wanted.size());
  if (stale > stale_share * static_cast<double>(wanted.size())) {
    face_.block.keep(wanted);
    face_.block_slopes.resize(0, face_.outputs());
  }
  for (const Index column : wanted) face_.block.position(column);
  face_.extend_slopes();
}

void NewtonSolver::solve_at(double lambda, double tolerance) {
  look_ahead(lambda);
  const double penalty_before = face_.penalty_of(face_.values);
  face_.lambda = lambda;
  face_.objective += face_.penalty_of(face_.values) - penalty_before;
  factor_.lambda_moved((face_.terms.square.array() > 0.0).any());
  minimize_over_all(tolerance);
  solved_lambda_ = lambda;
}

bool NewtonSolver::minimize_over_all(double tolerance) {
  for (int round = 0; round < most_rounds; ++round) {
    minimize(tolerance);
    if (!admit_from_all()) return error(face_.descent()) <= acceptable;
  }
  return false;
}

bool NewtonSolver::solve_again() {
  return minimize_over_all(converged);
}

void NewtonSolver::prepare_rows() {
  look_ahead(face_.lambda);
  refactor();
}

// Where the loss is flat, Newton steps are useless; null_fit() has another algorithm for that case.
void NewtonSolver::begin_at_null_fit() {
  const NullFit null = null_fit(problem_, face_.weights);
  if (!null.attained) return;
  const Index outputs = problem_.outputs();
  const Matrix basis = problem_.penalty().unpenalized(problem_.columns(), null_lambda).toDense();
  Matrix free(problem_.rows(), 1 + basis.cols());
  free.col(0).setConstant(problem_.intercept() ? 1.0 : 0.0);
  free.rightCols(basis.cols()) = problem_.design().multiply_columns(basis);
  const Vector offset = problem_.data().offset.replicate(outputs, 1);
  const Matrix parts =
      dense::least_squares(free, Matrix(by_output(Vector(null.linear_predictor - offset), outputs)));
  const Matrix coefficients = basis * parts.bottomRows(basis.cols());
  start_from(coefficients.reshaped(), parts.row(0).transpose(), infinity);
}

void NewtonSolver::solve_null() {
  minimize(nearly_converged);
  if (error(face_.descent()) > nearly_converged) {
    const double lambda = face_.lambda;
    begin_at_null_fit();
    face_.lambda = lambda;
    minimize(nearly_converged);
  }
  screen_.update(face_.residual, Vector());
  solved_lambda_ = 0.0;
  for (Index j = 0; j < problem_.columns(); ++j) {
    const double absolute = face_.terms.absolute[j];
    if (absolute == 0.0) continue;
    solved_lambda_ = std::max(solved_lambda_, screen_.slopes().row(j).cwiseAbs().maxCoeff() / absolute);
  }
}

void NewtonSolver::solve(double lambda) {
  if (std::isinf(solved_lambda_)) {
    face_.lambda = lambda;
    solve_null();
  }
  // Far below the last solution most signs and members would be wrong, so lambda falls in strides.
  for (int stride = 0; stride < most_strides && lambda < longest_stride * solved_lambda_; ++stride) {
    solve_at(longest_stride * solved_lambda_, nearly_converged);
  }
  solve_at(lambda, converged);
}

Vector NewtonSolver::hat() {
  if (!factor_.is_fresh() || factor_.is_raised() || !face_.dropped_members().empty()) refactor();
  return factor_.hat(face_);
}

NewtonSolver NewtonSolver::without(Index row, double removed_share) const {
  NewtonSolver rest = *this;
  rest.face_.weights[row] *= 1.0 - removed_share;
  rest.face_.move_to(rest.face_.evaluate(face_.values));
  rest.factor_.point_moved(rest.face_);
  rest.factor_.aim_without(face_, row, removed_share);
  return rest;
}

Vector NewtonSolver::coefficients() const {
  Vector result = Vector::Zero(problem_.columns() * problem_.outputs());
  for (Index m = 0; m < face_.size(); ++m) {
    const Coordinate& member = face_.member(m);
    if (member.column != Coordinate::intercept) {
      result[member.output * problem_.columns() + member.column] = face_.values[m];
    }
  }
  return result;
}

Vector NewtonSolver::intercept() const {
  Vector result = Vector::Zero(problem_.outputs());
  for (Index m = 0; m < face_.size(); ++m) {
    const Coordinate& member = face_.member(m);
    if (member.column == Coordinate::intercept) result[member.output] = face_.values[m];
  }
  return result;
}

}  // namespace alo
