// SPDX-License-Identifier: MIT
#include "tune/verdict.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace alo {

namespace {

// At leverage h the formula divides by 1 - h: at 0.9 an error of the local model is magnified tenfold, so
// that a single row can dominate the risk. At 0.99 the warning would come too late; at 0.5 it would come
// for most small data sets.
constexpr double high_leverage = 0.9;

// The largest leverage among the rows that were not refitted; refitted rows do not depend on it.
double largest_leverage(const RowValues& rows) {
  double largest = 0.0;
  for (Index i = 0; i < rows.leverage.size(); ++i) {
    const bool repaired = rows.flags[static_cast<std::size_t>(i)] == RowFlag::repaired;
    if (!repaired) largest = std::max(largest, rows.leverage[i]);
  }
  return largest;
}

std::vector<Message> reasons_at(const Selected& chosen, Metric metric, bool approximated, bool is_checked) {
  std::vector<Message> reasons;
  const RowValues& rows = *chosen.point.rows;
  const auto undefined = std::count_if(rows.flags.begin(), rows.flags.end(), is_undefined);
  if (undefined > 0 && approximated)
    reasons.push_back(fmt::format("{} rows have no leave-one-out prediction", undefined));
  const double largest = largest_leverage(rows);
  if (largest >= high_leverage && !is_checked) {
    reasons.push_back(fmt::format("the largest leverage is {:.3f} (0.9 or more)", largest));
  }
  if (!is_certified(chosen.point.fit.status)) {
    reasons.emplace_back("the fit at the chosen lambda missed its certificate");
  }
  if (!chosen.exact.empty() && chosen.exact.front().undefined > 0) {
    reasons.push_back(
        fmt::format("exact leave-one-out is undefined for {} row{}: without it no finite fit is best",
                    chosen.exact.front().undefined, chosen.exact.front().undefined == 1 ? "" : "s"));
  }
  if (exact_difference(metric, chosen).value_or(0.0) > tolerated_difference) {
    reasons.push_back(
        fmt::format("exact leave-one-out gives {} {:.5g} and the approximation {:.5g}: more than 10 % apart",
                    to_string(metric), *chosen.exact.front().mean, *chosen.choice.risk.mean));
  }
  return reasons;
}

// Whether the risk was still falling where it stops being defined: the next smaller lambda has rows without
// a leave-one-out prediction, so that it and possibly better ones could not be considered.
std::optional<Message> cut_short(const TuneResult& result) {
  if (!result.minimum || !result.minimum->choice.index || !result.approximated) return std::nullopt;
  const std::vector<Estimate>& risk = result.risk.front().alo;
  const auto next = static_cast<std::size_t>(*result.minimum->choice.index) + 1;
  if (next >= risk.size() || risk[next].mean || risk[next].undefined == 0) return std::nullopt;
  const Index undefined = risk[next].undefined;
  return Message{
      fmt::format(
          "the risk falls down to lambda {:.4g}, below which {} row{} no leave-one-out prediction, so "
          "smaller lambdas could not be chosen; exact refits without such rows settle them",
          result.minimum->choice.lambda, undefined, undefined == 1 ? " has" : "s have"),
      {{Setting::repair, "exact"}}};
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

}  // namespace

std::optional<double> exact_difference(Metric metric, const Selected& selected) {
  const Estimate& approximate = selected.choice.risk;
  if (selected.exact.empty() || !selected.exact.front().mean || !approximate.mean) return std::nullopt;
  const double difference = std::abs(*selected.exact.front().mean - *approximate.mean);
  const double error = larger_is_better(metric) ? 1.0 - *approximate.mean : *approximate.mean;
  return difference == 0.0 ? 0.0 : difference / std::abs(error);
}

Verdict judge(const TuneResult& result) {
  Verdict verdict;
  if (result.chosen()) {
    const bool is_checked = result.check && result.check->verdict == CheckVerdict::trusted;
    verdict.reasons =
        reasons_at(*result.chosen(), result.risk.front().metric, result.approximated, is_checked);
    if (result.check) {
      if (auto reason = against(*result.check)) verdict.reasons.push_back(std::move(*reason));
    }
    if (auto reason = cut_short(result)) verdict.reasons.push_back(std::move(*reason));
  } else {
    verdict.reasons.emplace_back("no lambda could be chosen");
  }
  verdict.reliable = verdict.reasons.empty();
  return verdict;
}

}  // namespace alo
