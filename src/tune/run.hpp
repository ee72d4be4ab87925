// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "alo/tune.hpp"
#include "tune/evidence.hpp"

namespace alo {

// Floating-point operations below which threads of our own cost more than they save (about 0.1 s of work
// against their start), and below which row certificates are computed unasked. A wrong value costs time
// only: at ten times it, a second of work would run on one core.
inline constexpr double small_work = 1e9;

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

// The best lambda of a path so far, by the approximation, and what came after it. Only its held-out values
// are kept.
struct BestSoFar {
  std::optional<double> risk;  // none before the first one that is defined
  LeaveOneOut held_out;
  int since = 0;          // lambdas after it
  int clearly_worse = 0;  // the last of these that are worse by clear_margin paired standard errors or more
};

// The state of one run; its stages are in the order in which tune() calls them: the path (path.cpp), where it
// is continued or ended (extend.cpp), the evidence on its risks (exact.cpp, with ExactEvidence and the
// ladder), the choice (choice.cpp).
class TuneRun {
 public:
  TuneRun(const Problem& problem, const TuneOptions& options, const Monitor& monitor);

  void walk_path();
  void extend_grid();
  void note_estimates();
  void cross_validate();
  void gather_evidence();
  void choose();
  void check();
  TuneResult take() { return std::move(result_); }

 private:
  bool generated() const { return options_.lambdas.empty(); }
  void visit(std::span<const double> lambdas);
  std::vector<LeaveOneOut> approximate(const std::vector<Fit>& fits);
  // The risk curve that the choice is made from.
  std::vector<Estimate> choosing_curve() const;
  bool keeps_hat(const Fit& fit) const;
  void add_point(Fit fit, LeaveOneOut held_out);
  void measure(PathPoint& point, const LeaveOneOut& held_out);
  void follow(const LeaveOneOut& held_out);
  double rest_flops(std::size_t rest) const;
  std::size_t fits_wanted(std::size_t rest) const;
  bool is_ended(std::size_t rest);
  bool ends_before(const Fit& fit);
  bool at_lower_edge() const;
  bool is_falling_at_end() const;
  bool may_go_on() const;
  LeaveOneOut best_before(std::size_t count);
  bool is_worth_more(const Estimate& gain, double risk) const;
  bool has_gained(const LeaveOneOut& before) const;
  bool has_gained_by_evidence(Index before, Index last);
  bool visit_further(double lambda);
  bool visit_batch(std::size_t count);
  std::size_t batch_of(std::size_t grid) const;
  void say_added(std::size_t before);
  void extend_by_evidence();
  bool look_at_end();
  void weigh_evidence();
  bool is_saturated() const;
  bool nothing_left() const;
  // False where smaller lambdas would change next to nothing.
  bool is_open_end() const {
    return end_is_open_ || (!is_saturated() && !is_separated() && !ends_flat_ && !nothing_left());
  }
  bool is_separated() const { return result_.path.back().fit.status == FitStatus::separated; }
  std::optional<Choices> grid_choices() const;
  TieBreaker tie_breaker() const;
  void repair(const Fit& fit, LeaveOneOut& held_out);
  RowValues row_values(const PathPoint& point, const LeaveOneOut& held_out) const;
  Selected select(const Choice& choice);
  Selected select_on_path(const Choice& choice);
  Selected select_between(const Choice& choice);
  void take_rows(Selected& selected, const KnownRows& rows, bool computed);
  bool is_by_ladder() const {
    return !wants_exact() && options_.choose == ChooseBy::automatic && options_.search == Search::grid;
  }
  bool wants_exact() const { return options_.exact || options_.choose == ChooseBy::exact; }
  std::vector<Estimate> defensible_curve() const;
  void name_chooser();
  void note_evidence();
  void keep_exact_rows();
  void estimate_exact_cost();
  void note_separation(std::vector<Fit>& fits);
  void note_missed(Index missed, std::string_view what);
  void warn_about_edges();
  void warn_about_other_choices();
  void warn_about_other_choice(const std::vector<Estimate>& curve, std::string_view by);

  const Problem& problem_;
  const TuneOptions& options_;
  const Monitor& monitor_;
  Stopwatch solver_made_;  // starts before the solver is made, which may decompose the design
  PathSolver solver_;
  std::vector<double> lambdas_;
  std::size_t planned_ = 0;
  BestSoFar best_;
  // The smallest risk is at the end of the path, whose last values hardly lowered it.
  bool ends_flat_ = false;
  bool end_is_open_ = false;   // it is still falling there, and the effort does not suffice to go on
  RiskCurve own_risk_;         // in the loss's own metric, which breaks ties of the one that chooses
  std::vector<double> looks_;  // what the formula makes of every lambda (defined_mean, where undefined)
  std::optional<ExactEvidence> evidence_;
  TuneResult result_;
};

}  // namespace alo
