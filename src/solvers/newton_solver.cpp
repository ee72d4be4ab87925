// SPDX-License-Identifier: MIT
#include "solvers/newton_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include "linalg/blas.hpp"

namespace alo {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// The descent at a solution, relative to lambda a_j, and to the largest slope where there is no absolute
// value.
constexpr double settled = 2e-11;
constexpr double nearly_settled = 1e-4;
constexpr double acceptable = 1e-8;
constexpr double smooth_share = 0.1;
// A slope this far above lambda a_j, relatively, breaks the optimality conditions.
constexpr double violation = 1e-9;
// Rows of a column that depends on the members, squared and relative; forced in with this much more on the
// diagonal.
constexpr double dependence_tolerance = 1e-11;
constexpr double forced_share = 1e-6;
// What is added to the diagonal of a singular matrix, relative to its largest entry.
constexpr double singular_raise = 1e-9;
// A pivot below this share of its diagonal has lost too many digits for leverages.
constexpr double pivot_tolerance = 1e-6;
// Objectives are sums of many terms: differences below this share of their sizes are rounding.
constexpr double objective_rounding = 1e-14;
constexpr double least_gain = 1e-4;
constexpr double far_share = 1e-9;
constexpr int most_steps = 300;
constexpr int most_rounds = 200;
constexpr int most_halvings = 50;
// A value below this share of the largest is zero.
constexpr double zero_share = 1e-13;
constexpr int most_bends = 30;
// Steps in a row without an error half as large or an objective lower by this share, after which nothing
// more is to be had.
constexpr int patience = 12;
constexpr double gain_tolerance = 1e-12;
// A lambda much below the last solution's is approached in steps of this factor.
constexpr double longest_stride = 0.3;
constexpr int most_strides = 12;
// Slopes within this share of lambda may pass it when a row is left out.
constexpr double near_share = 0.95;
// An operation on vectors takes as long as so many of a matrix product.
constexpr double vector_cost = 4.0;
// Evaluations at a lambda that would be made with a fresh factor as well.
constexpr int early_evaluations = 3;
// Columns in the block that nobody wants any more, relative to the others.
constexpr double stale_share = 0.3;
constexpr Index rows_at_once = 512;

double sign_of(double x) {
  return x < 0.0 ? -1.0 : 1.0;
}

}  // namespace

NewtonSolver::NewtonSolver(const Problem& problem, Vector weights)
    : problem_(problem),
      weights_(std::move(weights)),
      terms_(problem.penalty().separable(problem.columns()).value()),
      screen_(problem),
      solved_lambda_(infinity),
      block_(problem),
      places_(static_cast<std::size_t>(problem.columns() * problem.outputs()), Place::outside) {
  const Vector zero = Vector::Zero(problem.columns() * outputs());
  start_from(zero, Vector::Zero(outputs()), infinity);
}

double NewtonSolver::absolute_of(Index column) const {
  return column == Coordinate::intercept ? 0.0 : lambda_ * terms_.absolute[column];
}

double NewtonSolver::square_of(Index column) const {
  return column == Coordinate::intercept ? 0.0
                                         : lambda_ * terms_.square[column] + terms_.fixed_square[column];
}

void NewtonSolver::start_from(const Vector& coefficients, const Vector& intercept, double lambda) {
  lambda_ = std::isfinite(lambda) ? lambda : 0.0;
  solved_lambda_ = lambda;
  members_.clear();
  std::vector<double> values;
  std::fill(places_.begin(), places_.end(), Place::outside);
  const auto join = [&](Index column, Index output, double value) {
    members_.push_back({column, output});
    values.push_back(value);
    block_.position(column);
  };
  // The same number added to an unpenalised coefficient of every output changes no prediction of several
  // outputs: that of the last one stays where it is.
  const Index free_outputs = outputs() == 1 ? 1 : outputs() - 1;
  if (problem_.intercept()) {
    for (Index k = 0; k < free_outputs; ++k) {
      join(Coordinate::intercept, k, intercept[k] - (outputs() == 1 ? 0.0 : intercept[outputs() - 1]));
    }
  }
  const std::vector<Index>& constant = problem_.constant_columns();
  for (Index k = 0; k < outputs(); ++k) {
    for (Index j = 0; j < problem_.columns(); ++j) {
      const double value = coefficients[k * problem_.columns() + j];
      const bool smooth = terms_.absolute[j] == 0.0;
      const double total = terms_.absolute[j] + terms_.square[j] + terms_.fixed_square[j];
      const bool free = total == 0.0;
      if (std::binary_search(constant.begin(), constant.end(), j) || std::isinf(total)) continue;
      if ((free && k >= free_outputs) || (!smooth && value == 0.0)) continue;
      join(j, k, value);
    }
  }
  signs_.clear();
  for (std::size_t m = 0; m < members_.size(); ++m) {
    const Index j = members_[m].column;
    const bool has_sign = j != Coordinate::intercept && terms_.absolute[j] > 0.0;
    signs_.push_back(has_sign ? sign_of(values[m]) : 0.0);
    if (j != Coordinate::intercept) place(members_[m]) = Place::member;
  }
  dropped_.assign(members_.size(), 0);
  move_to(evaluate(Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()))));
  spent_ = infinity;
  is_fresh_ = false;
}

