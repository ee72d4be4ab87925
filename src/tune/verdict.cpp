// SPDX-License-Identifier: MIT
#include "tune/verdict.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tune/chance.hpp"

namespace alo {

namespace {

// A lambda at which the formula is in doubt may have a risk that is this much smaller than the formula says:
// of simulated lassos with leverages above doubtful_leverage the formula was too high by up to this factor in
// all but a few. At ten times the value every such lambda would speak against every choice; at one, those
// would pass that are better than they look.
constexpr double doubtful_factor = 2.0;

// Interpolated risks tell nothing where the values on both sides have lambdas further apart than this factor,
// one and a half decades: on handwritten digits the risk fell from 0.35 to 0.19 and back within three. At ten
// times the value such a minimum fits between them unseen; at a tenth even evenly spread anchors would not
// do.
constexpr double widest_bridge = 30.0;

bool is_tolerable(const Selected& chosen) {
  if (!chosen.error || !chosen.choice.risk.mean) return false;
  return is_tolerable(*chosen.error, chosen.choice.risk);
}

// The largest leverage among the rows that were not refitted; refitted rows do not depend on it.
double largest_leverage(const RowValues& rows) {
  double largest = 0.0;
  for (Index i = 0; i < rows.leverage.size(); ++i) {
    const bool repaired = rows.flags[static_cast<std::size_t>(i)] == RowFlag::repaired;
    if (!repaired) largest = std::max(largest, rows.leverage[i]);
  }
  return largest;
}

// Reasons against a risk by the formula alone.
void add_doubts_of_formula(const TuneResult& result, const Selected& selected,
                           std::vector<Message>& reasons) {
  const RowValues& rows = *selected.point.rows;
  const auto undefined = std::count_if(rows.flags.begin(), rows.flags.end(), is_undefined);
  if (undefined > 0) {
    reasons.push_back(
        ask_for_exact(result, fmt::format("{} row{} no approximate prediction at lambda {:.4g}", undefined,
                                          undefined == 1 ? " has" : "s have", selected.choice.lambda)));
  }
  const double largest = largest_leverage(rows);
  if (largest >= doubtful_leverage) {
    reasons.push_back(ask_for_exact(
        result, fmt::format("a row has leverage {:.3f} at lambda {:.4g}, above {:g}, so that the "
                            "approximation may be far off",
                            largest, selected.choice.lambda, doubtful_leverage)));
  }
  if (selected.point.fit.subgradient.size() > 0 && result.chosen_by != ChooseBy::alo) {
    reasons.push_back(
        ask_for_exact(result, fmt::format("the approximation of a loss with kinks depends on few "
                                          "rows, and no exact value stands beside it")));
  }
}

// A number by the formula, where exact leave-one-out is known beside it and says something else.
void add_difference(const TuneResult& result, const Selected& chosen, std::vector<Message>& reasons) {
  if (chosen.exact.empty() || !chosen.exact.front().mean || !chosen.choice.risk.mean) return;
  const double exact = *chosen.exact.front().mean;
  if (is_tolerable(std::abs(exact - *chosen.choice.risk.mean), chosen.choice.risk)) return;
  reasons.push_back(fmt::format("at lambda {:.4g} the approximate {} is {:.5g} and the exact one {:.5g}",
                                chosen.choice.lambda, to_string(result.risk.front().metric),
                                *chosen.choice.risk.mean, exact));
}

// Reasons against the number at the chosen lambda.
void add_doubts_of_number(const TuneResult& result, const Selected& chosen, std::vector<Message>& reasons) {
  if (!chosen.exact.empty() && chosen.exact.front().undefined > 0) {
    const Index undefined = chosen.exact.front().undefined;
    reasons.push_back(
        fmt::format("exact leave-one-out is undefined for {} row{}: without it no finite fit is best",
                    undefined, undefined == 1 ? "" : "s"));
  }
  if (result.choose == ChooseBy::alo) add_difference(result, chosen, reasons);
  if (result.chosen_by == ChooseBy::kfold || chosen.kind == EstimateKind::exact || is_tolerable(chosen))
    return;
  if (chosen.kind == EstimateKind::alo) {
    if (chosen.exact.empty() || !chosen.exact.front().mean) add_doubts_of_formula(result, chosen, reasons);
  } else if (chosen.error) {
    reasons.push_back(ask_for_exact(
        result, fmt::format("the risk at the chosen lambda is known to +- {:.2g} only", *chosen.error)));
  } else {
    reasons.push_back(ask_for_exact(
        result, fmt::format("the risk at the chosen lambda is an estimate whose error is not known")));
  }
}

bool is_better(Metric metric, double risk, double than) {
  return larger_is_better(metric) ? risk > than : risk < than;
}

void add_unexamined(const TuneResult& result, double chosen_risk, std::vector<Message>& reasons) {
  if (result.chosen_by == ChooseBy::kfold || result.choose == ChooseBy::alo) return;
  Index count = 0;
  for (std::size_t k = 0; k < result.path.size(); ++k) {
    if (could_be_better(result, k, chosen_risk)) ++count;
  }
  if (count == 0) return;
  reasons.push_back(ask_for_exact(
      result,
      fmt::format("at {} lambda{} the approximation is in doubt and the risk could be smaller than at "
                  "the chosen one",
                  count, count == 1 ? "" : "s")));
}

// Whether the risk was still falling where it stops being defined: the next smaller lambda has rows without
// a prediction, so that it and possibly better ones could not be considered.
void add_cut_short(const TuneResult& result, std::vector<Message>& reasons) {
  if (result.choose != ChooseBy::alo || !result.minimum->choice.index) return;
  const std::vector<Estimate>& risk = result.risk.front().alo;
  const auto next = static_cast<std::size_t>(*result.minimum->choice.index) + 1;
  if (next >= risk.size() || risk[next].mean || risk[next].undefined == 0) return;
  const Index undefined = risk[next].undefined;
  reasons.push_back(
      {fmt::format(
           "the risk falls down to lambda {:.4g}, below which {} row{} no leave-one-out prediction, so "
           "smaller lambdas could not be chosen; exact refits without such rows settle them",
           result.minimum->choice.lambda, undefined, undefined == 1 ? " has" : "s have"),
       {{Setting::repair, "exact"}}});
}

std::optional<Message> against(const Check& check) {
  switch (check.verdict) {
    case CheckVerdict::trusted:
      break;
    case CheckVerdict::refuted:
      return Message{
          fmt::format("exact leave-one-out on {} rows refutes the approximate risk", check.rows.size())};
    case CheckVerdict::undecided:
      return Message{fmt::format("exact leave-one-out on {} rows does not decide; about {} would",
                                 check.rows.size(), check.deciding_rows.value_or(0))};
  }
  return std::nullopt;
}

// Whether an interpolated risk stands between values that are known and lie near enough to each other.
bool is_bridged(const TuneResult& result, std::size_t k) {
  const std::vector<BestEstimate>& estimate = result.risk.front().estimate;
  const auto is_known = [&](std::size_t at) {
    return estimate[at].mean && estimate[at].kind >= EstimateKind::repaired && !is_poor(estimate[at]);
  };
  std::size_t above = k;
  std::size_t below = k;
  while (above > 0 && !is_known(above)) --above;
  while (below + 1 < estimate.size() && !is_known(below)) ++below;
  return is_known(above) && is_known(below) &&
         result.path[above].fit.lambda <= widest_bridge * result.path[below].fit.lambda;
}

}  // namespace

bool is_refuted_above(const TuneResult& result, std::size_t k) {
  const RiskCurve& curve = result.risk.front();
  for (std::size_t above = 0; above <= k && above < curve.exact.size(); ++above) {
    const std::optional<double>& exact = curve.exact[above].mean;
    const std::optional<double>& alo = curve.alo[above].mean;
    if (exact && alo && !is_tolerable(std::abs(*exact - *alo), curve.exact[above])) return true;
  }
  return false;
}

bool is_doubtful(const TuneResult& result, std::size_t k) {
  const PathPoint& point = result.path[k];
  return point.fit.subgradient.size() > 0 || result.risk.front().alo[k].undefined > 0 ||
         point.max_leverage >= doubtful_leverage || is_refuted_above(result, k);
}

bool is_within_factor(Metric metric, double risk, double than) {
  if (larger_is_better(metric)) return 1.0 - risk < doubtful_factor * (1.0 - than);
  return risk < doubtful_factor * than;
}

bool could_be_better(const TuneResult& result, std::size_t k, double chosen_risk) {
  const RiskCurve& curve = result.risk.front();
  const EstimateKind kind = curve.estimate[k].kind;
  const std::optional<double>& mean = curve.estimate[k].mean;
  const bool is_poor_sample = kind == EstimateKind::sampled && is_poor(curve.estimate[k]);
  const bool is_guess = kind == EstimateKind::corrected && is_doubtful(result, k) && !is_bridged(result, k);
  const auto is_likely = [&] { return chance_of_better(result, k) > least_chance; };
  if (is_guess && mean) return is_within_factor(curve.metric, *mean, chosen_risk) && is_likely();
  if (kind == EstimateKind::corrected || is_poor_sample) {
    return mean && is_better(curve.metric, *mean, chosen_risk) &&
           std::abs(*mean - chosen_risk) > tolerated_share * std::abs(chosen_risk);
  }
  if (kind != EstimateKind::alo || !is_doubtful(result, k)) return false;
  const bool says_something = mean && !is_refuted_above(result, k);
  return (!says_something || is_within_factor(curve.metric, *mean, chosen_risk)) && is_likely();
}

bool is_tolerable(double error, const Estimate& risk) {
  return error <= tolerated_share * std::abs(*risk.mean) ||
         error <= tolerated_share_of_se * risk.se.value_or(0.0);
}

bool is_poor(const BestEstimate& risk) {
  return risk.mean && risk.error && !is_tolerable(*risk.error, risk);
}

std::string effort_to_ask(const TuneResult::ExactCost& cost) {
  // Two digits, rounded up, so that the effort suffices.
  const double unit = std::pow(10.0, std::floor(std::log10(cost.effort)) - 1.0);
  return fmt::format("{:g}", unit * std::ceil(cost.effort / unit));
}

Message ask_for_exact(const TuneResult& result, std::string text) {
  Message message(std::move(text));
  if (!result.exact_cost) return message;
  if (result.choose == ChooseBy::automatic && result.search == Search::grid) {
    message.hints.push_back({Setting::effort, effort_to_ask(*result.exact_cost)});
  } else {
    message.hints.push_back({Setting::exact});
  }
  return message;
}

std::optional<double> exact_difference(Metric metric, const Selected& selected) {
  if (selected.exact.empty() || selected.alo.empty()) return std::nullopt;
  const Estimate& exact = selected.exact.front();
  const Estimate& alo = selected.alo.front();
  if (!exact.mean || !alo.mean) return std::nullopt;
  const double difference = std::abs(*exact.mean - *alo.mean);
  const double error = larger_is_better(metric) ? 1.0 - *alo.mean : *alo.mean;
  return difference == 0.0 ? 0.0 : difference / std::abs(error);
}

Verdict judge(const TuneResult& result) {
  Verdict verdict;
  if (const auto& chosen = result.chosen()) {
    const bool is_trusted = result.check && result.check->verdict == CheckVerdict::trusted;
    if (!is_trusted) add_doubts_of_number(result, *chosen, verdict.reasons);
    add_unexamined(result, result.minimum->choice.risk.mean.value(), verdict.reasons);
    add_cut_short(result, verdict.reasons);
    if (result.open_end) verdict.reasons.push_back(*result.open_end);
    if (result.check) {
      if (auto reason = against(*result.check)) verdict.reasons.push_back(std::move(*reason));
    }
    if (!result.certified) verdict.reasons.push_back(fmt::format("not every fit met its certificate"));
  } else {
    verdict.reasons.push_back(fmt::format("no lambda could be chosen"));
  }
  verdict.reliable = verdict.reasons.empty();
  return verdict;
}

}  // namespace alo
