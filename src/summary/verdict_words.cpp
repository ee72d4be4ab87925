// SPDX-License-Identifier: MIT
// What a run says of its choice: by what it was made, whether it can be relied on, and why.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "summary/format.hpp"
#include "summary/words.hpp"
#include "tune/verdict.hpp"

namespace alo::report {

namespace {

std::string as_sentence(std::string text) {
  if (text.empty()) return text;
  if (text.back() != '.' && text.back() != '!' && text.back() != '?') text += '.';
  if (text.front() >= 'a' && text.front() <= 'z') text.front() = static_cast<char>(text.front() - 'a' + 'A');
  return text;
}

// More effort is suggested to the user where it should take less than this; two minutes are a wait at the
// terminal.
constexpr double affordable_seconds = 120.0;

bool offers_exact(const TuneResult& result) {
  return result.chosen() && result.exact_cost && result.exact_cost->seconds < affordable_seconds;
}

// An estimate is rounded to one digit.
std::string rough_seconds(double seconds) {
  if (seconds < 1.0) return "a second";
  const double unit = seconds < 10.0 ? 1.0 : 10.0;
  return fmt::format("{:g} s", unit * std::round(seconds / unit));
}

// The numbers of lambdas with each kind of estimate, as "exact at 5, corrected at 20 of 100 lambdas".
std::string kinds_words(const RiskCurve& curve) {
  std::vector<std::string> parts;
  for (const EstimateKind kind :
       {EstimateKind::exact, EstimateKind::sampled, EstimateKind::repaired, EstimateKind::corrected}) {
    const auto count = std::count_if(curve.estimate.begin(), curve.estimate.end(),
                                     [&](const BestEstimate& estimate) { return estimate.kind == kind; });
    if (count > 0) parts.push_back(fmt::format("{} at {}", to_string(kind), count));
  }
  return fmt::format("{} of {} lambdas", fmt::join(parts, ", "), curve.estimate.size());
}

std::string check_words(const Check& check) {
  const auto rows = check.rows.size();
  if (!std::isfinite(check.corrected_risk)) {
    return fmt::format("Of {} rows that were left out for a check some have no exact prediction.", rows);
  }
  std::string text = fmt::format("Refits without each of {} rows put the exact risk at {}", rows,
                                 readable_short(check.corrected_risk, 5));
  if (check.interval_high > check.interval_low) {
    text += std::isfinite(check.interval_high)
                ? fmt::format(" (95 % interval {} to {})", readable_short(check.interval_low, 5),
                              readable_short(check.interval_high, 5))
                : " (how precisely, so few rows do not tell)";
  }
  switch (check.verdict) {
    case CheckVerdict::trusted:
      return text + ": the approximation can be trusted there.";
    case CheckVerdict::refuted:
      return text + ": the approximation is wrong there.";
    case CheckVerdict::undecided:
      return text +
             fmt::format(", which does not decide whether the approximation is right; about {} rows would.",
                         check.deciding_rows.value_or(0));
  }
  return text;
}

// Adds the evidence for the estimate: leverages, certificates, exact refits.
void add_evidence(const TuneResult& result, const Wording& wording, std::vector<std::string>& sentences) {
  const auto& chosen = result.chosen();
  if (chosen && chosen->point.fit.subgradient.size() > 0) {
    // There are no leverages: a row is pinned to a kink of the loss, or it has no curvature.
    sentences.push_back(fmt::format("{} of {} rows are pinned to a kink of the loss at the chosen lambda.",
                                    readable_short(chosen->point.degrees_of_freedom, 6),
                                    chosen->point.fit.subgradient.size()));
  } else if (chosen && chosen->kind == EstimateKind::alo && result.chosen_by != ChooseBy::kfold &&
             result.verdict.reliable) {
    sentences.push_back(
        fmt::format("No row at the chosen lambda has leverage above {} ({:g} would be too much).",
                    readable_short(chosen->point.max_leverage, 2), doubtful_leverage));
  }
  const RiskCurve* curve = choosing_curve(result);
  const auto difference = curve && chosen ? exact_difference(curve->metric, *chosen) : std::nullopt;
  if (difference) {
    sentences.push_back(fmt::format(
        "At the chosen lambda exact leave-one-out gives {} and the approximation {}.",
        readable_short(*chosen->exact.front().mean, 5), readable_short(*chosen->alo.front().mean, 5)));
  } else if (chosen && chosen->kind == EstimateKind::sampled && chosen->error) {
    sentences.push_back(
        fmt::format("At the chosen lambda exact leave-one-out of some rows puts the risk at {} +- {} (95 % "
                    "interval of the sampling).",
                    readable_short(*chosen->choice.risk.mean, 5), readable_short(*chosen->error, 2)));
  }
  if (offers_exact(result)) {
    const Message offer =
        ask_for_exact(result, fmt::format("exact leave-one-out at every lambda would take about {}",
                                          rough_seconds(result.exact_cost->seconds)));
    sentences.push_back(as_sentence(say(offer, wording)));
  }
  if (result.check) sentences.push_back(check_words(*result.check));
}

}  // namespace

std::string chooser_sentence(const TuneResult& result) {
  const RiskCurve* curve = choosing_curve(result);
  if (!curve || curve->estimate.empty()) return "";
  switch (result.chosen_by) {
    case ChooseBy::exact:
      return curve->exact.empty()
                 ? "Lambda was chosen by approximate leave-one-out, which is exact for this model."
                 : "Lambda was chosen by exact leave-one-out at every lambda.";
    case ChooseBy::kfold:
      return "Lambda was chosen by cross-validation.";
    case ChooseBy::alo:
      return "Lambda was chosen by approximate leave-one-out alone.";
    case ChooseBy::automatic:
      break;
  }
  return fmt::format("Lambda was chosen by approximate leave-one-out, made better where it matters: {}.",
                     kinds_words(*curve));
}

std::string verdict_headline(const TuneResult& result) {
  if (!result.chosen()) return "No lambda could be chosen: the risk is undefined everywhere on the path.";
  return result.verdict.reliable ? "The choice can be relied on." : "Do not rely on this choice.";
}

std::string outer_sentence(const TuneResult& result) {
  if (!result.outer) return "";
  const OuterRisk& outer = *result.outer;
  if (outer.risk.empty()) return "The outer folds were stopped before their end.";
  const Estimate& risk = outer.risk.front();
  std::string text = fmt::format("Tuned and judged on {} outer folds: {} ", outer.folds,
                                 metric_words(outer.metrics.front()));
  text += risk.mean ? readable_short(*risk.mean, 4) : "undefined";
  if (risk.se) text += fmt::format(" \u00b1 {}", readable_short(*risk.se, 2));
  return text + ".";
}

std::string honesty_sentence(const TuneResult& result, const Wording& wording) {
  if (result.path.size() < 2) return outer_sentence(result);
  const std::string why =
      fmt::format("it was chosen from {} such estimates, and the best of many is on average too good",
                  result.path.size());
  if (result.outer) {
    return as_sentence(why) + " " + outer_sentence(result) + " This contains the choice of lambda.";
  }
  const Message offer = {why + "; outer folds judge the whole procedure, the choice included",
                         {{Setting::outer, "10"}}};
  return as_sentence(say(offer, wording));
}

std::vector<std::string> verdict_reasons(const TuneResult& result, const Wording& wording) {
  std::vector<std::string> sentences;
  if (!result.complete) sentences.emplace_back("The run was stopped early: this is what was finished.");
  for (Message reason : result.verdict.reasons) {
    // The offer at the end names the effort once for all reasons.
    if (offers_exact(result)) {
      std::erase_if(reason.hints, [](const Hint& hint) {
        return hint.setting == Setting::effort || hint.setting == Setting::exact;
      });
    }
    sentences.push_back(as_sentence(say(reason, wording)));
  }
  add_evidence(result, wording, sentences);
  return sentences;
}

}  // namespace alo::report