double NewtonSolver::penalty_of(const Vector& values) const {
  double penalty = 0.0;
  for (Index m = 0; m < size(); ++m) {
    const Index j = members_[static_cast<std::size_t>(m)].column;
    penalty += absolute_of(j) * std::abs(values[m]) + 0.5 * square_of(j) * values[m] * values[m];
  }
  return penalty;
}

NewtonSolver::Trial NewtonSolver::evaluate(Vector values) const {
  Matrix coefficients = Matrix::Zero(static_cast<Index>(block_.columns().size()), outputs());
  for (Index m = 0; m < size(); ++m) {
    const Coordinate& member = members_[static_cast<std::size_t>(m)];
    coefficients(block_.known_position(member.column), member.output) = values[m];
  }
  const double penalty = penalty_of(values);
  Matrix predictor = block_.multiply(coefficients);
  predictor.colwise() += problem_.data().offset;
  Trial trial{std::move(values), predictor.reshaped(), {}, 0.0, 0.0};
  trial.loss = problem_.loss().evaluate(trial.predictor, problem_.data().response);
  trial.objective = penalty + weights_.dot(trial.loss.value);
  trial.magnitude = penalty + weights_.dot(trial.loss.value.cwiseAbs());
  return trial;
}

void NewtonSolver::move_to(Trial trial) {
  values_ = std::move(trial.values);
  predictor_ = std::move(trial.predictor);
  objective_ = trial.objective;
  magnitude_ = trial.magnitude;
  residual_ = -(weights_.asDiagonal() * by_output(trial.loss.derivative, outputs()));
  curvature_ = weights_.asDiagonal() * by_output(trial.loss.curvature, outputs() * outputs());
  block_slopes_ = block_.transpose_multiply(residual_);
  is_fresh_ = false;
  if (++evaluations_ > early_evaluations) spent_ += evaluation_cost();
}

Vector NewtonSolver::descent() const {
  Vector result(size());
  for (Index m = 0; m < size(); ++m) {
    const Coordinate& member = members_[static_cast<std::size_t>(m)];
    result[m] = is_dropped(m) ? 0.0
                              : block_slopes_(block_.known_position(member.column), member.output) -
                                    absolute_of(member.column) * signs_[static_cast<std::size_t>(m)] -
                                    square_of(member.column) * values_[m];
  }
  return result;
}

double NewtonSolver::error(const Vector& descent) const {
  double worst = 0.0;
  const double size_of_residual = residual_.norm();
  const double root_rows = std::sqrt(static_cast<double>(problem_.rows()));
  for (Index m = 0; m < size(); ++m) {
    const Index j = members_[static_cast<std::size_t>(m)].column;
    const double norm = j == Coordinate::intercept ? root_rows : screen_.norms()[j];
    const double scale = absolute_of(j) > 0.0 ? absolute_of(j) : smooth_share * norm * size_of_residual;
    if (descent[m] != 0.0) worst = std::max(worst, std::abs(descent[m]) / scale);
  }
  return worst;
}

std::vector<Index> NewtonSolver::dropped() const {
  std::vector<Index> result;
  for (Index m = 0; m < size(); ++m) {
    if (is_dropped(m)) result.push_back(m);
  }
  return result;
}

Matrix NewtonSolver::reference_system() const {
  Matrix system = block_.curvature_gram(members_, reference_curvature_);
  for (Index m = 0; m < size(); ++m) {
    system(m, m) += square_of(members_[static_cast<std::size_t>(m)].column);
  }
  return system;
}

