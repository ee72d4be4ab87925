// SPDX-License-Identifier: MIT
#include "alo/tune.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "alo/check.hpp"
#include "alo/error.hpp"
#include "alo/registry.hpp"
#include "leave_one_out/cost.hpp"
#include "leave_one_out/hat.hpp"
#include "leave_one_out/parallel.hpp"
#include "linalg/blas.hpp"
#include "verdict.hpp"

namespace alo {

namespace {

// Below so many entries BLAS threads cost more than they save; below so many operations our own do.
constexpr Index small_design = 100'000;
constexpr double small_work = 1e9;
// With few pinned rows the approximation of a loss with kinks jumps from lambda to lambda: exact
// leave-one-out at the choice is worth this much in any case.
constexpr double worth_for_kinks = 5e9;
// A share of the null deviance.
constexpr double separated_share = 1e-3;

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

FitOptions with_leverages(const TuneOptions& options) {
  FitOptions fit = options.fit;
  fit.carry_hat = options.framework == Framework::automatic;
  return fit;
}

// State of one run: stages in the order in which tune() calls them.
class Run {
 public:
  Run(const Problem& problem, const TuneOptions& options, const Monitor& monitor)
      : problem_(problem), options_(options), monitor_(monitor), solver_(problem, with_leverages(options)) {
    result_.rule = options.rule;
    result_.search = options.search;
    result_.seed = options.seed;
    result_.approximated = has_approximation(problem);
    for (const Metric metric : options.metrics) result_.risk.push_back({metric, {}, {}, {}});
  }

  void walk_path();
  void extend_grid();
  void note_estimates();
  void refit_rows();
  void cross_validate();
  void choose();
  void prove();
  void estimate_exact();
  void check();
  TuneResult take() { return std::move(result_); }

 private:
  bool generated() const { return options_.lambdas.empty(); }
  void visit(std::span<const double> lambdas);
  std::vector<LeaveOneOut> approximate(const std::vector<Fit>& fits);
  LeaveOneOut approximate(const Fit& fit) const;
  // The curve that the choice is made on: the approximation's where there is one.
  const std::vector<Estimate>& choosing_curve() const;
  void add_point(Fit fit, LeaveOneOut held_out);
  void measure(PathPoint& point, const LeaveOneOut& held_out);
  bool at_lower_edge() const;
  bool is_saturated() const;
  bool is_separated() const { return result_.path.back().fit.status == FitStatus::separated; }
  std::optional<Choices> grid_choices() const;
  void repair(const Fit& fit, LeaveOneOut& held_out);
  RowValues row_values(const Fit& fit, const LeaveOneOut& held_out) const;
  Selected select(const Choice& choice);
  void take_exact(Selected& selected, const LeaveOneOut& held_out) const;
  bool is_worth(double work) const;
  bool prove(Selected& selected);
  void note_separation(std::vector<Fit>& fits);
  void note_missed(Index missed, std::string_view what);
  void warn_about_edges();
  void warn_about_exact_choice();