bool NewtonSolver::has_lost_pivot(double tolerance) const {
  return (factor_.pivots().array() <= tolerance * factor_diagonal_.array()).any();
}

// w l'^2 / (2 (l - min l)): that of the parabola with the slope of the loss which is least where the loss is.
Vector NewtonSolver::stand_in_curvature() const {
  const Vector& response = problem_.data().response;
  const Vector excess =
      weights_.cwiseProduct(problem_.loss().value(predictor_, response) - problem_.loss().minimum(response));
  return residual_.col(0).binaryExpr(
      excess, [](double slope, double value) { return value > 0.0 ? slope * slope / (2.0 * value) : 0.0; });
}

void NewtonSolver::refactor() {
  // Members that were dropped go for good, and the block keeps what is left and what was looked ahead for.
  std::vector<Index> kept;
  for (Index m = 0; m < size(); ++m) {
    if (!is_dropped(m)) kept.push_back(m);
  }
  if (static_cast<Index>(kept.size()) < size()) {
    const Vector values = values_(kept);
    for (std::size_t m = 0; m < kept.size(); ++m) {
      members_[m] = members_[static_cast<std::size_t>(kept[m])];
      signs_[m] = signs_[static_cast<std::size_t>(kept[m])];
    }
    members_.resize(kept.size());
    signs_.resize(kept.size());
    dropped_.assign(kept.size(), 0);
    values_ = values;
  }
  reference_curvature_ = curvature_;
  Matrix system = reference_system();
  factor_diagonal_ = system.diagonal();
  is_raised_ = !factor_.factor(system) || has_lost_pivot(dependence_tolerance);
  if (is_raised_) {
    // Rows without curvature, or dependent members: more curvature makes steps shorter, not wrong.
    if (outputs() == 1) reference_curvature_ = reference_curvature_.cwiseMax(stand_in_curvature());
    system = reference_system();
    const double least = std::max(system.diagonal().maxCoeff(), weights_.maxCoeff());
    do {
      system.diagonal().array() += singular_raise * least;
    } while (!factor_.factor(system));
  }
  for (Place& place : places_) {
    if (place == Place::set_aside) place = Place::outside;
  }
  pairs_.clear();
  spent_ = 0.0;
  is_fresh_ = true;
}

double NewtonSolver::evaluation_cost() const {
  const auto entries = static_cast<double>(problem_.rows()) * static_cast<double>(block_.columns().size());
  return vector_cost * 4.0 * entries * static_cast<double>(outputs());
}

bool NewtonSolver::refactor_is_due() const {
  if (is_fresh_ || size() == 0) return false;
  const auto n = static_cast<double>(problem_.rows());
  const auto s = static_cast<double>(size());
  const double work = n * s * s + s * s * s / 3.0;
  if (work <= 1.5 * evaluation_cost()) return true;
  const auto drops = static_cast<double>(dropped().size());
  return spent_ > work || drops > 8.0 + 0.1 * s;
}

Vector NewtonSolver::solve_held(const Vector& right, const std::vector<Index>& held,
                                const Vector& values) const {
  if (held.empty()) return factor_.solve(right);
  // L L'x + E m = right with E'x = values.
  Matrix unit = Matrix::Zero(size(), static_cast<Index>(held.size()));
  for (std::size_t k = 0; k < held.size(); ++k) unit(held[k], static_cast<Index>(k)) = 1.0;
  const Matrix z = factor_.solve_lower(std::move(unit));
  const Vector v = factor_.solve_lower(right);
  const Matrix system = blas::gram(z);
  const Vector multipliers = system.ldlt().solve(blas::transpose_multiply_vector(z, v) - values);
  Vector x = factor_.solve_lower_transposed(v - blas::multiply_vector(z, multipliers));
  for (std::size_t k = 0; k < held.size(); ++k) x[held[k]] = values[static_cast<Index>(k)];
  return x;
}

Vector NewtonSolver::without_dropped(Vector descent) const {
  for (const Index m : dropped()) descent[m] = 0.0;
  return descent;
}

Vector NewtonSolver::direction(const Vector& descent) const {
  const std::vector<Index> held = dropped();
  const Vector zero = Vector::Zero(static_cast<Index>(held.size()));
  return pairs_.solve(descent, [&](const Vector& right) { return solve_held(right, held, zero); });
}

Vector NewtonSolver::bend(const Vector& descent, Vector step) {
  std::vector<Index> held = dropped();
  for (int bend = 0; bend < most_bends; ++bend) {
    const std::size_t before = held.size();
    for (Index m = 0; m < size(); ++m) {
      const double sign = signs_[static_cast<std::size_t>(m)];
      if (sign == 0.0 || is_dropped(m) || sign * (values_[m] + step[m]) > 0.0) continue;
      dropped_[static_cast<std::size_t>(m)] = 1;
      held.push_back(m);
    }
    if (held.size() == before) break;
    Vector values(static_cast<Index>(held.size()));
    for (std::size_t k = 0; k < held.size(); ++k) values[static_cast<Index>(k)] = -values_[held[k]];
    step = solve_held(descent, held, values);
  }
  return step;
}

void NewtonSolver::accept(const Vector& descent_before, Trial trial, bool keep_pairs) {
  const Vector before = values_;
  move_to(std::move(trial));
  for (Index m = 0; m < size(); ++m) {
    if (is_dropped(m)) place(members_[static_cast<std::size_t>(m)]) = Place::outside;
  }
  if (keep_pairs) {
    pairs_.add(values_ - before, descent_before - descent());
  } else {
    pairs_.clear();
  }
}

bool NewtonSolver::step(const Vector& descent) {
  const Vector straight = direction(descent);
  // Near the end, where objectives no longer tell, steps are taken as they come.
  const bool far = descent.dot(straight) > far_share * magnitude_;
  if (is_raised_ && far) return careful_step(descent, straight);
  const std::vector<char> dropped_before = dropped_;
  const Vector bent = bend(descent, straight);
  Vector values = values_ + bent;
  for (const Index m : dropped()) values[m] = 0.0;
  Trial trial = evaluate(std::move(values));
  // Some of what the slope promises: a step across a bend of the loss may end as high as it began.
  const double gain = least_gain * std::max(0.0, descent.dot(bent));
  if (trial.objective <= objective_ - gain + objective_rounding * magnitude_) {
    accept(descent, std::move(trial), dropped_ == dropped_before);
    return true;
  }
  dropped_ = dropped_before;
  return careful_step(descent, straight);
}

double NewtonSolver::best_length(const Vector& step, double reach) const {
  const Vector move = evaluate(values_ + step).predictor - predictor_;
  const auto slope = [&](double length) {
    const Vector derivative =
        problem_.loss().derivative(predictor_ + length * move, problem_.data().response);
    double sum = weights_.dot(
        (by_output(derivative, outputs()).cwiseProduct(by_output(move, outputs()))).rowwise().sum());
    for (Index m = 0; m < size(); ++m) {
      const Index j = members_[static_cast<std::size_t>(m)].column;
      sum += (absolute_of(j) * signs_[static_cast<std::size_t>(m)] +
              square_of(j) * (values_[m] + length * step[m])) *
             step[m];
    }
    return sum;
  };
  double low = 0.0;
  double high = std::min(reach, 1.0);
  for (int doubling = 0; doubling < most_halvings && slope(high) < 0.0; ++doubling) {
    if (high >= reach) return reach;
    low = high;
    high = std::min(2.0 * high, reach);
  }
  for (int halving = 0; halving < most_halvings; ++halving) {
    const double middle = 0.5 * (low + high);
    (slope(middle) < 0.0 ? low : high) = middle;
  }
  return high;
}