  const Problem& problem_;
  const TuneOptions& options_;
  const Monitor& monitor_;
  PathSolver solver_;
  std::vector<double> lambdas_;
  std::size_t planned_ = 0;
  std::vector<LeaveOneOut> exact_;  // along the path, where asked for
  TuneResult result_;
};

void Run::walk_path() {
  lambdas_ = generated() ? lambda_grid(problem_, options_.grid) : options_.lambdas;
  std::sort(lambdas_.begin(), lambdas_.end(), std::greater<>());
  lambdas_.erase(std::unique(lambdas_.begin(), lambdas_.end()), lambdas_.end());
  const std::vector<double> wanted = std::exchange(lambdas_, {});
  planned_ = wanted.size();
  visit(wanted);
}

// From fit to risk, a few lambdas at a time, until the monitor says stop.
void Run::visit(std::span<const double> lambdas) {
  while (!lambdas.empty()) {
    const std::span next = lambdas.first(std::min(lambdas.size(), PathSolver::fits_at_once(problem_)));
    const Stopwatch fitting;
    std::vector<Fit> fits = solver_.fit(next, monitor_);
    result_.timing.fit_s += fitting.seconds();
    if (generated()) note_separation(fits);
    std::vector<LeaveOneOut> held_out = approximate(fits);
    for (std::size_t k = 0; k < fits.size(); ++k) {
      add_point(std::move(fits[k]), std::move(held_out[k]));
      if (is_separated()) return;
    }
    if (fits.size() < next.size()) {
      result_.complete = false;
      return;
    }
    lambdas = lambdas.subspan(next.size());
  }
}

// Below the lambda at which classes are told apart there is nothing to learn, and coefficients grow without
// end: a generated path ends there.
void Run::note_separation(std::vector<Fit>& fits) {
  if (problem_.loss().response_kind() == ResponseKind::number) return;
  for (Fit& fit : fits) {
    if (fit.status != FitStatus::converged || fit.unexplained >= separated_share) continue;
    fit.status = FitStatus::separated;
    fits.resize(static_cast<std::size_t>(&fit - fits.data()) + 1);
    result_.warnings.push_back(
        fmt::format("the columns separate the classes: at lambda = {:.4g} less than {:g} of the null "
                    "deviance is left, so "
                    "smaller lambdas of the grid were left out; --lambda fits at any value",
                    fit.lambda, separated_share));
    return;
  }
}

// Side by side where the solver did not leave H_ii: each lambda is then a factorisation.
std::vector<LeaveOneOut> Run::approximate(const std::vector<Fit>& fits) {
  const Stopwatch clock;
  double work = 0.0;
  for (const Fit& fit : fits) {
    const auto active = static_cast<double>((fit.coefficients.array() != 0.0).count());
    if (fit.hat.size() == 0) work += static_cast<double>(problem_.rows()) * active * active;
  }
  std::vector<LeaveOneOut> held_out(fits.size());
  const auto hold_out = [&](std::size_t k) { held_out[k] = approximate(fits[k]); };
  if (fits.size() == 1) {
    hold_out(0);  // with the threads of BLAS
  } else {
    parallel_for(fits.size(), work < small_work ? 1 : options_.threads,
                 [&](std::size_t k, std::mutex&) { hold_out(k); });
  }
  result_.timing.alo_s += clock.seconds();
  return held_out;
}

LeaveOneOut Run::approximate(const Fit& fit) const {
  if (result_.approximated) return approximate_leave_one_out(problem_, fit, options_.framework);
  LeaveOneOut unknown = nothing_held_out(problem_);
  unknown.leverage = Vector::Zero(problem_.rows());
  std::fill(unknown.flags.begin(), unknown.flags.end(), RowFlag::singular);
  return unknown;
}

const std::vector<Estimate>& Run::choosing_curve() const {
  const RiskCurve& curve = result_.risk[0];
  if (result_.approximated) return curve.alo;
  return curve.exact.empty() ? curve.kfold : curve.exact;
}

void Run::add_point(Fit fit, LeaveOneOut held_out) {
  const Stopwatch clock;
  PathPoint point;
  point.fit = std::move(fit);
  repair(point.fit, held_out);
  result_.timing.alo_s += clock.seconds();
  measure(point, held_out);
  for (RiskCurve& curve : result_.risk) {
    curve.alo.push_back(estimate_risk(problem_, curve.metric, held_out));
  }
  if (options_.keep_rows) {
    point.rows = row_values(point.fit, held_out);
  } else {
    point.fit.linear_predictor.resize(0);
  }
  // Of a matrix of coefficients they are too dear to be computed again where a lambda is chosen.
  if (!problem_.penalty().shape()) point.fit.hat.resize(0);
  lambdas_.push_back(point.fit.lambda);
  result_.path.push_back(std::move(point));
  monitor_.report("path", static_cast<double>(lambdas_.size()), static_cast<double>(planned_));
}

void Run::measure(PathPoint& point, const LeaveOneOut& held_out) {
  point.degrees_of_freedom = held_out.degrees_of_freedom;
  point.max_leverage = held_out.leverage.maxCoeff();
  point.nonzero = (point.fit.coefficients.array() != 0.0).count();
  if (!is_certified(point.fit.status)) result_.certified = false;
}

// Exact leave-one-out for rows that have no approximate one, where asked for.
void Run::repair(const Fit& fit, LeaveOneOut& held_out) {
  if (!options_.repair || held_out.undefined() == 0) return;
  std::vector<Index> rows;
  for (Index i = 0; i < problem_.rows(); ++i) {
    if (held_out.flags[static_cast<std::size_t>(i)] != RowFlag::none) rows.push_back(i);
  }
  const ExactLeaveOneOut exact = exact_leave_one_out(
      problem_, std::span(&fit, 1), rows, {options_.fit, options_.threads}, {{}, monitor_.should_stop});
  for (const Index i : rows) {
    const double value = exact.values[0].linear_predictor[i];
    if (!std::isfinite(value)) continue;
    held_out.linear_predictor[i] = value;
    held_out.flags[static_cast<std::size_t>(i)] = RowFlag::repaired;
  }
}

RowValues Run::row_values(const Fit& fit, const LeaveOneOut& held_out) const {
  return {fit.linear_predictor, held_out.linear_predictor,   Vector(),
          held_out.leverage,    certify_rows(problem_, fit), held_out.flags};
}

std::optional<Choices> Run::grid_choices() const {
  const std::vector<Estimate>& curve = choosing_curve();
  if (curve.empty()) return std::nullopt;
  return choose_on_grid(result_.risk[0].metric, lambdas_, curve);
}

bool Run::at_lower_edge() const {
  const auto choices = grid_choices();
  return choices && lambdas_.size() > 1 && *choices->minimum.index + 1 == static_cast<Index>(lambdas_.size());
}

// As many free coefficients as rows: leverages are one from here on.
bool Run::is_saturated() const {
  if (result_.path.back().max_leverage > 1.0 - leverage_tolerance) return true;
  // Coefficients that move together are not free, however many they are.
  return problem_.penalty().separable(problem_.columns()) &&
         result_.path.back().nonzero + (problem_.intercept() ? 1 : 0) >= problem_.rows();
}

// A generated grid whose best value is its last goes on with the same spacing, at most to
// twice its length, a few values at a time so that the curve is seen to rise again.
void Run::extend_grid() {
  if (!generated() || options_.search == Search::exact || lambdas_.size() < 2) return;
  const std::size_t limit = 2 * lambdas_.size();
  const std::size_t batch = std::max<std::size_t>(1, lambdas_.size() / 20);
  const double spacing = lambdas_[1] / lambdas_[0];
  const std::size_t before = lambdas_.size();
  const auto may_go_on = [this] {
    return result_.complete && result_.certified && !is_saturated() && !is_separated();
  };
  while (at_lower_edge() && lambdas_.size() < limit && may_go_on()) {
    planned_ = std::min(limit, lambdas_.size() + batch);
    while (lambdas_.size() < planned_ && may_go_on()) {
      const double next = lambdas_.back() * spacing;
      visit(std::span(&next, 1));
    }
  }
  if (lambdas_.size() > before) {
    result_.warnings.push_back(
        fmt::format("the smallest risk was at the end of the grid, so {} smaller lambdas were added",
                    lambdas_.size() - before));
  }
}

std::vector<Index> all_rows(const Problem& problem) {
  std::vector<Index> rows(static_cast<std::size_t>(problem.rows()));
  std::iota(rows.begin(), rows.end(), Index{0});
  return rows;
}

void Run::refit_rows() {
  if (!options_.exact || lambdas_.empty() || !result_.complete) return;
  const Stopwatch clock;
  std::vector<Fit> fits;
  for (const PathPoint& point : result_.path) fits.push_back(point.fit);
  ExactLeaveOneOut exact =
      exact_leave_one_out(problem_, fits, all_rows(problem_), {options_.fit, options_.threads}, monitor_);
  result_.timing.exact_s = clock.seconds();
  if (!exact.complete) {
    result_.complete = false;
    return;
  }
  note_missed(exact.missed, "leave-one-out refits");
  for (std::size_t k = 0; k < lambdas_.size(); ++k) {
    for (RiskCurve& curve : result_.risk) {
      curve.exact.push_back(estimate_risk(problem_, curve.metric, exact.values[k]));
    }
    if (result_.path[k].rows) result_.path[k].rows->exact = exact.values[k].linear_predictor;
  }
  exact_ = std::move(exact.values);
}

// Leverages of a large completion come from random probes, and their error is said.
void Run::note_estimates() {
  Index count = 0;
  double largest = 0.0;
  for (const PathPoint& point : result_.path) {
    count += point.fit.hat_error > 0.0 ? 1 : 0;
    largest = std::max(largest, point.fit.hat_error);
  }
  if (count == 0) return;
  result_.warnings.push_back(
      fmt::format("at {} of {} lambdas leverages were estimated from random probes, since the exact ones "
                  "would cost too much; "
                  "the risk there is off by about {:.2g} % at most",
                  count, result_.path.size(), 100.0 * largest));
}

void Run::note_missed(Index missed, std::string_view what) {
  if (missed == 0) return;
  result_.certified = false;
  result_.warnings.push_back(fmt::format(
      "{} of the {} missed the certificate; the numbers made from them may be off", missed, what));
}

void Run::cross_validate() {
  if (options_.folds < 2 || lambdas_.empty() || !result_.complete) return;
  const Stopwatch clock;
  const KFold folds =
      k_fold(problem_, lambdas_, {options_.fit, options_.folds, options_.seed, options_.threads, generated()},
             monitor_);
  result_.timing.kfold_s = clock.seconds();
  if (!folds.complete) {
    result_.complete = false;
    return;
  }
  note_missed(folds.missed, "fits of the folds");
  for (const LeaveOneOut& held_out : folds.values) {
    for (RiskCurve& curve : result_.risk) {
      curve.kfold.push_back(estimate_risk(problem_, curve.metric, held_out));
    }
  }
}

Selected Run::select(const Choice& choice) {
  Selected selected;
  selected.choice = choice;
  selected.point.fit = choice.index ? result_.path[static_cast<std::size_t>(*choice.index)].fit
                                    : PathSolver(problem_, options_.fit).fit(choice.lambda);
  Fit& fit = selected.point.fit;
  fit.linear_predictor = problem_.linear_predictor(fit.intercept, fit.coefficients);
  LeaveOneOut held_out = approximate(fit);
  repair(fit, held_out);
  measure(selected.point, held_out);
  selected.point.rows = row_values(fit, held_out);
  return selected;
}

// Standard errors between two choices that are worth a word.
constexpr double worth_saying = 0.5;

// An exact search ends just inside its last segment, so not quite at the smallest lambda.
constexpr double edge_slack = 1e-4;

void Run::warn_about_edges() {
  if (lambdas_.size() < 2) return;
  const Selected& best = result_.minimum.value();
  if (best.choice.lambda <= (1.0 + edge_slack) * lambdas_.back() && result_.complete) {
    result_.warnings.push_back(fmt::format(
        "the smallest risk is at the smallest lambda ({:.4g}), so the true minimum may lie below it; {}",
        lambdas_.back(),
        generated() ? "use a smaller --lambda-ratio to look there"
                    : "give smaller values of --lambda to look there"));
  }
  if (best.choice.lambda >= lambdas_.front() && best.point.nonzero == 0) {
    result_.warnings.emplace_back(
        "the null model wins: no penalised coefficient improves held-out prediction");
  }
}

// The approximation chooses; where exact leave-one-out along the path would choose otherwise, that is said.
void Run::warn_about_exact_choice() {
  const RiskCurve& curve = result_.risk[0];
  if (curve.exact.empty() || !result_.minimum->choice.index) return;
  const auto exact = choose_on_grid(curve.metric, lambdas_, curve.exact);
  if (!exact || std::abs(*exact->minimum.index - *result_.minimum->choice.index) <= 1) return;
  const Estimate& here = curve.exact[static_cast<std::size_t>(*result_.minimum->choice.index)];
  const Estimate& best = exact->minimum.risk;
  if (!here.mean || !best.mean || !best.se) return;
  if (std::abs(*here.mean - *best.mean) <= worth_saying * *best.se) return;
  result_.warnings.push_back(fmt::format(
      "by exact leave-one-out the best lambda is {:.4g} ({} {:.4g}), not the approximation's {:.4g} ({:.4g})",
      exact->minimum.lambda, to_string(curve.metric), *best.mean, result_.minimum->choice.lambda,
      *here.mean));
}

void Run::choose() {
  if (lambdas_.empty()) return;
  const Stopwatch clock;
  std::optional<Choices> choices = grid_choices();
  if (options_.search == Search::exact && result_.complete) {
    choices = choose_on_segments(problem_, result_.risk[0].metric, lambdas_.back());
    result_.timing.alo_s += clock.seconds();
  }
  if (!choices) {
    result_.warnings.emplace_back(
        "no lambda can be chosen: at every one some row has no leave-one-out prediction (leverage one); use "
        "larger lambdas or --repair exact");
    return;
  }
  result_.minimum = select(choices->minimum);
  result_.one_se = select(choices->one_se);
  warn_about_edges();
  warn_about_exact_choice();
}

void Run::take_exact(Selected& selected, const LeaveOneOut& held_out) const {
  selected.point.rows->exact = held_out.linear_predictor;
  for (const RiskCurve& curve : result_.risk) {
    selected.exact.push_back(estimate_risk(problem_, curve.metric, held_out));
  }
}

bool Run::is_worth(double work) const {
  if (options_.prove != Prove::automatic) return options_.prove == Prove::always;
  if (options_.exact || (problem_.loss().has_kinks() && work < worth_for_kinks)) return true;
  return work < path_flops(problem_, lambdas_.size(), result_.path.back().nonzero);
}

// False when the monitor ended it.
bool Run::prove(Selected& selected) {
  const auto& index = selected.choice.index;
  if (index && !exact_.empty()) {
    take_exact(selected, exact_[static_cast<std::size_t>(*index)]);
    return true;
  }
  const double work = exact_leave_one_out_flops(problem_, selected.point.nonzero);
  if (!is_worth(work)) return true;
  const Stopwatch clock;
  const Fit& fit = selected.point.fit;
  const ExactLeaveOneOut exact =
      exact_leave_one_out(problem_, std::span(&fit, 1), all_rows(problem_),
                          {options_.fit, work < small_work ? 1 : options_.threads}, monitor_);
  result_.timing.exact_s += clock.seconds();
  if (!exact.complete) return false;
  note_missed(exact.missed, "leave-one-out fits at the chosen lambda");
  take_exact(selected, exact.values[0]);
  return true;
}

// The curve is approximate; the choice made from it need not be.
void Run::prove() {
  if (!result_.minimum || !result_.complete) return;
  Selected& minimum = *result_.minimum;
  Selected& one_se = *result_.one_se;
  const bool same = one_se.choice.lambda == minimum.choice.lambda;
  result_.complete = prove(minimum) && (same || prove(one_se));
  if (same) {
    one_se.exact = minimum.exact;
    one_se.point.rows->exact = minimum.point.rows->exact;
  }
  if (!result_.complete) {
    result_.warnings.emplace_back("exact leave-one-out at the chosen lambdas was stopped before its end");
  }
}

// From the time that the path took and the work of both.
void Run::estimate_exact() {
  if (options_.exact || problem_.loss().is_quadratic() || !result_.complete || result_.path.empty()) return;
  double exact = 0.0;
  double path = 0.0;
  for (const PathPoint& point : result_.path) {
    exact += exact_leave_one_out_flops(problem_, point.nonzero);
    path += path_flops(problem_, 1, point.nonzero);
  }
  if (!std::isfinite(exact)) return;
  const double took = result_.timing.fit_s + result_.timing.alo_s;
  result_.exact_estimate_s = took * exact / path / options_.threads;
}

void Run::check() {
  if (!options_.check_rows || !result_.chosen() || !result_.complete) return;
  const Stopwatch clock;
  const Selected& chosen = *result_.chosen();
  result_.check = check_rows(problem_, chosen.point.fit, *chosen.point.rows, result_.risk[0].metric,
                             *options_.check_rows, options_.seed, {options_.fit, options_.threads}, monitor_);
  if (!result_.check) result_.complete = false;
  result_.timing.exact_s += clock.seconds();
}

// What would only be found out after the path has been fitted.
void check_options(const Problem& problem, const TuneOptions& options) {
  for (const Metric metric : options.metrics) check_metric(metric, problem.loss());
  const Dataset& data = problem.data();
  const double rows = data.weight_kind == WeightKind::frequency
                          ? data.weights.sum()
                          : static_cast<double>((data.weights.array() > 0.0).count());
  if (rows < 2.0) {
    throw InvalidData("there is one row that counts; leaving one out needs at least two");
  }
  if (options.folds >= 2) check_folds(problem, options.folds);
  const bool has_other = options.exact || options.folds >= 2;
  if (!has_approximation(problem) && (!has_other || options.check_rows)) {
    throw InvalidArgument(fmt::format(
        "the {} loss with a {} penalty is a linear program, which has no approximate "
        "leave-one-out; choose by --exact or --folds, or take a smooth loss (huber), or an elastic "
        "net with some ridge (--mix below 1)",
        problem.loss().name(), problem.penalty().name()));
  }
}

}  // namespace

TuneResult tune(const Problem& problem, const TuneOptions& given, const Monitor& monitor) {
  TuneOptions options = given;
  if (options.metrics.empty()) options.metrics = {metrics_of(problem.loss()).front()};
  check_options(problem, options);
  const bool is_small = problem.design().stored_entries() < small_design;
  const blas::ThreadScope threads(is_small ? 1 : options.threads);
  Run run(problem, options, monitor);
  run.walk_path();
  run.extend_grid();
  run.note_estimates();
  run.refit_rows();
  run.cross_validate();
  run.choose();
  run.prove();
  run.estimate_exact();
  run.check();
  TuneResult result = run.take();
  result.verdict = judge(result);
  return result;
}

}  // namespace alo