bool NewtonSolver::careful_step(const Vector& descent, Vector step) {
  // Members at zero, or as good as there, whose step has the wrong sign leave; then to the first change of
  // sign.
  const double nothing = zero_share * values_.lpNorm<Eigen::Infinity>();
  for (bool left = true; left;) {
    left = false;
    for (Index m = 0; m < size(); ++m) {
      const double sign = signs_[static_cast<std::size_t>(m)];
      if (sign == 0.0 || is_dropped(m) || sign * step[m] > 0.0 || std::abs(values_[m]) > nothing) continue;
      dropped_[static_cast<std::size_t>(m)] = 1;
      place(members_[static_cast<std::size_t>(m)]) = Place::outside;
      left = true;
    }
    if (!left) break;
    pairs_.clear();
    step = direction(without_dropped(descent));
  }
  double reach = is_raised_ ? infinity : 1.0;
  for (Index m = 0; m < size(); ++m) {
    const double sign = signs_[static_cast<std::size_t>(m)];
    if (sign == 0.0 || is_dropped(m) || sign * step[m] >= 0.0) continue;
    reach = std::min(reach, -values_[m] / step[m]);
  }
  // Half as far as long as that is better: the first point below the objective may be beyond the valley.
  const std::vector<char> dropped_before = dropped_;
  std::optional<Trial> best;
  std::vector<char> dropped_at_best;
  double length = is_raised_ ? best_length(step, reach) : reach;
  for (int halving = 0; halving < most_halvings; ++halving, length *= 0.5) {
    Vector values = values_ + length * step;
    dropped_ = dropped_before;
    for (Index m = 0; m < size(); ++m) {
      const double sign = signs_[static_cast<std::size_t>(m)];
      if (sign == 0.0 || (!is_dropped(m) && sign * values[m] > 0.0)) continue;
      values[m] = 0.0;
      dropped_[static_cast<std::size_t>(m)] = 1;
    }
    Trial trial = evaluate(std::move(values));
    // A member that leaves is progress, if by less than rounding.
    const bool leaves = halving == 0 && dropped_ != dropped_before &&
                        trial.objective <= objective_ + objective_rounding * magnitude_;
    if (leaves || trial.objective < (best ? best->objective : objective_)) {
      best = std::move(trial);
      dropped_at_best = dropped_;
    } else if (best) {
      break;
    }
  }
  dropped_ = best ? dropped_at_best : dropped_before;
  if (best) accept(descent, std::move(*best), dropped_ == dropped_before);
  return best.has_value();
}

void NewtonSolver::settle(double tolerance) {
  double best = infinity;
  double lowest = objective_;
  int idle = 0;
  for (int count = 0; count < most_steps; ++count) {
    if (count > 0 && admit_from_block()) best = infinity;
    const double now = error(descent());
    if (now <= tolerance || idle > patience) return;
    const bool gained = now < 0.5 * best || objective_ < lowest - gain_tolerance * std::abs(lowest);
    idle = gained ? 0 : idle + 1;
    best = std::min(best, now);
    lowest = std::min(lowest, objective_);
    if (refactor_is_due()) refactor();
    if (step(descent())) continue;
    if (is_fresh_) return;  // what is left to gain is below rounding
    refactor();
  }
}

bool NewtonSolver::admit_from_block() {
  std::vector<Violator> violators;
  const std::span<const Index> columns = block_.columns();
  for (std::size_t at = 0; at < columns.size(); ++at) {
    const Index j = columns[at];
    if (j == Coordinate::intercept || terms_.absolute[j] == 0.0) continue;
    const double bound = absolute_of(j);
    for (Index k = 0; k < outputs(); ++k) {
      if (place({j, k}) != Place::outside) continue;
      const double slope = block_slopes_(static_cast<Index>(at), k);
      const double excess = std::abs(slope) - bound;
      if (excess > violation * bound) violators.push_back({excess / bound, {j, k}, slope});
    }
  }
  return admit(std::move(violators), false) > 0;
}

bool NewtonSolver::admit_from_all() {
  Vector bounds(problem_.columns());
  for (Index j = 0; j < bounds.size(); ++j) bounds[j] = absolute_of(j);
  screen_.update(residual_, bounds);
  std::vector<Violator> violators;
  for (Index j = 0; j < bounds.size(); ++j) {
    if (terms_.absolute[j] == 0.0 || std::isinf(terms_.absolute[j])) continue;
    for (Index k = 0; k < outputs(); ++k) {
      const double slope = screen_.slopes()(j, k);
      const double excess = std::abs(slope) - bounds[j];
      if (place({j, k}) != Place::member && excess > violation * bounds[j]) {
        violators.push_back({excess / bounds[j], {j, k}, slope});
      }
    }
  }
  if (violators.empty()) return false;
  return admit(violators, false) > 0 || admit(violators, true) > 0;
}

std::size_t NewtonSolver::admit(std::vector<Violator> violators, bool forced) {
  if (violators.empty()) return 0;
  const std::size_t most = forced ? 1 : std::max<std::size_t>(50, members_.size() / 2);
  std::sort(violators.begin(), violators.end(),
            [](const Violator& a, const Violator& b) { return a.excess > b.excess; });
  if (violators.size() > most) violators.resize(most);
  const std::size_t count = violators.size();
  std::erase_if(violators, [this](const Violator& violator) { return bring_back(violator); });
  const std::size_t back = count - violators.size();
  if (violators.empty()) return back;
  if (factor_.size() != size() || reference_curvature_.size() == 0) refactor();
  std::vector<Coordinate> fresh;
  for (const Violator& violator : violators) {
    block_.position(violator.coordinate.column);
    fresh.push_back(violator.coordinate);
  }
  std::vector<Coordinate> all = members_;
  all.insert(all.end(), fresh.begin(), fresh.end());
  const Matrix products = block_.curvature_products(all, fresh, reference_curvature_);
  const auto cross = products.topRows(size());
  const Matrix corner = products.bottomRows(products.cols());
  const Index old = size();
  std::vector<Index> joined;
  for (std::size_t m = 0; m < fresh.size(); ++m) {
    const auto at = static_cast<Index>(m);
    Vector column(size());
    column << cross.col(at), corner(joined, at);
    double diagonal = corner(at, at) + square_of(fresh[m].column);
    if (forced) diagonal = (1.0 + forced_share) * diagonal + forced_share * weights_.maxCoeff();
    if (!factor_.append(column, diagonal, dependence_tolerance)) {
      place(fresh[m]) = Place::set_aside;
      continue;
    }
    joined.push_back(at);
    members_.push_back(fresh[m]);
    signs_.push_back(join_sign(violators[m]));
    dropped_.push_back(0);
    place(fresh[m]) = Place::member;
  }
  if (!joined.empty()) {
    values_.conservativeResize(size());
    values_.tail(size() - old).setZero();
    is_fresh_ = false;
    is_raised_ = is_raised_ || forced;
    pairs_.clear();
  }
  extend_slopes();
  return back + joined.size();
}

void NewtonSolver::extend_slopes() {
  const Index known = block_slopes_.rows();
  const Matrix more = block_.transpose_multiply(residual_, known);
  block_slopes_.conservativeResize(known + more.rows(), outputs());
  block_slopes_.bottomRows(more.rows()) = more;
}

double NewtonSolver::join_sign(const Violator& violator) const {
  return lambda_ > 0.0 ? sign_of(violator.slope) : 0.0;
}

bool NewtonSolver::bring_back(const Violator& violator) {
  for (std::size_t m = 0; m < members_.size(); ++m) {
    const Coordinate& member = members_[m];
    if (member.column != violator.coordinate.column || member.output != violator.coordinate.output) continue;
    dropped_[m] = 0;
    signs_[m] = join_sign(violator);
    place(member) = Place::member;
    pairs_.clear();
    return true;
  }
  return false;
}

// Columns whose slopes may reach lambda by the time it is solved for are put beside the members.
void NewtonSolver::look_ahead(double lambda) {
  std::vector<Index> wanted;
  std::vector<char> is_wanted(static_cast<std::size_t>(problem_.columns() + 1), 0);
  const auto want = [&](Index column) {
    if (is_wanted[static_cast<std::size_t>(column + 1)] != 0) return;
    is_wanted[static_cast<std::size_t>(column + 1)] = 1;
    wanted.push_back(column);
  };
  for (const Coordinate& member : members_) want(member.column);
  if (std::isfinite(solved_lambda_) && screen_.slopes().size() > 0) {
    const double threshold =
        std::clamp(2.0 * lambda - solved_lambda_, longest_stride * lambda, near_share * lambda);
    const Vector largest = screen_.slopes().cwiseAbs().rowwise().maxCoeff();
    for (Index j = 0; j < problem_.columns(); ++j) {
      if (terms_.absolute[j] > 0.0 && largest[j] >= threshold * terms_.absolute[j]) want(j);
    }
  }
  const auto stale = static_cast<double>(block_.columns().size()) - static_cast<double>(wanted.size());
  if (stale > stale_share * static_cast<double>(wanted.size())) {
    block_.keep(wanted);
    block_slopes_.resize(0, outputs());
  }
  for (const Index column : wanted) block_.position(column);
  extend_slopes();
}

void NewtonSolver::solve_at(double lambda, double tolerance) {
  look_ahead(lambda);
  const double penalty_before = penalty_of(values_);
  lambda_ = lambda;
  evaluations_ = 0;
  objective_ += penalty_of(values_) - penalty_before;
  if ((terms_.square.array() > 0.0).any()) is_fresh_ = false;
  settle_all(tolerance);
  solved_lambda_ = lambda;
}

bool NewtonSolver::settle_all(double tolerance) {
  for (int round = 0; round < most_rounds; ++round) {
    settle(tolerance);
    if (!admit_from_all()) return error(descent()) <= acceptable;
  }
  return false;
}

bool NewtonSolver::settle_again() {
  return settle_all(settled);
}

void NewtonSolver::prepare_rows() {
  look_ahead(lambda_);
  refactor();
}

void NewtonSolver::solve_null() {
  settle(nearly_settled);
  screen_.update(residual_, Vector());
  solved_lambda_ = 0.0;
  for (Index j = 0; j < problem_.columns(); ++j) {
    if (terms_.absolute[j] == 0.0) continue;
    const double slope = screen_.slopes().row(j).cwiseAbs().maxCoeff();
    solved_lambda_ = std::max(solved_lambda_, slope / terms_.absolute[j]);
  }
}

void NewtonSolver::solve(double lambda) {
  if (std::isinf(solved_lambda_)) {
    lambda_ = lambda;
    solve_null();
  }
  // Far below the last solution signs and members would be guessed at random: come nearer first.
  for (int stride = 0; stride < most_strides && lambda < longest_stride * solved_lambda_; ++stride) {
    solve_at(longest_stride * solved_lambda_, nearly_settled);
  }
  solve_at(lambda, settled);
}

Vector NewtonSolver::hat() {
  if (!is_fresh_ || is_raised_ || !dropped().empty()) refactor();
  if (is_raised_ || has_lost_pivot(pivot_tolerance)) return {};
  const Index n = problem_.rows();
  const Index k = outputs();
  Matrix blocks = Matrix::Zero(n, k * k);
  for (Index begin = 0; begin < n && size() > 0; begin += rows_at_once) {
    const Index count = std::min(rows_at_once, n - begin);
    const Matrix solved = factor_.solve_rows(block_.rows(members_, begin, count));  // A L^-T
    if (k == 1) {
      blocks.col(0).segment(begin, count) = solved.rowwise().squaredNorm();
      continue;
    }
    for (Index i = 0; i < count; ++i) {
      const auto own = solved.middleRows(i * k, k);
      blocks.row(begin + i) = (own * own.transpose()).eval().reshaped().transpose();
    }
  }
  return blocks.reshaped();
}

NewtonSolver NewtonSolver::without(Index row, double removed_share) const {
  NewtonSolver rest = *this;
  rest.weights_[row] *= 1.0 - removed_share;
  // With one pair the corrected inverse takes the descent that is left when the row is gone, A_i'g_i, to the
  // step of approximate leave-one-out, M^-1 A_i'(I - C_i H_ii)^-1 g_i.
  const Matrix own = block_.rows(members_, row, 1).transpose();  // A_i'
  const Matrix half = factor_.solve_lower(own);
  const Matrix hat = half.transpose() * half;
  const Vector gradient = -removed_share * residual_.row(row).transpose();
  const Matrix curvature = removed_share * reference_curvature_.row(row).reshaped(outputs(), outputs());
  const Matrix kept = Matrix::Identity(outputs(), outputs()) - curvature * hat;
  const Vector length = kept.partialPivLu().solve(gradient);
  rest.move_to(rest.evaluate(values_));
  rest.pairs_.clear();
  rest.pairs_.add(factor_.solve_lower_transposed(half * length), own * gradient);
  return rest;
}

Vector NewtonSolver::coefficients() const {
  Vector result = Vector::Zero(problem_.columns() * outputs());
  for (Index m = 0; m < size(); ++m) {
    const Coordinate& member = members_[static_cast<std::size_t>(m)];
    if (member.column != Coordinate::intercept) {
      result[member.output * problem_.columns() + member.column] = values_[m];
    }
  }
  return result;
}

Vector NewtonSolver::intercept() const {
  Vector result = Vector::Zero(outputs());
  for (Index m = 0; m < size(); ++m) {
    const Coordinate& member = members_[static_cast<std::size_t>(m)];
    if (member.column == Coordinate::intercept) result[member.output] = values_[m];
  }
  return result;
}

}  // namespace alo
